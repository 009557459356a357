// Package consumes has functions that release what they are given on some paths, and say so.
package consumes

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

var (
	buffers   = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	errClosed = errors.New("closed")
	errLong   = errors.New("too long")
)

type conn struct {
	w      io.Writer
	closed bool
}

// check releases what it rejects.
func check(b *bytes.Buffer) error {
	if b.Len() > 1000 {
		buffers.Put(b)
		return errLong
	}
	return nil
}

func badCheck(w io.Writer) error {
	b := buffers.Get().(*bytes.Buffer) // want "b is not put back on the path to line 37"
	if err := check(b); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func goodCheck(w io.Writer) error {
	b := buffers.Get().(*bytes.Buffer)
	if err := check(b); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	buffers.Put(b)
	return err
}

// write releases what it has written, but not what comes too late.
func (c *conn) write(b *bytes.Buffer) error {
	if c.closed {
		return errClosed
	}
	c.w.Write(b.Bytes())
	buffers.Put(b)
	return nil
}

func (c *conn) badWrite(s string) error {
	b := buffers.Get().(*bytes.Buffer) // want "b is not put back on the path to line 64"
	b.WriteString(s)
	if err := c.write(b); err != nil {
		return err
	}
	return nil
}

func (c *conn) goodWrite(s string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(s)
	if err := c.write(b); err != nil {
		buffers.Put(b)
		return err
	}
	return nil
}

// putBack drops what there is no room for.
func putBack(b *bytes.Buffer, room bool) error {
	if !room {
		return errLong
	}
	buffers.Put(b)
	return nil
}

func goodPutBack(w io.Writer, room bool) {
	b := buffers.Get().(*bytes.Buffer)
	w.Write(b.Bytes())
	if err := putBack(b, room); err != nil {
		w.Write(nil)
	}
}

func (c *conn) tryPut(b *bytes.Buffer) bool {
	if c.closed {
		return false
	}
	buffers.Put(b)
	return true
}

func (c *conn) goodTryPut(w io.Writer) int {
	b := buffers.Get().(*bytes.Buffer)
	w.Write(b.Bytes())
	if !c.tryPut(b) {
		return 1
	}
	return 0
}
