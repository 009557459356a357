// Package z stands for the package of this name: it has the functions that the cases use,
// on the heap.
package z

// An Allocator hands out bytes.
type Allocator struct{ kept [][]byte }

// NewAllocator returns an empty one.
func NewAllocator(size int, tag string) *Allocator { return &Allocator{kept: make([][]byte, 0, size)} }

// Allocate returns n bytes.
func (a *Allocator) Allocate(n int) []byte {
	b := make([]byte, n)
	a.kept = append(a.kept, b)
	return b
}

// Copy returns a copy of b.
func (a *Allocator) Copy(b []byte) []byte { return append(a.Allocate(0), b...) }

// Release frees all.
func (a *Allocator) Release() { a.kept = nil }

// A Buffer is a growing one.
type Buffer struct{ b []byte }

// NewBuffer returns an empty one.
func NewBuffer(capacity int, tag string) *Buffer { return &Buffer{make([]byte, 0, capacity)} }

// Write appends p.
func (b *Buffer) Write(p []byte) (int, error) { b.b = append(b.b, p...); return len(p), nil }

// Bytes are those that were written.
func (b *Buffer) Bytes() []byte { return b.b }

// Release frees it.
func (b *Buffer) Release() error { b.b = nil; return nil }

// Calloc returns n bytes.
func Calloc(n int, tag string) []byte { return make([]byte, n) }

// Free frees them.
func Free(b []byte) {}
