package arena

import (
	"math/bits"
	"unsafe"

	"lessgc/internal/checked"
	"lessgc/internal/outline"
)

// A slab hands out memory for one type. Its chunk is a []T on Go's heap of
// which [lo, off), in bytes, is free: objects are taken from the top, slices
// from the bottom, where the last one can grow in place. Counting down is what
// keeps Slab.New within the inliner's budget.
//
// These are the fields of the fast path, together in one cache line; the rest
// is in the record.
type slab struct {
	typ     uintptr // word of the type; 0 means that the slot is free
	off, lo uintptr
	size    uintptr // of a T
	chunk   unsafe.Pointer
	*record
	unused uintptr // off, as long as nothing was handed out in this life; see idle
}

// become gives the slab a record that it has no memory of.
func (s *slab) become(r *record) {
	s.size, s.record = r.info.size, r
	if r.drops {
		s.unused = busy // it is never idle: what it has is not here
	}
}

// idle reports whether the slab, which drops no chunks, has handed out nothing in this life.
func (s *slab) idle() bool { return s.off == s.unused && s.lo == 0 }

// A Slab allocates objects of one type from one arena. It saves [New] the
// search for the type, which is most of its cost, and is for loops. It is only
// valid as long as its arena: until Free or Reset.
type Slab[T any] struct {
	slab slab // not embedded: each Slab would get wrappers of all its methods
}

// Of returns a slab of T in a: for loops that allocate many T. Of a safe arena, or a nil
// one, it is a new slab by itself, whose memory the collector takes like everything
// else.
func Of[T any](a *Arena) (s *Slab[T]) {
	// Inlined, this costs all of the budget, as TestInlined pins.
	s = (*Slab[T])(a.slab((*typed[T])(nil)))
	if s.slab.typ == 0 {
		loose := *s // on the caller's stack, mostly
		s = &loose
	}
	return
}

// New returns a new zero T, as [New] does.
func (s *Slab[T]) New() *T {
	// Inlined, as TestInlined pins.
	if s.slab.off <= s.slab.lo {
		if s.slab.typ == 0 { // the first of a slab by itself
			s.slab.typ = 1
			var v T
			return &v
		}
		outline.Do((*slab).grow, &s.slab)
	}
	s.slab.off -= unsafe.Sizeof(*new(T))
	return (*T)(unsafe.Add(s.slab.chunk, s.slab.off))
}

// Make returns a zeroed slice of the given length and capacity, as [MakeSlice]
// does.
func (s *Slab[T]) Make(len, cap int) []T {
	checkLenCap(len, cap)
	return unsafe.Slice((*T)(s.slab.takeSlice(cap)), cap)[:len]
}

// Append appends v to to, as [Append] does.
func (s *Slab[T]) Append(to []T, v T) []T {
	if checked.Strict && cap(to) > 0 {
		s.slab.arena.checkForeign(unsafe.Pointer(unsafe.SliceData(to)))
	}
	if len(to) == cap(to) {
		to = grown(&s.slab, to, 1)
	}
	return append(to, v)
}

// takeSlice returns zeroed memory for n elements, from the bottom of the chunk.
func (s *slab) takeSlice(n int) unsafe.Pointer {
	hi, lo := bits.Mul(uint(n), uint(s.size))
	if hi != 0 || lo > maxAlloc {
		panic("arena: slice too large")
	}
	bytes := uintptr(lo)
	if bytes == 0 {
		return unsafe.Pointer(&zeroSized)
	}
	from, to := s.lo, s.lo+bytes
	if to > s.off {
		return s.takeFar(bytes)
	}
	s.lo = to
	return unsafe.Add(s.chunk, from)
}

// takeFar is takeSlice when the chunk has no room. A large slice gets a chunk
// to itself, so that the current one is not thrown away for it.
func (s *slab) takeFar(bytes uintptr) unsafe.Pointer {
	if bytes > s.largest() || s.arena.alone() || s.sampled() {
		return s.takeAlone(bytes)
	}
	s.nextChunk(bytes)
	p := unsafe.Add(s.chunk, s.lo)
	s.lo += bytes
	return p
}

// largest returns the size, in bytes, of the largest slice that shares a chunk.
func (s *slab) largest() uintptr {
	switch {
	case s.drops && s.raw:
		return maxText / 4
	case s.drops:
		return maxDropped / 8
	}
	return maxChunk / 4
}

// growSlice extends p, a slice of n elements that ends where the free part of
// the chunk begins, by extra elements in place. It reports whether it did. With
// lo at the very beginning what ends there is in the chunk before, if anything.
func (s *slab) growSlice(p unsafe.Pointer, n, extra int) bool {
	if n == 0 || s.lo == 0 || uintptr(p)+uintptr(n)*s.size != uintptr(s.chunk)+s.lo {
		return false
	}
	hi, bytes := bits.Mul(uint(extra), uint(s.size))
	if hi != 0 || s.off-s.lo < uintptr(bytes) {
		return false
	}
	s.lo += uintptr(bytes)
	return true
}

// shrink gives back all but keep of the n bytes at p, if p is the last slice of
// a slab of bytes.
func (s *slab) shrink(p unsafe.Pointer, n, keep int) {
	if s.lo != 0 && !s.arena.alone() && uintptr(p)+uintptr(n) == uintptr(s.chunk)+s.lo {
		s.lo -= uintptr(n - keep)
	}
}
