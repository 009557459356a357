// Package index keeps many long-lived objects that the garbage collector never
// looks into. They refer to each other by a [Handle] of 4 bytes instead of a pointer.
//
// It is for long-lived data: caches, graphs, dictionaries. An [Index] belongs to no arena;
// for data that ends with a request, use pointers, in the request's arena.
//
// Free of a handle that is not in use panics in every build. A handle that was freed and
// handed out again names the new object, which only the checked build (-tags
// lessgc_checked) notices, for a while.
package index

import (
	"math/bits"
	"reflect"
	"slices"

	"lessgc/internal/checked"
	"lessgc/internal/untyped"
)

// An Index holds objects of type T, which must be free of pointers. The zero Index is
// empty and ready to use; it must not be copied, nor used by several goroutines while
// one of them calls New, Free or Reset. Its memory is on the heap, and is collected
// with the Index.
type Index[T any] struct {
	chunks [][]T // all of 1<<shift objects: they never move
	shift  uint8
	mask   uint32
	last   uint32      // highest handle so far
	free   []Handle[T] // up to last, not in use
	unused []uint64    // a bit for each of free
}

// quarantined is the number of freed handles that the checked build keeps out of use before it
// hands out the first of them again, so that a use after Free is found.
const quarantined = 1024

// A Handle names an object of an Index. The zero Handle names none.
type Handle[T any] uint32

// indexChunk is the size of an Index's chunks in bytes, for small T.
const indexChunk = 16 << 10

// New adds a zero object and returns its handle. It panics if T has pointers,
// or with 1<<32-1 objects.
func (x *Index[T]) New() Handle[T] {
	if len(x.free) > 0 && (!checked.Strict || len(x.free) > quarantined) {
		return x.again()
	}
	if uint(x.last>>x.shift) >= uint(len(x.chunks)) || x.last == 1<<32-1 {
		x.grow()
	}
	x.last++
	return Handle[T](x.last)
}

// again takes a handle from those that were freed.
func (x *Index[T]) again() Handle[T] {
	i := len(x.free) - 1
	if checked.Strict {
		i = 0 // the one that was freed longest ago
	}
	h := x.free[i]
	x.free = slices.Delete(x.free, i, i+1)
	x.unused[h/64] &^= 1 << (h % 64)
	return h
}

// isUnused reports whether h was freed and not handed out again.
func (x *Index[T]) isUnused(h Handle[T]) bool {
	return uint(h/64) < uint(len(x.unused)) && x.unused[h/64]>>(h%64)&1 != 0
}

// grow adds a chunk.
func (x *Index[T]) grow() {
	t := reflect.TypeFor[T]()
	if x.chunks == nil {
		if untyped.HasPointers(t) {
			panic("index: Index of " + t.String() + ", which has pointers: the collector would not see them")
		}
		perChunk := max(indexChunk/max(t.Size(), 1), 1)
		x.shift = uint8(bits.Len(uint(perChunk)) - 1)
		x.mask = 1<<x.shift - 1
	}
	if x.last == 1<<32-1 {
		panic("index: an Index holds at most 1<<32-1 objects")
	}
	x.chunks = append(x.chunks, make([]T, 1<<x.shift))
}

// At returns the object of h, or nil if h is zero. The pointer is valid as long
// as h: objects never move. At panics, or returns an object that is not in use,
// if h is not a handle of x; the checked build panics if h was freed.
func (x *Index[T]) At(h Handle[T]) *T {
	if h == 0 {
		return nil
	}
	if checked.Strict && x.isUnused(h) {
		panic("index: Index.At of a handle that was freed")
	}
	return &x.chunks[(h-1)>>x.shift][uint32(h-1)&x.mask]
}

// Free removes the object of h. Neither h nor a pointer to the object may be
// used afterwards: both will be another object's. Free of the zero Handle does
// nothing. Free panics if h was freed before and not handed out again since, or is
// larger than all that x has handed out. A handle has no room to tell two objects in the same slot
// apart: once it was handed out again, only the checked build notices, for a while.
func (x *Index[T]) Free(h Handle[T]) {
	if h == 0 {
		return
	}
	if uint32(h) > x.last || x.isUnused(h) {
		panic("index: Index.Free of a handle that was freed before, or is not one of this Index")
	}
	*x.At(h) = *new(T)
	x.free = append(x.free, h)
	for uint(h/64) >= uint(len(x.unused)) {
		x.unused = append(x.unused, make([]uint64, max(int(h/64)+1-len(x.unused), len(x.unused)))...)
	}
	x.unused[h/64] |= 1 << (h % 64)
}

// Len returns the number of objects.
func (x *Index[T]) Len() int { return int(x.last) - len(x.free) }

// Reset removes all objects. The memory is kept for the next ones.
func (x *Index[T]) Reset() {
	for i := range x.chunks {
		if i <= int(x.last>>x.shift) {
			clear(x.chunks[i])
		}
	}
	x.last, x.free = 0, x.free[:0]
	clear(x.unused)
}
