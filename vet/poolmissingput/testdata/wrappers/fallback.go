package wrappers

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

var errEarly = errors.New("early")

var joined sync.Pool

// getJoined makes one if there is none.
func getJoined(n int) []byte {
	b, ok := joined.Get().(*[]byte)
	if !ok {
		made := make([]byte, n)
		b = &made
	}
	return *b
}

func putJoined(b []byte) { joined.Put(&b) }

func badJoined(r io.Reader, early bool) error {
	b := getJoined(3) // want "b is not put back on the path to line"
	if early {
		return errEarly
	}
	_, err := io.ReadFull(r, b)
	putJoined(b)
	return err
}

func goodJoined(r io.Reader, early bool) error {
	b := getJoined(3)
	defer putJoined(b)
	if early {
		return errEarly
	}
	_, err := io.ReadFull(r, b)
	return err
}

var clean = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// getClean puts back what does not suit.
func getClean() *bytes.Buffer {
	b := clean.Get().(*bytes.Buffer)
	if b.Len() == 0 {
		return b
	}
	clean.Put(b)
	return new(bytes.Buffer)
}

func badClean(r io.Reader) (string, error) {
	b := getClean() // want "b is not put back on the path to line"
	if _, err := b.ReadFrom(r); err != nil {
		return "", err
	}
	s := b.String()
	b.Reset()
	clean.Put(b)
	return s, nil
}

func goodClean(r io.Reader) (string, error) {
	b := getClean()
	_, err := b.ReadFrom(r)
	s := b.String()
	b.Reset()
	clean.Put(b)
	return s, err
}

var small, large sync.Pool

// getEither asks the pool of the size.
func getEither(n int) []byte {
	var x any
	switch {
	case n >= 1<<10:
		x = large.Get()
	default:
		x = small.Get()
	}
	if x == nil {
		return make([]byte, n)
	}
	b := x.([]byte)
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

func putEither(b []byte) {
	switch {
	case cap(b) >= 1<<10:
		large.Put(b)
	default:
		small.Put(b)
	}
}

func badEither(r io.Reader) error {
	b := getEither(100) // want "b is not put back on the path to line"
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	putEither(b)
	return nil
}

func goodEither(r io.Reader) error {
	b := getEither(100)
	_, err := io.ReadFull(r, b)
	putEither(b)
	return err
}
