// Package perhaps puts values by functions that put or drop them.
package perhaps

import (
	"bytes"
	"io"
	"math/rand"
	"sync"
)

var (
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	off     bool
)

func put(b *bytes.Buffer) {
	if off || rand.Intn(16) == 0 {
		return
	}
	buffers.Put(b)
}

func badReturned(s string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	defer put(b)
	b.Reset()
	b.WriteString(s)
	return b.Bytes() // want "the value returned aliases b"
}

func goodReturned(s string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	defer put(b)
	b.Reset()
	b.WriteString(s)
	return bytes.Clone(b.Bytes())
}

type message struct{ body []byte }

func (m *message) badStored(r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	_, err := b.ReadFrom(r)
	m.body = b.Bytes() // want "the value stored in m.body aliases b"
	put(b)
	return err
}

func (m *message) goodStored(r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	_, err := b.ReadFrom(r)
	m.body = append(m.body[:0], b.Bytes()...)
	put(b)
	return err
}

// A put that counts references leaves the memory to the others.
type shared struct {
	refs int
	buf  []byte
}

var shares = sync.Pool{New: func() any { return new(shared) }}

func (s *shared) put() {
	if s.refs--; s.refs > 0 {
		return
	}
	shares.Put(s)
}

func goodShared(s *shared) []byte {
	defer s.put()
	return s.buf
}
