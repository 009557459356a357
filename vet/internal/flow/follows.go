package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Can a release follow, and of which origin? In a loop that acquires one in each iteration a release
// follows everything in it, but what stands before the acquisition in the next iteration is about
// another origin.
//
//	for range n {
//		b := pool.Get().(*bytes.Buffer)
//		if b.Cap() < max { // decides about b: the next Put is of another one
//			pool.Put(b)
//		}
//	}
//
// Both answers are kept. Only a branch on the size is judged by the narrow one: with the wide one it was
// taken for no decision, and a value that is too large for lost.

// reach finds out where the releases can follow, backward over the blocks.
func (r *States) reach(releases []ssa.Instruction) {
	var work []*ssa.BasicBlock
	for _, i := range releases {
		work = append(work, i.Block())
	}
	r.Reaches = r.backward(work, nil)
	if r.Start == nil || !ssautil.Reaches(r.Start.Block(), r.Start.Block()) {
		r.same = r.Reaches
		return
	}
	// A release that stands before the acquisition in its block is of the iteration before.
	start := r.Start.Block()
	for _, i := range releases {
		if i.Block() == start && !ssautil.Before(r.Start, i) {
			work = append(work, start.Preds...)
		}
	}
	r.same = r.backward(work, start)
}

// backward marks the blocks of work, and all that lead to them, but for what leads there by the block
// end alone.
func (r *States) backward(work []*ssa.BasicBlock, end *ssa.BasicBlock) []bool {
	reaches := make([]bool, len(r.Aliases.Func.Blocks))
	work = slices.Clone(work)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if reaches[b.Index] {
			continue
		}
		if reaches[b.Index] = true; b != end {
			work = append(work, b.Preds...)
		}
	}
	return reaches
}

// dropsLarge reports whether edge n of b leads past the release of a value because of its size, in a loop
// that releases the next one.
func (r *States) dropsLarge(b *ssa.BasicBlock, n int, cond ssa.Value, yes bool) bool {
	next := b.Succs[n]
	return r.Reaches[next.Index] && !r.same[next.Index] && !r.Aliases.growsAfter(b) && r.comparesSize(cond) && !r.tooSmall(b, n, cond, yes) && r.leavesLarge(b, n, cond)
}

// comparesSize reports whether a condition compares the size of the value itself. Something that is computed
// from the sizes of all of them, such as a total, says nothing of this one.
func (r *States) comparesSize(cond ssa.Value) bool {
	c, ok := cond.(*ssa.BinOp)
	return ok && slices.ContainsFunc([]ssa.Value{c.X, c.Y}, func(v ssa.Value) bool {
		call, ok := r.Aliases.Func.Resolve(v).(*ssa.Call)
		return ok && IsMeasure(call) && r.onSize(call, 0)
	})
}

// leavesLarge reports whether the size of the value decides that edge n of b is taken and not the other
// one, which releases the value. An error return is no such decision: a release that is missing there
// is a leak.
func (r *States) leavesLarge(b *ssa.BasicBlock, n int, cond ssa.Value) bool {
	other := b.Succs[1-n]
	return !fails(b.Succs[n]) && r.onSize(cond, 0) && (r.releasesSoon(other, 0) || r.releasesAlways(other, map[*ssa.BasicBlock]bool{}))
}
