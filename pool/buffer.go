package pool

import (
	"io"
	"slices"
	"unicode/utf8"

	"lessgc/internal/checked"
)

// A Buffer is a growing sequence of bytes. It comes from [Buffers]; a zero
// Buffer works as well, but belongs to no pool. It is not safe for use by more
// than one goroutine at a time, and must not be copied.
//
// Each Get returns another Buffer, which must not be used after its Put: a method
// then panics, or is inlined and works on memory of its own, and does not reach the
// next owner's.
//
// Write, WriteString and WriteByte are inlined: see TestInlined.
type Buffer struct {
	_   noCopy
	buf []byte
	*body
}

// noCopy lets go vet find copies of what holds it.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// A body is what one Buffer leaves to the next: memory, and what is known about its
// uses.
type body struct {
	free  []byte // the memory, while no Buffer has it
	home  *Buffers
	loan  *loan // of the present owner; checked build only
	share *share

	charged int // what share says: the capacity that home pays for
	asked   int // the size that Get was called with
	high    int // the largest length that Reset or Truncate took back
	last    int // what the use before this one needed
	want    int // the capacity to begin with when there is no memory

	class   uint8
	strikes uint8 // uses in a row that needed little of the capacity
	made    uint8 // handles at once, the last time

	handles []Buffer // of uses to come
}

// put is the body of all that were put back. It is never written.
var put body

// handle returns the Buffer of the next use. They are made many at a time, so that a
// use costs 32 bytes, not an allocation.
func (h *body) handle() *Buffer {
	if len(h.handles) == 0 {
		h.made = min(max(2*h.made, 1), 16)
		h.handles = make([]Buffer, h.made)
	}
	b := &h.handles[0]
	h.handles = h.handles[1:]
	b.buf, b.body = h.free, h
	h.free = nil
	return b
}

// set makes to, which is b.buf with something appended, the contents. The pointer is
// stored only if the memory is new, which then has another capacity: storing it each
// time costs a write barrier during a collection.
func (b *Buffer) set(to []byte) {
	if cap(to) != cap(b.buf) {
		b.buf = to
	}
	b.buf = b.buf[:len(to)]
}

// Write appends p. It never fails.
func (b *Buffer) Write(p []byte) (int, error) {
	if checked.Enabled {
		b.check()
	}
	b.set(append(b.buf, p...))
	return len(p), nil
}

// WriteString appends s. It never fails.
func (b *Buffer) WriteString(s string) (int, error) {
	if checked.Enabled {
		b.check()
	}
	b.set(append(b.buf, s...))
	return len(s), nil
}

// WriteByte appends c. It never fails.
func (b *Buffer) WriteByte(c byte) error {
	if checked.Enabled {
		b.check()
	}
	b.buf = append(b.buf, c)
	return nil
}

// WriteRune appends the UTF-8 encoding of r. It never fails.
func (b *Buffer) WriteRune(r rune) (int, error) {
	b.mustBeOut()
	n := len(b.buf)
	b.buf = utf8.AppendRune(b.buf, r)
	return len(b.buf) - n, nil
}

// Grow makes room for n more bytes, so that writing them moves nothing. A
// negative n panics.
func (b *Buffer) Grow(n int) {
	b.mustBeOut()
	b.buf = slices.Grow(b.buf, n)
}

// Bytes returns the contents. They are valid until the buffer is written, reset,
// truncated or put, and changes to them are changes to the buffer.
func (b *Buffer) Bytes() []byte {
	if checked.Enabled {
		b.check()
	}
	return b.buf
}

// AvailableBuffer returns the free capacity as an empty slice, to be appended to
// and then passed to the next Write, as in
//
//	b.Write(strconv.AppendInt(b.AvailableBuffer(), n, 10))
func (b *Buffer) AvailableBuffer() []byte {
	if checked.Enabled {
		b.check()
	}
	return b.buf[len(b.buf):]
}

// String returns a copy of the contents.
func (b *Buffer) String() string {
	b.mustBeOut()
	return string(b.buf)
}

// Len returns the length of the contents in bytes.
func (b *Buffer) Len() int {
	if checked.Enabled {
		b.check()
	}
	return len(b.buf)
}

// Cap returns how many bytes the buffer can hold before it has to grow.
func (b *Buffer) Cap() int {
	if checked.Enabled {
		b.check()
	}
	return cap(b.buf)
}

// Reset empties the buffer and keeps its memory.
func (b *Buffer) Reset() { b.Truncate(0) }

// Truncate keeps the first n bytes. An n that is negative or larger than the
// length panics.
func (b *Buffer) Truncate(n int) {
	b.mustBeOut()
	if n < 0 || n > len(b.buf) {
		panic("pool: Truncate to a length that the Buffer does not have")
	}
	if b.body != nil {
		b.body.high = max(b.body.high, len(b.buf))
	}
	b.buf = b.buf[:n]
}

// ReadFrom appends what r returns until io.EOF, and returns the number of bytes
// and the error of r, if it is another one.
func (b *Buffer) ReadFrom(r io.Reader) (int64, error) {
	b.mustBeOut()
	start := len(b.buf)
	for {
		b.buf = slices.Grow(b.buf, minRead)
		n, err := r.Read(b.buf[len(b.buf):cap(b.buf)])
		if n < 0 || n > cap(b.buf)-len(b.buf) {
			panic("pool: a Reader returned an impossible count")
		}
		b.buf = b.buf[:len(b.buf)+n]
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return int64(len(b.buf) - start), err
		}
	}
}

// minRead is the room that ReadFrom offers a Reader at least.
const minRead = 512

// WriteTo writes the contents to w and leaves them in the buffer.
func (b *Buffer) WriteTo(w io.Writer) (int64, error) {
	b.mustBeOut()
	n, err := w.Write(b.buf)
	if n < 0 || n > len(b.buf) {
		panic("pool: a Writer returned an impossible count")
	}
	if err == nil && n < len(b.buf) {
		err = io.ErrShortWrite
	}
	return int64(n), err
}

// mustBeOut panics if b was put back. The methods that are inlined have no room
// for it.
func (b *Buffer) mustBeOut() {
	if checked.Enabled {
		b.check()
	}
	if b.body == &put {
		panic("pool: a Buffer was used after it was put; -tags lessgc_checked says where")
	}
}
