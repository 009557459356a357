package lever

import (
	"fmt"

	"golang.org/x/tools/go/ssa"
)

const (
	fewSlots  = 8  // entries of a map's first group
	mostSets  = 10 // how often entries are set, on the average: some are set again
	mapHeader = 48 // bytes of a map without entries
)

// fewByUse is about a map of few entries that goes from function to function of the program, or that the line makes.
func (p *Line) fewByUse() (f Finding) {
	if n := p.each(); n > 0 && n < leastEach || float64(p.site.LiveBytes) > liveOwned*float64(p.site.Bytes) {
		return f
	}
	for _, in := range p.allocators() {
		switch in := in.(type) {
		case *ssa.MapUpdate:
			if f = p.fewSet(in); f.Share > 0 {
				return f
			}
		case *ssa.MakeMap:
			if f = p.fewMade(in); f.Share > 0 {
				return f
			}
		}
	}
	return f
}

// fewSet is about the entries of a map.
func (p *Line) fewSet(set *ssa.MapUpdate) (f Finding) {
	m := mapType(set.Map)
	if m == nil || !isTypeParameter(m.Key()) && !cheaplyCompared(m.Key()) {
		return f
	}
	generic := hasTypeParameter(m.Key()) || hasTypeParameter(m.Elem())
	if !generic && (p.pkg.TypesSizes == nil || p.objectSize() < 0.5*float64(p.groupSize(m)) || p.objectSize() >= 1.25*float64(p.groupSize(m))) {
		return f
	}
	u := p.mapOfValue(set.Map)
	made := u.madeAt()
	n, known := u.entries()
	if u.shown || made == nil || generic && (!known || n > fewSlots) || known && n > mostSets {
		return f
	}
	size := fmt.Sprintf("the objects have %.0f bytes on average, no more than a map allocates for its first 8 entries%s", p.objectSize(), p.inEach())
	return Finding{Share: p.direct(), Evidence: []Evidence{p.at(set.Pos(), size), p.madeFor(made, n, known)}}
}

// fewMade is about a map that the line makes, by what the benchmarks set in it.
func (p *Line) fewMade(made *ssa.MakeMap) (f Finding) {
	m := mapType(made)
	if m == nil || !isTypeParameter(m.Key()) && !cheaplyCompared(m.Key()) {
		return f
	}
	u := p.mapOfValue(made)
	n, known := u.entries()
	if u.shown || !known || n == 0 || n > fewSlots {
		return f
	}
	all := p.allocators()
	share := p.direct()
	if len(all) > 1 {
		share *= min(1, mapHeader/p.objectSize()/float64(len(all)))
	}
	text := fmt.Sprintf("a %s is made here, %.0f bytes for its header alone%s", short(made.Type()), float64(mapHeader), p.inEach())
	return Finding{Share: share, Evidence: []Evidence{p.at(made.Pos(), text), p.madeFor(made, n, known)}}
}

// madeFor returns where a map is made, and how many entries it gets.
func (p *Line) madeFor(made *ssa.MakeMap, n float64, known bool) Evidence {
	if !known {
		return p.at(made.Pos(), "the map is made here, and the program only uses its entries")
	}
	return p.at(made.Pos(), fmt.Sprintf("the benchmarks set %.2g entries at most in each map that is made here, and the program only uses its entries", n))
}

// madeAt is the first of the maps that has a position in the source; nil if there is none.
func (u *mapUse) madeAt() *ssa.MakeMap {
	for _, m := range u.makes {
		if m.Pos().IsValid() {
			return m
		}
	}
	return nil
}
