package events

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// When is an origin released, as seen from an instruction that uses or keeps its memory: before it,
// after it on all paths, or unless something fails? A keep is wrong only with one of these.
//
//	s.body = buf.Bytes() // kept
//	pool.Put(buf)        // released at all exits that the store leads to: wrong
//
//	s.body = buf.Bytes()
//	if done {
//		pool.Put(buf) // at some exits only: no claim
//	}
//
// It takes the states at the exits. The positions that it gives are for messages, where any release
// that fits will do.

// alwaysReleasedAfter reports whether the origin is released at all exits that i leads to, and before another
// is acquired in its place.
//
// All exits that i can lead to count, also those that other paths reach. If one of them is live on
// some path nothing is claimed, which is silence.
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
//
// An example, where the error return leaves the block with the frame, and the other one is wrong:
//
//	c.frame = c.buf[:n]
//	if _, err := w.Write(c.frame); err != nil {
//		return err
//	}
//	put(c.buf)
//
// The exit without an error has to be there: a release that happens only on failure leaves the
// memory to its keeper.
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
//
// The exits tell of the origin that is there last. In a loop what an iteration has kept may belong
// to one that was never released, as nothing is said of it once the next is acquired.
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
