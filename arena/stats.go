package arena

import (
	"cmp"
	"slices"
)

// Stats counts the memory and the values of an arena.
type Stats struct {
	Bytes   int64 // handed out since the arena was opened, reset or released
	Objects int64 // from New; slices and strings count in Bytes only
	Chunks  int   // that hold them
	Kept    int64 // size of all chunks in bytes, empty ones included

	// Types has an entry for each type that holds bytes, largest first.
	// Strings and copies of bytes are the type "string".
	Types []TypeStats
}

// TypeStats is the part of one type in [Stats].
type TypeStats struct {
	Type    string // as package reflect prints it
	Bytes   int64
	Objects int64
}

// Len returns how many bytes were handed out since the arena was opened, reset or
// released, in constant time for each type. What a safe arena's slabs from [Of], NewValue,
// MakeSliceValue and CloneIn take from the heap is not counted.
func (a *Arena) Len() int {
	if a == nil {
		return 0
	}
	if a.small() {
		a.check()
		return int(a.bytesTaken())
	}
	a.st.check()
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		return sh.arena.Len()
	}
	n := uintptr(a.bytesTaken())
	for _, s := range a.st.all {
		n += s.used()
	}
	return int(n)
}

// used returns how many bytes the slab has handed out.
func (s *slab) used() uintptr {
	switch {
	case s.drops:
		bytes, _ := s.handedOut()
		return bytes
	case s.cur < 0:
		return 0
	}
	return s.full + s.lo + s.chunks[s.cur].size - s.off
}

// Stats returns the statistics of a; see [Arena.Len] for memory that is not counted. Objects and Types
// leave out what a safe arena took from the heap because it was small. The Stats of a nil
// arena are zero.
func (a *Arena) Stats() Stats {
	if a == nil {
		return Stats{}
	}
	if a.small() {
		a.check()
		return Stats{Bytes: a.bytesTaken()}
	}
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		return sh.arena.Stats()
	}
	a.st.check()
	stats := Stats{Bytes: a.bytesTaken()}
	type typeKey struct {
		info *typeInfo
		raw  bool
	}
	indices := map[typeKey]int{} // in stats.Types: New and Of have slabs of their own
	for _, s := range a.st.all {
		s.park()
		t := TypeStats{Type: s.name()}
		if s.drops {
			bytes, objects := s.handedOut()
			t.Bytes, t.Objects = int64(bytes), int64(objects/max(s.size, 1))
		}
		for i, c := range s.chunks {
			stats.Kept += int64(c.size)
			if i <= s.cur {
				stats.Chunks++
				t.Bytes += int64(c.used())
				t.Objects += int64((c.size - c.off) / max(s.size, 1))
			}
		}
		stats.Bytes += t.Bytes
		stats.Objects += t.Objects
		key := typeKey{s.info, s.raw}
		if i, ok := indices[key]; ok {
			stats.Types[i].Bytes += t.Bytes
			stats.Types[i].Objects += t.Objects
		} else if t.Bytes > 0 {
			indices[key] = len(stats.Types)
			stats.Types = append(stats.Types, t)
		}
	}
	slices.SortStableFunc(stats.Types, func(x, y TypeStats) int { return -cmp.Compare(x.Bytes, y.Bytes) })
	return stats
}

// name returns the name of the slab's type in [Stats].
func (s *slab) name() string {
	if s.raw {
		return "string"
	}
	return s.info.elem.String()
}

// PoolStats counts the arenas and the memory of a [Pool].
type PoolStats struct {
	Made int64 // arenas for which the pool had no memory
	Shed int64 // arenas that gave up their memory because of MaxKept
	Kept int64 // bytes of the chunks that its recycling arenas have, idle or open
	Peak int64 // the largest [Arena.Len] with which a recycled arena was freed
}

// Stats returns the statistics of p so far.
func (p *Pool) Stats() PoolStats {
	return PoolStats{p.made.Load(), p.shed.Load(), p.kept.Load(), p.peak.Load()}
}
