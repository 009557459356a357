package events

import (
	"go/token"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Does one thing follow from another on all paths? It is the proof for a release that happens on
// some paths only: whenever it does, the bad use comes. (For a use on some paths see reached.go.)
//
//	if err != nil {
//		pool.Put(b)
//	}
//	b.Reset() // follows from the Put on all paths
//
//	if err != nil {
//		pool.Put(b)
//	}
//	if err == nil {
//		b.Reset() // does not: an edge leads past it
//	}
//
// It takes an instruction and the ones that are bad. A branch may go either way, unless a result
// has told of the release, or one of its edges is never taken. A path that ends, or that acquires
// the origin anew, before it meets a bad one is enough for a no. That errs towards silence.

// inevitably finds the next effect of a kind that all paths from i lead to, or nil. It is what makes a
// finding of a release that happens on some paths only: whenever it does, the bad use follows.
func (fd *finder) inevitably(i ssa.Instruction, kind flow.EffectKind) *flow.Effect {
	bad := fd.sureEffects(kind)
	if len(bad) == 0 || !fd.allPathsMeet(i, bad) {
		return nil
	}
	return fd.effectAt(fd.firstAfter(i, bad), kind)
}

// allPathsMeet reports whether all paths from i come by one of bad before the origin lives anew. It
// solves backward over the blocks, beginning with true for all of them, so that a loop without an exit
// of its own does not count against it. A path that ends the function without a bad one, by a return or
// a panic, does.
//
// That is the greatest fixed point. It ends because a block only turns from true to false, at least
// one in each round but the last. To begin with the last block only saves rounds.
func (fd *finder) allPathsMeet(i ssa.Instruction, bad map[ssa.Instruction]bool) bool {
	blocks := fd.fn.Blocks
	must := make([]bool, len(blocks))
	for n := range must {
		must[n] = true
	}
	told := fd.condition(i)
	next := func(b *ssa.BasicBlock) bool {
		for n, s := range b.Succs {
			if !must[s.Index] && !fd.endsCountedLoop(i, b, n) && !fd.excludes(told, b, n) {
				return false
			}
		}
		return len(b.Succs) > 0
	}
	for changed := true; changed; {
		changed = false
		for n := len(blocks) - 1; n >= 0; n-- {
			b := blocks[n]
			h := fd.hits(b.Instrs, bad)
			if v := h > 0 || h == 0 && next(b); must[n] && !v {
				must[n] = false
				changed = true
			}
		}
	}
	rest := i.Block().Instrs
	for n, x := range rest {
		if x == i {
			rest = rest[n+1:]
			break
		}
	}
	h := fd.hits(rest, bad)
	return h > 0 || h == 0 && next(i.Block())
}

// excludes reports whether edge n of b is never taken, or only if the release whose effect a is, if
// any, has not happened.
func (fd *finder) excludes(a *flow.Effect, b *ssa.BasicBlock, n int) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	return ok && (fd.fn.Impossible(branch.Cond, n == 0) || a != nil && fd.fn.Excludes(*a, branch.Cond, n == 0))
}

// endsCountedLoop reports whether edge n of b ends a loop that holds the release i, and whose iterations
// are counted by something else than the fate of the origin: that there is another one
// may be assumed. Without that no release in a loop could be wrong for the next iteration, as each may
// be the last.
//
// An example. If the edge out of the loop counted, the second iteration would never be proved to
// come:
//
//	buf := pool.Get().(*bytes.Buffer)
//	for _, l := range lines {
//		buf.WriteString(l) // used after the put of the iteration before
//		pool.Put(buf)
//	}
//
// The block of the branch has to be the head of the loop: a back edge leads to it, it dominates the
// release, and its other edge leads there. A loop that acquires in its body has another origin each
// time. One that ends by anything but a count, such as for err == nil, may end just because of the
// release.
func (fd *finder) endsCountedLoop(i ssa.Instruction, b *ssa.BasicBlock, n int) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || !b.Dominates(i.Block()) || !ssautil.Reachable(b.Succs[1-n], i.Block()) || ssautil.Reachable(b.Succs[n], b) {
		return false
	}
	back := false
	for _, p := range b.Preds {
		back = back || b.Dominates(p)
	}
	if fd.states.Start != nil && b.Dominates(fd.states.Start.Block()) && fd.states.Start.Block() != b {
		return false // each iteration has its own
	}
	return back && counts(branch.Cond)
}

// firstAfter returns the nearest bad instruction behind i, in blocks: what a reader comes to first.
func (fd *finder) firstAfter(i ssa.Instruction, bad map[ssa.Instruction]bool) ssa.Instruction {
	seen := map[*ssa.BasicBlock]bool{}
	past := false
	for _, x := range i.Block().Instrs {
		if past && bad[x] {
			return x
		}
		past = past || x == i
	}
	work := slices.Clone(i.Block().Succs)
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if seen[b] {
			continue
		}
		seen[b] = true
		found := false
		for _, x := range b.Instrs {
			if bad[x] {
				return x
			}
			found = found || x == fd.states.Start
		}
		if !found {
			work = append(work, b.Succs...)
		}
	}
	return nil
}

// counts reports whether a condition is that of a loop over a range or up to a bound.
func counts(cond ssa.Value) bool {
	switch c := cond.(type) {
	case *ssa.BinOp:
		switch c.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			return true
		}
	case *ssa.Extract:
		_, ok := c.Tuple.(*ssa.Next)
		return ok
	}
	return false
}

// An edge is one of the graph of blocks.
type edge struct{ from, to *ssa.BasicBlock }

// leadsTo reports whether a path from i comes to ret before the origin lives anew, as far as branches do
// not decide against it.
//
// It walks edges rather than blocks, since Decided tells what a branch does with what comes over
// one edge. Each edge is walked once.
func (fd *finder) leadsTo(i ssa.Instruction, ret *ssa.Return) bool {
	if i.Block() == ret.Block() {
		return ssautil.Follows(i, ret)
	}
	var work []edge
	for _, s := range i.Block().Succs {
		work = append(work, edge{i.Block(), s})
	}
	seen := map[edge]bool{}
	for len(work) > 0 {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[w] {
			continue
		}
		seen[w] = true
		if fd.states.Start != nil && w.to == fd.states.Start.Block() {
			continue
		}
		if w.to == ret.Block() {
			return true
		}
		for n, s := range w.to.Succs {
			if !fd.fn.Decided(w.from, w.to, n) {
				work = append(work, edge{w.to, s})
			}
		}
	}
	return false
}

// blocksFrom returns an iterator over b and all blocks that control can reach from there without entering
// except, which may be nil. Each is visited once.
func blocksFrom(b, except *ssa.BasicBlock) iter.Seq[*ssa.BasicBlock] {
	return func(yield func(*ssa.BasicBlock) bool) {
		seen := map[*ssa.BasicBlock]bool{except: true}
		work := []*ssa.BasicBlock{b}
		for len(work) > 0 {
			x := work[len(work)-1]
			work = work[:len(work)-1]
			if seen[x] {
				continue
			}
			seen[x] = true
			if !yield(x) {
				return
			}
			work = append(work, x.Succs...)
		}
	}
}
