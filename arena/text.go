package arena

import (
	"fmt"
	"strings"
	"unsafe"
)

// String returns a copy of s in a, or on the heap if a is nil.
func (a *Arena) String(s string) string {
	if a == nil {
		return strings.Clone(s)
	}
	if st := a.st; st != nil {
		sl, n := st.str, uintptr(len(s))
		if from := sl.lo; n > 0 && from+n <= sl.off {
			p := (*byte)(unsafe.Add(sl.chunk, from))
			sl.lo = from + n
			copy(unsafe.Slice(p, n), s)
			return unsafe.String(p, n)
		}
	}
	return a.stringSlow(s)
}

// StringFrom is String for text that is bytes: a conversion would first copy it
// to the heap.
func (a *Arena) StringFrom(b []byte) string {
	return a.String(unsafe.String(unsafe.SliceData(b), len(b)))
}

func (a *Arena) stringSlow(s string) string {
	if len(s) == 0 {
		return ""
	}
	p := (*byte)(a.state().str.takeSlice(len(s)))
	copy(unsafe.Slice(p, len(s)), s)
	return unsafe.String(p, len(s))
}

// Bytes returns the parts, one after the other, in a, or on the heap if a is
// nil. With one part that is a copy of it. The capacity of the result is its
// length; the result is nil if all parts are.
func (a *Arena) Bytes(parts ...[]byte) []byte {
	n, some := 0, false
	for _, b := range parts {
		n = sumOf(n, len(b))
		some = some || b != nil
	}
	switch {
	case !some:
		return nil
	case n == 0:
		return []byte{}
	case a == nil:
		return appendAll(make([]byte, 0, n), parts) // slices.Concat rounds the capacity up
	}
	return appendAll(unsafe.Slice((*byte)(a.state().raw.takeSlice(n)), n)[:0], parts)
}

// appendAll appends the parts to to, which has room for them.
func appendAll(to []byte, parts [][]byte) []byte {
	for _, b := range parts {
		to = append(to, b...)
	}
	return to
}

// sumOf returns n + more, two lengths, and panics if that is more than there can be.
func sumOf(n, more int) int {
	n += more
	if uint(n) > maxAlloc {
		panic("arena: slice too large")
	}
	return n
}

// Concat returns the concatenation of parts in a, or on the heap if a is nil.
func (a *Arena) Concat(parts ...string) string {
	if a == nil {
		return strings.Join(parts, "")
	}
	n := 0
	for _, s := range parts {
		n = sumOf(n, len(s))
	}
	if n == 0 {
		return ""
	}
	p := a.state().str.takeSlice(n)
	b := unsafe.Slice((*byte)(p), n)[:0]
	for _, s := range parts {
		b = append(b, s...)
	}
	return unsafe.String((*byte)(p), n)
}

// Sprintf returns what [fmt.Sprintf] does, in a, or on the heap if a is nil.
// Arguments that are not constants or pointers may be boxed on the heap by the
// caller.
func (a *Arena) Sprintf(format string, args ...any) string {
	if a == nil {
		return fmt.Sprintf(format, args...)
	}
	st := a.state()
	sl := st.str
	n := max(int(sl.off-sl.lo), 64)
	p := sl.takeSlice(n)
	b := fmt.Appendf(unsafe.Slice((*byte)(p), n)[:0], format, args...)
	if a.st != st { // an argument's String method freed a, and what was taken is another owner's
		a.state().check()
	}
	if len(b) == 0 || unsafe.SliceData(b) != (*byte)(p) { // too long, fmt moved it
		sl.shrink(p, n, 0)
		return a.String(unsafe.String(unsafe.SliceData(b), len(b)))
	}
	sl.shrink(p, n, len(b))
	return unsafe.String((*byte)(p), len(b))
}
