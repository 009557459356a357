package grow

import "sync"

var attributes = sync.Pool{New: func() any { return make([]byte, 1024) }}

// What was made to measure is handed out and not put, as in github.com/syncthing/syncthing.
func goodKept(read func([]byte) int) []byte {
	b := attributes.Get().([]byte)
	defer func() {
		if b != nil {
			attributes.Put(b)
		}
	}()
	n := read(nil)
	if n > len(b) {
		attributes.Put(b)
		b = make([]byte, n)
	}
	n = read(b)
	if n >= len(b)/4*3 {
		p := b[:n]
		b = nil
		return p
	}
	p := make([]byte, n)
	copy(p, b)
	return p
}

var properties = sync.Pool{New: func() any { return make([]byte, 1024) }}

// It is kept for another reason than its size.
func badKept(read func([]byte) int, keep bool) []byte {
	b := properties.Get().([]byte)
	defer func() {
		if b != nil {
			properties.Put(b) // want `whatever its capacity`
		}
	}()
	n := read(nil)
	if n > len(b) {
		b = make([]byte, n)
	}
	n = read(b)
	if keep {
		p := b[:n]
		b = nil
		return p
	}
	p := make([]byte, n)
	copy(p, b)
	return p
}
