// Package lib has an arena for other packages.
package lib

import "unsafe"

// A Region hands out its bytes.
type Region struct {
	mem []byte
	off int
}

// NewRegion returns a region of n bytes.
func NewRegion(n int) *Region { return &Region{mem: make([]byte, n)} }

// New returns a T.
func New[T any](r *Region) *T {
	p := (*T)(unsafe.Pointer(&r.mem[r.off]))
	r.off += int(unsafe.Sizeof(*p))
	return p
}

// Put returns a copy of v.
func Put[T any](r *Region, v T) *T {
	p := New[T](r)
	*p = v
	return p
}
