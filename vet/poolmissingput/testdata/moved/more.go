package moved

import (
	"crypto/cipher"
	"errors"
	"io"
	"sync"
)

type window struct{ buf []byte }

var windows sync.Pool

// All that is in the pooled window goes into w, and w is put.
func (w *window) goodTakeOver(n int) {
	if w2, ok := windows.Get().(*window); ok {
		*w = *w2
	} else {
		w.buf = make([]byte, 0, n)
	}
}

func (w *window) badLook(n int) {
	if w2, ok := windows.Get().(*window); ok { // want "w2 is never put back"
		w.buf = make([]byte, 0, len(w2.buf))
	} else {
		w.buf = make([]byte, 0, n)
	}
}

func (w *window) close() {
	w.buf = w.buf[:0]
	windows.Put(w)
}

var errTooLong = errors.New("too long")

type options struct{ pool *sync.Pool }

// What has the wrong type is of no use.
func goodType(o options) error {
	b := o.pool.Get()
	if _, ok := b.([]byte); ok == false {
		return errTooLong
	}
	o.pool.Put(b)
	return nil
}

func badType(o options, strict bool) error {
	b := o.pool.Get() // want "is not put back on the path to line"
	if strict != false {
		return errTooLong
	}
	o.pool.Put(b)
	return nil
}

var kilobytes = sync.Pool{New: func() any { return make([]byte, 1000) }}

func getBlock(n int) []byte {
	if n > 1000 {
		return make([]byte, n)
	}
	return kilobytes.Get().([]byte)[:n]
}

func putBlock(b []byte) {
	if cap(b) == 1000 {
		kilobytes.Put(b[:1000])
	}
}

func badBlock(r io.Reader) error {
	b := getBlock(3) // want "b is not put back on the path to line"
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	putBlock(b)
	return nil
}

func goodBlock(r io.Reader) error {
	b := getBlock(3)
	_, err := io.ReadFull(r, b)
	putBlock(b)
	return err
}

type sealed struct {
	cipher.AEAD
	nonce, rest []byte
}

func (s *sealed) open(p []byte) (int, error) {
	p, err := s.Open(p[:0], s.nonce, p, nil)
	return len(p), err
}

func (s *sealed) badOpen(r io.Reader) error {
	b := kilobytes.Get().([]byte) // want "b is not put back on the path to line"
	n, err := s.open(b)
	if err != nil {
		return err
	}
	s.rest = b[:n]
	return nil
}

func (s *sealed) goodOpen(r io.Reader) error {
	b := kilobytes.Get().([]byte)
	n, err := s.open(b)
	if err != nil {
		kilobytes.Put(b)
		return err
	}
	s.rest = b[:n]
	return nil
}
