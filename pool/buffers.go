package pool

import (
	"bytes"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"lessgc/internal/checked"
)

// Buffers keeps byte buffers. The zero value is ready to use. It is safe for use
// by many goroutines and must not be copied.
//
// A buffer is kept for the size that its uses need, not for the largest that it
// ever had: see Put.
type Buffers struct {
	// MaxBytes limits the memory that the pool keeps, counting the buffers in use
	// that were put back before: they will come back. A Put that would exceed the
	// limit lets the memory go. 0 means 64 MiB; a negative limit keeps nothing. It
	// must not be changed after the first use.
	MaxBytes int64

	classes [numClasses]sync.Pool // of *body
	account atomic.Pointer[account]
	pens    [numClasses]pen // instead of classes, in the checked build
}

// A class holds the buffers that were asked for with sizes up to classSize. What
// a user writes without saying so does not change the class: a pool whose users
// give no size is one class, and its buffers have the size that their uses need.
const (
	numClasses   = 8
	firstClass   = 10 // log2 of the size of class 0: 1 KiB
	classFactor  = 2  // log2 of the factor from class to class
	largestClass = 1 << (firstClass + (numClasses-1)*classFactor)
)

// classSize returns the smallest capacity in class c.
func classSize(c int) int { return 1 << (firstClass + c*classFactor) }

// classOf returns the class for size, or numClasses if it is too large to keep.
func classOf(size int) int {
	if size <= 1<<firstClass {
		return 0
	}
	over := bits.Len(uint(size-1) >> firstClass)
	return min((over+classFactor-1)/classFactor, numClasses)
}

// Get returns an empty buffer with a capacity of at least size bytes, which
// belongs to the caller until it is put back. A size of 0 says that the caller
// does not know; the capacity is then what recent uses suggest. A negative size
// panics.
func (p *Buffers) Get(size int) *Buffer {
	if size < 0 {
		panic("pool: Get with a negative size")
	}
	a := accountOf(&p.account)
	c := classOf(size)
	h := p.take(c)
	if h == nil {
		h = &body{home: p, class: uint8(c)}
	}
	a.got(unsafe.Pointer(h))
	if cap(h.free) == 0 {
		a.misses.Add(1)
		h.free = slices.Grow([]byte(nil), max(size, h.want, classSize(min(c, numClasses-1))))
	}
	h.asked = size
	if checked.Enabled {
		h.loan = newLoan()
	}
	return h.handle()
}

// Put gives b back. It must come from Get of the same pool, be put once, and not
// be used after that, and neither must any slice of its bytes. Put panics if b was
// put before, however long ago, or comes from another pool.
//
// The memory goes to the collector instead if the limit is reached, or if it is
// much larger than the uses of this buffer need. A use needs what it asked for or
// wrote, whichever is more. Up to 4 KiB is always worth keeping. Memory of which
// four uses in a row needed less than a quarter is not. More than 64 KiB is kept
// only if two uses in a row needed a quarter of it: a single large request leaves
// nothing behind. More than 16 MiB is never kept.
func (p *Buffers) Put(b *Buffer) {
	h := b.body
	if h == nil || h == &put || h.home != p || checked.Enabled && h.loan.over() {
		p.refuse(b)
	}
	need := max(h.asked, h.high, len(b.buf))
	h.free = b.buf[:0]
	if b.buf = nil; !checked.Enabled { // which has the places in h
		b.body = &put
	}
	if !h.worthKeeping(need) || (cap(h.free) != h.charged && !p.charge(h)) {
		p.letGo(h, need)
	}
	h.last, h.high = need, 0
	p.keep(h)
}

// With calls f with a buffer of at least size bytes, as from Get, and puts it
// back when f has returned. f must not keep the buffer or its bytes. If f panics
// or ends its goroutine, the buffer is not put back.
func (p *Buffers) With(size int, f func(*Buffer)) {
	b := p.Get(size)
	f(b)
	p.Put(b)
}

// String is With, and returns a copy of what f wrote.
func (p *Buffers) String(size int, f func(*Buffer)) string {
	b := p.Get(size)
	f(b)
	s := b.String()
	p.Put(b)
	return s
}

// Bytes is With, and returns a copy of what f wrote. The copy is never nil.
func (p *Buffers) Bytes(size int, f func(*Buffer)) []byte {
	b := p.Get(size)
	f(b)
	s := bytes.Clone(b.Bytes())
	p.Put(b)
	return s
}

// Stats returns the figures of the pool. KeptBytes never exceeds the limit.
func (p *Buffers) Stats() Stats { return accountOf(&p.account).stats() }

// take returns the body of a buffer of class c, or nil.
func (p *Buffers) take(c int) *body {
	if c == numClasses {
		return nil
	}
	if checked.Enabled {
		return p.takeChecked(c)
	}
	h, _ := p.classes[c].Get().(*body)
	return h
}

// keep puts h where take finds it.
func (p *Buffers) keep(h *body) {
	if checked.Enabled {
		p.keepChecked(h)
		return
	}
	if h.class < numClasses {
		p.classes[h.class].Put(h)
	}
}

// refuse panics, because b is not one that p has given out.
func (p *Buffers) refuse(b *Buffer) {
	if checked.Enabled {
		p.refuseChecked(b)
	}
	if b.body != &put {
		panic("pool: a Buffer was put into a pool that did not give it out; -tags lessgc_checked says where")
	}
	panic("pool: a Buffer was put twice; -tags lessgc_checked says where")
}
