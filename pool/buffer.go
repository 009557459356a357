package pool

import (
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"lessgc/internal/checked"
)

// A Buffer is a growing sequence of bytes. It comes from [Buffers.Get] and ends with
// Put: Get returns another one for the next use of the memory, and the methods of one
// that was put, or that came from no pool, panic. It is not safe for use by more than one
// goroutine at a time, and must not be copied.
//
// Write, WriteString and WriteByte are inlined: see TestInlined.
type Buffer struct {
	_     noCopy
	*body // nil if it was put; in the checked build it stays
}

// noCopy lets go vet find copies of structs that hold it.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// A body passes from one Buffer to the next: memory, and what is known about its uses.
type body struct {
	buf     []byte
	class   *sync.Pool       // of home, that has it between its uses
	settled int              // the capacity with which Put need not call settle; 0 or less if any
	asked   int              // the size that Get was called with
	handles *[handles]Buffer // taken in turn, from the last to the first
	left    uint32           // how many have their turn; 0 also if there is no memory
	turn    uint32           // left, if there was memory
	number  uint8            // of the class
	strikes uint8            // uses in a row that needed little of the capacity
	rounds  uint8            // of the handles

	home *Buffers

	high    int // the largest length that Reset or Truncate took back
	last    int // what the last use needed that had to be settled
	charged int // what share says: the capacity that home pays for
	want    int // the capacity to begin with when there is no memory
	share   *share
	loan    *loan // of the present owner; checked build only
}

// A body takes its handles in turn, so that the next uses of its memory have others, and
// new ones now and then, so that no use ever after has an old one: see doc.go. One for
// each use would be 8 bytes of garbage in each.
const (
	handles = 64
	renewal = 64 // rounds; it divides 256
)

// handle returns the Buffer of the next use.
func (h *body) handle() *Buffer {
	h.left--
	b := &h.handles[h.left%handles]
	b.body = h
	h.buf = h.buf[:0]
	return b
}

// Write appends p. It never fails.
func (b *Buffer) Write(p []byte) (int, error) {
	if checked.Enabled {
		b.check()
	}
	b.buf = append(b.buf, p...)
	return len(p), nil
}

// WriteString appends s. It never fails.
func (b *Buffer) WriteString(s string) (int, error) {
	if checked.Enabled {
		b.check()
	}
	b.buf = append(b.buf, s...)
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
	b.high, b.settled = max(b.high, len(b.buf)), -1
	b.buf = b.buf[:n]
}

// ReadFrom appends the content of r until io.EOF, and returns the number of bytes
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

// mustBeOut panics if b was put back or came from no pool. The methods that are inlined have no room for
// it: there, the body is a nil pointer.
func (b *Buffer) mustBeOut() {
	if checked.Enabled {
		b.check()
	}
	if b.body == nil {
		panic("pool: a Buffer was used after it was put, or came from no pool; -tags lessgc_checked says where")
	}
}
