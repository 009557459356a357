package iface

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
)

// An encoder is one of two types, both of this package and from pools of it.
type encoder interface {
	Reset()
	Encode(v any) error
	Finish() []byte
}

type jsonEncoder struct{ buf bytes.Buffer }

func (e *jsonEncoder) Reset()             { e.buf.Reset() }
func (e *jsonEncoder) Encode(v any) error { return json.NewEncoder(&e.buf).Encode(v) }
func (e *jsonEncoder) Finish() []byte     { return bytes.Clone(e.buf.Bytes()) }

type flatEncoder struct{ n int }

func (e *flatEncoder) Reset()             { e.n = 0 }
func (e *flatEncoder) Encode(v any) error { e.n++; return nil }
func (e *flatEncoder) Finish() []byte     { return make([]byte, e.n) }

var (
	jsonEncoders = sync.Pool{New: func() any { return new(jsonEncoder) }}
	flatEncoders = sync.Pool{New: func() any { return new(flatEncoder) }}
)

func getEncoder(flat bool) encoder {
	var e encoder
	if flat {
		e = flatEncoders.Get().(encoder)
	} else {
		e = jsonEncoders.Get().(encoder)
	}
	e.Reset()
	return e
}

func putEncoder(flat bool, e encoder) {
	e.Reset()
	if flat {
		flatEncoders.Put(e)
	} else {
		jsonEncoders.Put(e)
	}
}

var errTooMany = errors.New("too many")

func badEncoder(flat bool, values []any) ([]byte, error) {
	e := getEncoder(flat) // want "e is not put back on the path to line 61"
	for i, v := range values {
		e.Encode(v)
		if i > 100 {
			return nil, errTooMany
		}
	}
	p := e.Finish()
	putEncoder(flat, e)
	return p, nil
}

func goodEncoder(flat bool, values []any) ([]byte, error) {
	e := getEncoder(flat)
	defer putEncoder(flat, e)
	for i, v := range values {
		e.Encode(v)
		if i > 100 {
			return nil, errTooMany
		}
	}
	return e.Finish(), nil
}

func badNeverEncoder(flat bool, v any) []byte {
	e := getEncoder(flat) // want "e is never put back"
	e.Encode(v)
	return e.Finish()
}

// A visitor puts itself back.
type visitor interface {
	visit(v any)
	done()
}

type counting struct{ n int }

func (c *counting) visit(any) { c.n++ }

func (c *counting) done() {
	c.n = 0
	countings.Put(c)
}

type silent struct{ last any }

func (s *silent) visit(v any) { s.last = v }

func (s *silent) done() {
	s.last = nil
	silents.Put(s)
}

var (
	countings = sync.Pool{New: func() any { return new(counting) }}
	silents   = sync.Pool{New: func() any { return new(silent) }}
)

func goodVisitor(values []any) {
	v := countings.Get().(visitor)
	if len(values) == 0 {
		v = silents.Get().(visitor)
	}
	for _, x := range values {
		v.visit(x)
	}
	v.done()
}

func badVisitor(values []any) error {
	v := countings.Get().(visitor) // want "v is not put back on the path to line 132"
	for i, x := range values {
		v.visit(x)
		if i > 100 {
			return errTooMany
		}
	}
	v.done()
	return nil
}

// A parser may be one of another package, which keeps itself.
type parser interface {
	Parse(p []byte) int
}

var parsers sync.Pool

type ownParser struct{}

func (*ownParser) Parse(p []byte) int { return len(p) }

func Register(p any) { parsers.Put(p) }

func goodOpenParser(p []byte) int {
	x := parsers.Get().(parser)
	n := x.Parse(p)
	if n == 0 {
		return 0
	}
	parsers.Put(x)
	return n
}
