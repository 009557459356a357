// Package loads loads a pooled value from its field more than once.
package loads

import (
	"io"
	"sync"
)

var blocks = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func put(b []byte) { blocks.Put(&b) }

type conn struct {
	buf []byte
	n   int
	w   io.Writer
}

func (c *conn) badFlushed() error {
	out := c.buf[:c.n]
	put(c.buf)
	c.buf = nil
	_, err := c.w.Write(out) // want "c.buf is used after it was put back"
	return err
}

func (c *conn) goodFlushed() error {
	out := c.buf[:c.n]
	_, err := c.w.Write(out)
	put(c.buf)
	c.buf = nil
	return err
}

func (c *conn) badGrown(n int) {
	old := c.buf
	if n > len(old) {
		put(c.buf)
		c.buf = make([]byte, n)
		copy(c.buf, old) // want "c.buf is used after it was put back"
	}
}

func (c *conn) goodGrown(n int) {
	old := c.buf
	if n > len(old) {
		c.buf = make([]byte, n)
		copy(c.buf, old)
		put(old)
	}
}

func (c *conn) badInLoop(parts int) {
	for range parts {
		c.buf = *blocks.Get().(*[]byte)
		head := c.buf[:4]
		put(c.buf)
		c.w.Write(head) // want "is used after it was put back"
	}
}

func (c *conn) goodInLoop(parts int) {
	for range parts {
		head := c.buf[:4]
		c.w.Write(head)
		put(c.buf)
		c.buf = *blocks.Get().(*[]byte)
	}
}

// Read takes another block once this one is empty.
func (c *conn) Read(p []byte) (int, error) {
	n := copy(p, c.buf)
	put(c.buf)
	c.buf = *blocks.Get().(*[]byte)
	return n, nil
}

// goodRead may have read from another block by then.
func (c *conn) goodRead() byte {
	first := c.buf
	io.Copy(c.w, c)
	put(c.buf)
	c.buf = nil
	return first[0]
}

func each(f func()) { f() }

func (c *conn) fill() { c.buf = *blocks.Get().(*[]byte) }

func (c *conn) goodEach() byte {
	first := c.buf
	each(c.fill)
	put(c.buf)
	c.buf = nil
	return first[0]
}
