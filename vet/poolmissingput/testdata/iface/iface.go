// Package iface has pooled values of interface types.
package iface

import (
	"crypto/sha256"
	"hash"
	"io"
	"sync"
)

var hashes = sync.Pool{New: func() any { return sha256.New() }}

func badNever(p []byte) []byte {
	h := hashes.Get().(hash.Hash) // want "h is never put back"
	h.Reset()
	h.Write(p)
	return h.Sum(nil)
}

func goodAlways(p []byte) []byte {
	h := hashes.Get().(hash.Hash)
	defer hashes.Put(h)
	h.Reset()
	h.Write(p)
	return h.Sum(nil)
}

func badOnError(r io.Reader) ([]byte, error) {
	h := hashes.Get().(hash.Hash) // want "h is not put back on the path to line 33"
	h.Reset()
	p := make([]byte, 64)
	if _, err := r.Read(p); err != nil {
		return nil, err
	}
	h.Write(p)
	sum := h.Sum(nil)
	hashes.Put(h)
	return sum, nil
}

func goodOnError(r io.Reader) ([]byte, error) {
	h := hashes.Get().(hash.Hash)
	h.Reset()
	p := make([]byte, 64)
	if _, err := r.Read(p); err != nil {
		hashes.Put(h)
		return nil, err
	}
	h.Write(p)
	sum := h.Sum(nil)
	hashes.Put(h)
	return sum, nil
}

type closer interface {
	Reset()
	Close()
}

var closers sync.Pool

// Close may put it.
func goodClosed() {
	c := closers.Get().(closer)
	c.Reset()
	c.Close()
}

type reader interface {
	io.Reader
	Reset(io.Reader) error
}

var readers sync.Pool

func reset(r io.Reader, src io.Reader) error {
	return r.(reader).Reset(src)
}

// What cannot be reset is broken.
func goodBroken(src io.Reader) (io.Reader, error) {
	r, ok := readers.Get().(io.Reader)
	if !ok {
		return nil, io.EOF
	}
	if err := reset(r, src); err != nil {
		return nil, err
	}
	return r, nil
}

func check(r io.Reader, src io.Reader) error {
	_, err := src.Read(nil)
	return err
}

func badChecked(src io.Reader) (io.Reader, error) {
	r, ok := readers.Get().(io.Reader) // want "r is not put back on the path to line 103"
	if !ok {
		return nil, io.EOF
	}
	if err := check(r, src); err != nil {
		return nil, err
	}
	return r, nil
}
