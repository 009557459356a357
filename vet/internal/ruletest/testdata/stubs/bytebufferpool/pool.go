// Package bytebufferpool has the part of github.com/valyala/bytebufferpool that the cases use.
package bytebufferpool

import (
	"io"
	"sync"
)

// A ByteBuffer is a buffer whose bytes are its field.
type ByteBuffer struct{ B []byte }

// Len returns the length of the contents.
func (b *ByteBuffer) Len() int { return len(b.B) }

// Bytes returns the contents, which stay the buffer's.
func (b *ByteBuffer) Bytes() []byte { return b.B }

// String returns a copy of the contents.
func (b *ByteBuffer) String() string { return string(b.B) }

// Write appends p.
func (b *ByteBuffer) Write(p []byte) (int, error) {
	b.B = append(b.B, p...)
	return len(p), nil
}

// WriteString appends s.
func (b *ByteBuffer) WriteString(s string) (int, error) {
	b.B = append(b.B, s...)
	return len(s), nil
}

// WriteTo writes the contents to w.
func (b *ByteBuffer) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(b.B)
	return int64(n), err
}

// Set replaces the contents by a copy of p.
func (b *ByteBuffer) Set(p []byte) { b.B = append(b.B[:0], p...) }

// Reset empties the buffer.
func (b *ByteBuffer) Reset() { b.B = b.B[:0] }

// A Pool keeps buffers.
type Pool struct{ pool sync.Pool }

// Get returns an empty buffer.
func (p *Pool) Get() *ByteBuffer {
	if v := p.pool.Get(); v != nil {
		return v.(*ByteBuffer)
	}
	return &ByteBuffer{}
}

// Put gives b back.
func (p *Pool) Put(b *ByteBuffer) {
	b.Reset()
	p.pool.Put(b)
}

var defaultPool Pool

// Get returns an empty buffer of the default pool.
func Get() *ByteBuffer { return defaultPool.Get() }

// Put gives b back to the default pool.
func Put(b *ByteBuffer) { defaultPool.Put(b) }
