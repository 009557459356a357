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
	defer buffers.Put(b) // want "goes back to its pool a second time"
	e := newEncoder()
	e.buf = b
	e.add(s)
	freeAll(e)
}

func goodHeld(s string) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	e := newEncoder()
	e.buf = b
	e.add(s)
	e.buf = nil
	e.free()
}

func badBoth(s string) {
	e := encoders.Get().(*encoder)
	b := buffers.Get().(*bytes.Buffer)
	e.buf = b
	e.add(s)
	freeAll(e)
	buffers.Put(b) // want "goes back to its pool a second time"
}

// goodCleared puts back only what is still there.
func goodCleared(s string) {
	e := newEncoder()
	e.buf = buffers.Get().(*bytes.Buffer)
	e.add(s)
	e.flush()
	if e.buf != nil {
		buffers.Put(e.buf)
	}
}

func (e *encoder) flush() {
	buffers.Put(e.buf)
	e.buf = nil
}
