package pool

// poison fills the memory of a buffer without an owner.
const poison = 0xDB

// check panics if b has been put back or came from no pool.
func (b *Buffer) check() {
	if b.body == nil {
		misuse(b, "was used that no pool gave out", "used", here())
	}
	if b.loan.over() {
		misuse(b, "was used after it was put", "got", b.loan.got, "put", b.loan.put, "used", here())
	}
}

// refuseChecked is refuse with positions.
func (p *Buffers) refuseChecked(b *Buffer) {
	switch {
	case b.body == nil:
		misuse(b, "was put that no pool gave out", "put", here())
	case b.home != p:
		misuse(b, "was put into a pool that did not give it out", "got", b.loan.got, "put", here())
	default:
		misuse(b, "was put twice", "got", b.loan.got, "put", b.loan.put, "put again", here())
	}
}

// takeChecked returns the body of a buffer of class c that has waited long enough, or
// nil.
func (p *Buffers) takeChecked(c int) *body {
	h := p.pens[c].take()
	if h == nil {
		return nil
	}
	return h.value.(*body)
}

// keepChecked moves the memory of old to a new body and puts that into the pen. The
// old one stays with its Buffer, so a call of the methods of that is always found.
func (p *Buffers) keepChecked(old *body) {
	old.loan.put = here()
	heir := &body{home: p, class: old.class, number: old.number, buf: old.buf, strikes: old.strikes, last: old.last, want: old.want}
	if old.charged != 0 {
		p.account.Load().moved(old, heir)
	}
	old.buf, old.charged, old.share = nil, 0, nil
	memory := heir.buf[:cap(heir.buf)]
	fill(memory)
	p.pens[heir.number].put(&penned{value: heir, memory: memory, loan: old.loan})
}

// spoil is keepChecked for memory that goes to the collector.
func (p *Buffers) spoil(h *body) {
	memory := h.buf[:cap(h.buf)]
	fill(memory)
	raceRelease(pointerTo(h), memory)
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
