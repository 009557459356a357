package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Two questions about a value that may derive from an origin. Optional: can it be nothing instead?
// SureAfter: does it derive on all paths that come by one instruction, whatever it is on others?
//
//	var out []byte
//	if len(text) > 0 {
//		out = buf.Bytes()
//	}
//	// here out is optional: a phi of nil and of what derives
//
//	if small {
//		out = buf.Bytes()
//		pool.Put(buf)
//	} else {
//		out = []byte(text)
//	}
//	return out // weak, and sure after the Put, which cannot lead to the other edge
//
// Both bound how far they look. Where the bound is met SureAfter says no, which is silence, and
// Optional says no too, which lets an event be reported.

// deepest bounds how far Optional and SureAfter follow a value to what it derives from.
const deepest = 8

// Optional reports whether v can be a constant, such as nil, or an empty slice, instead of what derives
// from the root. Each value is looked at once: a phi of a large switch has hundreds of edges.
func (d *Aliases) Optional(v ssa.Value) bool {
	seen := map[ssa.Value]bool{v: true}
	level := []ssa.Value{v}
	for range deepest + 1 {
		var next []ssa.Value
		for _, v := range level {
			n := d.Nodes.Find(v)
			if v == d.Root || n == nil {
				continue
			}
			if _, element := v.(*ssa.IndexAddr); element && n.Mark&MarkElements != 0 {
				continue // an empty list has none
			}
			if slices.ContainsFunc(n.all, isEmpty) {
				return true
			}
			for _, s := range n.from {
				if !seen[s] {
					seen[s] = true
					next = append(next, s)
				}
			}
		}
		level = next
	}
	return false
}

// SureAfter reports whether v derives from the origin on all paths that come by i. A phi is judged by
// the edges that control can take after i: what v is on paths that never came by i does not matter.
func (d *Aliases) SureAfter(i ssa.Instruction, v ssa.Value) bool {
	a := &sureness{Aliases: d, by: i, known: map[step]bool{}, leads: map[*ssa.BasicBlock]bool{}}
	return a.sure(step{v, 0})
}

// A sureness answers SureAfter for one instruction, each question once.
type sureness struct {
	*Aliases
	by    ssa.Instruction
	known map[step]bool
	leads map[*ssa.BasicBlock]bool
}

// A step is a value so many steps from the one that was asked about.
type step struct {
	v     ssa.Value
	depth int
}

// Without the memory each edge of a phi, of which a large switch in a loop has hundreds, would be
// followed again from each of the others. The depth is part of the key, as the bound may be met on
// one way to a value and not on another.
func (a *sureness) sure(at step) bool {
	if at.depth > deepest || a.Mark(at.v) == 0 {
		return false
	}
	yes, ok := a.known[at]
	if !ok {
		yes = a.derives(at)
		a.known[at] = yes
	}
	return yes
}

func (a *sureness) derives(at step) bool {
	phi, ok := at.v.(*ssa.Phi)
	if ok {
		return a.phi(phi, at)
	}
	if a.Sure(at.v) != 0 && !a.Optional(at.v) {
		return true
	}
	// Weak, or optional: its operands are asked in turn, all of a choice, and else one.
	n := a.Nodes.Find(at.v)
	sure := func(s ssa.Value) bool { return a.sure(step{s, at.depth + 1}) }
	if len(n.all) > 0 {
		return !slices.ContainsFunc(n.all, func(s ssa.Value) bool { return !sure(s) })
	}
	return slices.ContainsFunc(n.from, sure)
}

// A phi that cannot be executed after the instruction had its value before, by any of its edges, so
// all of them count. An edge counts otherwise if control can leave its predecessor after the
// instruction: the block of the instruction itself, or one that it leads to. One edge has to count,
// or nothing is known.
func (a *sureness) phi(phi *ssa.Phi, at step) bool {
	if !ssautil.Follows(a.by, phi) {
		return a.Sure(phi) != 0
	}
	some := false
	for n, e := range phi.Edges {
		pred := phi.Block().Preds[n]
		if pred != a.by.Block() && !a.leadsTo(pred) {
			continue
		}
		if e == phi {
			continue // what it had before
		}
		if !a.sure(step{e, at.depth + 1}) {
			return false
		}
		some = true
	}
	return some
}

func (a *sureness) leadsTo(b *ssa.BasicBlock) bool {
	yes, ok := a.leads[b]
	if !ok {
		yes = a.leadsOn(a.by, b)
		a.leads[b] = yes
	}
	return yes
}

// leadsOn reports whether b can be reached from i before the origin is made anew.
//
// Without that limit a release would lead, by the next iteration, to the edges that it cannot take
// with the same origin:
//
//	for _, s := range lines {
//		buf := pool.Get().(*bytes.Buffer) // another one: what comes after it is not asked for
//		...
//		pool.Put(buf)
//	}
func (d *Aliases) leadsOn(i ssa.Instruction, b *ssa.BasicBlock) bool {
	start, _ := d.Root.(ssa.Instruction)
	seen := map[*ssa.BasicBlock]bool{}
	work := slices.Clone(i.Block().Succs)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] || start != nil && x == start.Block() {
			continue
		}
		if x == b {
			return true
		}
		seen[x] = true
		work = append(work, x.Succs...)
	}
	return false
}
