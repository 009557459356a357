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
	queue  chan *bytes.Buffer
}

// check releases what it rejects.
//
// summary: b: released, live if result 0 is zero and else released, used
func check(b *bytes.Buffer) error {
	if b.Len() > 1000 {
		buffers.Put(b)
		return errLong
	}
	return nil
}

func badCheck() error {
	b := buffers.Get().(*bytes.Buffer)
	if err := check(b); err != nil {
		b.Reset() // want "b is used after it was put back"
		return err
	}
	buffers.Put(b)
	return nil
}

func goodCheck() error {
	b := buffers.Get().(*bytes.Buffer)
	if err := check(b); err != nil {
		return err
	}
	b.Reset()
	buffers.Put(b)
	return nil
}

func badCheckNamed() (n int, err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() { n++ }()
	if err = check(b); err != nil {
		return b.Len(), err // want "b is used after it was put back"
	}
	buffers.Put(b)
	return n, nil
}

// send releases what it has sent.
//
// summary: c: used; b: released or dropped, as results tell, released if result 0 is zero and else released, used
func (c *conn) write(b *bytes.Buffer) error {
	if c.closed {
		return errClosed
	}
	_, err := c.w.Write(b.Bytes())
	buffers.Put(b)
	return err
}

func (c *conn) badWrite(b *bytes.Buffer) (int, error) {
	if err := c.write(b); err != nil {
		return 0, err
	}
	return b.Len(), nil // want "b is used after it was put back"
}

func (c *conn) goodWrite(b *bytes.Buffer) (int, error) {
	n := b.Len()
	if err := c.write(b); err != nil {
		return 0, err
	}
	return n, nil
}

func (c *conn) goodWriteClosed(b *bytes.Buffer) (int, error) {
	err := c.write(b)
	if err == errClosed {
		return b.Len(), err
	}
	return 0, err
}

// summary: c: used; b: released or dropped, as results tell, released if result 1 is zero and else live, used
func (c *conn) count(b *bytes.Buffer) (int, error) {
	if c.closed {
		return 0, errClosed
	}
	n, _ := c.w.Write(b.Bytes())
	buffers.Put(b)
	return n, nil
}

func (c *conn) badCount(b *bytes.Buffer) (int, error) {
	n, err := c.count(b)
	if err == nil && n < b.Len() { // want "b is used after it was put back"
		err = io.ErrShortWrite
	}
	return n, err
}

func (c *conn) goodCount(b *bytes.Buffer) (int, error) {
	n, err := c.count(b)
	if err != nil {
		n = b.Len()
	}
	return n, err
}

// Its callers are told what it is told.
//
// summary: c: used; b: released or dropped, as results tell, released if result 1 is zero and else live
func (c *conn) countTwice(b *bytes.Buffer) (int, error) { return c.count(b) }

func (c *conn) badCountTwice(b *bytes.Buffer) (int, error) {
	n, err := c.countTwice(b)
	if err != nil {
		return 0, err
	}
	return n + b.Len(), nil // want "b is used after it was put back"
}

func (c *conn) goodCountTwice(b *bytes.Buffer) (int, error) {
	n, err := c.countTwice(b)
	if err != nil {
		return b.Len(), err
	}
	return n, nil
}

// enqueue hands over what it has room for, and releases the rest.
func (c *conn) enqueue(b *bytes.Buffer) bool {
	select {
	case c.queue <- b:
		return true
	default:
		buffers.Put(b)
		return false
	}
}

func (c *conn) badEnqueue(b *bytes.Buffer) int {
	if !c.enqueue(b) {
		return b.Len() // want "b is used after it was put back"
	}
	return 0
}

func (c *conn) goodEnqueue(b *bytes.Buffer) int {
	n := b.Len()
	if !c.enqueue(b) {
		return n
	}
	return 0
}

// Whatever is told, it is used when it was released.
func (c *conn) badUnasked(b *bytes.Buffer) (int, error) {
	err := c.write(b)
	return b.Len(), err // want "b is used after it was put back"
}

// A caller may be told by two calls.
func badEither(b *bytes.Buffer, long bool) (int, error) {
	var err error
	if long {
		err = check(b)
	} else {
		err = check(b)
	}
	if err != nil {
		return b.Len(), err // want "b is used after it was put back"
	}
	buffers.Put(b)
	return 0, nil
}

func goodEither(b *bytes.Buffer, long bool) (int, error) {
	var err error
	if long {
		err = check(b)
	}
	if err != nil {
		return 0, err
	}
	n := b.Len()
	buffers.Put(b)
	return n, nil
}

type counted struct {
	refs int
	data []byte
}

var items sync.Pool

// done reports whether it was the last reference.
func (c *counted) done() bool {
	c.refs--
	if c.refs > 0 {
		return false
	}
	items.Put(c)
	return true
}

func badDone(c *counted) int {
	if c.done() {
		return len(c.data) // want "c is used after it was put back"
	}
	return 0
}

func goodDone(c *counted) int {
	if c.done() {
		return 0
	}
	return len(c.data)
}

func goodAnother(c *counted, note func(bool)) int {
	c.refs++
	note(c.done())
	return len(c.data)
}
