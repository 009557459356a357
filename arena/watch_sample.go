package arena

import (
	"math/rand/v2"
	"slices"
)

// A sample is the one object, slice or string that an audit of one arena in many
// watches. The rest of the arena is as it always is, recycled memory included: so an
// audit costs one object, not one arena.
//
// It is chosen before the arena is used: a slab at random, and how much of its memory
// comes first. The chunk that has this much and more is split there, so that allocation
// need not count: what does not fit into the first piece is the sample, and has memory of its
// own. The pieces are joined when the life ends.
type sample struct {
	slab *slab
	from *record // of slab; nil if there is none to come
	seen int     // slabs that were to choose from

	skip  int     // elements that come before it, if there was no chunk to split
	fixed bool    // no other slab may be chosen: chunks were split, or there is to be no sample
	split pointer // the chunk behind which it comes, nil if it is the first
	rest  pointer // the second piece of that one, nil if it was not split
	at    pointer // the sample; nil before it is taken, and after its release
}

// openSampled returns a state that watches a sample, with the memory of arenas before.
func (p *Pool) openSampled() *state {
	st := p.openPlain()
	if st.sampler == nil {
		st.sampler = &watch{policy: p.Policy, audits: p.audits()}
	}
	if w := st.sampler; w.owner != nil {
		w.owner, w.audits = nil, p.audits()
	}
	st.watch = st.sampler
	st.watch.choose(st)
	return st
}

// audits returns the audits that have what is found in arenas of p.
func (p *Pool) audits() []*audit { return []*audit{&p.audit, &everything} }

// perSample is the expected size, in bytes, from which on a recycled arena is sampled in each
// of its lives. Smaller ones are sampled less often, in proportion to their size, so that an
// audit costs a bounded share of the arenas' work.
const perSample = 16 << 10

// choose chooses the sample of a life that begins.
func (w *watch) choose(st *state) {
	w.sample = sample{}
	bytes := uintptr(0)
	for _, s := range st.all {
		bytes += s.high
	}
	if bytes > 0 && uintptr(rand.Uint32N(perSample)) >= bytes {
		w.sample.fixed = true
		return
	}
	var chosen *slab
	for _, s := range st.all {
		if w.picks(s) {
			chosen = s
		}
	}
	if chosen != nil {
		w.place(chosen)
	}
}

// picks reports whether s, the next to choose from, is chosen instead of those before.
func (w *watch) picks(s *slab) bool {
	if !w.follows(s.record) || s.size == 0 {
		return false
	}
	w.sample.seen++
	return rand.IntN(w.sample.seen) == 0
}

// consider is choose for a slab that the life did not begin with.
func (w *watch) consider(s *slab) {
	if taken := w.sample.slab != nil && w.sample.from == nil; !w.all && !taken && !w.sample.fixed && w.picks(s) {
		w.place(s)
	}
}

// place puts the sample into the unused memory of s.
func (w *watch) place(s *slab) {
	o := &w.sample
	o.slab, o.from = s, s.record
	if s.drops || s.cur < 0 {
		most := 1 << rand.IntN(8) // how many there will be is unknown
		if s.raw {
			most *= 16
		}
		o.skip = rand.IntN(most)
		return
	}
	o.fixed = true
	before := rand.IntN(max(int(s.high/s.size), 1))
	i := 0
	for ; i < len(s.chunks)-1 && uintptr(before)*s.size >= s.chunks[i].size; i++ {
		before -= int(s.chunks[i].size / s.size)
	}
	c := &s.chunks[i]
	size := min(uintptr(before)*s.size, c.size)
	switch {
	case size == 0 && i == 0: // the first of all: there is no current chunk
		s.cur = -1
	case size == 0:
		o.split = s.chunks[i-1].base
	case size == c.size:
		o.split = c.base
	default:
		o.split = c.base
		o.rest = plus(c.base, size)
		rest := chunk{base: o.rest, size: c.size - size, off: c.size - size}
		c.size, c.off = size, size
		s.chunks = slices.Insert(s.chunks, i+1, rest)
	}
	s.enter()
}

// sampled reports whether the next memory that r makes is the sample.
func (r *record) sampled() bool {
	w := r.arena.watch
	if w == nil || w.sample.from != r || w.sample.skip > 0 {
		return false
	}
	return w.sample.split == nil || r.cur >= 0 && r.chunks[r.cur].base == w.sample.split
}

// limit returns how many elements a chunk is to have that would have n and needs least,
// so that it ends before the sample.
func (r *record) limit(n, least int) int {
	if w := r.arena.watch; w != nil && w.sample.from == r && w.sample.skip > 0 {
		n = min(n, max(w.sample.skip, least))
		w.sample.skip -= n
	}
	return n
}

// takeSample returns the memory of the sample, n elements.
func (r *record) takeSample(n int) pointer {
	w := r.arena.watch
	p := makeApart(r.info, n)
	w.sample.from, w.sample.at = nil, p
	w.add(r, p, n)
	w.sliced = false
	return p
}

// sampleChunk returns a chunk that is the sample.
func (r *record) sampleChunk(bytes uintptr) chunk {
	return chunk{base: r.takeSample(int(bytes / r.info.size)), size: bytes, off: bytes}
}

// join makes a slab that has been split what it was before, and leaves the sample to the
// collector. It is the end of a life: of the first piece no more is known than that it was
// used.
func (w *watch) join() {
	if s := w.sample.slab; s != nil && !s.drops {
		w.dismiss()
		s.park()
		s.fuse(w.sample.split, w.sample.rest)
		s.reenter()
		s.unused = busy
	}
	w.sample = sample{}
}

// dismiss takes the memory of the sample, if it has been taken, from its slab.
func (w *watch) dismiss() {
	s := w.sample.slab
	if w.sample.at == nil || s.drops {
		return
	}
	s.park()
	s.remove(slices.IndexFunc(s.chunks, func(c chunk) bool { return c.base == w.sample.at }))
	s.reenter()
	w.sample.at = nil
}

// remove takes chunk i from the list, if there is one.
func (s *slab) remove(i int) {
	if i < 0 {
		return
	}
	s.chunks = slices.Delete(s.chunks, i, i+1)
	if i <= s.cur {
		s.cur--
	}
}

// fuse joins the chunk at first with the one at rest, unless there is none. The slab is
// parked.
func (s *slab) fuse(first, rest pointer) {
	i := slices.IndexFunc(s.chunks, func(c chunk) bool { return c.base == first })
	j := slices.IndexFunc(s.chunks, func(c chunk) bool { return c.base == rest })
	if rest == nil || i < 0 || j < 0 {
		return
	}
	a, b := &s.chunks[i], &s.chunks[j]
	switch {
	case b.used() > 0:
		a.lo, a.off = a.size+b.lo, a.size+b.off
	case a.off < a.size:
		a.lo, a.off = a.size, a.size+b.size
	default:
		a.off = a.size + b.size
	}
	a.size += b.size
	s.chunks[min(i, j)] = *a // a large slice may have used the second piece before the first
	s.remove(max(i, j))
}

// reenter makes a slab stand at its current chunk, at the first if there is none.
func (s *slab) reenter() {
	if s.cur < 0 && len(s.chunks) > 0 {
		s.cur = 0
	}
	s.full = 0
	for i := range max(s.cur, 0) {
		s.full += s.chunks[i].used()
	}
	s.enter()
}
