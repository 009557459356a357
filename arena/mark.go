package arena

import "unsafe"

// A Mark is a moment in the life of an arena. The zero Mark is that of a nil
// arena.
type Mark struct {
	st       *state
	from, to int // its places
	id       uint64
}

// A place is where a slab stood when a mark was set.
type place struct {
	base    unsafe.Pointer // of the current chunk, nil if there was none
	cur     int
	lo, off uintptr
	id      uint64 // of the mark
}

// Mark sets a mark. It costs a few nanoseconds per type that the arena has
// seen.
func (a *Arena) Mark() Mark {
	if a == nil {
		return Mark{}
	}
	st := a.state()
	st.check()
	if st.standsAt(st.top) {
		return st.top
	}
	st.lastMark++
	m := Mark{st: st, from: len(st.places), id: st.lastMark}
	for _, s := range st.all {
		st.places = append(st.places, place{s.chunk, s.cur, s.lo, s.off, m.id})
	}
	m.to = len(st.places)
	if st.watch != nil {
		st.watch.mark(m.id)
	}
	return m
}

// standsAt reports whether m is the last mark and nothing that Release to it would
// free was allocated since: in a loop of Mark and Release every mark then is the
// same, or what is remembered of them would grow. A chunk that is not reused is
// kept as a whole.
func (st *state) standsAt(m Mark) bool {
	if m.st != st || m.to != len(st.places) || m.to-m.from != len(st.all) || st.watch != nil || m.to == m.from {
		return false
	}
	for i, s := range st.all {
		p := &st.places[m.from+i]
		if p.id != m.id || p.base != s.chunk || p.cur != s.cur || st.reuses(s) && (p.lo != s.lo || p.off != s.off) {
			return false
		}
	}
	return true
}

// Release frees everything that was allocated since the mark was set, as Free
// frees all: with policy Safe it lets go of whole chunks, with a recycling
// policy memory is zeroed and handed out again. The mark stays valid, later
// ones do not. Children and values given to Keep stay. A slice, Builder, Map or
// List that grew since the mark must not be used, even if it was made before.
//
// Release panics if the mark is of another arena or not valid any more.
func (a *Arena) Release(m Mark) {
	if a == nil && m.st == nil {
		return
	}
	if a == nil || m.st != a.st {
		panic("arena: Release to a mark of another arena, or of one that was freed" + a.where())
	}
	st := a.st
	if m.to > len(st.places) || st.places[m.from].id != m.id {
		panic("arena: Release to a mark that is no longer valid: the arena was released to an earlier one, reset or freed" + a.where())
	}
	for i, s := range st.all {
		p := place{cur: -1} // of a type that came later
		if i < m.to-m.from {
			p = st.places[m.from+i]
		}
		s.rewind(p, st.reuses(s))
	}
	clear(st.places[m.to:])
	st.places, st.top = st.places[:m.to], m
	if st.watch != nil {
		st.watch.rewind(m.id)
	}
}

// rewind takes back what the slab handed out since it stood at p.
func (s *slab) rewind(p place, reuse bool) {
	if s.cur < 0 {
		return
	}
	s.park()
	if reuse {
		used := uintptr(0)
		for i := range s.chunks[:s.cur+1] {
			used += s.chunks[i].used()
		}
		s.high = max(s.high, used)
	}
	current, first := s.chunks[s.cur], max(p.cur, 0)
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
	s.cur = p.cur
	if reuse {
		s.cur = max(s.cur, 0)
		s.enter()
		return
	}
	if current.base != p.base && s.arena.watch == nil && p.cur < 0 {
		s.cur++
		for i := range s.chunks {
			if s.chunks[i].base == current.base {
				s.chunks[i], s.chunks[s.cur] = s.chunks[s.cur], s.chunks[i]
				break
			}
		}
	}
	s.truncate(s.cur + 1)
	left := uintptr(0)
	for i := range s.chunks {
		left += s.chunks[i].size
	}
	s.made = min(s.made, left)
	s.enter()
}
