package arena

import (
	"unicode/utf8"
	"unsafe"
)

// A Builder makes a string in an arena, piece by piece. It grows in place as
// long as nothing else takes text from the arena, and String does not copy. The
// zero Builder is empty, ready to use and on the heap. It must not be copied.
//
// The methods that write never fail: their errors are nil, for [io.Writer] and
// its relatives.
type Builder struct {
	a     *Arena
	buf   []byte
	given bool // to a caller of String, since Reset: buf must not be overwritten
}

// NewBuilder returns an empty builder in a, or on the heap if a is nil.
func NewBuilder(a *Arena) *Builder {
	b := New[Builder](a)
	b.a = a
	return b
}

// Len returns the number of bytes written.
func (b *Builder) Len() int { return len(b.buf) }

// Write appends p. It returns len(p) and nil.
func (b *Builder) Write(p []byte) (int, error) {
	b.Grow(len(p))
	b.buf = append(b.buf, p...)
	return len(p), nil
}

// WriteString appends s. It returns len(s) and nil.
func (b *Builder) WriteString(s string) (int, error) {
	b.Grow(len(s))
	b.buf = append(b.buf, s...)
	return len(s), nil
}

// WriteByte appends c. It returns nil.
func (b *Builder) WriteByte(c byte) error {
	b.Grow(1)
	b.buf = append(b.buf, c)
	return nil
}

// WriteRune appends r in UTF-8. It returns the number of bytes and nil.
func (b *Builder) WriteRune(r rune) (int, error) {
	n := len(b.buf)
	b.Grow(utf8.UTFMax)
	b.buf = utf8.AppendRune(b.buf, r)
	return len(b.buf) - n, nil
}

// Grow makes room for n more bytes. It panics if n is negative.
func (b *Builder) Grow(n int) {
	if n < 0 {
		panic("arena: Builder.Grow by a negative number")
	}
	if cap(b.buf)-len(b.buf) < n {
		b.grow(n)
	}
}

// grow is Grow when there is no room for n bytes.
func (b *Builder) grow(n int) {
	if b.a == nil {
		b.buf = Grow(nil, b.buf, n)
		return
	}
	b.buf = grown(b.a.state().str, b.buf, n)
}

// String returns what was written, without a copy. It stays as it is when more
// is written, and lives as long as the arena.
func (b *Builder) String() string {
	if len(b.buf) == 0 {
		return ""
	}
	p := unsafe.SliceData(b.buf)
	if b.a != nil && !b.given {
		b.giveBack(unsafe.Pointer(p))
	}
	b.given = true
	return unsafe.String(p, len(b.buf))
}

// giveBack leaves the unused rest of the buffer, which is at p, to the next one
// who needs it: if that is the builder, it grows in place. Only the first String
// does that. A builder that is written after String goes on, and would have to be
// copied each time if something else took the rest.
func (b *Builder) giveBack(p unsafe.Pointer) {
	sl := b.a.state().str
	lo := sl.lo
	if sl.shrink(p, cap(b.buf), len(b.buf)); sl.lo != lo {
		b.buf = b.buf[:len(b.buf):len(b.buf)]
	}
}

// Reset makes the builder empty. It keeps its memory unless a string was made
// of it.
func (b *Builder) Reset() {
	if b.given {
		b.buf, b.given = nil, false
	}
	b.buf = b.buf[:0]
}
