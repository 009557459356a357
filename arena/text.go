package arena

import (
	"strings"

	"lessgc/internal/outline"
)

// String returns a copy of s in a, or on the heap if a is nil.
func (a *Arena) String(s string) string {
	// Inlined, as TestInlined pins.
	if a != nil {
		if a.quota >= 0 || len(s) >= most {
			return outline.Call2((*Arena).stringOf, a, s)
		}
		a.quota += one + int64(len(s))
	}
	return string(bytesOf(s))
}

// stringOf is String for an arena that is not nil and has no quota left, or for a text that is
// not short.
func (a *Arena) stringOf(s string) string {
	if st := a.opened(); st != nil {
		sl, n := st.str, uintptr(len(s))
		if from := sl.lo; n > 0 && from+n <= sl.off {
			p := plus(sl.chunk, from)
			sl.lo = from + n
			copy(sliceAt[byte](p, n), s)
			return textAt(p, n)
		}
	}
	if a.sliceFromHeap(len(s), 1) {
		return strings.Clone(s)
	}
	return a.stringSlow(s)
}

// StringFrom is String for text that is bytes: a conversion would first copy it
// to the heap.
func (a *Arena) StringFrom(b []byte) string {
	return a.String(textOf(b))
}

func (a *Arena) stringSlow(s string) string {
	if len(s) == 0 {
		return ""
	}
	st := a.state()
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		return sh.arena.String(s)
	}
	p := st.str.takeSlice(len(s))
	copy(sliceAt[byte](p, len(s)), s)
	return textAt(p, len(s))
}

// Bytes returns a copy of b in a, or on the heap if a is nil. The capacity of the
// result is its length; the copy of nil is nil.
func (a *Arena) Bytes(b []byte) []byte {
	switch {
	case b == nil:
		return nil
	case len(b) == 0:
		return []byte{}
	case a == nil:
		return append(make([]byte, 0, len(b)), b...) // slices.Clone rounds the capacity up
	case a.quota < 0 && len(b) < most:
		a.quota += one + int64(len(b))
		return append(make([]byte, 0, len(b)), b...)
	case a.sliceFromHeap(len(b), 1):
		return append(make([]byte, 0, len(b)), b...)
	}
	st := a.state()
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		return sh.arena.Bytes(b)
	}
	c := sliceAt[byte](st.raw.takeSlice(len(b)), len(b))
	copy(c, b)
	return c
}
