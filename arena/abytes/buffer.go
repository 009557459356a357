// Package abytes writes text in an arena: its [Buffer] is a [bytes.Buffer] without the
// methods that read, and a [strings.Builder].
//
// A Buffer is memory of its arena. One that is used after Free, with a policy that
// recycles, reads and corrupts the data of the next owner. A plain build does not
// notice; lessgc vet and the checked build (-tags lessgc_checked) do.
package abytes

import (
	"io"
	"slices"
	"unicode/utf8"
	"unsafe"

	"lessgc/arena"
	"lessgc/internal/untyped"
)

// A Buffer makes text in an arena, piece by piece. It grows in place as long as nothing
// else takes text from the arena, and String does not copy. The zero Buffer is empty,
// ready to use and on the heap. It must not be copied.
//
// The methods that write never fail: their errors are nil, for [io.Writer] and its
// relatives. Only ReadFrom returns an error, the reader's.
type Buffer struct {
	a     *arena.Arena
	buf   []byte
	given bool // to a caller of String, since Reset: buf must not be overwritten
}

// NewBuffer returns an empty buffer in a, or on the heap if a is nil.
func NewBuffer(a *arena.Arena) *Buffer {
	b := arena.New[Buffer](a)
	b.a = a
	return b
}

// Len returns the number of bytes written.
func (b *Buffer) Len() int { return len(b.buf) }

// Cap returns how many bytes the buffer has memory for, including those written.
func (b *Buffer) Cap() int { return cap(b.buf) }

// Write appends p. It returns len(p) and nil.
func (b *Buffer) Write(p []byte) (int, error) {
	b.Grow(len(p))
	b.buf = append(b.buf, p...)
	return len(p), nil
}

// WriteString appends s. It returns len(s) and nil.
func (b *Buffer) WriteString(s string) (int, error) {
	b.Grow(len(s))
	b.buf = append(b.buf, s...)
	return len(s), nil
}

// WriteByte appends c. It returns nil.
func (b *Buffer) WriteByte(c byte) error {
	b.Grow(1)
	b.buf = append(b.buf, c)
	return nil
}

// WriteRune appends r in UTF-8. It returns the number of bytes and nil.
func (b *Buffer) WriteRune(r rune) (int, error) {
	n := len(b.buf)
	b.Grow(utf8.UTFMax)
	b.buf = utf8.AppendRune(b.buf, r)
	return len(b.buf) - n, nil
}

// minRead is the smallest free capacity that ReadFrom provides for each Read, as in
// package bytes.
const minRead = 512

// ReadFrom reads from r until io.EOF and appends the data. It returns the number of
// bytes read, and the error of r unless it is io.EOF.
func (b *Buffer) ReadFrom(r io.Reader) (int64, error) {
	var sum int64
	for {
		b.Grow(minRead)
		n, err := r.Read(b.buf[len(b.buf):cap(b.buf)])
		if n < 0 {
			panic("abytes: reader returned negative count from Read")
		}
		b.buf = b.buf[:len(b.buf)+n]
		sum += int64(n)
		if err == io.EOF {
			return sum, nil
		}
		if err != nil {
			return sum, err
		}
	}
}

// Grow makes room for n more bytes. It panics if n is negative.
func (b *Buffer) Grow(n int) {
	if n < 0 {
		panic("abytes: Buffer.Grow by a negative number")
	}
	if cap(b.buf)-len(b.buf) < n {
		b.grow(n)
	}
}

// grow is Grow when there is no room for n bytes.
func (b *Buffer) grow(n int) {
	if b.a == nil {
		b.buf = slices.Grow(b.buf, n)
		return
	}
	b.buf = untyped.GrowText(unsafe.Pointer(b.a), b.buf, n)
}

// Bytes returns the written bytes, without a copy. It changes with Truncate and Reset,
// not with what is written after it, and must not be changed after String. It lives as
// long as the arena.
func (b *Buffer) Bytes() []byte { return b.buf[:len(b.buf):len(b.buf)] }

// String returns the written text, without a copy. It never changes, and lives as long
// as the arena.
func (b *Buffer) String() string {
	if b == nil {
		return "<nil>" // as [bytes.Buffer] does, for debuggers
	}
	if len(b.buf) == 0 {
		return ""
	}
	// Only the first String gives back the rest of the memory: a buffer that is written
	// after String goes on, and would have to be copied each time if something else took
	// the rest.
	if b.a != nil && !b.given {
		b.buf = untyped.TrimText(unsafe.Pointer(b.a), b.buf)
	}
	b.given = true
	return unsafe.String(unsafe.SliceData(b.buf), len(b.buf))
}

// Truncate removes all but the first n bytes. It keeps the memory of the others unless a
// string was made of them, and panics if n is negative or greater than Len.
func (b *Buffer) Truncate(n int) {
	if n < 0 || n > len(b.buf) {
		panic("abytes: Buffer.Truncate out of range")
	}
	if n == 0 {
		b.Reset()
		return
	}
	if b.buf = b.buf[:n]; b.given {
		b.buf = b.buf[:n:n]
	}
}

// Reset makes the buffer empty. It keeps its memory unless a string was made of it.
func (b *Buffer) Reset() {
	if b.given {
		b.buf, b.given = nil, false
	}
	b.buf = b.buf[:0]
}
