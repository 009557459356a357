// Package reached has values that are put on one path, and put again on a path from there.
package reached

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
)

var (
	buffers  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	errShort = errors.New("short")
)

func get() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func put(b *bytes.Buffer) { buffers.Put(b) }

func badMissingReturn(w io.Writer, r io.Reader, small bool) error {
	b := get()
	if small {
		put(b)
	}
	p := make([]byte, 10)
	if _, err := r.Read(p); err != nil {
		return err
	}
	put(b) // want "b is put back twice, after line 24, as a path leads here from there: "
	_, err := w.Write(p)
	return err
}

func goodReturns(w io.Writer, r io.Reader, small bool) error {
	b := get()
	if small {
		put(b)
		return nil
	}
	p := make([]byte, 10)
	if _, err := r.Read(p); err != nil {
		return err
	}
	put(b)
	_, err := w.Write(p)
	return err
}

func badEndOnly(c net.Conn, p []byte) {
	for {
		b := get()
		if _, err := c.Read(p); err != nil {
			put(b)
			if errors.Is(err, net.ErrClosed) {
				return
			}
		}
		put(b) // want "b is put back twice, after line 54"
	}
}

func goodEndOnly(c net.Conn, p []byte) {
	for {
		b := get()
		if _, err := c.Read(p); err != nil {
			if errors.Is(err, net.ErrClosed) {
				put(b)
				return
			}
		}
		put(b)
	}
}

func badInBranch(w io.Writer, r io.Reader, full bool) error {
	b := get()
	if full {
		put(b)
	}
	if _, err := io.WriteString(w, "header"); err != nil {
		put(b) // want "b is put back twice"
		return err
	}
	return nil
}

func goodInBranch(w io.Writer, full bool) error {
	b := get()
	if full {
		put(b)
		b = nil
	}
	if _, err := io.WriteString(w, "header"); err != nil {
		if b != nil {
			put(b)
		}
		return err
	}
	if b != nil {
		put(b)
	}
	return nil
}

func goodFlag(w io.Writer, full bool) error {
	b, done := get(), false
	if full {
		put(b)
		done = true
	}
	if _, err := io.WriteString(w, "header"); err != nil {
		return err
	}
	if !done {
		put(b)
	}
	return nil
}

func goodExcluded(w io.Writer, full bool) error {
	b := get()
	if full {
		put(b)
	}
	if _, err := io.WriteString(w, "header"); err != nil {
		return err
	}
	if !full {
		put(b)
	}
	return nil
}

func goodSameError(c net.Conn, p []byte) error {
	b := get()
	_, err := c.Read(p)
	if err != nil {
		put(b)
		if !errors.Is(err, errShort) {
			return err
		}
	}
	if err == nil {
		put(b)
	}
	return nil
}

// A counted value is put when the last of its owners lets go of it.
type counted struct {
	n int
	b []byte
}

var countedPool = sync.Pool{New: func() any { return new(counted) }}

func (c *counted) release() {
	if c.n--; c.n == 0 {
		countedPool.Put(c)
	}
}

func goodCounted(w io.Writer, full bool) error {
	c := countedPool.Get().(*counted)
	c.n = 2
	if full {
		c.release()
	}
	if _, err := w.Write(c.b); err != nil {
		return err
	}
	c.release()
	return nil
}
