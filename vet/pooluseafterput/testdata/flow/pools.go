// Package flow has values that are put in branches, loops, deferred calls and closures.
package flow

import (
	"bytes"
	"compress/gzip"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var blocks = sync.Pool{New: func() any {
	b := make([]byte, 4096)
	return &b
}}

var gzips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

type job struct {
	id    int
	input []byte
	err   error
}

func (j *job) run() error { return j.err }

func (j *job) grow(n int) { j.input = append(j.input, make([]byte, n)...) }

var jobs = sync.Pool{New: func() any { return new(job) }}

func observe(int) {}
