// Package loads loads a pooled slice from its field more than once.
package loads

import (
	"bytes"
	"io"
	"sync"
)

var blocks = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func put(b []byte) { blocks.Put(&b) }

type conn struct {
	mu    sync.Mutex
	buf   []byte
	p     *[]byte
	text  *bytes.Buffer
	frame []byte
	n     int
	inner *conn
}

func (c *conn) badTaken() []byte {
	out := c.buf[:c.n]
	put(c.buf)
	c.buf = nil
	return out // want "the value returned aliases c.buf"
}

func (c *conn) goodTaken() []byte {
	out := append([]byte(nil), c.buf[:c.n]...)
	put(c.buf)
	c.buf = nil
	return out
}

func (c *conn) badKept() {
	c.frame = c.buf[:c.n] // want "the value stored in c.frame aliases c.buf"
	put(c.buf)
	c.buf = nil
}

func (c *conn) goodKept() {
	c.frame = append(c.frame[:0], c.buf[:c.n]...)
	put(c.buf)
	c.buf = nil
}

func (c *conn) badPointer() []byte {
	out := (*c.p)[:c.n]
	if c.p != nil {
		blocks.Put(c.p)
		c.p = nil
	}
	return out // want "the value returned aliases c.p"
}

// goodExchanged puts the old block back, and returns from the new one.
func (c *conn) goodExchanged() []byte {
	blocks.Put(c.p)
	c.p = blocks.Get().(*[]byte)
	return (*c.p)[:c.n]
}

// goodOld returns the old block.
func (c *conn) goodOld() []byte {
	old := *c.p
	c.p = blocks.Get().(*[]byte)
	blocks.Put(c.p)
	return old
}

// goodResliced only moves the slice within its field.
func (c *conn) goodResliced() {
	c.buf = c.buf[:0]
	put(c.buf)
}

func (c *conn) badInner() []byte {
	out := c.inner.buf[:c.n]
	put(c.inner.buf)
	c.inner.buf = nil
	return out // want "the value returned aliases buf"
}

// goodInner has another inner one by then.
func (c *conn) goodInner() []byte {
	out := c.inner.buf[:c.n]
	c.inner = new(conn)
	put(c.inner.buf)
	return out
}

func dial(n int) *conn {
	c := &conn{n: n}
	if n > 0 {
		c.buf = make([]byte, n)
	}
	return c
}

func badDialed(r io.Reader) []byte {
	c := dial(10)
	n, _ := r.Read(c.buf)
	out := c.buf[:n]
	put(c.buf)
	c.buf = nil
	return out // want "the value returned aliases buf"
}

func (c *conn) fill() { c.buf = *blocks.Get().(*[]byte) }

// goodFilled releases the second one.
func (c *conn) goodFilled() []byte {
	out := c.buf[:c.n]
	c.fill()
	put(c.buf)
	return out
}

// goodLocked lets others exchange the slice.
func (c *conn) goodLocked() []byte {
	c.mu.Lock()
	out := c.buf[:c.n]
	c.mu.Unlock()
	c.mu.Lock()
	put(c.buf)
	c.buf = nil
	c.mu.Unlock()
	return out
}

// goodCalled lets a function exchange the slice.
func (c *conn) goodCalled(exchange func()) []byte {
	out := c.buf[:c.n]
	exchange()
	put(c.buf)
	c.buf = nil
	return out
}

// badTail keeps the end of the block, or nothing, and puts the block back.
func (c *conn) badTail() {
	if len(c.buf) > 16 {
		c.frame = c.buf[len(c.buf)-16:] // want "the value stored in c.frame aliases c.buf"
	} else {
		c.frame = nil
	}
	put(c.buf)
	c.buf = nil
}

func (c *conn) goodTail() {
	c.frame = c.frame[:0]
	if len(c.buf) > 16 {
		c.frame = append(c.frame, c.buf[len(c.buf)-16:]...)
	}
	put(c.buf)
	c.buf = nil
}

// goodRestored takes the frame back.
func (c *conn) goodRestored(w io.Writer) {
	c.frame = c.buf[:c.n]
	c.write(w)
	put(c.buf)
	c.buf = nil
	c.frame = nil
}

func (c *conn) write(w io.Writer) { w.Write(c.frame) }

// badFailed leaves the block where it is if the write fails.
func (c *conn) badFailed(w io.Writer) error {
	c.frame = c.buf[:c.n] // want "the value stored in c.frame aliases c.buf"
	if _, err := w.Write(c.frame); err != nil {
		return err
	}
	put(c.buf)
	c.buf = nil
	return nil
}

// goodFailed puts the block back only if the write fails: it is the frame's otherwise.
func (c *conn) goodFailed(w io.Writer) error {
	c.frame = c.buf[:c.n]
	if _, err := w.Write(c.frame); err != nil {
		put(c.buf)
		c.buf = nil
		return err
	}
	return nil
}

func (c *conn) grow(n int) { c.buf = append(make([]byte, 0, n), c.buf...) }

// goodGrown puts back the larger copy.
func (c *conn) goodGrown(n int) []byte {
	out := c.buf
	c.grow(n)
	put(c.buf)
	return out
}
