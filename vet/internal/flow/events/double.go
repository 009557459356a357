package events

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Is an origin released twice? An example for each of the four proofs:
//
//	pool.Put(b)
//	pool.Put(b) // released on all paths to here
//
//	for range n {
//		pool.Put(b) // all paths from it lead to it again, if there is one more iteration
//	}
//
//	defer pool.Put(b)
//	if err != nil {
//		pool.Put(b) // and again when the function ends
//		return err
//	}
//
//	if full {
//		pool.Put(b)
//	}
//	if err := w.Flush(); err != nil {
//		return err
//	}
//	pool.Put(b) // a path leads here, and nothing excludes it: reached.go
//
// A release that does nothing the second time, because the first has emptied a field or a
// sync.OnceFunc wraps it, is not one (Once). What only may release is none either: silence.

// doubleRelease is a release of the origin when it certainly was released, or one that all paths from
// a release lead to.
var doubleRelease = event{
	effect: func(fd *finder, i ssa.Instruction, a flow.Effect, s flow.State) {
		if a.Kind == flow.EffectRelease && s.IsReleased() && !a.Once && fd.releasesOrigin(i) {
			fd.reportDouble(i, Event{Pos: a.Pos, Release: fd.releaseBefore(i)})
		}
	},
	runDefers: (*finder).deferredTwice,
	origin: func(fd *finder) {
		if fd.origin.Borrowed {
			return
		}
		fd.afterGo()
		for _, i := range fd.conditional() {
			if a := fd.inevitably(i, flow.EffectRelease); a != nil && !a.Once && fd.releasesOrigin(a.By) {
				fd.reportDouble(i, Event{Pos: a.Pos, Release: fd.releasePos(i)})
			}
			fd.alreadyDeferred(i)
		}
		for _, i := range fd.releases() {
			if fd.onlyFirstTime(i) {
				continue
			}
			if _, later := i.(*ssa.Defer); later {
				if fd.releasesOrigin(i) && fd.allPathsMeet(i, map[ssa.Instruction]bool{i: true}) {
					fd.reportDouble(i, Event{Pos: flow.PosOf(i), Deferred: true})
				}
			} else if a := fd.inevitably(i, flow.EffectRelease); a != nil && !a.Once && fd.releasesOrigin(a.By) && !(a.By == i && fd.onceForEach(i)) {
				fd.reportDouble(i, Event{Pos: a.Pos, Release: fd.releasePos(i)})
			}
		}
		fd.perhapsTwice()
	},
}

// perhapsTwice finds releases that some paths from another one lead to, and nothing excludes.
func (fd *finder) perhapsTwice() {
	for _, i := range fd.releases() {
		if _, later := i.(*ssa.Defer); later || fd.onlyFirstTime(i) || !fd.releasesOrigin(i) {
			continue
		}
		if a := fd.reached(i, flow.EffectRelease, nil); a != nil && !a.Once && fd.releasesOrigin(a.By) {
			fd.reportDouble(i, Event{Pos: a.Pos, Release: fd.releasePos(i), Perhaps: true})
		}
	}
}

// deferredTwice reports what deferred calls release that was released before, or that another of them
// releases.
//
// The states before deferred calls run must hold a situation in which one release is behind and
// another to come, or two are to come, and no situation without one to come, absent apart. Then
// whenever the first release was executed the second follows. A path on which nothing was released
// before is right, and does not matter:
//
//	defer pool.Put(b)
//	if failed {
//		pool.Put(b) // released, with one to come; on the other path live, with one to come
//	}
func (fd *finder) deferredTwice(i *ssa.RunDefers) {
	s := fd.states.Before[i]
	if s&(flow.At(flow.PhaseReleased, flow.PendingSure)|flow.At(flow.PhaseReleased, flow.PendingTwice)) == 0 && s&(flow.At(flow.PhaseLive, flow.PendingTwice)|flow.At(flow.PhaseHanded, flow.PendingTwice)) == 0 || fd.origin.Borrowed {
		return
	}
	// Of all situations with a release behind, a deferred one is to come; or two are.
	sure := true
	s.Each(func(phase flow.Phase, pending flow.Pending) (flow.Phase, flow.Pending) {
		sure = sure && (pending == flow.PendingSure || pending == flow.PendingTwice || phase == flow.PhaseAbsent)
		return phase, pending
	})
	if !sure {
		return
	}
	// The last one that is executed is the one to report.
	// Of the releases that can come before the deferred calls run, the deferred one that was
	// registered first is executed last.
	var first, second ssa.Instruction
	for r := range ssautil.Instructions(fd.fn.Function) {
		if !fd.mayRelease(r) {
			continue
		}
		_, isDefer := r.(*ssa.Defer)
		switch {
		case !ssautil.Follows(r, i):
		case !isDefer:
			first = r
		case second == nil:
			second = r
		case first == nil && s&(flow.At(flow.PhaseLive, flow.PendingTwice)|flow.At(flow.PhaseHanded, flow.PendingTwice)) != 0:
			first = r // deferred later, executed before
		}
	}
	if first != nil && second != nil && !fd.onlyFirstTime(first) && !fd.onlyFirstTime(second) && fd.releasesOrigin(second) {
		fd.reportDouble(first, Event{Pos: fd.releasePos(second), Release: fd.releasePos(first), Deferred: true, More: fd.releasesMore(first)})
	}
}

// releasesMore reports whether a release is also one of a struct that holds the origin.
func (fd *finder) releasesMore(i ssa.Instruction) bool {
	return slices.ContainsFunc(fd.states.Effects[i], func(a flow.Effect) bool { return a.More })
}

// alreadyDeferred reports a call that releases the origin or not, after a release was deferred: that
// happens either way.
//
// Whether it releases is told only later, if at all: after either answer the deferred release comes
// too.
func (fd *finder) alreadyDeferred(i ssa.Instruction) {
	s := fd.states.Before[i]
	if s == 0 || s&^(flow.At(flow.PhaseLive, flow.PendingSure)|flow.InPhase(flow.PhaseAbsent)) != 0 {
		return
	}
	for _, r := range fd.releases() {
		if _, later := r.(*ssa.Defer); later && ssautil.Before(r, i) && !fd.onlyFirstTime(r) && fd.releasesOrigin(r) {
			fd.reportDouble(i, Event{Pos: fd.releasePos(r), Release: fd.releasePos(i), Deferred: true})
			return
		}
	}
}

// afterGo finds releases that all paths from the start of a goroutine lead to which releases
// the origin itself.
func (fd *finder) afterGo() {
	for i, list := range fd.states.Effects {
		if !slices.ContainsFunc(list, func(a flow.Effect) bool { return a.Kind == flow.EffectGoRelease }) {
			continue
		}
		if a := fd.inevitably(i, flow.EffectRelease); a != nil && fd.releasesOrigin(a.By) {
			fd.reportDouble(i, Event{Pos: a.Pos, Release: fd.releasePos(i)})
		}
	}
}

// releasesOrigin reports whether a release is one of the origin itself: that an arena is freed twice is
// no mistake of the memory in it.
func (fd *finder) releasesOrigin(i ssa.Instruction) bool {
	return fd.origin.Arena == nil || fd.origin.Handle && slices.ContainsFunc(fd.states.Effects[i], func(a flow.Effect) bool {
		return (a.Kind == flow.EffectRelease || a.Kind == flow.EffectDefer) && fd.states.Aliases.Sure(a.Value)&flow.MarkSame != 0
	})
}

// onlyFirstTime reports whether the release of i happens only the first time.
func (fd *finder) onlyFirstTime(i ssa.Instruction) bool {
	return slices.ContainsFunc(fd.states.Effects[i], func(a flow.Effect) bool { return a.Once })
}
