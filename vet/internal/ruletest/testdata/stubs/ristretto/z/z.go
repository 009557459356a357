// Package z stands for the package of this name: it has the functions that the cases
// use.
package z

// Calloc returns zeroed bytes, which with some build tags are not Go's.
func Calloc(n int, tag string) []byte { return make([]byte, n) }

// Free takes back what Calloc returned.
func Free(b []byte) {}

// An Allocator hands out parts of buffers from Calloc.
type Allocator struct{ buffer []byte }

// NewAllocator returns an allocator of that size.
func NewAllocator(size int, tag string) *Allocator {
	return &Allocator{buffer: Calloc(size, tag)}
}

// AllocateAligned returns zeroed bytes.
func (a *Allocator) AllocateAligned(n int) []byte {
	b := a.buffer[:n:n]
	a.buffer = a.buffer[n:]
	return b
}

// Allocate returns bytes.
func (a *Allocator) Allocate(n int) []byte { return a.AllocateAligned(n) }

// Copy returns a copy of b.
func (a *Allocator) Copy(b []byte) []byte {
	c := a.Allocate(len(b))
	copy(c, b)
	return c
}

// Release gives back all.
func (a *Allocator) Release() { Free(a.buffer) }

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
