package arena

import (
	"slices"
	"sync"
	"unsafe"
	"weak"
)

// The registry knows the address ranges of all chunks, for what has to tell
// arena memory from the rest: Clone and Detach. A chunk enters when it is made
// and leaves some time after the collector took it; in between its weak pointer
// says whether it is still there.

const (
	regionBits = 16 // a chunk is listed in each region of 64 KiB that it touches
	shards     = 16
)

// A span is the address range of a chunk.
type span struct {
	base, size uintptr
	weak       weak.Pointer[byte] // zero for a chunk of policy Std, which the collector does not take
}

// alive reports whether the span's chunk is still in memory.
func (s *span) alive() bool {
	return s.weak == (weak.Pointer[byte]{}) || uintptr(unsafe.Pointer(s.weak.Value())) == s.base
}

// A shard holds the spans of some regions.
type shard struct {
	sync.Mutex
	regions map[uintptr][]span
	entries int
	sweepAt int // number of entries at which dead ones are looked for
}

var registry [shards]shard

// register makes the chunk at p known. It returns a weak pointer to it.
func register(p unsafe.Pointer, bytes uintptr) weak.Pointer[byte] {
	s := span{uintptr(p), bytes, weak.Make((*byte)(p))}
	s.each((*shard).add)
	return s.weak
}

// registerStd is register for a chunk that must be unregistered.
func registerStd(p unsafe.Pointer, bytes uintptr) {
	s := span{base: uintptr(p), size: bytes}
	s.each((*shard).add)
}

// unregister forgets a chunk.
func unregister(p unsafe.Pointer, bytes uintptr) {
	s := span{base: uintptr(p), size: bytes}
	s.each((*shard).remove)
}

// each calls f for all regions of s.
func (s span) each(f func(*shard, uintptr, span)) {
	for r := s.base >> regionBits; r <= (s.base+s.size-1)>>regionBits; r++ {
		f(&registry[r%shards], r, s)
	}
}

func (sh *shard) add(region uintptr, s span) {
	sh.Lock()
	defer sh.Unlock()
	if sh.regions == nil {
		sh.regions = make(map[uintptr][]span)
		sh.sweepAt = 64
	}
	if sh.entries >= sh.sweepAt {
		sh.sweep()
	}
	sh.regions[region] = append(sh.regions[region], s)
	sh.entries++
}

func (sh *shard) remove(region uintptr, s span) {
	sh.Lock()
	defer sh.Unlock()
	spans := sh.regions[region]
	i, last := slices.Index(spans, s), len(spans)-1
	if i < 0 {
		return
	}
	spans[i], spans[last] = spans[last], span{}
	sh.regions[region] = spans[:last]
	sh.entries--
	if last == 0 {
		delete(sh.regions, region)
	}
}

// sweep removes the spans whose chunks are gone.
func (sh *shard) sweep() {
	sh.entries = 0
	for region, spans := range sh.regions {
		live := spans[:0]
		for i := range spans {
			if spans[i].alive() {
				live = append(live, spans[i])
			}
		}
		if len(live) == 0 {
			delete(sh.regions, region)
			continue
		}
		clear(spans[len(live):])
		sh.regions[region] = live
		sh.entries += len(live)
	}
	sh.sweepAt = max(64, 2*sh.entries)
}

// inChunk reports whether p points into memory of an arena, one that was freed
// included as long as the memory is still there.
func inChunk(p unsafe.Pointer) bool { return chunkOf(p) != 0 }

// chunkOf returns the address of the chunk that p points into, 0 if there is
// none.
func chunkOf(p unsafe.Pointer) uintptr {
	addr := uintptr(p)
	sh := &registry[addr>>regionBits%shards]
	sh.Lock()
	defer sh.Unlock()
	spans := sh.regions[addr>>regionBits]
	for i := range spans {
		if s := &spans[i]; addr-s.base < s.size && s.alive() {
			return s.base
		}
	}
	return 0
}
