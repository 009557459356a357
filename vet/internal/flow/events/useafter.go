package events

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Is memory of an origin used after its release? An example for each of the four proofs:
//
//	pool.Put(b)
//	b.Reset() // released on all paths to here
//
//	if err != nil {
//		pool.Put(b)
//	}
//	b.Reset() // all paths from the release lead here
//
//	defer b.Reset() // runs after the put, which was deferred later
//	defer pool.Put(b)
//
//	if full {
//		pool.Put(b)
//	}
//	if err := w.Flush(); err != nil {
//		b.Reset() // a path leads here, and nothing excludes it: reached.go
//	}
//
// And one that is not reported, as none holds: both conditions are computed from the same value.
//
//	if !later {
//		pool.Put(b)
//	}
//	if later {
//		b.Reset()
//	}

// useAfterRelease is a use of the origin's memory when it certainly was released, one that all paths
// from a release lead to, or one in a deferred call that runs after the release.
var useAfterRelease = event{
	effect: func(fd *finder, i ssa.Instruction, a flow.Effect, s flow.State) {
		if _, later := i.(*ssa.Defer); a.Kind == flow.EffectUse && s.IsReleased() && !later {
			release := fd.releaseBefore(i)
			if a.After {
				release = fd.releasePos(i)
			}
			fd.report(Event{Kind: UseAfter, Pos: a.Pos, Release: release, Value: a.Value})
		}
	},
	origin: func(fd *finder) {
		if fd.origin.Borrowed {
			return
		}
		for _, i := range fd.releases() {
			if _, later := i.(*ssa.Defer); later {
				continue
			}
			if a := fd.inevitably(i, flow.EffectUse); a != nil {
				fd.report(Event{Kind: UseAfter, Pos: a.Pos, Release: fd.releasePos(i), Value: a.Value})
			}
		}
		for _, i := range fd.conditional() {
			if a := fd.inevitably(i, flow.EffectUse); a != nil {
				fd.report(Event{Kind: UseAfter, Pos: a.Pos, Release: fd.releasePos(i), Value: a.Value})
			}
		}
		fd.deferOrder()
		fd.perhapsReleased()
	},
}

// perhapsReleased finds uses that some paths from a release lead to, and nothing excludes.
func (fd *finder) perhapsReleased() {
	if fd.seen[UseAfter] {
		return
	}
	for _, i := range fd.releases() {
		if _, later := i.(*ssa.Defer); later {
			continue
		}
		if a := fd.reached(i, flow.EffectUse, nil); a != nil {
			fd.report(Event{Kind: UseAfter, Pos: a.Pos, Release: fd.releasePos(i), Value: a.Value, Perhaps: true})
		}
	}
}

// deferOrder finds what is deferred before a deferred release, and so runs after it, or
// before a release at all.
//
// Deferred calls run in reverse order, so one that dominates a deferred release runs after it. One
// also runs after a release that is not deferred: if it dominates that, or if the origin is
// released whenever deferred calls run.
func (fd *finder) deferOrder() {
	for _, r := range fd.releases() {
		_, later := r.(*ssa.Defer)
		for first := range ssautil.InstructionsOf[*ssa.Defer](fd.fn.Function) {
			if first == r || !ssautil.Before(first, r) && (later || !fd.released(first)) {
				continue
			}
			if pos := fd.usesLater(first); pos.IsValid() {
				fd.report(Event{Kind: UseAfter, Pos: pos, Release: flow.PosOf(r), Deferred: later})
			}
		}
	}
}

// released reports whether the origin is released whenever the deferred calls run after d was
// deferred.
func (fd *finder) released(d *ssa.Defer) bool {
	any := false
	for i := range ssautil.InstructionsOf[*ssa.RunDefers](fd.fn.Function) {
		if ssautil.Follows(d, i) {
			if !fd.states.Before[i].IsReleased() {
				return false
			}
			any = true
		}
	}
	return any
}

// usesLater returns where a deferred call uses the origin when it runs.
//
// A method value or another closure uses what its variable holds by then, so the variable has to
// hold the origin and nothing else:
//
//	defer func() {
//		if b != nil {
//			log.Print(b.Len()) // with b = nil behind the put this is right
//		}
//	}()
func (fd *finder) usesLater(d *ssa.Defer) token.Pos {
	for _, a := range fd.states.Effects[d] {
		if a.Kind == flow.EffectDefer || a.Kind == flow.EffectMayDefer {
			return token.NoPos
		}
	}
	k := fd.fn.Callee(&d.Call)
	if d.Call.IsInvoke() && fd.states.Aliases.Sure(d.Call.Value)&flow.MarkSame != 0 {
		return d.Pos() // a method of an interface that holds the origin
	}
	if k.Summary == nil {
		return token.NoPos
	}
	for i, arg := range k.Args {
		if !k.Summary.Param(i).Use && (k.Func == nil || fd.fn.Package.Known(k.Func) == nil && !k.External(i)) {
			continue
		}
		if i < k.Captured {
			if fd.states.Aliases.Sure(arg)&(flow.MarkSame|flow.MarkAlias|flow.MarkContent) != 0 {
				return d.Pos()
			}
			continue
		}
		cell, ok := arg.(*ssa.Alloc)
		if ok && fd.states.Aliases.Holds(cell) {
			return fd.firstUse(k.Source, i-k.Captured, d.Pos())
		}
	}
	return token.NoPos
}

// firstUse returns where a closure first uses what its captured variable holds.
//
// Only the first block of a closure is sure to run.
func (s *search) firstUse(fn *ssa.Function, free int, fallback token.Pos) token.Pos {
	f := s.pkg.Funcs[fn]
	if f == nil || free >= len(fn.FreeVars) {
		return fallback
	}
	d := f.TrackCaptured(fn.FreeVars[free])
	for _, i := range fn.Blocks[0].Instrs {
		for _, x := range d.Effects[i] {
			if x.Kind == flow.EffectUse && x.Sure {
				return x.Pos
			}
		}
	}
	return token.NoPos
}
