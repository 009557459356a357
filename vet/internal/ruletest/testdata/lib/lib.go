// Package lib is a package of pooled values that others import.
package lib

import (
	"io"
	"strconv"
	"sync"
)

// A Line is a line of output. It comes from Get and goes back by Put or Free.
type Line struct {
	buf   []byte
	Level int
}

var lines = sync.Pool{New: func() any { return &Line{buf: make([]byte, 0, 256)} }}

// Get returns an empty line.
func Get() *Line {
	l := lines.Get().(*Line)
	l.buf = l.buf[:0]
	return l
}

// Put gives a line back.
func Put(l *Line) {
	if l == nil || cap(l.buf) > 64<<10 {
		return
	}
	lines.Put(l)
}

// Free gives the line back.
func (l *Line) Free() { lines.Put(l) }

// Int appends a number.
func (l *Line) Int(n int) *Line {
	l.buf = strconv.AppendInt(l.buf, int64(n), 10)
	return l
}

// Bytes returns the text, which stays the line's.
func (l *Line) Bytes() []byte { return l.buf }

// String returns a copy of the text.
func (l *Line) String() string { return string(l.buf) }

// WriteTo writes the text, and keeps it.
func (l *Line) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(l.buf)
	return int64(n), err
}

// Emit writes a line and gives it back.
func Emit(w io.Writer, l *Line) error {
	defer l.Free()
	_, err := l.WriteTo(w)
	return err
}

// Size returns the length of a line. It keeps nothing.
func Size(l *Line) int { return len(l.buf) }

// Steal returns the text, which is the caller's from now on.
func Steal(l *Line) []byte {
	b := l.buf
	l.buf = nil
	return b
}

// A Batch frees its lines when it is closed.
type Batch struct{ lines []*Line }

// Add gives a line to the batch.
func (b *Batch) Add(l *Line) { b.lines = append(b.lines, l) }

// Close frees the lines.
func (b *Batch) Close() {
	for _, l := range b.lines {
		l.Free()
	}
	b.lines = nil
}

// A Cache keeps values behind its own methods.
type Cache[T any] struct{ pool sync.Pool }

// Borrow returns a value.
func (c *Cache[T]) Borrow() *T {
	if v, ok := c.pool.Get().(*T); ok {
		return v
	}
	return new(T)
}

// Return gives a value back.
func (c *Cache[T]) Return(v *T) { c.pool.Put(v) }
