package arena

import (
	"cmp"
	"slices"
)

// Stats says what an arena holds.
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

// Stats returns what a holds. The Stats of a nil arena are zero.
func (a *Arena) Stats() Stats {
	var stats Stats
	if a == nil || a.st == nil {
		return stats
	}
	a.st.check()
	type typeKey struct {
		info *typeInfo
		raw  bool
	}
	places := map[typeKey]int{} // in stats.Types: New and Of have slabs of their own
	for _, s := range a.st.all {
		s.park()
		t := TypeStats{Type: s.name()}
		for i, c := range s.chunks {
			stats.Kept += int64(c.size)
			if i <= s.cur {
				stats.Chunks++
				t.Bytes += int64(c.used())
				t.Objects += int64((c.off0 - c.off) / max(s.size, 1))
			}
		}
		stats.Bytes += t.Bytes
		stats.Objects += t.Objects
		key := typeKey{s.info, s.raw}
		if i, ok := places[key]; ok {
			stats.Types[i].Bytes += t.Bytes
			stats.Types[i].Objects += t.Objects
		} else if t.Bytes > 0 {
			places[key] = len(stats.Types)
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

// PoolStats says what a [Pool] did and has.
type PoolStats struct {
	Made int64 // arenas for which the pool had no memory
	Shed int64 // arenas that gave up their memory because of MaxKept
	Kept int64 // bytes that its arenas, open or idle, kept for the next ones
}

// Stats returns what p did so far.
func (p *Pool) Stats() PoolStats {
	return PoolStats{p.made.Load(), p.shed.Load(), p.kept.Load()}
}
