// Package direct has functions that get, put and use a value themselves.
package direct

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var blocks = sync.Pool{New: func() any {
	b := make([]byte, 4096)
	return &b
}}

var pages = sync.Pool{New: func() any { return new([4096]byte) }}

type user struct{ name string }

type header struct{ id, size int }

type event struct {
	header header
	name   string
	tags   []string
	body   []byte
	seen   map[string]bool
	author *user
	sizes  [4]int
}

func (e *event) reset() {
	e.name = ""
	e.tags = e.tags[:0]
	e.body = e.body[:0]
	clear(e.seen)
	e.author = nil
}

func (e *event) count() int { return len(e.tags) }

var events = sync.Pool{New: func() any { return &event{seen: map[string]bool{}} }}

func observe(n int) { total += n }

var total int

func sum(tags []string) int {
	n := 0
	for _, t := range tags {
		n += len(t)
	}
	return n
}
