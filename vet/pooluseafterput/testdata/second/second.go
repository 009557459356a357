// Package second has buffers that are put back with the encoder that holds them.
package second

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// An encoder is pooled itself, and puts back the buffer that it holds.
type encoder struct {
	buf   *bytes.Buffer
	depth int
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func newEncoder() *encoder { return encoders.Get().(*encoder) }

func (e *encoder) free() {
	if e.buf != nil {
		buffers.Put(e.buf)
		e.buf = nil
	}
	encoders.Put(e)
}

func freeAll(e *encoder) {
	buffers.Put(e.buf)
	e.buf = nil
	e.depth = 0
	encoders.Put(e)
}

func (e *encoder) add(s string) { e.buf.WriteString(s) }

func badHeld(s string) {
	b := buffers.Get().(*bytes.Buffer)
	e := newEncoder()
	e.buf = b
	freeAll(e)
	b.WriteString(s) // want "b is used after it was put back"
}

func goodHeld(s string) {
	b := buffers.Get().(*bytes.Buffer)
	e := newEncoder()
	e.buf = b
	b.WriteString(s)
	freeAll(e)
}

func goodEachIteration(parts []string) {
	e := newEncoder()
	for _, s := range parts {
		b := buffers.Get().(*bytes.Buffer)
		b.WriteString(s)
		e.buf = b
		e.add("\n")
		buffers.Put(b)
	}
	e.buf = nil
	e.free()
}

// reset lets go of the buffer, and perhaps of another.
func (e *encoder) reset(b *bytes.Buffer) { e.buf = b }

func goodReset(s string) {
	b := buffers.Get().(*bytes.Buffer)
	e := newEncoder()
	e.buf = b
	e.reset(nil)
	e.free()
	b.WriteString(s)
}
