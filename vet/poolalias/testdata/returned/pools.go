// Package returned has functions that return something while a value goes back to its pool.
package returned

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"io"
	"strings"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var blocks = sync.Pool{New: func() any {
	b := make([]byte, 4096)
	return &b
}}

var pages = sync.Pool{New: func() any { return new([4096]byte) }}

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

var gzips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

var hashes = sync.Pool{New: func() any { return sha256.New() }}

var builders = sync.Pool{New: func() any { return new(strings.Builder) }}

type user struct{ name string }

type header struct{ id, size int }

// A scratch is what one decoding needs.
type scratch struct {
	header header
	name   string
	author *user
	words  []string
	raw    []byte
	fixed  [64]byte
	err    error
	index  map[string]int
}

var scratches = sync.Pool{New: func() any { return &scratch{index: map[string]int{}} }}

func (s *scratch) check() error {
	if len(s.raw) == 0 {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func (s *scratch) reset() {
	s.words = s.words[:0]
	s.raw = s.raw[:0]
	s.author = nil
	s.err = nil
	clear(s.index)
}
