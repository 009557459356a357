// Package rounds gets values in the rounds of a loop.
package rounds

import (
	"sync"
)

var buffers = sync.Pool{New: func() any { b := make([]byte, 64); return &b }}

func badCollect(m map[int]*[]byte, read func([]byte) error) {
	for i := range 3 {
		b := buffers.Get().(*[]byte)
		m[i] = b // want "the value stored in a map aliases b"
		err := read(*b)
		buffers.Put(b)
		if err != nil {
			return
		}
	}
}

// The Put is of the last buffer; those in m are still out.
func goodCollect(m map[int]*[]byte, read func([]byte) error) error {
	for i := 0; ; i++ {
		b := buffers.Get().(*[]byte)
		if err := read(*b); err != nil {
			buffers.Put(b)
			return err
		}
		m[i] = b
	}
}

type packet struct {
	buf []byte
	n   int
}

type conn struct {
	queue chan *packet
	pool  sync.Pool
}

var arrays = sync.Pool{New: func() any { return new([8]int) }}

func badLast(n int) *[8]int {
	var last *[8]int
	for i := range n {
		last = arrays.Get().(*[8]int)
		last[0] = i
		arrays.Put(last)
	}
	return last // want "the value returned aliases last"
}

// What is put is the one of the round before.
func goodLast(n int) *[8]int {
	var last *[8]int
	for i := range n {
		next := arrays.Get().(*[8]int)
		next[0] = i
		if last != nil {
			arrays.Put(last)
		}
		last = next
	}
	return last
}
