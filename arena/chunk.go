package arena

import (
	"math"
	"unsafe"
)

const (
	// firstChunk and maxChunk bound the size of a chunk, in bytes: the first
	// of a type is small, each next one twice as large. From 32 KiB up the
	// time per object no longer falls when chunks are recycled, from 64 KiB up
	// when they are not; and a chunk is what one forgotten pointer keeps alive.
	firstChunk = 512
	maxChunk   = 64 << 10

	// headroom is what the runtime may put in front of a chunk with pointers.
	// Without it a chunk of a power of two would need the next size class.
	headroom = 8

	// maxAlloc bounds a slice, in bytes, well below where sizes overflow.
	maxAlloc = 1 << (min(48, unsafe.Sizeof(uintptr(0))*8-1) - 1)
)

// A chunk is memory of a slab that is not current: its free part is [lo, off).
// [lo0, off0) was free when this arena got it; the rest was used by arenas before
// it, which only happens to memory without pointers that is not recycled.
type chunk struct {
	base      unsafe.Pointer
	size      uintptr // in bytes, a multiple of the element's size
	lo, off   uintptr
	lo0, off0 uintptr
}

// used returns how many bytes of the chunk this arena handed out.
func (c *chunk) used() uintptr { return c.lo - c.lo0 + c.off0 - c.off }

// A record is the part of a slab that is not needed to allocate from it.
type record struct {
	info  *typeInfo
	arena *state

	// chunks[:cur] are full, chunks[cur] is the slab's, chunks[cur+1:] are
	// empty and zeroed. Without chunks cur is -1.
	chunks []chunk
	cur    int
	full   uintptr // bytes handed out from chunks[:cur]

	next uintptr // size of the next chunk to make, in bytes; see fit for those that are dropped
	high uintptr // maximum, which decays, of the bytes used per life, if they are recycled
	kept uintptr // bytes that the slab keeps alive between two arenas
	made uintptr // bytes of the chunks made in this life, those for one slice left out
	mean uintptr // of the bytes used per life out of those, if they are dropped
	dev  uintptr // mean deviation from that

	// Of slabs in the table only:
	lent   *slab // what Of returns, nil if it was never asked
	lentAt int   // its place in the state's list
	out    bool  // Of has returned it in this life

	room room // for clearTyped and makeRoom

	raw bool // memory of strings and bytes: written before it is seen, never zeroed
}

// newRecord returns the record of a slab that has no memory yet.
func newRecord(st *state, info *typeInfo) *record {
	return &record{info: info, arena: st, cur: -1, next: firstChunk}
}

// grow gives the slab a chunk with room for one object. Inlined, it would be
// too much for Slab.New.
//
//go:noinline
func (s *slab) grow() {
	if s.size == 0 {
		s.arena.check()
		s.chunk = unsafe.Pointer(&zeroSized)
		return
	}
	s.nextChunk(s.size)
}

// park writes the position in the current chunk back to the list.
func (s *slab) park() {
	if s.cur >= 0 {
		c := &s.chunks[s.cur]
		s.mustBeIn(c)
		c.lo, c.off = s.lo, s.off
	}
}

// mustBeIn panics if the slab does not stand in c, its current chunk: only two
// goroutines at once can have left it so.
func (s *slab) mustBeIn(c *chunk) {
	if s.lo > s.off || s.off > c.size {
		panicShared()
	}
}

// panicShared reports that two goroutines used an arena at once. It is noticed by
// luck, as with maps; the race detector notices it for certain. Rule 22 of
// docs/memory-model.md.
func panicShared() {
	panic("arena: used by several goroutines at once: give each a Child, or run with -race to see where")
}

// enter makes chunks[cur] the current one.
func (s *slab) enter() {
	if s.cur < 0 {
		s.chunk, s.lo, s.off = nil, 0, 0
		return
	}
	c := &s.chunks[s.cur]
	s.chunk, s.lo, s.off = c.base, c.lo, c.off
}

// nextChunk leaves the current chunk for one with room for bytes.
func (s *slab) nextChunk(bytes uintptr) {
	s.arena.check()
	s.park()
	if s.cur >= 0 {
		s.full += s.chunks[s.cur].used()
	}
	cur := s.cur
	s.reserve(bytes)
	if s.cur != cur && s.arena != &onHeap {
		panicShared()
	}
	s.cur++
	s.enter()
}

// reserve makes chunks[cur+1] one with room for bytes.
func (r *record) reserve(bytes uintptr) {
	if !r.find(bytes, math.MaxInt) {
		r.insert(r.newChunk(bytes))
	}
}

// find makes chunks[cur+1] one of at least and at most so many bytes, if there
// is one.
func (r *record) find(least, most uintptr) bool {
	next := r.cur + 1
	for i := next; i < len(r.chunks); i++ {
		if size := r.chunks[i].size; least <= size && size <= most {
			r.chunks[next], r.chunks[i] = r.chunks[i], r.chunks[next]
			return true
		}
	}
	return false
}

// insert makes c chunks[cur+1].
func (r *record) insert(c chunk) {
	if r.arena == &onHeap {
		clear(r.chunks)
		r.chunks, r.cur, r.full = r.chunks[:0], -1, 0
	}
	r.chunks = append(r.chunks, c)
	last := len(r.chunks) - 1
	r.chunks[r.cur+1], r.chunks[last] = r.chunks[last], r.chunks[r.cur+1]
}

// newChunk makes a chunk with room for bytes. The size that it takes if bytes
// is small doubles up to maxChunk.
func (r *record) newChunk(bytes uintptr) chunk {
	var want uintptr
	switch {
	case r.arena.alone():
		r.arena.watch.sliced = false
	case r.info.pointers && !r.arena.policy.recycles():
		want = r.fit()
	default:
		want = r.next
		if r.info.pointers {
			want -= headroom
		}
		r.next = min(2*r.next, maxChunk)
	}
	c := r.makeChunk(int(max(want, bytes) / r.info.size))
	r.made += c.size
	return c
}

// fit is the size of a chunk that is dropped when the arena is freed, so that
// what is left of it is wasted: what most lives used, and what this one uses
// beyond that in pieces of half of what it has.
func (r *record) fit() uintptr {
	want := max(r.made/2, min(r.made, firstChunk))
	switch usual := r.mean - min(r.dev, r.mean); {
	case r.made == 0 && r.mean == 0:
		want = firstChunk
	case r.made == 0:
		want = max(usual, min(r.mean, firstChunk))
	case r.made < usual:
		want = max(usual-r.made, want)
	}
	return min(want+r.info.size-1, maxChunk-headroom)
}

// takeAlone returns a chunk of its own for a slice of the given size in bytes.
// It is inserted in front of the current chunk, which stays current.
func (s *slab) takeAlone(bytes uintptr) unsafe.Pointer {
	s.arena.check()
	if s.arena == &onHeap {
		return s.makeChunk(int(bytes / s.info.size)).base
	}
	if s.arena.watch != nil {
		s.arena.watch.sliced = true
	}
	s.park()
	if !s.find(bytes, 2*bytes) {
		s.insert(s.makeChunk(int(bytes / s.info.size)))
	}
	s.cur++
	c := &s.chunks[s.cur]
	c.lo = bytes
	base := c.base
	if s.cur > 0 {
		s.chunks[s.cur-1], s.chunks[s.cur] = s.chunks[s.cur], s.chunks[s.cur-1]
		s.full += bytes
	}
	s.enter()
	return base
}

// makeChunk makes a chunk of at least n elements and tells the registry about it.
func (r *record) makeChunk(n int) chunk {
	var c chunk
	switch st := r.arena; {
	case st.std != nil:
		c.base = stdChunk(st.std, r.info, n)
	case st.watch != nil:
		c.base = st.watch.make(r, n)
	case r.raw:
		c.base, n = makeRaw(n)
	default:
		c.base, n = makeRoom(r.info.slice, &r.room, n)
	}
	c.size = uintptr(n) * r.info.size
	c.off, c.off0 = c.size, c.size
	switch {
	case r.arena.watch != nil:
		registerWeak(c.base, c.size)
	case r.arena.account != nil:
		r.arena.account.list(uintptr(c.base), c.size)
	}
	return c
}

// truncate lets go of all chunks but the first n.
func (r *record) truncate(n int) {
	if r.arena.account != nil {
		for i := range r.chunks[n:] {
			r.arena.account.unlist(uintptr(r.chunks[n+i].base))
		}
	}
	clear(r.chunks[n:])
	r.chunks = r.chunks[:n]
}
