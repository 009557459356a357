// Package first has a pool that keeps the address of a slice's first byte in its place.
package first

import (
	"errors"
	"sync"
	"unsafe"
)

var pages sync.Pool

func get() []byte {
	if p, _ := pages.Get().(*byte); p != nil {
		return unsafe.Slice(p, 4096)
	}
	return make([]byte, 4096)
}

func put(b []byte) { pages.Put(unsafe.SliceData(b[:cap(b)])) }

func badFailed(n int) error {
	b := get() // want "is not put back"
	b[0] = byte(n)
	if n > 255 {
		return errors.New("too large")
	}
	put(b)
	return nil
}

func goodFailed(n int) error {
	b := get()
	b[0] = byte(n)
	if n > 255 {
		put(b)
		return errors.New("too large")
	}
	put(b)
	return nil
}
