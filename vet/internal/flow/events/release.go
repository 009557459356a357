package events

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// alwaysReleasedAfter reports whether the origin is released at all exits that i leads to, and before another
// is acquired in its place.
func (fd *finder) alwaysReleasedAfter(i ssa.Instruction) bool {
	if fd.origin.Received {
		return true
	}
	if fd.renewed(i) {
		return false
	}
	any := false
	for ret, s := range fd.states.Exits {
		if !ssautil.Reachable(i.Block(), ret.Block()) {
			continue
		}
		if !s.IsReleased() {
			return false
		}
		any = true
	}
	return any
}

// releasedUnlessFailed reports whether the origin is released at all exits that i leads to but for those
// that return an error, and not there alone: what has failed may be left as it is.
func (fd *finder) releasedUnlessFailed(i ssa.Instruction) bool {
	if fd.origin.Received || fd.origin.Borrowed || fd.renewed(i) {
		return false
	}
	any := false
	for ret, s := range fd.states.Exits {
		if !ssautil.Reachable(i.Block(), ret.Block()) {
			continue
		}
		if failed := slices.ContainsFunc(ret.Results, func(v ssa.Value) bool {
			return types.Identical(v.Type(), flow.ErrorType) && !flow.IsNil(fd.fn.Resolve(v))
		}); failed {
			continue
		}
		if !s.IsReleased() {
			return false
		}
		any = true
	}
	return any
}

// renewed reports whether another is acquired in the place of the origin on a path from i that
// releases it neither there nor when the function ends.
func (fd *finder) renewed(i ssa.Instruction) bool {
	s := fd.states.Before[i]
	if fd.states.Start == nil || s&^(flow.At(flow.PhaseLive, flow.PendingSure)|flow.At(flow.PhaseLive, flow.PendingTwice)|flow.InPhase(flow.PhaseAbsent)) == 0 {
		return false
	}
	return flow.PathWithout(i, fd.states.Start, func(x ssa.Instruction) bool { return fd.has(x, flow.EffectRelease, flow.EffectDefer) })
}

// releases returns the instructions that release the origin, in the order of the blocks.
func (fd *finder) releases() []ssa.Instruction {
	var all []ssa.Instruction
	for i := range ssautil.Instructions(fd.fn.Function) {
		for _, a := range fd.states.Effects[i] {
			if a.Kind == flow.EffectRelease || a.Kind == flow.EffectDefer {
				all = append(all, i)
			}
		}
	}
	return all
}

// conditional returns the releases that are told of, in the order of the blocks. Those that the value
// itself decides are left out: that it was the last reference may be known.
func (fd *finder) conditional() []ssa.Instruction {
	var all []ssa.Instruction
	for i := range ssautil.Instructions(fd.fn.Function) {
		if a := fd.condition(i); a != nil && !a.Told.Owner {
			all = append(all, i)
		}
	}
	return all
}

// condition returns the effect of i that releases the origin or not, as is told; nil if there is none.
func (fd *finder) condition(i ssa.Instruction) *flow.Effect {
	for n, a := range fd.states.Effects[i] {
		if a.Kind == flow.EffectReleaseIf {
			return &fd.states.Effects[i][n]
		}
	}
	return nil
}

// mayRelease reports whether i releases the origin now or later, surely or as is told.
func (fd *finder) mayRelease(i ssa.Instruction) bool {
	return slices.ContainsFunc(fd.states.Effects[i], func(a flow.Effect) bool {
		switch a.Kind {
		case flow.EffectRelease, flow.EffectReleaseIf, flow.EffectDefer:
			return true
		}
		return a.Kind == flow.EffectMayDefer && a.Told != nil
	})
}

// releaseBefore returns where the origin was released before i.
func (fd *finder) releaseBefore(i ssa.Instruction) token.Pos {
	var best ssa.Instruction
	for r := range ssautil.Instructions(fd.fn.Function) {
		if !fd.mayRelease(r) {
			continue
		}
		if _, ok := r.(*ssa.Defer); !ok && r != i && (ssautil.Before(r, i) || best == nil && ssautil.Follows(r, i)) {
			best = r
		}
	}
	if best == nil {
		return fd.releaseAfter(i)
	}
	return fd.releasePos(best)
}

// deferredAfter reports whether the release after i is a deferred one.
func (fd *finder) deferredAfter(i ssa.Instruction) bool {
	for _, r := range fd.releases() {
		if r != i {
			_, ok := r.(*ssa.Defer)
			return ok
		}
	}
	return false
}

// releasePos returns where a release is: if a function literal does it, in there.
func (fd *finder) releasePos(i ssa.Instruction) token.Pos {
	c, ok := i.(ssa.CallInstruction)
	if !ok {
		for _, a := range fd.states.Effects[i] {
			if a.Kind == flow.EffectRelease {
				return a.Pos // in the loop that i begins
			}
		}
		return flow.PosOf(i)
	}
	k := fd.fn.Callee(c.Common())
	f := fd.fn.Package.Funcs[k.Source]
	if f == nil || f.Parent() != fd.fn.Function {
		return flow.PosOf(i)
	}
	for n := k.Captured; n < len(k.Args); n++ {
		if k.Summary.Param(n).Release == flow.ReleaseNever || n-k.Captured >= len(f.FreeVars) {
			continue
		}
		d := f.TrackCaptured(f.FreeVars[n-k.Captured])
		for x := range ssautil.Instructions(f.Function) {
			for _, a := range d.Effects[x] {
				if a.Kind == flow.EffectRelease || a.Kind == flow.EffectDefer {
					return a.Pos
				}
			}
		}
	}
	return flow.PosOf(i)
}

// releaseAfter returns where it is released later on.
func (fd *finder) releaseAfter(i ssa.Instruction) token.Pos {
	for _, r := range fd.releases() {
		if r != i {
			return fd.releasePos(r)
		}
	}
	return token.NoPos
}
