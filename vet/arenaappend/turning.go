package arenaappend

import (
	"maps"

	"golang.org/x/tools/go/ssa"
)

// entering returns the shape of a variable of a loop before the first iteration.
func (f *function) entering(phi *ssa.Phi, l *loop) shape {
	var before []ssa.Value
	for i, e := range phi.Edges {
		if !l.blocks[phi.Block().Preds[i]] {
			before = append(before, e)
		}
	}
	if len(before) == 0 {
		return shape{}
	}
	return f.merged(before)
}

// A growth is the effect of one iteration of a loop on a slice.
type growth struct {
	known   bool // a number of elements is appended, nothing else happens to it
	lo, hi  int64
	appends []*ssa.Call // in source order
}

// grows returns the effect of an iteration of a loop on the slice of phi.
func (f *function) grows(phi *ssa.Phi, l *loop) growth {
	g := growth{known: true, lo: 1 << 40}
	for i, e := range phi.Edges {
		if !l.blocks[phi.Block().Preds[i]] {
			continue
		}
		lo, hi, ok := f.added(e, phi, l, &g, map[ssa.Value]bool{})
		g.known = g.known && ok
		g.lo, g.hi = min(g.lo, lo), max(g.hi, hi)
	}
	return g
}

// added returns the smallest and the largest number of elements that v has and phi has
// not; ok is false if that is not known.
func (f *function) added(v ssa.Value, phi *ssa.Phi, l *loop, g *growth, seen map[ssa.Value]bool) (lo, hi int64, ok bool) {
	if v == phi {
		return 0, 0, true
	}
	switch v := v.(type) {
	case *ssa.ChangeType:
		return f.added(v.X, phi, l, g, seen)
	case *ssa.Call:
		if !isAppend(v) {
			return 0, 0, false
		}
		lo, hi, ok = f.added(v.Call.Args[0], phi, l, g, seen)
		if !seen[v] {
			seen[v] = true
			g.appends = append(g.appends, v)
		}
		n := f.count(v.Call.Args[1])
		if !n.lo.known || n.lo.sym != "" || n.lo != n.hi {
			return 0, 0, false
		}
		return lo + n.lo.add, hi + n.hi.add, ok
	case *ssa.Phi:
		if !l.blocks[v.Block()] || f.loops[v.Block()] != nil || seen[v] {
			return 0, 0, false
		}
		seen[v] = true
		defer delete(seen, v)
		lo = 1 << 40
		ok = true
		for _, e := range v.Edges {
			x, y, fine := f.added(e, phi, l, g, seen)
			lo, hi, ok = min(lo, x), max(hi, y), ok && fine
		}
		return lo, hi, ok
	}
	return 0, 0, false
}

// turning is the shape of a variable of a loop, whatever the turn.
func (f *function) turning(phi *ssa.Phi, l *loop) shape {
	s := f.entering(phi, l)
	if s.made == nil {
		return shape{}
	}
	known := maps.Clone(f.shapes)
	defer func() { f.shapes = known }() // the shapes found here are those of the first iteration
	some := s
	some.lo, some.hi = expr{}, expr{}
	f.shapes[phi] = some
	g := f.grows(phi, l)
	if !g.known {
		return f.reset(phi, l, s)
	}
	s.lo, s.hi = f.after(s, g, l)
	if alike(s.hi, s.cap) && s.hi.add <= s.cap.add {
		return s
	}
	return shape{}
}

// after returns the smallest and the largest length of a slice after all iterations of a
// loop.
func (f *function) after(s shape, g growth, l *loop) (lo, hi expr) {
	lo, hi = s.lo, sum(s.hi, l.iterations.times(g.hi))
	if g.hi == 0 {
		hi = s.hi
	}
	if l.exact && g.lo == g.hi && g.hi > 0 {
		lo = sum(s.lo, l.iterations.times(g.lo))
	}
	return lo, hi
}

// reset is the shape of a slice that each turn cuts to a known length, first or last. If a
// turn moves it, or how much it appends is not known, it is the least that the first turn
// finds, as long as the later ones have nothing but what came of it.
func (f *function) reset(phi *ssa.Phi, l *loop, s shape) shape {
	first := s
	first.hi = expr{}
	all := true
	for i, e := range phi.Edges {
		if !l.blocks[phi.Block().Preds[i]] {
			continue
		}
		if !only(e, phi, map[ssa.Value]bool{}) {
			return shape{}
		}
		o := f.shape(e)
		all = all && o.made == s.made && o.cap == s.cap
		s.lo, s.hi = least(s.lo, o.lo), most(s.hi, o.hi)
	}
	if all && s.lo.known && s.hi.known {
		return s
	}
	return first
}

// only reports whether v is phi, whatever was appended to it or cut off.
func only(v ssa.Value, phi *ssa.Phi, seen map[ssa.Value]bool) bool {
	if v == phi || seen[v] {
		return true
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !only(e, phi, seen) {
				return false
			}
		}
		return true
	case *ssa.Slice:
		return only(v.X, phi, seen)
	case *ssa.ChangeType:
		return only(v.X, phi, seen)
	case *ssa.Call:
		return isAppend(v) && only(v.Call.Args[0], phi, seen)
	}
	return false
}
