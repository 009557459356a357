package arena

import (
	"math/bits"
	"unsafe"
)

// release ends a life of the slab, which has chunks: what it handed out is no
// longer valid. The memory is zeroed and kept for the next life if reuse, or left
// to the collector.
func (s *slab) release(reuse bool) {
	c := &s.chunks[s.cur]
	s.mustBeIn(c)
	if reuse && len(s.chunks) == 1 && s.kept == c.size && s.kept <= maxChunk { // the only chunk, as it was the last time
		s.high = max(s.lo+c.size-s.off, s.high-s.high/8)
		if s.lo > 0 {
			s.clear(c.base, 0, s.lo)
		}
		if s.off < c.size {
			s.clear(c.base, s.off, c.size)
		}
		c.lo, c.off = 0, c.size
		s.lo, s.off = 0, c.size
		return
	}
	c.lo, c.off = s.lo, s.off
	switch {
	case !reuse && len(s.chunks) == 1 && s.hands(c):
		c.lo0, c.off0 = c.lo, c.off
		s.kept = c.size
	case !reuse:
		s.drop()
	default:
		s.recycle()
	}
}

// hands reports whether what is left of chunk c is for the next arena. Of a large
// one it is not: a few bytes would keep all of it alive.
func (r *record) hands(c *chunk) bool {
	return !r.info.pointers && c.size <= maxChunk && c.off-c.lo >= r.info.size && r.arena.watch == nil && r.arena.std == nil
}

// drop lets go of all chunks. Memory without pointers that was never handed out
// is kept for the next arena. Memory with pointers is not: what the arenas before
// had in the same chunk would be kept alive, and through it what others had.
// Instead the next arena's chunks will be as large as this one's memory was.
func (s *slab) drop() {
	c := &s.chunks[s.cur]
	switch {
	case s.info.pointers:
		s.learn()
		s.forget()
	case !s.hands(c):
		s.forget()
	default:
		c.lo0, c.off0 = c.lo, c.off
		if len(s.chunks) > 1 {
			s.chunks[0], s.chunks[s.cur] = s.chunks[s.cur], s.chunks[0]
			s.truncate(1)
		}
		s.cur, s.full, s.kept = 0, 0, s.chunks[0].size
	}
}

// learn adds what this life used to the means, as TCP does with round-trip times.
// It rounds so that lives that all use the same get one chunk of that size.
func (r *record) learn() {
	c := &r.chunks[r.cur]
	used := r.made - min(r.made, c.off-c.lo)
	switch {
	case r.mean == 0:
		r.mean = used
	case used > r.mean:
		r.dev = (3*r.dev + used - r.mean) / 4
		r.mean += (used - r.mean + 3) / 4
	default:
		r.dev = (3*r.dev + r.mean - used) / 4
		r.mean -= (r.mean - used + 3) / 4
	}
}

// forget empties the list of chunks.
func (s *slab) forget() {
	s.truncate(0)
	s.full, s.kept, s.made = 0, 0, 0
	s.cur, s.chunk, s.lo, s.off = -1, nil, 0, 0
}

// recycle zeroes what was handed out and starts again with the first chunk.
func (s *slab) recycle() {
	used := uintptr(0)
	for i := range s.chunks[:s.cur+1] {
		c := &s.chunks[i]
		used += c.used()
		s.zero(c, 0, c.size)
	}
	s.high = max(used, s.high-s.high/8)
	s.trim()
	s.merge()
	s.cur, s.full = min(0, len(s.chunks)-1), 0
	s.enter()
}

// zero takes back what the chunk handed out since its free part was [lo, off).
func (r *record) zero(c *chunk, lo, off uintptr) {
	if lo < c.lo {
		r.clear(c.base, lo, c.lo)
	}
	if c.off < off {
		r.clear(c.base, c.off, off)
	}
	c.lo, c.off = lo, off
}

// clear zeroes [from, to) of a chunk, whole elements. There is at least one: a
// pointer behind the chunk would be one to something else.
func (r *record) clear(base unsafe.Pointer, from, to uintptr) {
	p := unsafe.Add(base, from)
	switch {
	case r.raw:
	case r.info.pointers:
		clearTyped(r.info.slice, &r.room, p, int((to-from)/r.info.size))
	default:
		clearBytes(p, to-from)
	}
	raceWrite(p, to-from)
}

// trim lets go of chunks that the last lives did not need: what stays is at
// most twice the decaying maximum of their use, and one chunk.
func (r *record) trim() {
	r.kept = 0
	for i := range r.chunks {
		r.kept += r.chunks[i].size
	}
	n := len(r.chunks)
	for n > 0 && r.kept > 2*r.high+maxChunk {
		n--
		r.kept -= r.chunks[n].size
	}
	r.truncate(n)
}

// merge lets go of the small chunks of a slab that needed more than one, so
// that the next life fills one large chunk where this one filled many.
func (r *record) merge() {
	if r.cur <= 0 || len(r.chunks) == 0 || r.chunks[0].size >= maxChunk-maxChunk/8 {
		return
	}
	want := min(uintptr(1)<<bits.Len(uint(r.high)), maxChunk)
	n := 0
	for i := range r.chunks {
		if r.chunks[i].size > min(want/2, maxChunk/4) { // larger ones may be those of one slice each
			r.chunks[n], r.chunks[i] = r.chunks[i], r.chunks[n]
			n++
		} else {
			r.kept -= r.chunks[i].size
		}
	}
	r.truncate(n)
	r.next = max(r.next, want)
}
