// Package summaries has functions of which the analysis has to believe what their comments say.
package summaries

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var last *bytes.Buffer

type encoder struct {
	buf  *bytes.Buffer
	text []byte
}

// summary: e: detaches buf, used, .buf released
func (e *encoder) close() {
	buffers.Put(e.buf)
	e.buf = nil
}

// summary: e: used, .buf aliased by result 0 and used
func (e *encoder) bytes() []byte { return e.buf.Bytes() }

// summary: e: detaches text, used; p: kept in e
func (e *encoder) set(p []byte) { e.text = p }

// summary: result 0: item of buffers
func get() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

// summary: b: perhaps released, dropped if yes is zero and else released
func maybe(b *bytes.Buffer, yes bool) {
	if yes {
		buffers.Put(b)
	}
}

// summary: b: held by result 0
func wrap(b *bytes.Buffer) *encoder { return &encoder{buf: b} }

// summary: b: is result 0
func same(b *bytes.Buffer) *bytes.Buffer { return b }

// summary: b: kept
func keep(b *bytes.Buffer) { last = b }

// summary: b: escapes
func start(b *bytes.Buffer) { go func() { b.Reset() }() }

// summary: nothing
func call(f func(*bytes.Buffer)) { f(last) }

// summary: nothing
func local() int {
	b := get()
	defer buffers.Put(b)
	return b.Len()
}

func badUse() int {
	b := get()
	buffers.Put(same(b))
	return b.Len() // want "is used after it was put back"
}

func goodUse() int {
	b := get()
	n := b.Len()
	buffers.Put(same(b))
	return n
}

var _ = []any{(*encoder).close, (*encoder).bytes, (*encoder).set, maybe, wrap, keep, start, call, local, badUse, goodUse}
