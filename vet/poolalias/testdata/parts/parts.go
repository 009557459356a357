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
	return e.Bytes() // want "what is returned belongs to e.buf"
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
	return c.headText() // want "what is returned belongs to c.head"
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
	return b.Bytes() // want "what is returned belongs to"
}

func goodInside() []byte {
	b := buffers.Get().(*bytes.Buffer)
	e := &encoder{b}
	defer e.release()
	return bytes.Clone(b.Bytes())
}
