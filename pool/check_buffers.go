package pool

import "unsafe"

// poison fills the memory of a buffer that nobody owns.
const poison = 0xDB

// check panics if b has been put back.
func (b *Buffer) check() {
	if b.loan != nil && b.loan.over() {
		misuse(b, "was used after it was put", "got", b.loan.got, "put", b.loan.put, "used", here())
	}
}

// refuseChecked is refuse with places.
func (p *Buffers) refuseChecked(b *Buffer) {
	switch {
	case b.loan == nil:
		misuse(b, "was put that no pool gave out", "put", here())
	case b.home != p:
		misuse(b, "was put into a pool that did not give it out", "got", b.loan.got, "put", here())
	default:
		misuse(b, "was put twice", "got", b.loan.got, "put", b.loan.put, "put again", here())
	}
}

// takeChecked returns a buffer of class c that has waited long enough, or nil.
func (p *Buffers) takeChecked(c int) *Buffer {
	h := p.pens[c].take()
	if h == nil {
		return nil
	}
	return h.value.(*Buffer)
}

// keepChecked moves the memory of b to a new Buffer and puts that into the pen. b
// is of no use any more, so a call of its methods is always found.
func (p *Buffers) keepChecked(b *Buffer) {
	b.loan.put = here()
	if b.class == numClasses {
		return
	}
	heir := &Buffer{home: p, class: b.class, buf: b.buf, strikes: b.strikes, last: b.last, want: b.want}
	if b.charged != 0 {
		p.account.Load().moved(b, heir)
	}
	b.buf, b.charged, b.share = nil, 0, nil
	memory := heir.buf[:cap(heir.buf)]
	fill(memory)
	p.pens[b.class].put(&penned{value: heir, memory: memory, loan: b.loan})
}

// spoil is keepChecked for memory that goes to the collector.
func (p *Buffers) spoil(b *Buffer) {
	memory := b.buf[:cap(b.buf)]
	fill(memory)
	raceRelease(unsafe.Pointer(b), memory)
}

// fill writes the poison. The race detector hears of it from raceRelease: one
// large write, not one for each step.
//
//go:norace
func fill(memory []byte) {
	if len(memory) == 0 {
		return
	}
	memory[0] = poison
	for n := 1; n < len(memory); n *= 2 {
		copy(memory[n:], memory[:n])
	}
}
