// Package partly has pooled values of which a part is put back.
package partly

import (
	"bytes"
	"strconv"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBuffer(b *bytes.Buffer) {
	b.Reset()
	buffers.Put(b)
}

type encoder interface {
	Clone() encoder
	AddString(key, value string)
}

type textEncoder struct {
	buf  *bytes.Buffer
	open int
}

var encoders = sync.Pool{New: func() any { return new(textEncoder) }}

func putEncoder(e *textEncoder) {
	e.buf, e.open = nil, 0
	encoders.Put(e)
}

func (e *textEncoder) copy() *textEncoder {
	c := encoders.Get().(*textEncoder)
	c.open = e.open
	c.buf = buffers.Get().(*bytes.Buffer)
	c.buf.Write(e.buf.Bytes())
	return c
}

// Clone returns an encoder for one line.
func (e *textEncoder) Clone() encoder { return e.copy() }

// AddString adds a field.
func (e *textEncoder) AddString(key, value string) {
	e.buf.WriteString(strconv.Quote(key) + ":" + strconv.Quote(value))
}

func addAll(e encoder, fields map[string]string) {
	for k, v := range fields {
		e.AddString(k, v)
	}
}

func badLine(parent *textEncoder, fields map[string]string) string {
	e := parent.Clone().(*textEncoder) // want "is never put back"
	defer putBuffer(e.buf)
	addAll(e, fields)
	return e.buf.String()
}

func goodLine(parent *textEncoder, fields map[string]string) string {
	e := parent.Clone().(*textEncoder)
	addAll(e, fields)
	text := e.buf.String()
	putBuffer(e.buf)
	putEncoder(e)
	return text
}

func badUnnamed(parent *textEncoder) int {
	e := parent.with("level") // want "is never put back"
	n := e.buf.Len()
	e.drop()
	return n
}

func goodUnnamed(parent *textEncoder) int {
	e := parent.with("level")
	n := e.buf.Len()
	e.drop()
	putEncoder(e)
	return n
}

func (e *textEncoder) with(key string) *textEncoder {
	c := e.copy()
	c.AddString(key, "")
	return c
}

func (e *textEncoder) drop() { putBuffer(e.buf) }

func badCopy(parent *textEncoder) string {
	e := parent.copy() // want "is never put back"
	e.AddString("a", "b")
	return e.buf.String()
}

// goodBuffer gives the buffer to the caller, and puts back the encoder.
func goodBuffer(parent *textEncoder) *bytes.Buffer {
	e := parent.copy()
	e.AddString("a", "b")
	b := e.buf
	putEncoder(e)
	return b
}

var idle = make(chan *textEncoder, 8)

func enqueue(e *textEncoder) { idle <- e }

// goodIdle keeps the encoder for later, without its buffer.
func goodIdle(parent *textEncoder) {
	e := parent.copy()
	e.AddString("a", "b")
	putBuffer(e.buf)
	e.buf = nil
	enqueue(e)
}

// goodReturned does so for the caller.
func goodReturned(parent *textEncoder) *textEncoder {
	e := parent.copy()
	putBuffer(e.buf)
	e.buf = nil
	return e
}

// goodChild is not told to be released by anybody, and released by nobody.
func goodChild(parent *textEncoder) int {
	return parent.named("level").open
}

func (e *textEncoder) named(key string) *textEncoder {
	c := e.copy()
	c.AddString(key, "")
	return c
}

// Others put back what the same method returns.
func badChild(parent *textEncoder) int {
	return parent.with("level").open // want "is never put back"
}

// reset begins anew with another buffer.
func (e *textEncoder) reset() {
	if e.buf != nil {
		putBuffer(e.buf)
		e.buf = nil
	}
	e.open = 0
}

type line struct{ *textEncoder }

// goodWrapped puts the encoder into a struct for the caller.
func goodWrapped() *line {
	e, _ := encoders.Get().(*textEncoder)
	if e != nil {
		e.reset()
	} else {
		e = new(textEncoder)
	}
	return &line{e}
}
