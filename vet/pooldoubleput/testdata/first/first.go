// Package first has a pool that keeps the address of a slice's first byte in its place.
package first

import (
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

func putFirst(b []byte) { pages.Put(&b[0]) }

func badTwice(read func([]byte) error) error {
	b := get()
	defer put(b) // want "is put back twice"
	if err := read(b); err != nil {
		putFirst(b)
		return err
	}
	return nil
}

func goodOnce(read func([]byte) error) error {
	b := get()
	defer put(b)
	if err := read(b); err != nil {
		return err
	}
	b[0] = 0
	return nil
}
