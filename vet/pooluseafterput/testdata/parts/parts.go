// Package parts uses what is in the fields of structs.
package parts

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type encoder struct{ buf *bytes.Buffer }

func newEncoder() *encoder { return &encoder{buffers.Get().(*bytes.Buffer)} }

func (e *encoder) release()             { buffers.Put(e.buf) }
func (e *encoder) WriteString(s string) { e.buf.WriteString(s) }
func (e *encoder) Len() int             { return e.buf.Len() }

// reset gets another.
func (e *encoder) reset() {
	buffers.Put(e.buf)
	e.buf = buffers.Get().(*bytes.Buffer)
}

func badField(e *encoder) {
	e.release()
	e.buf.WriteByte(1) // want "e.buf is used after it was put back"
}

func goodField(e *encoder) {
	e.buf.WriteByte(1)
	e.release()
}

func badMethod() {
	e := newEncoder()
	e.release()
	e.WriteString("x") // want "e.buf is used after it was put back"
}

func goodMethod() {
	e := newEncoder()
	e.WriteString("x")
	e.release()
}

func badTaken(e *encoder) int {
	b := e.buf
	e.release()
	return b.Len() // want "b is used after|e.buf is used after"
}

func goodTaken(e *encoder) int {
	b := e.buf
	n := b.Len()
	e.release()
	return n
}

func goodReset(e *encoder) {
	e.reset()
	e.WriteString("x")
}

func goodSet(e *encoder, b *bytes.Buffer) {
	e.release()
	e.buf = b
	e.buf.WriteByte(1)
}
