package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
)

// Does a goroutine own what it is given? A parameter is its caller's business, but a goroutine has no
// caller that waits for it. If the function that starts it has acquired the value, and does nothing with
// it from there on, no other code can release it.
//
//	m := pool.Get().(*message)
//	go func() {
//		if m.ping {
//			return // lost
//		}
//		handle(m)
//		pool.Put(m)
//	}()
//
//	m := pool.Get().(*message)
//	go func() { handle(m); done <- true }()
//	<-done
//	pool.Put(m) // the function's own: not the goroutine's
//
// It takes the uses of a function: all of them have to be go statements in the package. Any other use, a
// second origin, or an effect on the value after the go statement that is more than a use, ends that:
// silence.

// startedBy returns the go statements that start f, if it is used in no other way.
func (f *Function) startedBy() []callSite {
	sites := f.callSites()
	if slices.ContainsFunc(sites, func(s callSite) bool { _, starts := s.call.(*ssa.Go); return !starts }) {
		return nil
	}
	return sites
}

// isGiven reports whether parameter n of f, or what it has captured, is its own wherever it is started.
func (f *Function) isGiven(n int) bool {
	sites := f.startedBy()
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(s callSite) bool {
		k := s.in.Callee(s.call.Common())
		return n >= len(k.Args) || !s.givesUp(k.Args, n)
	})
}

// givesUp reports whether an acquired value goes to the goroutine by its argument n alone, and the function
// has nothing to do with it any more.
func (s callSite) givesUp(args []ssa.Value, n int) bool {
	var found *Origin
	for _, o := range s.in.acquiredOrigins {
		if !o.isIn(args[n]) {
			continue
		}
		others := slices.ContainsFunc(args, func(v ssa.Value) bool { return v != args[n] && (o.Tracked.Mark(v) != 0 || o.Tracked.inCell(v)) })
		if found != nil || others {
			return false
		}
		found = o
	}
	return found != nil && found.Kind == catalog.Item && !found.Mixed && !found.Shared && found.leftAfter(s.call)
}

// isIn reports whether v is the origin, its memory, or a variable that holds nothing else.
func (o *Origin) isIn(v ssa.Value) bool {
	if cell, ok := v.(*ssa.Alloc); ok && o.Tracked.Mark(cell) == 0 {
		return o.Tracked.Holds(cell)
	}
	return o.Tracked.Sure(v)&(MarkSame|MarkAlias) != 0
}

// leftAfter reports whether the origin is live at a go statement, with no release deferred, and behind it
// nothing is done with the origin but to use it.
func (o *Origin) leftAfter(stmt ssa.CallInstruction) bool {
	if o.States.Before[stmt] != At(PhaseLive, PendingNone) {
		return false
	}
	for i, list := range o.Tracked.Effects {
		if i == ssa.Instruction(stmt) || o.States.Before[i]&InPhase(PhaseHanded) == 0 {
			continue
		}
		if slices.ContainsFunc(list, func(x Effect) bool { return x.Kind != EffectUse }) {
			return false
		}
	}
	for ret, s := range o.States.Exits {
		if s&InPhase(PhaseHanded) != 0 && slices.ContainsFunc(ret.Results, func(v ssa.Value) bool { return o.Tracked.Mark(v) != 0 }) {
			return false
		}
	}
	return true
}
