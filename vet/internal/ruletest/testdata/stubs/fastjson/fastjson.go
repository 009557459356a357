// Package fastjson has the part of github.com/valyala/fastjson that the cases use. Its
// parser knows strings only.
package fastjson

import (
	"errors"
	"strconv"
	"sync"
	"unsafe"
)

// A Value is part of a document. It lives in the memory of its parser or arena.
type Value struct {
	s      string
	fields map[string]*Value
}

// Get returns the value of a path, or nil.
func (v *Value) Get(keys ...string) *Value {
	for _, k := range keys {
		if v == nil {
			return nil
		}
		v = v.fields[k]
	}
	return v
}

// GetStringBytes returns the string of a path, in the parser's memory.
func (v *Value) GetStringBytes(keys ...string) []byte {
	v = v.Get(keys...)
	if v == nil {
		return nil
	}
	return unsafe.Slice(unsafe.StringData(v.s), len(v.s))
}

// GetInt returns the number of a path.
func (v *Value) GetInt(keys ...string) int { return len(v.GetStringBytes(keys...)) }

// Set sets a field.
func (v *Value) Set(key string, value *Value) { v.fields[key] = value }

// MarshalTo appends the text of v to dst.
func (v *Value) MarshalTo(dst []byte) []byte { return append(dst, v.s...) }

// String returns the text of v.
func (v *Value) String() string { return string(v.MarshalTo(nil)) }

// A Parser parses documents. What it returns is valid until it parses the next one.
type Parser struct {
	b []byte
	v Value
}

// Parse parses s.
func (p *Parser) Parse(s string) (*Value, error) {
	if s == "" {
		return nil, errors.New("empty document")
	}
	p.b = append(p.b[:0], s...)
	p.v = Value{s: unsafe.String(&p.b[0], len(p.b))}
	return &p.v, nil
}

// ParseBytes parses b.
func (p *Parser) ParseBytes(b []byte) (*Value, error) { return p.Parse(string(b)) }

// A ParserPool keeps parsers.
type ParserPool struct{ pool sync.Pool }

// Get returns a parser.
func (pp *ParserPool) Get() *Parser {
	if v := pp.pool.Get(); v != nil {
		return v.(*Parser)
	}
	return &Parser{}
}

// Put gives p back, and with it all values that it parsed.
func (pp *ParserPool) Put(p *Parser) { pp.pool.Put(p) }

// An Arena makes values.
type Arena struct {
	b  []byte
	vs []Value
}

// Reset takes back all values of a.
func (a *Arena) Reset() {
	a.b = a.b[:0]
	a.vs = a.vs[:0]
}

// NewObject returns an empty object.
func (a *Arena) NewObject() *Value {
	a.vs = append(a.vs, Value{fields: map[string]*Value{}})
	return &a.vs[len(a.vs)-1]
}

// NewString returns a string value.
func (a *Arena) NewString(s string) *Value {
	n := len(a.b)
	a.b = append(a.b, s...)
	a.vs = append(a.vs, Value{s: unsafe.String(unsafe.SliceData(a.b[n:]), len(s))})
	return &a.vs[len(a.vs)-1]
}

// NewNumberInt returns a number.
func (a *Arena) NewNumberInt(n int) *Value { return a.NewString(strconv.Itoa(n)) }

// An ArenaPool keeps arenas.
type ArenaPool struct{ pool sync.Pool }

// Get returns an arena.
func (ap *ArenaPool) Get() *Arena {
	if v := ap.pool.Get(); v != nil {
		return v.(*Arena)
	}
	return &Arena{}
}

// Put gives a back, and with it all values that it made.
func (ap *ArenaPool) Put(a *Arena) { ap.pool.Put(a) }
