// Package iface releases pooled values by methods that are called through interfaces.
package iface

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// A decoder puts itself back when it is closed.
type decoder struct {
	buf  bytes.Buffer
	pool *sync.Pool
}

func (d *decoder) Read(p []byte) (int, error) { return d.buf.Read(p) }

func (d *decoder) Close() error {
	d.pool.Put(d)
	return nil
}

var decoders sync.Pool

func open(b []byte) (io.ReadCloser, error) {
	if len(b) == 0 {
		return nil, errEmpty
	}
	if d, ok := decoders.Get().(*decoder); ok {
		d.buf.Write(b)
		return d, nil
	}
	d := &decoder{pool: &decoders}
	d.buf.Write(b)
	return d, nil
}

var errEmpty = errors.New("empty")

// Close never fails, so that the second one is reached after the first.
func badClosedTwice(b []byte, max int) ([]byte, error) {
	rc, err := open(b)
	if err != nil {
		return nil, err
	}
	out := make([]byte, max)
	n, err := io.ReadFull(rc, out)
	if err == io.ErrUnexpectedEOF {
		if err := rc.Close(); err != nil {
			return nil, err
		}
	}
	rc.Close() // want "rc is put back twice"
	return out[:n], nil
}

func goodClosedOnce(b []byte, max int) ([]byte, error) {
	rc, err := open(b)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	out := make([]byte, max)
	n, err := io.ReadFull(rc, out)
	return out[:n], err
}

func goodClosedEither(b []byte, max int) ([]byte, error) {
	rc, err := open(b)
	if err != nil {
		return nil, err
	}
	out := make([]byte, max)
	n, err := io.ReadFull(rc, out)
	if err == io.ErrUnexpectedEOF {
		if err := rc.Close(); err != nil {
			return nil, err
		}
		return out[:n], nil
	}
	return out[:n], rc.Close()
}

// What is opened may be something else.
func openAny(b []byte) (io.ReadCloser, error) {
	if len(b) == 0 {
		return io.NopCloser(bytes.NewReader(nil)), nil
	}
	return open(b)
}

func goodAny(b []byte) error {
	rc, err := openAny(b)
	if err != nil {
		return err
	}
	rc.Close()
	return rc.Close()
}

type block struct{ data []byte }

var blocks = sync.Pool{New: func() any { return new(block) }}

// A sink takes over what it is given.
type sink interface{ accept(b *block) error }

type counter struct{ n int }

func (c *counter) accept(b *block) error {
	c.n += len(b.data)
	blocks.Put(b)
	return nil
}

type writer struct{ w io.Writer }

func (w *writer) accept(b *block) error {
	defer blocks.Put(b)
	_, err := w.w.Write(b.data)
	return err
}

func badAccepted(to sink, n int) error {
	b := blocks.Get().(*block)
	b.data = append(b.data[:0], byte(n))
	err := to.accept(b)
	blocks.Put(b) // want "b is put back twice"
	return err
}

func goodAccepted(to sink, n int) error {
	b := blocks.Get().(*block)
	b.data = append(b.data[:0], byte(n))
	if n < 0 {
		blocks.Put(b)
		return errEmpty
	}
	return to.accept(b)
}

// A viewer only looks at what it is given; some keep it.
type viewer interface{ view(b *block) int }

type measure struct{}

func (measure) view(b *block) int { return len(b.data) }

type history struct{ last *block }

func (h *history) view(b *block) int {
	h.last = b
	return 0
}

func goodViewed(by viewer) int {
	b := blocks.Get().(*block)
	n := by.view(b)
	blocks.Put(b)
	return n
}

// A drain can be of other packages, which export does not tell here.
type Drain interface{ Take(b *block) error }

type drain struct{}

func (drain) Take(b *block) error {
	blocks.Put(b)
	return nil
}

func goodDrained(to Drain) error {
	b := blocks.Get().(*block)
	err := to.Take(b)
	if err != nil {
		blocks.Put(b)
	}
	return err
}

// A closer is what an assertion finds: anything that can be closed.
type closer interface{ Close() error }

func (b *block) Close() error {
	blocks.Put(b)
	return nil
}

func goodAsserted(v any) error {
	c, ok := v.(closer)
	if !ok {
		return nil
	}
	c.Close()
	return c.Close()
}
