// Package parts returns what is in the fields of structs.
package parts

import (
	"bytes"
	"sync"
	"unsafe"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type encoder struct{ buf *bytes.Buffer }

func newEncoder() *encoder { return &encoder{buffers.Get().(*bytes.Buffer)} }

func (e *encoder) release()       { buffers.Put(e.buf) }
func (e *encoder) Bytes() []byte  { return e.buf.Bytes() }
func (e *encoder) String() string { return e.buf.String() }

func badBytes() []byte {
	e := newEncoder()
	defer e.release()
	e.buf.WriteString("x")
	return e.Bytes() // want "the value returned aliases e.buf"
}

func goodBytes() []byte {
	e := newEncoder()
	defer e.release()
	e.buf.WriteString("x")
	return bytes.Clone(e.Bytes())
}

func goodString() string {
	e := newEncoder()
	defer e.release()
	e.buf.WriteString("x")
	return e.String()
}

// A chain lets go of its buffers.
type chain struct{ head, body *bytes.Buffer }

func newChain() *chain {
	return &chain{buffers.Get().(*bytes.Buffer), buffers.Get().(*bytes.Buffer)}
}

func (c *chain) headText() string {
	b := c.head.Bytes()
	return unsafe.String(unsafe.SliceData(b), len(b))
}

func (c *chain) Close() {
	buffers.Put(c.head)
	buffers.Put(c.body)
	c.head, c.body = nil, nil
}

func badText() string {
	c := newChain()
	defer c.Close()
	c.head.WriteString("a: b")
	return c.headText() // want "the value returned aliases c.head"
}

func goodText() string {
	c := newChain()
	defer c.Close()
	c.head.WriteString("a: b")
	return c.head.String()
}

func badInside() []byte {
	b := buffers.Get().(*bytes.Buffer)
	e := &encoder{b}
	defer e.release()
	return b.Bytes() // want "the value returned aliases"
}

func goodInside() []byte {
	b := buffers.Get().(*bytes.Buffer)
	e := &encoder{b}
	defer e.release()
	return bytes.Clone(b.Bytes())
}

// A slab is a wrapper of pooled memory that may be nil, or empty.
type slab struct {
	v          []byte
	start, end int
}

var slabs = sync.Pool{New: func() any { b := make([]byte, 2048); return &b }}

func newSlab() *slab { return &slab{v: *slabs.Get().(*[]byte)} }

func (s *slab) release() {
	if s == nil || s.v == nil {
		return
	}
	v := s.v
	s.v = nil
	slabs.Put(&v)
}

func (s *slab) bytes() []byte { return s.v[s.start:s.end] }

func badSlab(data []byte) []byte {
	s := newSlab()
	s.end = copy(s.v, "head")
	data = append(s.bytes(), data...)
	s.release()
	return data // want "which is put back"
}

func goodSlab(data []byte) []byte {
	s := newSlab()
	s.end = copy(s.v, "head")
	data = append(append([]byte(nil), s.bytes()...), data...)
	s.release()
	return data
}
