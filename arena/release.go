package arena

import (
	"math/bits"
	"unsafe"
)

// release ends a life of the slab: what it handed out is no longer valid. The
// memory is zeroed and kept for the next life if reuse, or left to the
// collector.
func (s *slab) release(reuse bool) {
	if s.cur < 0 {
		return
	}
	s.park()
	if reuse {
		s.recycle()
	} else {
		s.drop()
	}
}

// drop lets go of all chunks but what was never handed out of the current one:
// the next arena may have that. If there are pointers in the chunk it becomes
// the tail, which does not keep alive what this arena's objects point to.
func (s *slab) drop() {
	c := &s.chunks[s.cur]
	c.lo0, c.off0 = c.lo, c.off
	switch {
	case s.arena.std != nil:
		for _, c := range s.chunks {
			unregister(c.base, c.size)
		}
		s.forget()
	case c.off-c.lo < s.size || s.arena.watch != nil:
		s.forget()
	case s.info.pointers:
		s.tail = *c
		s.tail.base = nil
		s.forget()
	case len(s.chunks) > 1:
		s.chunks[0] = *c
		clear(s.chunks[1:])
		s.chunks = s.chunks[:1]
		s.cur, s.kept = 0, s.chunks[0].size
	default:
		s.kept = c.size
	}
}

// forget empties the list of chunks.
func (s *slab) forget() {
	clear(s.chunks)
	s.chunks, s.kept = s.chunks[:0], 0
	s.cur, s.chunk, s.lo, s.off = -1, nil, 0, 0
}

// takeTail makes the tail chunks[cur+1], if there is one that is still there
// and has room.
func (r *record) takeTail(bytes uintptr) bool {
	c := r.tail
	if c.size == 0 {
		return false
	}
	r.tail = chunk{}
	c.base = unsafe.Pointer(c.weak.Value())
	if c.base == nil { // collected; a smaller one might not have been in vain
		if c.off-c.lo > c.size/2 {
			r.next = max(r.next/2, firstChunk)
		}
		return false
	}
	if c.off-c.lo < bytes {
		return false
	}
	r.insert(c)
	return true
}

// recycle zeroes what was handed out and starts again with the first chunk.
func (s *slab) recycle() {
	if s.cur == 0 && s.chunks[0].used() == 0 && s.kept <= maxChunk {
		return
	}
	used := uintptr(0)
	for i := range s.chunks[:s.cur+1] {
		c := &s.chunks[i]
		used += c.used()
		s.zero(c, 0, c.size)
	}
	s.high = max(used, s.high-s.high/8)
	s.trim()
	s.merge()
	s.cur = min(0, len(s.chunks)-1)
	s.enter()
}

// zero takes back what the chunk handed out since its free part was [lo, off).
func (r *record) zero(c *chunk, lo, off uintptr) {
	r.clear(c.base, lo, c.lo)
	r.clear(c.base, c.off, off)
	c.lo, c.off = lo, off
}

// clear zeroes [from, to) of a chunk, whole elements. It makes no pointer if
// that is empty: one behind the chunk would be one to something else.
func (r *record) clear(base unsafe.Pointer, from, to uintptr) {
	if from == to {
		return
	}
	p := unsafe.Add(base, from)
	switch {
	case r.raw:
	case r.info.pointers:
		clearTyped(r.info.slice, &r.header, p, int((to-from)/r.info.size))
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
	for last := len(r.chunks) - 1; last >= 0 && r.kept > 2*r.high+maxChunk; last-- {
		r.kept -= r.chunks[last].size
		r.chunks[last] = chunk{}
		r.chunks = r.chunks[:last]
	}
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
		if c := r.chunks[i]; c.size > want/2 {
			r.chunks[n] = c
			n++
		} else {
			r.kept -= c.size
		}
	}
	clear(r.chunks[n:])
	r.chunks = r.chunks[:n]
	r.next = max(r.next, want)
}
