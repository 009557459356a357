package events

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Is a struct lost although what it holds was released? Whoever puts back the part owns the whole.
//
//	e := parent.copy()
//	defer putBuffer(e.buf)
//	return e.buf.String() // e, of another pool, is never put back
//
//	e := parent.copy()
//	putBuffer(e.buf)
//	e.buf = nil
//	enqueue(e) // goes on: other code may release it
//
// It reports only if no other code can have the struct: calls got it before its part was released,
// and nothing did since. That errs towards silence.

// partlyReleased returns the exits at which the origin is lost although what one of its fields holds was
// released: whoever puts back the part owns the whole. That calls got it before does not matter, if
// they are not the ones that release the part.
func (fd *finder) partlyReleased() []token.Pos {
	if !fd.origin.Tracked.Has(flow.EffectUse) || fd.origin.Tracked.Has(flow.EffectRelease, flow.EffectMayRelease, flow.EffectDefer, flow.EffectMayDefer, flow.EffectSpawn, flow.EffectKeep) {
		return nil
	}
	part, strict := fd.partRelease()
	if part == nil || fd.goesOn(part, strict) {
		return nil
	}
	var exits []token.Pos
	for _, ret := range fd.fn.Returns() {
		out := slices.ContainsFunc(ret.Results, func(v ssa.Value) bool { return fd.states.Aliases.Mark(v)&(flow.MarkMemory|flow.MarkDeep) != 0 })
		if out {
			return nil
		}
		if ssautil.Follows(part, ret) {
			exits = append(exits, fd.fn.ReturnPos(ret))
		}
	}
	return exits
}

// emptied returns the ends of iterations at which a value that came from a channel is lost, although all
// elements of a list in it were released there: a function that receives it, releases the elements and, on
// other paths, the value as well, owns it.
//
// An example. Elsewhere in the loop c is released, so it is the function's:
//
//	for c := range queue {
//		if closed {
//			for _, p := range c.parcels {
//				parcels.Put(p)
//			}
//			continue // c is lost
//		}
//		...
//		crates.Put(c)
//	}
func (fd *finder) emptied() []token.Pos {
	t := fd.origin.Tracked
	if !isReceived(t.Root) || !t.Has(flow.EffectRelease) || t.Has(flow.EffectMayRelease, flow.EffectReleaseIf, flow.EffectGoRelease, flow.EffectDefer, flow.EffectMayDefer, flow.EffectHandOver, flow.EffectHandOverIf, flow.EffectKeep, flow.EffectSpawn) {
		return nil
	}
	for _, n := range t.Nodes.List {
		if n.Mark&flow.MarkSame == 0 || n.Weak {
			continue
		}
		for fa := range ssautil.Uses[*ssa.FieldAddr](n.Value) {
			begin := fd.fn.Empties(fa)
			if begin == nil {
				continue
			}
			if ends := fd.iterations(begin.Block()); len(ends) > 0 {
				return ends
			}
		}
	}
	return nil
}

// isReceived reports whether v came from a channel.
func isReceived(v ssa.Value) bool {
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	u, ok := v.(*ssa.UnOp)
	return ok && u.Op == token.ARROW
}

// partRelease returns a call that releases what a field of the origin holds: one that gets it, or, which
// is strict, one that gets the origin and does nothing else with it.
func (fd *finder) partRelease() (call ssa.CallInstruction, strict bool) {
	for _, c := range fd.fn.Calls {
		k := fd.fn.Callee(c.Common())
		if _, isGo := c.(*ssa.Go); isGo || k.Summary == nil {
			continue
		}
		for n, arg := range k.Args[:k.Captured] {
			p := k.Summary.Param(n)
			if fa := ssautil.LoadedFrom(ssautil.Root(arg)); fa != nil && p.Release == flow.ReleaseAlways && fd.states.Aliases.Sure(fa.X)&flow.MarkSame != 0 {
				return c, false
			}
			if fd.states.Aliases.Sure(arg)&flow.MarkSame == 0 || p.Unknown || p.Keep || p.KeptIn != 0 || p.Release != flow.ReleaseNever {
				continue
			}
			for _, part := range p.Parts {
				if part.Release == flow.ReleaseAlways {
					return c, true
				}
			}
		}
	}
	return nil, false
}

// goesOn reports whether somebody may have the origin who releases it: strictly anybody who got it, or
// else a place where it was stored, a method of an interface that it is, or a call after its part was
// released.
func (fd *finder) goesOn(part ssa.CallInstruction, strict bool) bool {
	_, atEnd := part.(*ssa.Defer)
	for i, list := range fd.states.Effects {
		for _, a := range list {
			if a.Kind == flow.EffectUse && strict && !atEnd && ssautil.Follows(part, i) {
				return true // a method that begins anew
			}
			if a.Kind != flow.EffectHandOver && a.Kind != flow.EffectHandOverIf {
				continue
			}
			c, call := i.(*ssa.Call)
			if strict || !call || !a.ByCall || a.Mark&flow.MarkSame == 0 || c.Call.IsInvoke() && c.Call.Value == a.Value || fd.fn.Callee(&c.Call).Summary == nil || !atEnd && ssautil.Follows(part, c) {
				return true
			}
		}
	}
	return false
}
