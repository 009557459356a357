package events

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Is an origin lost at an exit, or at the end of an iteration?
//
//	b := pool.Get().(*bytes.Buffer)
//	if err != nil {
//		return err // lost
//	}
//	pool.Put(b)
//
//	b := pool.Get().(*bytes.Buffer)
//	if b.Cap() > max {
//		return // dropped on purpose: no finding
//	}
//	pool.Put(b)
//
// It takes the states at returns and on back edges. A return that is reached live on some paths,
// and on others with the origin released, handed over or dropped, is left alone, unless something
// shows that the live path is a mistake: a last use there, an empty value that went past the
// release, a select statement that did not send. So it errs towards silence.

// missing is an exit, or the end of an iteration, at which the origin is live.
var missing = event{origin: (*finder).missing}

func (fd *finder) missing() {
	o := fd.origin
	if ends := fd.emptied(); len(ends) > 0 && !o.Queued {
		rs := fd.releases()
		fd.report(Event{Kind: Missing, Pos: ends[0], Release: flow.PosOf(rs[0]), Exits: ends, Iterations: ends, Partly: true})
		return
	}
	if o.Borrowed || o.Param && !o.Given || o.Arena != nil || o.Shared || o.Mixed || fd.fn.Name() == "main" && fd.fn.Function.Pkg != nil && fd.fn.Function.Pkg.Pkg.Name() == "main" {
		return
	}
	some := fd.origin.Tracked.Has(flow.EffectRelease, flow.EffectReleaseIf, flow.EffectMayRelease, flow.EffectDefer, flow.EffectMayDefer)
	var exits []token.Pos
	others := flow.State(0)
	for _, ret := range fd.fn.Returns() {
		s := fd.states.Exits[ret]
		out := slices.ContainsFunc(ret.Results, func(v ssa.Value) bool { return fd.states.Aliases.Mark(v)&(flow.MarkMemory|flow.MarkDeep) != 0 })
		if out {
			s |= flow.At(flow.PhaseHanded, flow.PendingNone)
		}
		if o.OwnPool {
			others |= s
			continue // the pool ends with the function
		}
		if s&flow.InPhase(flow.PhaseLive) != 0 && (s&satisfied == 0 || s&flow.InPhase(flow.PhaseHanded) == 0 && (fd.lastUse(ret) || fd.states.Forgets(ret)) || fd.notSent(ret)) {
			exits = append(exits, fd.fn.ReturnPos(ret))
		} else {
			others |= s
		}
	}
	if lost := fd.partlyReleased(); len(lost) > 0 && !o.Queued {
		fd.report(Event{Kind: Missing, Pos: o.Pos, Exits: lost})
		return
	}
	iterations := fd.iterations(nil)
	exits = append(exits, iterations...)
	if len(exits) == 0 {
		return
	}
	// Released nowhere: it may be meant to be kept, or to be taken out of the pool.
	never := others&satisfied == 0 && !some
	if never && fd.drains() {
		return
	}
	if never && o.MayStay() {
		return
	}
	if never && o.Kind == catalog.Item && strings.HasSuffix(fd.fn.Package.Pass.Fset.Position(o.Pos).Filename, "_test.go") {
		return // it may be a test of the pool
	}
	release := token.NoPos
	if rs := fd.releases(); len(rs) > 0 {
		release = flow.PosOf(rs[0])
	}
	// A loop without an end has no exit at which it was handed over.
	partly := !never || fd.origin.Tracked.Has(flow.EffectHandOver, flow.EffectHandOverIf, flow.EffectGoRelease)
	fd.report(Event{Kind: Missing, Pos: o.Pos, Release: release, Exits: exits, Iterations: iterations, Partly: partly})
}

// notSent reports whether ret is reached from the default of a select statement that would have sent the
// origin, although the function releases it elsewhere.
//
// On the edge to the default the origin has to be live and nothing else, and nothing behind it may
// do anything with the origin but use it: then no path from there to the return releases it. A loop
// that sends again does:
//
//	for {
//		select {
//		case queue <- b:
//			return nil
//		default:
//			wait()
//		}
//	}
func (fd *finder) notSent(ret *ssa.Return) bool {
	if !fd.origin.Tracked.Has(flow.EffectRelease) {
		return false
	}
	for sel := range ssautil.InstructionsOf[*ssa.Select](fd.fn.Function) {
		if sel.Blocking || !slices.ContainsFunc(sel.States, func(s *ssa.SelectState) bool { return s.Send != nil && fd.states.Aliases.Mark(s.Send) != 0 }) {
			continue
		}
		b := otherwise(sel)
		if b != nil && fd.states.Edge(b, 1, fd.states.Out[b.Index])&^flow.InPhase(flow.PhaseAbsent) == flow.At(flow.PhaseLive, flow.PendingNone) && fd.leftAlone(b.Succs[1], ret.Block()) {
			return true
		}
	}
	return false
}

// otherwise returns the block whose second successor is executed if no case of sel can be; nil if there
// are only other cases.
func otherwise(sel *ssa.Select) *ssa.BasicBlock {
	var last *ssa.BasicBlock
	for index := range ssautil.Uses[*ssa.Extract](sel) {
		if index.Index != 0 {
			continue
		}
		for cond := range ssautil.Uses[*ssa.BinOp](index) {
			for branch := range ssautil.Uses[*ssa.If](cond) {
				if last == nil || last.Dominates(branch.Block()) {
					last = branch.Block()
				}
			}
		}
	}
	return last
}

// leftAlone reports whether nothing on the paths from b, of which one leads to the block to, does
// anything with the origin but use it.
func (fd *finder) leftAlone(b, to *ssa.BasicBlock) bool {
	leads := false
	for x := range blocksFrom(b, nil) {
		leads = leads || x == to
		for _, i := range x.Instrs {
			if slices.ContainsFunc(fd.states.Effects[i], func(a flow.Effect) bool { return a.Kind != flow.EffectUse }) {
				return false
			}
		}
	}
	return leads
}

// lastUse reports whether the origin is used on a path to ret on which nobody can release it
// any more: somebody forgot to, on that path. Otherwise a return that is reached with and
// without a release means that the release was a choice.
//
// Before the use it is live on all paths, nothing is deferred for some of them, and no release can
// follow. So on the path through the use it is lost, whatever other paths to the return do.
func (fd *finder) lastUse(ret *ssa.Return) bool {
	for i, list := range fd.states.Effects {
		s := fd.states.Before[i]
		if s&flow.At(flow.PhaseLive, flow.PendingNone) == 0 || s&^(flow.InPhase(flow.PhaseLive)|flow.InPhase(flow.PhaseAbsent)) != 0 || fd.states.Reaches[i.Block().Index] || !ssautil.Reachable(i.Block(), ret.Block()) {
			continue
		}
		for _, a := range list {
			if a.Kind == flow.EffectUse && a.Sure {
				return true
			}
		}
	}
	return false
}

// satisfied holds the situations in which the origin does not have to be released any more.
var satisfied = flow.InPhase(flow.PhaseReleased) | flow.InPhase(flow.PhaseDropped) | flow.InPhase(flow.PhaseMaybe) | flow.InPhase(flow.PhaseTold) | flow.InPhase(flow.PhaseHanded)

// iterations returns the ends of iterations at which the origin is live although the next one
// acquires another: of those that come by a block, if that is not nil.
//
// A back edge leads to a block that dominates the acquisition, from a block that the acquisition
// dominates: all paths over it have acquired the origin, and only another iteration can acquire
// one. Where paths with and without an origin meet before that, joins shows that the origin is not
// looked at any more. What a deferred call will release, or what a variable takes along, is not
// lost.
func (fd *finder) iterations(after *ssa.BasicBlock) []token.Pos {
	if fd.states.Start == nil {
		return nil
	}
	var all []token.Pos
	home := fd.states.Start.Block()
	for _, b := range fd.fn.Blocks {
		for n, s := range b.Succs {
			if !home.Dominates(b) || !s.Dominates(home) && !fd.joins(s, home) && !fd.closes(s, home) || after != nil && !after.Dominates(b) {
				continue
			}
			end := fd.states.Edge(b, n, fd.states.Out[b.Index])
			if end&liveBits != 0 && end&(satisfied|pendingBits) == 0 && !fd.carried(b, s) && !fd.carriedInVariable(b, s) {
				all = append(all, lastPos(b))
			}
		}
	}
	return all
}

// lastPos returns the position of the last instruction that has one in b, or in what leads to b: an empty
// branch has none.
func lastPos(b *ssa.BasicBlock) token.Pos {
	for range b.Parent().Blocks {
		for _, i := range slices.Backward(b.Instrs) {
			if i.Pos().IsValid() {
				return i.Pos()
			}
		}
		if len(b.Preds) == 0 {
			break
		}
		b = b.Preds[0]
	}
	return token.NoPos
}

// carried reports whether a variable takes the origin from b into the next iteration, which uses it.
//
// An example, in which the buffer is the next iteration's:
//
//	buf := get()
//	for _, s := range lines {
//		if buf.Len() > max {
//			w.Write(buf.Bytes())
//			put(buf)
//			buf = get() // carried
//		}
//		buf.WriteString(s)
//	}
func (fd *finder) carried(b, next *ssa.BasicBlock) bool {
	for n, p := range next.Preds {
		if p != b {
			continue
		}
		for _, i := range next.Instrs {
			phi, ok := i.(*ssa.Phi)
			if !ok || fd.states.Aliases.Mark(phi.Edges[n]) == 0 {
				continue
			}
			for use := range ssautil.Uses[ssa.Instruction](phi) {
				if use != ssa.Instruction(phi) && ssautil.Reachable(use.Block(), b) {
					return true
				}
			}
		}
	}
	return false
}

// carriedInVariable reports whether a local variable that is in memory takes the origin from b into the next
// iteration, which loads from it. That it holds it on all paths to b is not needed: a parser keeps what its
// actions make in such a variable, and other actions leave that as it is.
//
// The variable has to be made outside of the loop, or it is another one in each iteration.
func (fd *finder) carriedInVariable(b, next *ssa.BasicBlock) bool {
	for _, n := range fd.states.Aliases.Nodes.List {
		for s := range ssautil.StoresOf(n.Value) {
			cell, ok := ssautil.Root(s.Addr).(*ssa.Alloc)
			if !ok || next.Dominates(cell.Block()) || !ssautil.Reachable(s.Block(), b) || !next.Dominates(s.Block()) {
				continue
			}
			for load := range ssautil.InstructionsOf[*ssa.UnOp](fd.fn.Function) {
				if load.Op == token.MUL && ssautil.Root(load.X) == ssa.Value(cell) && next.Dominates(load.Block()) && ssautil.Reachable(load.Block(), b) {
					return true
				}
			}
		}
	}
	return false
}

// liveBits are the live situations; pendingBits those with something deferred.
var (
	liveBits    = flow.InPhase(flow.PhaseLive)
	pendingBits = flow.At(flow.PhaseLive, flow.PendingSure) | flow.At(flow.PhaseLive, flow.PendingMaybe) | flow.At(flow.PhaseLive, flow.PendingTwice)
)
