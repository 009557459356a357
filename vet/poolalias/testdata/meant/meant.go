// Package meant waits in a loop for those who have pooled memory.
package meant

import (
	"bytes"
	"runtime"
	"sync"
	"sync/atomic"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type job struct {
	p    []byte
	left *atomic.Int32
}

func goodPolled(jobs chan<- job, s string) {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(s)
	var left atomic.Int32
	left.Store(2)
	jobs <- job{b.Bytes(), &left}
	jobs <- job{b.Bytes(), &left}
	for left.Load() > 0 {
		runtime.Gosched()
	}
	buffers.Put(b)
}

func badUnpolled(jobs chan<- job, s string) {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(s)
	var left atomic.Int32
	left.Store(1)
	jobs <- job{b.Bytes(), &left} // want "the value sent to a channel aliases b"
	if left.Load() > 0 {
		runtime.Gosched()
	}
	buffers.Put(b)
}

func goodPolledGoroutine(s string) {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(s)
	var done int32
	go func() {
		println(b.Len())
		atomic.StoreInt32(&done, 1)
	}()
	for atomic.LoadInt32(&done) == 0 {
		runtime.Gosched()
	}
	buffers.Put(b)
}
