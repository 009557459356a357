package events

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Does a goroutine have memory of an origin when that is released?
//
//	defer pool.Put(buf)
//	go write(w, buf.Bytes()) // not waited for: it may write what the next owner has written
//
//	wg.Go(func() { w.Write(buf.Bytes()) })
//	wg.Wait() // done by the time of the put
//
// A wait is anything in the function that can wait for others, by its name or because it receives.
// That it waits for this goroutine is not proved, which errs towards silence.

// goroutine is memory of the origin that a goroutine has, without a wait for it before the origin is
// released. It is an event of the kind Outlives.
var goroutine = event{
	effect: func(fd *finder, i ssa.Instruction, a flow.Effect, s flow.State) {
		if a.Kind != flow.EffectSpawn || !fd.keeps(i, a) || fd.has(i, flow.EffectGoRelease) || fd.runs(i) {
			return // or the goroutine releases it, or what becomes of it is known
		}
		from := fd.abandoned(i, a)
		if after := s.IsReleased(); after || from != nil || fd.alwaysReleasedAfter(i) && !fd.joined(i, a) {
			fd.report(Event{Kind: Outlives, Pos: a.Pos, Release: fd.releaseFrom(from, i), Deferred: !after && fd.deferredAfter(i), What: "used by a goroutine", Value: a.Value})
		}
	},
}

// releaseFrom returns where the origin is released after i, from a block on if that is not nil.
func (fd *finder) releaseFrom(from *ssa.BasicBlock, i ssa.Instruction) token.Pos {
	for _, r := range fd.releases() {
		if from != nil && from.Dominates(r.Block()) {
			return fd.releasePos(r)
		}
	}
	return fd.releaseAfter(i)
}

// abandoned returns where the function goes on without the goroutine that i starts by its effect a, if the
// origin is released wherever it ends then; nil otherwise, as for a goroutine that a callee has left.
//
// It is a proof without waits: where the function goes on nothing waits any more, and all exits from
// there have released the origin.
func (fd *finder) abandoned(i ssa.Instruction, a flow.Effect) *ssa.BasicBlock {
	if a.Left {
		return nil
	}
	from := fd.fn.Abandons(i)
	any := false
	for ret, s := range fd.states.Exits {
		if from == nil || !ssautil.Reachable(from, ret.Block()) {
			continue
		}
		if !s.IsReleased() {
			return nil
		}
		any = true
	}
	if !any {
		return nil
	}
	return from
}

// runs reports whether i starts the handler of an interceptor in a goroutine: arenagrpc does not
// recycle what a handler has that is not waited for.
func (fd *finder) runs(i ssa.Instruction) bool {
	c, ok := i.(ssa.CallInstruction)
	return ok && (fd.handler(c.Common().Value, 0) || slices.ContainsFunc(c.Common().Args, func(v ssa.Value) bool { return fd.handler(v, 0) }))
}

// handler reports whether v is the handler of an interceptor, a variable with it, or a closure that
// has it.
func (fd *finder) handler(v ssa.Value, depth int) bool {
	if fd.origin.Handler == nil || depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *ssa.MakeClosure:
		return slices.ContainsFunc(v.Bindings, func(b ssa.Value) bool { return fd.handler(b, depth+1) })
	case *ssa.UnOp:
		return fd.handler(v.X, depth+1)
	case *ssa.Alloc:
		for s := range ssautil.StoresTo(v) {
			if fd.handler(s.Val, depth+1) {
				return true
			}
		}
		return false
	}
	return v == fd.origin.Handler
}

// keeps reports whether what i keeps of a stream's messages is kept for too long.
func (fd *finder) keeps(i ssa.Instruction, a flow.Effect) bool {
	return fd.origin.Stream == nil || fd.origin.Stream.Keeps(i, a)
}

// joined reports whether something is waited for after a value was handed out.
func (fd *finder) joined(i ssa.Instruction, a flow.Effect) bool {
	// Only what was sent, or given to a goroutine or a call, can be waited for; a store cannot.
	switch i.(type) {
	case *ssa.Send, *ssa.Select, *ssa.Go:
	default:
		if a.Kind != flow.EffectSpawn && !a.ByCall {
			return false
		}
	}
	// The wait has to come before the next message, which is the release.
	if fd.origin.Received && fd.origin.Stream.Next(i) {
		return fd.origin.Stream.Joined(fd.fn.Package, i)
	}
	if a.Kind == flow.EffectSpawn && fd.fn.Abandons(i) != nil {
		return false
	}
	waits := func(x ssa.Instruction) bool { return fd.fn.Package.Waits(x, 0) }
	if a.Left { // the call has returned without it
		waits = func(x ssa.Instruction) bool { return ssautil.Follows(i, x) && fd.fn.Package.Joins(x) }
	}
	if a.Kind == flow.EffectKeep && a.ByCall {
		waits = flow.Receives
	}
	for x := range ssautil.Instructions(fd.fn.Function) {
		if x != i && fd.mayJoin(x, i) && waits(x) {
			return true
		}
	}
	return false
}

// mayJoin reports whether x can wait for what i has begun: what is locked before does not wait.
func (fd *finder) mayJoin(x, i ssa.Instruction) bool {
	if !fd.origin.Borrowed {
		return true
	}
	if c, ok := x.(*ssa.Call); ok && fd.handler(c.Call.Value, 0) {
		return false
	}
	_, deferred := x.(*ssa.Defer)
	return deferred || ssautil.Follows(i, x)
}
