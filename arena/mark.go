package arena

// A Mark is a moment in the life of an arena. The zero Mark is that of a nil
// arena.
type Mark struct {
	st       *state
	from, to int // its entries
	id       uint64
}

// A slabMark records the position of a slab when a mark was set.
type slabMark struct {
	position
	before uintptr  // the slab's full; if it drops its chunks, what it has handed out
	gone   uintptr  // if it does, what of that are objects
	id     uint64   // of the mark
	now    position // where it stood after the last Release to the mark
}

// A position is the point at which a slab allocates next.
type position struct {
	base    pointer // of the current chunk, nil if there is none
	lo, off uintptr
	cur     int     // a large slice may have moved the chunk up
	full    uintptr // of a slab that drops its chunks: a large slice changes nothing else
}

// Mark sets a mark. It costs a few nanoseconds per type that the arena has
// seen.
func (a *Arena) Mark() Mark {
	if a == nil {
		return Mark{}
	}
	st := a.unshared()
	st.check()
	if st.standsAt(st.top) {
		return st.top
	}
	st.lastMark++
	m := Mark{st: st, from: len(st.marked), id: st.lastMark}
	for _, s := range st.all {
		at := s.position()
		p := slabMark{position: at, before: s.full, id: m.id, now: at}
		if s.drops {
			p.before, p.gone = s.handedOut()
		}
		st.marked = append(st.marked, p)
	}
	m.to = len(st.marked)
	if st.watch != nil {
		st.watch.mark(m.id)
	}
	return m
}

// standsAt reports whether m is the last mark and nothing was allocated since it was
// set or released to: in a loop of Mark and Release every mark then is the same, or
// the list of marks would grow.
func (st *state) standsAt(m Mark) bool {
	if m.st != st || m.to != len(st.marked) || m.to-m.from != len(st.all) || m.to == m.from {
		return false
	}
	for i, s := range st.all {
		if p := &st.marked[m.from+i]; p.id != m.id || p.now != s.position() {
			return false
		}
	}
	return true
}

// Release frees everything that was allocated since the mark was set, as Free
// frees all: with policy Safe it leaves the memory to the collector; with a recycling
// policy memory is zeroed and handed out again, and Release takes time in proportion to
// the memory allocated since the mark. The mark stays valid, later
// ones do not. Children stay. A slice or buffer that grew since the mark must not be
// used, even if it was made before.
//
// Release panics if the mark is of another arena or not valid any more.
func (a *Arena) Release(m Mark) {
	if a == nil && m.st == nil {
		return
	}
	if a == nil || m.st != a.st {
		panic("arena: Release to a mark of another arena, or of one that was freed" + a.where())
	}
	st := a.unshared()
	if m.to > len(st.marked) || st.marked[m.from].id != m.id {
		panic("arena: Release to a mark that is no longer valid: the arena was released to an earlier one, reset or freed" + a.where())
	}
	for i, s := range st.all {
		if i >= m.to-m.from { // of a type that came later
			s.rewind(slabMark{position: position{cur: -1}}, st.reuses(s))
			continue
		}
		p := &st.marked[m.from+i]
		s.rewind(*p, st.reuses(s))
		p.now = s.position()
	}
	clear(st.marked[m.to:])
	st.marked, st.top = st.marked[:m.to], m
	if st.watch != nil {
		st.watch.rewind(m.id)
	}
}

// rewind takes back what the slab handed out since it stood at p. It looks only at
// the chunks that were entered since, and returns how many.
func (s *slab) rewind(p slabMark, reuse bool) (looked int) {
	if s.drops { // it goes on where it stands
		s.full, s.gone = p.before+s.off-s.lo, p.gone
		s.top = s.off
		return 0
	}
	if s.cur < 0 {
		return 0
	}
	s.park()
	if reuse {
		s.high = max(s.high, s.full+s.chunks[s.cur].used())
	}
	first := max(p.cur, 0)
	looked = s.cur + 1 - first
	for i := first; i <= s.cur; i++ {
		c := &s.chunks[i]
		switch {
		case c.base == p.base: // a large slice may have moved it up
			if reuse {
				s.zero(c, min(p.lo, c.lo), p.off)
			}
			s.chunks[i], s.chunks[first] = s.chunks[first], s.chunks[i]
		case reuse:
			s.zero(c, 0, c.size)
		}
	}
	s.cur, s.full = p.cur, p.before
	if reuse {
		s.cur = max(s.cur, 0)
		s.enter()
		return looked
	}
	s.truncate(s.cur + 1)
	s.enter()
	return looked
}

// position returns where the slab stands.
func (s *slab) position() position {
	at := position{base: s.chunk, lo: s.lo, off: s.off, cur: s.cur}
	if s.drops {
		at.full = s.full
	}
	return at
}
