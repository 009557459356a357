package arena

import (
	"math"
	"reflect"

	"lessgc/internal/checked"
)

const (
	// firstChunk and maxChunk bound the size of a chunk that is used again, in
	// bytes: the first of a type is small, each next one twice as large. From
	// 32 KiB up the time per object no longer falls.
	firstChunk = 512
	maxChunk   = 64 << 10

	// Chunks that are left to the collector are smaller: one is what a pointer that
	// was kept keeps alive. One has what the life is expected to take, see record.want;
	// where that is not known, the first has firstDropped elements and each next one
	// twice as many. It is limited to maxDropped bytes, above which the time per object
	// hardly falls. A slab that has handed out much makes chunks of one part in
	// shareDropped of that, up to maxLarge: fewer objects for the collector.
	firstDropped = 2
	maxDropped   = 1 << 10
	shareDropped = 8
	maxLarge     = 16 << 10

	// firstText and maxText are for chunks of text that is left to the collector.
	firstText = 64
	maxText   = 512

	// headroom is the size of the header that the runtime may put in front of a
	// chunk with pointers, if it is larger than headless. Without it a chunk of a
	// power of two would need the next size class.
	headroom = 8
	headless = 512

	// maxAlloc bounds a slice, in bytes, well below where sizes overflow.
	maxAlloc = 1 << (min(48, wordSize*8-1) - 1)
)

// A chunk is memory of a slab that is not current: its free part is [lo, off).
type chunk struct {
	base    pointer
	size    uintptr // in bytes, a multiple of the element's size
	lo, off uintptr
}

// used returns how many bytes of the chunk were handed out.
func (c *chunk) used() uintptr { return c.lo + c.size - c.off }

// A record is the part of a slab that is not needed to allocate from it.
//
// What most ends of lives need is in its first 64 bytes, a cache line.
type record struct {
	// chunks[:cur] are full, chunks[cur] is the slab's, chunks[cur+1:] are
	// empty and zeroed. Without chunks cur is -1.
	chunks []chunk
	cur    int

	// drops reports whether chunks are left to the collector as soon as they are full.
	// Then chunks is empty, and full counts the current chunk as if it were full.
	drops bool

	raw  bool    // memory of strings and bytes: written before it is seen, never zeroed
	seen bool    // memory was handed out since the last look at idle slabs, see state.release
	kept uintptr // bytes that the slab keeps alive between two arenas
	high uintptr // maximum, which decays, of the bytes used per life, if they are recycled
	info *typeInfo

	arena *state
	room  room    // for makeRoom
	full  uintptr // bytes handed out from chunks[:cur] and from those that were dropped

	top  uintptr // off of the current chunk when it was new
	gone uintptr // bytes of objects, slices not included, handed out from those before

	// What a life is expected to take from chunks, in bytes: the less of what the two
	// before took, which is had in the last one. In this life large bytes had memory of
	// their own. Only if drops.
	want, had, large uintptr

	next uintptr // size of the next chunk to make, in bytes; of the last, in elements, if drops

	// Of slabs in the table only:
	lent   *slab // what Of returns, nil if it was never asked
	lentAt int   // its index in the state's list
	out    bool  // Of has returned it in this life

	own bool // of a loose slab: no other one has the record
}

// newRecord returns the record of a slab that has no memory yet.
func newRecord(st *state, info *typeInfo) *record {
	r := &record{info: info, arena: st, cur: -1, next: firstChunk}
	if !st.policy.recycles() && !st.watched() {
		r.drops = true
		r.next = 0
	}
	return r
}

// grow gives the slab a chunk with room for one object. Inlined, it would be
// too much for Slab.New.
//
//go:noinline
func (s *slab) grow() {
	if s.size == 0 {
		s.arena.check()
		s.chunk = pointerTo(&zeroSized)
		return
	}
	s.nextChunk(s.size)
}

// growLoose gives a slab that belongs to no arena a chunk with room for bytes. It has
// 1, 2, 2, 4, 4, 8 ... elements: objects leave at most a third of them unused. The slab
// counts its chunks in its type word; Slab.New makes the first.
func (s *slab) growLoose(bytes uintptr) {
	if s.own {
		s.growOwn(bytes)
		return
	}
	n := uintptr(1) << ((s.typ + 1) / 2)
	if n < s.info.most {
		s.typ++
	}
	n = max(min(n, s.info.most), bytes/s.size)
	s.chunk, s.lo, s.off = s.info.array(int(n)), 0, n*s.size
}

// growOwn is growLoose for a slab from untyped.Loose, which has in its type word how many bytes its
// chunks had. Each is half as large as those before together: objects leave at most a third unused.
func (s *slab) growOwn(bytes uintptr) {
	n := uintptr(1)
	switch {
	case !s.info.pointers: // what is kept keeps no more than this, whoever has it
		n = max(1, maxText/s.size, bytes/s.size)
	case s.typ >= 4*s.size:
		most := s.info.most
		if s.typ > shareDropped*maxDropped {
			most = max(most, (min(s.typ/shareDropped, maxLarge)-headroom)/s.size)
		}
		n = max(min(s.typ/2/s.size, most), bytes/s.size)
	case bytes > s.size:
		n = bytes / s.size
	}
	s.typ += n * s.size
	s.chunk, s.lo, s.off = s.array(int(n)), 0, n*s.size
}

// busy is the unused of a slab that has taken a chunk in this life: no off.
const busy = ^uintptr(0)

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
	if s.arena == &loose {
		s.growLoose(bytes)
		return
	}
	s.arena.check()
	if s.drops {
		s.replaceChunk(bytes)
		return
	}
	s.unused = busy
	s.park()
	if s.cur >= 0 {
		s.full += s.chunks[s.cur].used()
	}
	cur := s.cur
	s.reserve(bytes)
	if s.cur != cur {
		panicShared()
	}
	s.cur++
	s.enter()
}

// reserve makes chunks[cur+1] one with room for bytes.
func (r *record) reserve(bytes uintptr) {
	if r.sampled() || !r.find(bytes, math.MaxInt) {
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
	case r.sampled():
		return r.sampleChunk(bytes)
	default:
		want = r.next
		if r.info.pointers {
			want -= headroom
		}
		r.next = min(2*r.next, maxChunk)
	}
	return r.makeChunk(r.limit(int(max(want, bytes)/r.info.size), int(bytes/r.info.size)))
}

// replaceChunk leaves the current chunk, of which the collector takes care, for a new
// one with room for bytes.
func (s *slab) replaceChunk(bytes uintptr) {
	s.mustFit()
	s.full -= s.off - s.lo
	s.gone += s.top - s.off
	s.chunk, s.off = s.newDropped(bytes)
	s.lo, s.top = 0, s.off
	s.full += s.off
}

// newDropped returns a chunk with room for bytes, and its size. It holds the rest of what
// the life is expected to take, or twice as much as the chunk before.
func (r *record) newDropped(bytes uintptr) (base pointer, size uintptr) {
	if r.sampled() {
		return r.takeSample(int(bytes / r.info.size)), bytes
	}
	elem, first, most := r.info.size, uintptr(firstDropped), r.info.most
	switch {
	case r.raw:
		first, most = firstText, max(maxText, min(r.full/shareDropped, maxLarge))
	case r.full > shareDropped*maxDropped:
		most = max(most, (min(r.full/shareDropped, maxLarge)-headroom)/elem)
	}
	n := max(2*r.next, first)
	if want := r.want + r.large; want > r.full {
		n = max((want-r.full)/elem, 1)
	}
	n = min(n, most)
	least := max(1, bytes/elem)
	n = uintptr(r.limit(int(max(n, least)), int(least)))
	r.next = n
	if r.raw {
		base, whole := makeRaw(int(n))
		return base, uintptr(whole)
	}
	return r.array(int(n)), n * elem
}

// array returns the memory of a new []T of at least n elements.
func (r *record) array(n int) pointer {
	switch {
	case r.own && n == 1:
		return reflect.New(r.info.elem).UnsafePointer()
	case r.info.maker == nil && (r.arena != &loose || r.own):
		base, _ := makeRoom(r.info.slice, &r.room, n)
		return base
	}
	return r.info.array(n)
}

// takeAlone returns a chunk of its own for a slice of the given size in bytes.
// It is inserted in front of the current chunk, which stays current.
func (s *slab) takeAlone(bytes uintptr) pointer {
	s.arena.check()
	if s.drops {
		if s.arena != &loose {
			s.full += bytes
			s.large += bytes
		}
		if s.sampled() {
			s.arena.watch.sliced = true
			return s.takeSample(int(bytes / s.size))
		}
		if s.raw {
			p, _ := makeRaw(int(bytes))
			return p
		}
		return s.array(int(bytes / s.size))
	}
	if s.arena.watch != nil {
		s.arena.watch.sliced = true
	}
	s.unused = busy
	s.park()
	switch {
	case s.sampled():
		s.insert(s.sampleChunk(bytes))
	case !s.find(bytes, 2*bytes):
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

// makeChunk makes a chunk of at least n elements, and tells the registry about it in the
// checked build.
func (r *record) makeChunk(n int) chunk {
	var c chunk
	switch st := r.arena; {
	case st.watched():
		c.base = st.watch.make(r, n)
	case r.raw:
		c.base, n = makeRaw(n)
	default:
		c.base, n = makeRoom(r.info.slice, &r.room, n)
	}
	c.size = uintptr(n) * r.info.size
	c.off = c.size
	if checked.Strict && r.arena.watch != nil {
		registerWeak(c.base, c.size)
	}
	if ac := r.arena.account; ac != nil {
		ac.set(ac.bytes + int64(c.size))
	}
	return c
}

// truncate lets go of all chunks but the first n.
func (r *record) truncate(n int) {
	clear(r.chunks[n:])
	r.chunks = r.chunks[:n]
}
