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
	defer buffers.Put(b) // want "is put back twice"
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
	buffers.Put(b) // want "is put back twice"
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

// A table has an encoder for as long as it is open.
type table struct {
	enc *encoder
	err error
}

func newTable() *table { return &table{enc: newEncoder()} }

func release(e *encoder) { encoders.Put(e) }

// closeKeeping leaves the encoder in the table.
func (t *table) closeKeeping() error {
	defer func() {
		if t.enc != nil {
			release(t.enc)
		}
	}()
	return t.err
}

// close takes it out.
func (t *table) close() error {
	defer func() {
		if t.enc != nil {
			release(t.enc)
			t.enc = nil
		}
	}()
	return t.err
}

func badClosed(parts []string) error {
	t := newTable()
	defer t.closeKeeping() // want "is put back twice"
	for _, s := range parts {
		t.enc.add(s)
	}
	return t.closeKeeping()
}

func goodClosed(parts []string) error {
	t := newTable()
	defer t.close()
	for _, s := range parts {
		t.enc.add(s)
	}
	return t.close()
}
