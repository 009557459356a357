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
	b := buffers.Get().(*bytes.Buffer)
	if err := check(b); err != nil {
		buffers.Put(b) // want "b is put back twice"
		return err
	}
	w.Write(b.Bytes())
	buffers.Put(b)
	return nil
}

func goodCheck(w io.Writer) error {
	b := buffers.Get().(*bytes.Buffer)
	if err := check(b); err != nil {
		return err
	}
	w.Write(b.Bytes())
	buffers.Put(b)
	return nil
}

func badDeferred(w io.Writer) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // want "b is put back twice"
	if err := check(b); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func badLastly() error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // want "b is put back twice"
	return check(b)
}

func badAlways(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	if check(b) == nil {
		w.Write(b.Bytes())
	}
	buffers.Put(b) // want "b is put back twice"
}

func goodAlways(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	if check(b) == nil {
		w.Write(b.Bytes())
		buffers.Put(b)
	}
}

// write releases what it has tried to write, but not what comes too late.
func (c *conn) write(b *bytes.Buffer) error {
	if c.closed {
		return errClosed
	}
	_, err := c.w.Write(b.Bytes())
	buffers.Put(b)
	return err
}

func (c *conn) badWrite(b *bytes.Buffer) error {
	err := c.write(b)
	if err != nil {
		buffers.Put(b) // want "b is put back twice"
	}
	return err
}

func (c *conn) goodWrite(b *bytes.Buffer) error {
	err := c.write(b)
	if errors.Is(err, errClosed) {
		buffers.Put(b)
	}
	return err
}

func (c *conn) goodWriteOpen(b *bytes.Buffer) error {
	if c.closed {
		buffers.Put(b)
		return errClosed
	}
	return c.write(b)
}

// A flag that is passed says who releases.
func finish(b *bytes.Buffer, free bool) {
	b.Reset()
	if free {
		buffers.Put(b)
	}
}

func badFinish(b *bytes.Buffer) {
	finish(b, true)
	buffers.Put(b) // want "b is put back twice"
}

func goodFinish(b *bytes.Buffer) {
	finish(b, false)
	buffers.Put(b)
}

// An error that is passed says so too.
func finishErr(b *bytes.Buffer, err error) {
	if err != nil {
		return
	}
	buffers.Put(b)
}

func badFinishErr(b *bytes.Buffer) {
	finishErr(b, nil)
	buffers.Put(b) // want "b is put back twice"
}

func goodFinishErr(b *bytes.Buffer) {
	finishErr(b, errLong)
	buffers.Put(b)
}

func goodFinishErrs(b *bytes.Buffer, err error) {
	finishErr(b, err)
	if err != nil {
		buffers.Put(b)
	}
}

func badFinishErrs(b *bytes.Buffer, err error) {
	finishErr(b, err)
	if err == nil {
		buffers.Put(b) // want "b is put back twice"
	}
}
