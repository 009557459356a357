package flow

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A buffer that an encoder holds in a field is released with the encoder: by the function that puts that
// back, too. Parts know what functions do with a field, and are known once all summaries are; what they
// do to an origin that was stored in the field is added here.
//
// An example:
//
//	b := buffers.Get().(*bytes.Buffer)
//	defer buffers.Put(b)
//	e.buf = b
//	freeAll(e) // puts back e.buf, which is b: b is put back twice
//
// With e.buf = nil before freeAll the answer is no. Nothing is added unless the field surely holds
// b by the time of the call, which errs towards silence.

// addHolders adds to an acquired origin what calls do to it that get a struct which holds it.
func (f *Function) addHolders(o *Origin) {
	if len(f.Package.parts) == 0 && !f.Package.lists {
		return
	}
	found := Effects{}
	for _, n := range o.Tracked.Nodes.List {
		if n.Mark&MarkSame == 0 || n.Weak {
			continue
		}
		for s := range ssautil.StoresOf(n.Value) {
			if fa, ok := s.Addr.(*ssa.FieldAddr); ok {
				f.holderEffects(found, s, fa, FieldName(fa))
			}
		}
		if s, fa := appendedTo(n.Value); s != nil {
			f.holderEffects(found, s, fa, FieldName(fa)+elementsOf)
		}
	}
	if len(found) == 0 {
		return
	}
	all := maps.Clone(o.Tracked.Effects)
	for i, list := range found {
		all[i] = slices.Concat(all[i], list)
	}
	o.Tracked.Effects = all
	o.States = o.Tracked.states(all, o.States.Start, false)
}

// holderEffects adds what calls do to the value that s stores in the field at fa, or appends to the list
// there, of those that get the struct and surely see that value: it is the part.
func (f *Function) holderEffects(found Effects, s *ssa.Store, fa *ssa.FieldAddr, part string) {
	switch fa.X.(type) {
	case *ssa.Parameter, *ssa.Call, *ssa.Extract, *ssa.TypeAssert:
	default:
		return // of a struct that the function makes its parts are followed
	}
	var all []partCall
	for c := range ssautil.Uses[ssa.CallInstruction](fa.X) {
		if _, isGo := c.(*ssa.Go); isGo || !f.stillHolds(s, fa, c) {
			continue
		}
		calls, ok := f.partCalls(c, fa.X, part, false)
		if !ok {
			continue
		}
		for _, p := range calls {
			if p.part.Release != ReleaseNever {
				all = append(all, p)
			}
		}
	}
	for _, p := range all {
		// A load after the call sees nil, or another value, so the effects would be on the wrong
		// one:
		//
		//	e.flush() // puts e.buf back, and sets it to nil
		//	if e.buf != nil {
		//		buffers.Put(e.buf) // never b
		//	}
		if p.clears && loadedAfter(p.call, fa) {
			return // by the next load the field is empty
		}
	}
	for _, p := range all {
		// That the struct is empty then matters to a second call with it, not to the value.
		p.once = p.clears && (len(all) > 1 || ssautil.Follows(p.call, p.call))
		p.addEffects(found, fa.X)
	}
	for _, list := range found {
		for n := range list {
			list[n].More = true
		}
	}
}

// loadedAfter reports whether the field at fa can be loaded after c.
func loadedAfter(c ssa.CallInstruction, fa *ssa.FieldAddr) bool {
	if _, later := c.(*ssa.Defer); later {
		return false
	}
	for other := range ssautil.FieldAddrs(fa.X, fa.Field) {
		for load := range ssautil.Uses[*ssa.UnOp](other) {
			if ssautil.Follows(c, load) {
				return true
			}
		}
	}
	return false
}

// stillHolds reports whether the field at fa surely holds what s has stored there when c is executed.
//
// The store has to dominate the call, with nothing between them that may change the field. A
// deferred call comes before the store in the text and runs after it: then the store has to be
// executed whenever there is a value, and nothing may change the field until the function ends.
func (f *Function) stillHolds(s *ssa.Store, fa *ssa.FieldAddr, c ssa.CallInstruction) bool {
	if _, later := c.(*ssa.Defer); later && ssautil.Before(c, s) {
		// It runs when the function ends, with what the field holds then.
		value, ok := s.Val.(ssa.Instruction)
		return ok && value.Block() == s.Block() && !f.changedAfter(s, fa, nil)
	}
	return ssautil.Before(s, c) && !f.changedAfter(s, fa, c)
}

// changedAfter reports whether the field at fa can get another value after s and before c, or at all if
// c is nil.
func (f *Function) changedAfter(s *ssa.Store, fa *ssa.FieldAddr, c ssa.CallInstruction) bool {
	again := func(i ssa.Instruction) bool { return i == s }
	for x := range ssautil.Instructions(f.Function) {
		if x == s || x == c || !f.changes(x, fa) || !ssautil.Follows(s, x) {
			continue
		}
		if c == nil || PathWithout(x, c, again) {
			return true
		}
	}
	return false
}
