package structures

import (
	"sync"
	"unsafe"

	"github.com/dgraph-io/ristretto/v2/z"
	"github.com/jokruger/slab"
	"github.com/ortuman/nuke"
	goarena "github.com/wundergraph/go-arena"
)

// onHeap is the region of ops on the heap.
type onHeap struct{}

// kept holds emptied regions between ops. The collector may drop them.
type kept[R any] struct{ pool sync.Pool }

func keep[R any](make func() R) *kept[R] {
	return &kept[R]{sync.Pool{New: func() any { return make() }}}
}

func (k *kept[R]) get() R  { return k.pool.Get().(R) }
func (k *kept[R]) put(r R) { k.pool.Put(r) }

// doubled returns the capacity that a full slice of T gets, which is that of
// package arena: at first as many elements as fit in 16 bytes.
func doubled[T any](c int) int { return max(2*c, 16/int(unsafe.Sizeof(*new(T))), 1) }

// str copies s to b, and returns b as a string.
func str(b []byte, s string) string {
	copy(b, s)
	return unsafe.String(unsafe.SliceData(b), len(s))
}

// A counter allocates on the heap and counts what a region needs for the same:
// ristretto takes 7 bytes more than the size of each object.
type counter struct{ bytes int }

func countNew[T any](c *counter) *T {
	c.bytes += int(unsafe.Sizeof(*new(T))) + 7
	return new(T)
}

func countMake[T any](c *counter, len, cap int) []T {
	c.bytes += cap*int(unsafe.Sizeof(*new(T))) + 7
	return make([]T, len, cap)
}

func countAppend[T any](c *counter, s []T, v T) []T {
	if len(s) == cap(s) {
		s = countGrown(c, s)
	}
	return append(s, v)
}

func countGrown[T any](c *counter, s []T) []T {
	return append(countMake[T](c, 0, doubled[T](cap(s))), s...)
}

func countText(c *counter, s string) string {
	c.bytes += len(s) + 7
	return s
}

// A floorSlab is a slice of which the first n elements are in use. Objects are
// zeroed when they are taken, slices up to their length, nothing when it is
// emptied. What does not fit gets a slice of twice the length; the old one lives as
// long as what points to it.
type floorSlab[T any] struct {
	buf []T
	n   int
}

func (s *floorSlab[T]) reset() { s.n = 0 }

func (s *floorSlab[T]) take() *T {
	if s.n == len(s.buf) {
		s.more(1)
	}
	p := &s.buf[s.n]
	s.n++
	*p = *new(T)
	return p
}

func (s *floorSlab[T]) more(n int) {
	s.buf, s.n = make([]T, max(2*len(s.buf), n, 64)), 0
}

func (s *floorSlab[T]) makeRaw(length, capacity int) []T {
	if len(s.buf)-s.n < capacity {
		s.more(capacity)
	}
	from := s.n
	s.n += capacity
	return s.buf[from : from+length : from+capacity]
}

func (s *floorSlab[T]) makeZeroed(length, capacity int) []T {
	x := s.makeRaw(length, capacity)
	clear(x)
	return x
}

// grow appends v to x. Like all appends here it is inlined, without what it does
// for a full slice.
func (s *floorSlab[T]) grow(x []T, v T) []T {
	if len(x) == cap(x) {
		x = s.grown(x)
	}
	return append(x, v)
}

func (s *floorSlab[T]) grown(x []T) []T {
	n := len(x)
	extra := doubled[T](n) - n
	if last := s.n - n; n > 0 && last >= 0 && extra <= len(s.buf)-s.n && &s.buf[last] == unsafe.SliceData(x) {
		s.n += extra
		return s.buf[last : last+n : s.n]
	}
	return append(s.makeRaw(0, n+extra), x...)
}

// A floorText is a slice of bytes with strings in it.
type floorText struct{ floorSlab[byte] }

func (t *floorText) copy(s string) string { return str(t.makeRaw(len(s), len(s)), s) }

// slabMake takes a slice from s, or from the heap if it is too large for s,
// whose slices are not zeroed when they are used again.
func slabMake[T any](s *slab.SliceSlab[T], len, cap int) []T {
	x := s.Alloc(cap, false)[:len]
	clear(x)
	return x
}

// slabAppend lets the first element take a slice of s, with all its capacity,
// and what does not fit grow on the heap.
func slabAppend[T any](s *slab.SliceSlab[T], x []T, v T) []T {
	if cap(x) == 0 {
		x = s.Alloc(1, false)
	}
	return append(x, v)
}

func slabText(s *slab.SliceSlab[byte], text string) string {
	return str(s.Alloc(len(text), true), text)
}

func newNuke(bytes int) func() nuke.Arena {
	return func() nuke.Arena { return nuke.NewMonotonicArena(bytes+4096, 1) }
}

func nukeAppend[T any](a nuke.Arena, s []T, v T) []T {
	if len(s) == cap(s) {
		s = nukeGrown(a, s)
	}
	return append(s, v)
}

func nukeGrown[T any](a nuke.Arena, s []T) []T {
	return append(nuke.MakeSlice[T](a, 0, doubled[T](cap(s))), s...)
}

func newGoArena(bytes int) func() goarena.Arena {
	return func() goarena.Arena { return goarena.NewMonotonicArena(goarena.WithMinBufferSize(bytes + 4096)) }
}

func goArenaAppend[T any](a goarena.Arena, s []T, v T) []T {
	if len(s) == cap(s) {
		s = goArenaGrown(a, s)
	}
	return append(s, v)
}

func goArenaGrown[T any](a goarena.Arena, s []T) []T {
	return append(goarena.AllocateSlice[T](a, 0, doubled[T](cap(s))), s...)
}

// newRistretto makes allocators that stay, in a map of the library, until the
// process ends.
func newRistretto(bytes int) func() *z.Allocator {
	return func() *z.Allocator { return z.NewAllocator(bytes+4096, "structures") }
}

// zNew uses AllocateAligned, because Allocate neither aligns nor zeroes.
func zNew[T any](a *z.Allocator) *T {
	return (*T)(unsafe.Pointer(&a.AllocateAligned(int(unsafe.Sizeof(*new(T))))[0]))
}

func zMake[T any](a *z.Allocator, len, cap int) []T {
	p := &a.AllocateAligned(cap * int(unsafe.Sizeof(*new(T))))[0]
	return unsafe.Slice((*T)(unsafe.Pointer(p)), cap)[:len]
}

func zAppend[T any](a *z.Allocator, s []T, v T) []T {
	if len(s) == cap(s) {
		s = zGrown(a, s)
	}
	return append(s, v)
}

func zGrown[T any](a *z.Allocator, s []T) []T {
	return append(zMake[T](a, 0, doubled[T](cap(s))), s...)
}
