package arena

import (
	"math/bits"
	"unsafe"

	"lessgc/internal/checked"
	"lessgc/internal/outline"
)

// MakeSlice returns a zeroed slice of the given length and capacity in a, or on
// the heap if a is nil. It panics as make does if len is negative or larger
// than cap.
func MakeSlice[T any](a *Arena, len, cap int) []T {
	// Inlined, as TestInlined pins.
	if a != nil {
		bytes := int64(cap) * int64(unsafe.Sizeof(*new(T)))
		if a.quota >= 0 || cap >= most || uint64(bytes) >= most {
			return unsafe.Slice((*T)(outline.Call4(makeSlice, a, maker((*typed[T])(nil)), len, cap)), cap)[:len]
		}
		a.quota += one + bytes
	}
	return make([]T, len, cap)
}

// makeSlice is MakeSlice for an arena that is not nil and has no quota left, or of a slice
// that is not small, where p is a nil *typed[T]. It returns where its elements are.
func makeSlice(a *Arena, p maker, len, cap int) unsafe.Pointer {
	if st := a.opened(); st != nil { // most slices that share a chunk end here
		typ := makerWord(p)
		s := &st.tab[slot(typ)]
		if s.typ == typ && uint(len) <= uint(cap) && uint(cap) <= maxChunk {
			lo, hi := s.lo, s.lo+uintptr(cap)*s.size
			if lo < hi && hi <= s.off {
				s.lo = hi
				return unsafe.Add(s.chunk, lo)
			}
		}
	}
	checkLenCap(len, cap)
	if a.sliceFromHeap(cap, infoOf(makerWord(p), p).size) {
		return p.array(cap)
	}
	return a.takeSlice(p, cap)
}

// takeSlice returns zeroed memory for n elements of T, where p is a nil *typed[T].
func (a *Arena) takeSlice(p maker, n int) unsafe.Pointer {
	st := a.state()
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		return sh.arena.takeSlice(p, n)
	}
	return st.slabOf(p).takeSlice(n)
}

// opened returns the arena's state, if values come from it, or nil. It may be idle, freed or
// shared: then the tables are empty.
func (a *Arena) opened() *state {
	if a == nil || a.quota < 0 {
		return nil
	}
	return a.st
}

// sliceFromHeap reports whether n values of so many bytes come from the heap because
// the arena is safe and small, and counts them. A large slice has a block to itself in
// any case, and is no sign of the values to come.
func (a *Arena) sliceFromHeap(n int, size uintptr) bool {
	if a.quota >= 0 && !(a.small() && a.staysSmall()) {
		return false
	}
	a.countSlice(n, size)
	return true
}

// countSlice counts what sliceFromHeap does.
func (a *Arena) countSlice(n int, size uintptr) {
	hi, bytes := bits.Mul(uint(n), uint(size))
	switch {
	case hi != 0 || bytes > maxAlloc: // make panics
	case bytes < most:
		a.quota += one + int64(bytes)
	default:
		a.quota += int64(bytes)
	}
}

func checkLenCap(len, cap int) {
	if len < 0 || len > cap {
		panic("arena: length out of range")
	}
}

// Append appends v to s, as the built-in append does. If s has no capacity
// left, the result is in a, or on the heap if a is nil; a slice that is the
// last one of its type in a grows where it is, without a copy. So Append(a, nil, s...)
// is a copy of s in a.
func Append[T any](a *Arena, s []T, v ...T) []T {
	// Inlined, this costs all of the budget, as TestInlined pins.
	if checked.Strict || cap(s)-len(s) < len(v) {
		return appendSlow(a, s, v)
	}
	return append(s, v...)
}

// appendSlow is Append where there is no room, and in the checked build.
func appendSlow[T any](a *Arena, s, v []T) []T {
	if checked.Strict && cap(s) > 0 {
		a.checkForeign(unsafe.Pointer(unsafe.SliceData(s)))
	}
	if n := len(v); cap(s)-len(s) < n {
		if a == nil || a.quota < 0 {
			s = append(s, v...)
			if a != nil {
				a.countSlice(cap(s), unsafe.Sizeof(*new(T)))
			}
			return s
		}
		s = grow(a, s, n)
	}
	if len(v) == 1 { // to append a slice of pointers is a call
		return append(s, v[0])
	}
	return append(s, v...)
}

// grow returns s with room for n more elements, which it lacks.
func grow[T any](a *Arena, s []T, n int) []T {
	p := maker((*typed[T])(nil))
	if st := a.opened(); st != nil {
		typ := makerWord(p)
		if sl := &st.tab[slot(typ)]; sl.typ == typ {
			return grown(sl, s, n)
		}
	}
	if a == nil || a.sliceFromHeap(cap(s)+n, unsafe.Sizeof(*new(T))) {
		return append(s[:cap(s)], make([]T, n-(cap(s)-len(s)))...)[:len(s)]
	}
	st := a.state()
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		return grow(&sh.arena, s, n)
	}
	return grown(st.slabOf(p), s, n)
}

// grown is grow in a slab. The capacity doubles, from as many elements as fit in 16
// bytes: most slices of a tree stay that small.
func grown[T any](sl *slab, s []T, n int) []T {
	lack := n - (cap(s) - len(s))
	extra := max(cap(s), lack)
	p := unsafe.Pointer(unsafe.SliceData(s))
	switch {
	case cap(s) == 0:
		extra = max(lack, int(16/max(unsafe.Sizeof(*new(T)), 1)))
	case sl.growSlice(p, cap(s), extra):
		return unsafe.Slice((*T)(p), cap(s)+extra)[:len(s)]
	case sl.growSlice(p, cap(s), lack):
		return unsafe.Slice((*T)(p), cap(s)+lack)[:len(s)]
	}
	t := unsafe.Slice((*T)(sl.takeSlice(cap(s)+extra)), cap(s)+extra)[:len(s)]
	copy(t, s)
	return t
}
