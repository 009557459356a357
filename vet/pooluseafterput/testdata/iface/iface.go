// Package iface has pooled values of interface types.
package iface

import (
	"compress/gzip"
	"crypto/sha256"
	"hash"
	"io"
	"sync"
)

type resetWriter interface {
	io.WriteCloser
	Reset(io.Writer)
}

var (
	writers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}
	hashes  = sync.Pool{New: func() any { return sha256.New() }}
)

func badCloseDeferred(w io.Writer, p []byte) error {
	zw := writers.Get().(resetWriter)
	zw.Reset(w)
	defer zw.Close() // want "zw is used after it was put back"
	defer writers.Put(zw)
	_, err := zw.Write(p)
	return err
}

func goodCloseDeferred(w io.Writer, p []byte) error {
	zw := writers.Get().(resetWriter)
	defer writers.Put(zw)
	zw.Reset(w)
	defer zw.Close()
	_, err := zw.Write(p)
	return err
}

func badSum(p []byte) []byte {
	h := hashes.Get().(hash.Hash)
	h.Reset()
	h.Write(p)
	hashes.Put(h)
	return h.Sum(nil) // want "h is used after it was put back"
}

func goodSum(p []byte) []byte {
	h := hashes.Get().(hash.Hash)
	h.Reset()
	h.Write(p)
	sum := h.Sum(nil)
	hashes.Put(h)
	return sum
}

func badResetAfter(p []byte) []byte {
	h := hashes.Get().(hash.Hash)
	h.Write(p)
	sum := h.Sum(nil)
	hashes.Put(h)
	h.Reset() // want "h is used after it was put back"
	return sum
}

func goodResetBefore(p []byte) []byte {
	h := hashes.Get().(hash.Hash)
	h.Write(p)
	sum := h.Sum(nil)
	h.Reset()
	hashes.Put(h)
	return sum
}

func getHash() hash.Hash {
	h := hashes.Get().(hash.Hash)
	h.Reset()
	return h
}

func badWrapped(p []byte) int {
	h := getHash()
	h.Write(p)
	hashes.Put(h)
	return h.Size() // want "h is used after it was put back"
}

func goodWrapped(p []byte) int {
	h := getHash()
	defer hashes.Put(h)
	h.Write(p)
	return h.Size()
}
