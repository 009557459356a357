// Package owned has pooled wrappers with a buffer of their own.
package owned

import (
	"bytes"
	"fmt"
	"sync"
)

// A printer keeps its buffer for life.
type printer struct {
	buf    *bytes.Buffer
	indent int
}

var printers = sync.Pool{New: func() any { return &printer{buf: bytes.NewBuffer(make([]byte, 0, 512))} }}

func get() *printer {
	p := printers.Get().(*printer)
	p.buf.Reset()
	return p
}

func put(p *printer) { printers.Put(p) }

func (p *printer) bytes() []byte { return p.buf.Bytes() }

func (p *printer) text() string { return p.buf.String() }

func (p *printer) Write(b []byte) (int, error) { return p.buf.Write(b) }

func badBytes(v any) []byte {
	p := get()
	defer put(p)
	fmt.Fprint(p, v)
	return p.bytes() // want "the value returned aliases p"
}

func goodBytes(v any) []byte {
	p := get()
	defer put(p)
	fmt.Fprint(p, v)
	return bytes.Clone(p.bytes())
}

func badField(v any) []byte {
	p := get()
	fmt.Fprint(p.buf, v)
	out := bytes.TrimSpace(p.buf.Bytes())
	put(p)
	return out // want "the value returned aliases p"
}

func goodText(v any) string {
	p := get()
	defer put(p)
	fmt.Fprint(p.buf, v)
	return p.text()
}

func badBuffer(v any) *bytes.Buffer {
	p := get()
	defer put(p)
	fmt.Fprint(p.buf, v)
	return p.buf // want "the value returned aliases p"
}

// detach gives the buffer away, and the printer another.
func (p *printer) detach() *bytes.Buffer {
	b := p.buf
	p.buf = new(bytes.Buffer)
	return b
}

func goodDetached(v any) []byte {
	p := get()
	defer put(p)
	fmt.Fprint(p.buf, v)
	return p.detach().Bytes()
}

// A view shows a buffer of others.
type view struct{ buf *bytes.Buffer }

var views = sync.Pool{New: func() any { return new(view) }}

func viewOf(b *bytes.Buffer) *view {
	v := views.Get().(*view)
	v.buf = b
	return v
}

func goodView(b *bytes.Buffer) []byte {
	v := viewOf(b)
	defer views.Put(v)
	return v.buf.Bytes()
}

// A maker has its own buffer only if nobody gives it one.
type maker struct{ out *bytes.Buffer }

var makers = sync.Pool{New: func() any { return &maker{out: new(bytes.Buffer)} }}

func (m *maker) use(b *bytes.Buffer) { m.out = b }

func goodMaker(fill func(*maker)) []byte {
	m := makers.Get().(*maker)
	defer makers.Put(m)
	fill(m)
	return m.out.Bytes()
}
