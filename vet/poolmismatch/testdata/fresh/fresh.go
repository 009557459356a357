// Package fresh calls New by hand.
package fresh

import (
	"bytes"
	"strings"
	"sync"

	"lessgc/pool"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badNew(s string) string {
	b := buffers.New().(*bytes.Buffer) // want `New of buffers is called instead of Get`
	defer buffers.Put(b)
	b.Reset()
	b.WriteString(s)
	return b.String()
}

func goodGet(s string) string {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString(s)
	return b.String()
}

// Nobody ever gets what is put here.
var builders = sync.Pool{New: func() any { return new(strings.Builder) }}

func badWrapper() *strings.Builder {
	return builders.New().(*strings.Builder) // want `New of builders is called instead of Get`
}

func release(b *strings.Builder) {
	b.Reset()
	builders.Put(b)
}

var readers = sync.Pool{New: func() any { return new(strings.Reader) }}

func goodWrapper() *strings.Reader {
	return readers.Get().(*strings.Reader)
}

func releaseReader(r *strings.Reader) {
	r.Reset("")
	readers.Put(r)
}

func goodFallback() *bytes.Buffer {
	v := buffers.Get()
	if v == nil {
		v = buffers.New()
	}
	return v.(*bytes.Buffer)
}

func goodFill() {
	buffers.Put(buffers.New())
}

func goodFillLoop() {
	for range 8 {
		b := buffers.New().(*bytes.Buffer)
		b.Grow(4096)
		buffers.Put(b)
	}
}

// It stays with the caller, who wants one of his own.
func goodOwn() *bytes.Buffer {
	return buffers.New().(*bytes.Buffer)
}

// A pool that is only a constructor.
var constructor = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodConstructor() *bytes.Buffer {
	return constructor.New().(*bytes.Buffer)
}

type server struct {
	pool sync.Pool
}

func newServer() *server {
	return &server{pool: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
}

func (s *server) badField(text string) int {
	b := s.pool.New().(*bytes.Buffer) // want `New of s.pool is called instead of Get`
	n, _ := b.WriteString(text)
	s.pool.Put(b)
	return n
}

func (s *server) goodField(text string) int {
	b := s.pool.Get().(*bytes.Buffer)
	n, _ := b.WriteString(text)
	s.pool.Put(b)
	return n
}

type record struct{ name string }

var records = pool.Pool[record]{New: func() *record { return new(record) }}

func badTyped(name string) int {
	r := records.New() // want `New of records is called instead of Get`
	defer records.Put(r)
	r.name = name
	return len(r.name)
}

func goodTyped(name string) int {
	r := records.Get()
	defer records.Put(r)
	r.name = name
	return len(r.name)
}
