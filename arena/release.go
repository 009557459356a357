package arena

import (
	"math/bits"
)

// release ends a life of the slab, which has chunks: what it handed out is no
// longer valid. The memory is zeroed and kept for the next life if reuse, or left
// to the collector. It returns how many bytes there were.
func (s *slab) release(reuse bool) (used uintptr) {
	c := &s.chunks[s.cur]
	s.mustBeIn(c)
	if reuse && len(s.chunks) == 1 && s.kept == c.size && s.kept <= maxChunk { // the only chunk, as it was the last time
		used = s.lo + c.size - s.off
		s.high = max(used, s.high-s.high/8)
		if s.lo > 0 {
			s.clear(c.base, 0, s.lo)
		}
		if s.off < c.size {
			s.clear(c.base, s.off, c.size)
		}
		c.lo, c.off = 0, c.size
		s.lo, s.off, s.unused = 0, c.size, c.size
		return used
	}
	if !reuse {
		used = s.used()
		s.forget()
		return used
	}
	c.lo, c.off = s.lo, s.off
	return s.recycle()
}

// worth is the number of elements that a slab has to hand out in a life of a safe arena for the
// arena's state to pay off. Text counts as one element for each 16 bytes.
const worth = 12

// drop ends a life of a slab that drops its chunks. It reports whether it was worth a slab.
func (s *slab) drop() bool {
	s.mustFit()
	bytes, _ := s.handedOut()
	bytes -= min(s.large, bytes) // of which Release may have taken back some
	s.want, s.had, s.next, s.large = min(bytes, s.had), bytes, 0, 0
	s.chunk, s.lo, s.off = nil, 0, 0
	s.full, s.gone, s.top = 0, 0, 0
	if s.raw {
		return bytes >= worth*16
	}
	return bytes >= worth*s.size
}

// handedOut returns how many bytes a slab has handed out that drops its chunks, and how
// many of them are objects.
func (s *slab) handedOut() (bytes, objects uintptr) {
	return s.full - (s.off - s.lo), s.gone + s.top - s.off
}

// mustFit is mustBeIn for a slab that drops its chunks.
func (s *slab) mustFit() {
	if s.lo > s.off || s.off > s.top {
		panicShared()
	}
}

// forget empties the list of chunks.
func (s *slab) forget() {
	s.truncate(0)
	s.full, s.kept = 0, 0
	s.cur, s.chunk, s.lo, s.off, s.unused = -1, nil, 0, 0, 0
}

// recycle zeroes what was handed out, and starts again with the first chunk. It returns how many bytes
// that were.
func (s *slab) recycle() (used uintptr) {
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
	s.unused = s.off
	return used
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
func (r *record) clear(base pointer, from, to uintptr) {
	p := plus(base, from)
	switch info := r.info; {
	case r.raw:
	case !info.pointers:
		clearBytes(p, to-from)
	default:
		clearWords(p, to-from)
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
