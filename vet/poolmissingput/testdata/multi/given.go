package multi

import (
	"bytes"
	"errors"
	"hash"
	"hash/fnv"
	"io"
	"sync"
	"sync/atomic"
)

var errRead = errors.New("read")

var scratch = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// packed returns a buffer of the pool, as its callers know.
func packed(b []byte) (*bytes.Buffer, error) {
	buf := scratch.Get().(*bytes.Buffer)
	buf.Reset()
	if len(b) == 0 {
		scratch.Put(buf)
		return nil, errRead
	}
	buf.Write(b)
	return buf, nil
}

func goodPacked(b []byte) (int, error) {
	buf, err := packed(b)
	if err != nil {
		return 0, err
	}
	defer scratch.Put(buf)
	return buf.Len(), nil
}

func badPacked(b []byte) (int, error) {
	buf, err := packed(b) // want "buf is never put back"
	if err != nil {
		return 0, err
	}
	return buf.Len(), nil
}

// A counted buffer is freed by whoever receives it.
type counted struct {
	data []byte
	refs atomic.Int32
}

var counteds = sync.Pool{New: func() any { return new(counted) }}

func (c *counted) free() {
	if c.refs.Add(-1) == 0 {
		counteds.Put(c)
	}
}

func receive(r io.Reader) (*counted, bool, error) {
	c := counteds.Get().(*counted)
	c.refs.Store(1)
	if _, err := io.ReadFull(r, c.data); err != nil {
		c.free()
		return nil, false, err
	}
	return c, true, nil
}

func goodReceived(r io.Reader) (int, error) {
	c, _, err := receive(r)
	if err != nil {
		return 0, err
	}
	defer c.free()
	return len(c.data), nil
}

func badReceived(r io.Reader) (int, error) {
	c, _, err := receive(r) // want "c is never put back"
	if err != nil {
		return 0, err
	}
	return len(c.data), nil
}

// What nobody gives back may be meant to be kept.
func parsed(b []byte) (*bytes.Buffer, error) {
	if len(b) == 0 {
		return nil, errRead
	}
	buf := scratch.Get().(*bytes.Buffer)
	buf.Write(b)
	return buf, nil
}

func goodParsed(b []byte) (int, error) {
	buf, err := parsed(b)
	if err != nil {
		return 0, err
	}
	return buf.Len(), nil
}

var sums = sync.Pool{New: func() any { return fnv.New64a() }}

// The methods of a hash keep nothing.
func badSum(key string) uint64 {
	h := sums.Get().(hash.Hash64) // want "h is never put back"
	h.Reset()
	h.Write([]byte(key))
	return h.Sum64()
}

func goodSum(key string) uint64 {
	h := sums.Get().(hash.Hash64)
	h.Reset()
	h.Write([]byte(key))
	n := h.Sum64()
	sums.Put(h)
	return n
}
