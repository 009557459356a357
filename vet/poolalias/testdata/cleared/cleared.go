// Package cleared has values whose fields are cleared when they are put, all at once, but for some.
package cleared

import (
	"errors"
	"io"
	"sync"
)

var errCode = errors.New("code")

type response struct {
	code   int
	body   []byte
	header map[string]string
}

func (r *response) Body() []byte { return r.body }

func (r *response) read(rd io.ByteReader) error {
	for {
		b, err := rd.ReadByte()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		r.body = append(r.body, b)
	}
}

var responses = sync.Pool{New: func() any { return new(response) }}

func get() *response { return responses.Get().(*response) }

// put keeps the memory of the body.
//
// summary: r: released, detaches code header, used
func put(r *response) {
	*r = response{body: r.body[:0]}
	responses.Put(r)
}

func badGetter(rd io.ByteReader) ([]byte, error) {
	r := get()
	defer put(r)
	if err := r.read(rd); err != nil {
		return nil, err
	}
	return r.Body(), nil // want "the value returned aliases r"
}

func goodGetter(rd io.ByteReader) ([]byte, error) {
	r := get()
	defer put(r)
	if err := r.read(rd); err != nil {
		return nil, err
	}
	return append([]byte(nil), r.Body()...), nil
}

func retry(n int, f func() error) (err error) {
	for range n {
		if err = f(); err == nil {
			break
		}
	}
	return err
}

func badRetried(rd io.ByteReader) ([]byte, error) {
	var body []byte
	err := retry(3, func() error {
		r := get()
		defer put(r)
		if err := r.read(rd); err != nil {
			return err
		}
		switch r.code {
		case 200:
			body = r.Body() // want "the value stored in a variable of the enclosing function aliases r"
			return nil
		}
		return errCode
	})
	return body, err
}

func goodRetried(rd io.ByteReader) ([]byte, error) {
	var body []byte
	err := retry(3, func() error {
		r := get()
		defer put(r)
		if err := r.read(rd); err != nil {
			return err
		}
		body = append(body[:0], r.Body()...)
		return nil
	})
	return body, err
}

type packet struct {
	seq   int
	data  []byte
	extra []byte
}

var packets = sync.Pool{New: func() any { return new(packet) }}

// drop keeps the data, too, in three statements.
//
// summary: p: released, detaches extra seq, used
func (p *packet) drop() {
	data := p.data[:0]
	*p = packet{}
	p.data = data
	packets.Put(p)
}

func (p *packet) fill(s string) {
	p.data = append(p.data, s...)
	p.extra = append(p.extra, s...)
}

func badPacket(s string) []byte {
	p := packets.Get().(*packet)
	p.fill(s)
	data := p.data
	p.drop()
	return data // want "the value returned aliases p"
}

// The other field is let go of.
func goodExtra(s string) []byte {
	p := packets.Get().(*packet)
	p.fill(s)
	extra := p.extra
	p.drop()
	return extra
}

type line struct {
	n    int
	text []byte
}

var lines = sync.Pool{New: func() any { return new(line) }}

func (l *line) add(s string) { l.text = append(l.text[:0], s...) }

// end leaves all memory to the collector: what it appends to is nil.
//
// summary: l: released, detaches *, used
func (l *line) end() {
	*l = line{}
	l.text = append(l.text, '\n')
	lines.Put(l)
}

func goodLine(s string) []byte {
	l := lines.Get().(*line)
	l.add(s)
	text := l.text
	l.end()
	return text
}

// The literal has another slice.
func (l *line) endNew() {
	*l = line{text: make([]byte, 0, 64)}
	lines.Put(l)
}

func goodLineNew(s string) []byte {
	l := lines.Get().(*line)
	l.add(s)
	text := l.text
	l.endNew()
	return text
}
