package pool

import (
	"bytes"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"lessgc/internal/checked"
	"lessgc/internal/outline"
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
// The last class is for buffers that are too large to keep: only their body is kept.
const (
	firstClass   = 10 // log2 of the size of class 0: 1 KiB
	classFactor  = 2  // log2 of the factor from class to class
	numClasses   = 9
	largestClass = 1 << (firstClass + (numClasses-2)*classFactor)
)

// classSize returns the smallest capacity in class c.
func classSize(c int) int { return 1 << (firstClass + min(c, numClasses-2)*classFactor) }

// classOf returns the class for size.
func classOf(size int) int {
	if size < 0 {
		panic("pool: Get with a negative size")
	}
	if size <= 1<<firstClass {
		return 0
	}
	over := bits.Len(uint(size-1) >> firstClass)
	return min((over+classFactor-1)/classFactor, numClasses-1)
}

// Get returns an empty buffer with a capacity of at least size bytes, which
// belongs to the caller until it is put back. A size of 0 is for
// an unknown size; the capacity is then the one that recent uses suggest. A negative size
// panics.
func (p *Buffers) Get(size int) *Buffer {
	if uint(size) > 1<<firstClass || checked.Enabled {
		return p.get(size)
	}
	h, ok := p.classes[0].Get().(*body)
	if ok && h.left != 0 {
		h.asked = size
		return h.handle()
	}
	return p.prepare(h, 0, size).handle()
}

// get is Get of any size.
func (p *Buffers) get(size int) *Buffer {
	c := classOf(size)
	var h *body
	if checked.Enabled {
		h = p.takeChecked(c)
	} else {
		h, _ = p.classes[c].Get().(*body)
	}
	if h == nil || h.left == 0 {
		h = p.prepare(h, c, size)
	}
	h.asked = size
	if checked.Enabled {
		h.loan = newLoan()
	}
	return h.handle()
}

// prepare gives h, or if that is nil a new body of class c, what it has not of handles
// and of memory for size bytes.
func (p *Buffers) prepare(h *body, c, size int) *body {
	if h == nil {
		h = &body{home: p, class: &p.classes[c], number: uint8(c)}
	}
	if cap(h.buf) == 0 {
		accountOf(&p.account).misses.Add(1)
		h.buf = slices.Grow([]byte(nil), max(size, h.want, classSize(c)))
		h.left = h.turn
	}
	if h.left == 0 {
		if h.rounds%renewal == 0 {
			h.handles = new([handles]Buffer)
		}
		h.rounds++
		h.left = handles
	}
	h.asked = size
	return h
}

// Put gives b back. It must come from Get of the same pool, be put once, and not
// be used after that, and neither must any slice of its bytes. Put panics if b was
// put before, with the exception that the package comment names. For a Buffer of another pool
// Put panics or returns it to that pool; in the checked build it always panics.
//
// The memory goes to the collector instead if the limit is reached, or if it is
// much larger than the uses of this buffer need. A use needs what it asked for or
// wrote, whichever is more. Up to 4 KiB is always worth keeping. Memory of which 64
// uses in a row needed less than a quarter is not; of more than 64 KiB, four uses. And
// more than 64 KiB is kept only if two uses in a row needed a quarter of it: a single
// large request leaves nothing behind. More than 16 MiB is never kept.
func (p *Buffers) Put(b *Buffer) {
	// Inlined, as TestInlined pins.
	if checked.Enabled {
		p.put(b)
		return
	}
	if h := b.body; h != nil && cap(h.buf) == h.settled {
		b.body = nil
		outline.Do2((*sync.Pool).Put, h.class, any(h))
	} else {
		outline.Do2((*Buffers).put, p, b)
	}
}

// put is Put where there is something to decide.
func (p *Buffers) put(b *Buffer) {
	h := b.body
	if h == nil || h.home != p || checked.Enabled && h.loan.over() {
		p.refuse(b)
	}
	if !checked.Enabled { // which has the positions in h
		b.body = nil
	}
	if cap(h.buf) != h.settled {
		p.settle(h)
	}
	if checked.Enabled {
		p.keepChecked(h)
		return
	}
	h.class.Put(h)
}

// With calls f with a buffer of at least size bytes, as from Get, and puts it
// back when f has returned. f must not keep the buffer or its bytes. If f panics
// or ends its goroutine, the buffer is not put back.
func (p *Buffers) With(size int, f func(*Buffer)) {
	b := p.Get(size)
	f(b)
	p.Put(b)
}

// String is With, and returns a copy of f's output.
func (p *Buffers) String(size int, f func(*Buffer)) string {
	b := p.Get(size)
	f(b)
	s := b.String()
	p.Put(b)
	return s
}

// Bytes is With, and returns a copy of f's output. The copy is never nil.
func (p *Buffers) Bytes(size int, f func(*Buffer)) []byte {
	b := p.Get(size)
	f(b)
	s := bytes.Clone(b.Bytes())
	p.Put(b)
	return s
}

// Stats returns the figures of the pool. KeptBytes never exceeds the limit.
func (p *Buffers) Stats() Stats { return accountOf(&p.account).stats() }

// refuse panics, because b is not one that p has given out.
func (p *Buffers) refuse(b *Buffer) {
	if checked.Enabled {
		p.refuseChecked(b)
	}
	if b.body != nil {
		panic("pool: a Buffer was put into a pool that did not give it out; -tags lessgc_checked says where")
	}
	panic("pool: a Buffer was put twice, or came from no pool; -tags lessgc_checked says where")
}
