package events

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// goroutine is memory of the origin that a goroutine has, without a wait for it before the origin is
// released. It is an event of the kind Outlives.
var goroutine = event{
	effect: func(fd *finder, i ssa.Instruction, a flow.Effect, s flow.State) {
		if a.Kind != flow.EffectSpawn || !fd.keeps(i, a) || fd.has(i, flow.EffectGoRelease) || fd.runs(i) {
			return // or the goroutine releases it, or what becomes of it is known
		}
		if after := s.IsReleased(); after || fd.alwaysReleasedAfter(i) && !fd.joined(i, a) {
			fd.report(Event{Kind: Outlives, Pos: a.Pos, Release: fd.releaseAfter(i), Deferred: !after && fd.deferredAfter(i), What: "used by a goroutine", Value: a.Value})
		}
	},
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
	switch i.(type) {
	case *ssa.Send, *ssa.Select, *ssa.Go:
	default:
		if a.Kind != flow.EffectSpawn && !a.ByCall {
			return false
		}
	}
	if fd.origin.Received && fd.origin.Stream.Next(i) {
		return fd.origin.Stream.Joined(fd.fn.Package, i)
	}
	if a.Kind == flow.EffectSpawn && fd.abandons(i) {
		return false
	}
	waits := func(x ssa.Instruction) bool { return fd.fn.Package.Waits(x, 0) }
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

// abandons reports whether the function returns without its goroutine, which i starts, when a
// context is done.
func (fd *finder) abandons(i ssa.Instruction) bool {
	for _, c := range fd.fn.Calls {
		if d, ok := c.(*ssa.Defer); ok && fd.fn.Package.Waits(d, 0) {
			return false
		}
	}
	for sel := range ssautil.InstructionsOf[*ssa.Select](fd.fn.Function) {
		if !sel.Blocking || !ssautil.Follows(i, sel) {
			continue
		}
		for n, s := range sel.States {
			if !isDone(s.Chan) {
				continue
			}
			if to := branchOf(sel, n); to != nil && !fd.waitsFrom(to) {
				return true
			}
		}
	}
	return false
}

// isDone reports whether a channel is that of a context.
func isDone(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	return ok && c.Call.IsInvoke() && c.Call.Method.FullName() == "(context.Context).Done"
}

// branchOf returns where a select statement goes on after case n; nil if that is not found.
func branchOf(sel *ssa.Select, n int) *ssa.BasicBlock {
	for e := range ssautil.Uses[*ssa.Extract](sel) {
		if e.Index != 0 {
			continue
		}
		for cond := range ssautil.Uses[*ssa.BinOp](e) {
			if cond.Op != token.EQL {
				continue
			}
			if k, ok := cond.Y.(*ssa.Const); !ok || k.Int64() != int64(n) {
				continue
			}
			for branch := range ssautil.Uses[*ssa.If](cond) {
				return branch.Block().Succs[0]
			}
		}
	}
	return nil
}

// waitsFrom reports whether something is waited for on a path from b.
func (s *search) waitsFrom(b *ssa.BasicBlock) bool {
	waits := func(i ssa.Instruction) bool { return s.pkg.Waits(i, 0) }
	return slices.ContainsFunc(b.Parent().Blocks, func(x *ssa.BasicBlock) bool {
		return ssautil.Reachable(b, x) && slices.ContainsFunc(x.Instrs, waits)
	})
}
