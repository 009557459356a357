package arena

import (
	"runtime"
	"slices"
	"sync"
	"weak"
)

// The registry knows the address ranges of memory that watched arenas have handed out, for the
// checked build, which has to tell whose memory an address is in. They stay for as long
// as they are reachable.

const (
	regionBits = 16 // a chunk is listed in each region of 64 KiB that it touches
	shards     = 16
)

// A span is the address range of a chunk.
type span struct {
	base, size uintptr
	weak       weak.Pointer[byte] // of watched memory, else zero
}

// alive reports whether the span's chunk is still in memory.
func (s *span) alive() bool {
	return s.weak == (weak.Pointer[byte]{}) || uintptr(pointerTo(s.weak.Value())) == s.base
}

// has reports whether addr is in the span.
func (s *span) has(addr uintptr) bool { return addr-s.base < s.size && s.alive() }

// A shard holds the spans of some regions. An empty region stays, for the next
// chunk: that costs about a thousandth of the memory that arenas ever had.
type shard struct {
	sync.Mutex
	regions map[uintptr]region
}

// A region has the spans that touch it. Most regions have one: a chunk at an address
// where there was none before is to cost no allocation of its own.
type region struct {
	first span // of size 0 if there is none
	more  []span
}

var registry [shards]shard

// registerWeak makes the memory at p known until it is collected. That is asked
// only when an address is looked up: to ask weak pointers while the collector
// marks keeps alive what they point to.
func registerWeak(p pointer, bytes uintptr) {
	s := span{uintptr(p), bytes, weak.Make(as[byte](p))}
	s.each((*shard).add)
	runtime.AddCleanup(as[byte](p), forget, s)
}

// forget removes s, if it is there.
func forget(s span) { s.each((*shard).remove) }

// each calls f for all regions of s.
func (s span) each(f func(*shard, uintptr, span)) {
	for r := s.base >> regionBits; r <= (s.base+s.size-1)>>regionBits; r++ {
		f(&registry[r%shards], r, s)
	}
}

func (sh *shard) add(index uintptr, s span) {
	sh.Lock()
	defer sh.Unlock()
	if sh.regions == nil {
		sh.regions = make(map[uintptr]region)
	}
	r := sh.regions[index]
	if r.first.size == 0 {
		r.first = s
	} else {
		r.more = append(r.more, s)
	}
	sh.regions[index] = r
}

func (sh *shard) remove(index uintptr, s span) {
	sh.Lock()
	defer sh.Unlock()
	r := sh.regions[index]
	at := &r.first
	if r.first != s {
		i := slices.Index(r.more, s)
		if i < 0 {
			return
		}
		at = &r.more[i]
	}
	*at = span{}
	if last := len(r.more) - 1; last >= 0 {
		*at, r.more[last] = r.more[last], span{}
		r.more = r.more[:last]
	}
	sh.regions[index] = r
}

// chunkOf returns the address of the chunk that p points into, 0 if there is
// none.
func chunkOf(p pointer) uintptr {
	addr := uintptr(p)
	sh := &registry[addr>>regionBits%shards]
	sh.Lock()
	defer sh.Unlock()
	r := sh.regions[addr>>regionBits]
	if r.first.has(addr) {
		return r.first.base
	}
	for i := range r.more {
		if r.more[i].has(addr) {
			return r.more[i].base
		}
	}
	return 0
}
