package arena

import (
	"unsafe"

	"lessgc/internal/checked"
)

// MakeSlice returns a zeroed slice of the given length and capacity in a, or on
// the heap if a is nil. It panics as make does if len is negative or larger
// than cap.
func MakeSlice[T any](a *Arena, len, cap int) []T {
	if a == nil {
		return make([]T, len, cap)
	}
	checkLenCap(len, cap)
	return unsafe.Slice((*T)(a.takeSlice((*T)(nil), cap)), cap)[:len]
}

// takeSlice returns zeroed memory for n elements of T, where p is a nil *T.
func (a *Arena) takeSlice(p any, n int) unsafe.Pointer {
	return a.state().slab(p).takeSlice(n)
}

func checkLenCap(len, cap int) {
	if len < 0 || len > cap {
		panic("arena: length out of range")
	}
}

// Append appends v to s, as the built-in append does. If s has no capacity
// left, the result is in a, or on the heap if a is nil; a slice that is the
// last one of its type in a grows where it is, without a copy.
func Append[T any](a *Arena, s []T, v T) []T {
	if checked.Strict && cap(s) > 0 {
		a.checkForeign(unsafe.Pointer(unsafe.SliceData(s)))
	}
	if len(s) == cap(s) {
		s = Grow(a, s, 1)
	}
	return append(s, v)
}

// AppendSlice appends all of v to s; see [Append].
func AppendSlice[T any](a *Arena, s, v []T) []T {
	if checked.Strict && cap(s) > 0 {
		a.checkForeign(unsafe.Pointer(unsafe.SliceData(s)))
	}
	if cap(s)-len(s) < len(v) {
		s = Grow(a, s, len(v))
	}
	return append(s, v...)
}

// Grow returns s with room for n more elements: s itself if it has it, else one
// with about twice the capacity if that is not in the way of growing in place; see
// [Append]. It panics if n is negative.
func Grow[T any](a *Arena, s []T, n int) []T {
	if n < 0 {
		panic("arena: Grow by a negative number")
	}
	if checked.Strict && cap(s) > 0 {
		a.checkForeign(unsafe.Pointer(unsafe.SliceData(s)))
	}
	if cap(s)-len(s) >= n {
		return s
	}
	if a == nil {
		return append(s[:cap(s)], make([]T, n-(cap(s)-len(s)))...)[:len(s)]
	}
	return grown(a.state().slab((*T)(nil)), s, n)
}

// grown is Grow for a slice that lacks room for n elements. The capacity doubles,
// from as many elements as fit in 16 bytes: most slices of a tree stay that small.
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
