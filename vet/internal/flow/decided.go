package flow

import (
	"go/constant"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Is an edge of a branch never taken by what comes from one of its predecessors? A loop asks again
// what an iteration has found out already:
//
//	for err == nil {
//		h, err = read()
//		if err != nil {
//			break
//		}
//		put(h) // goes on with err == nil, so that the loop does not end here
//	}
//	return h // not reached after the put
//
// With for more() in place of err == nil the answer is no. It is asked of paths from a release, in
// events: without it h would be returned after its put. Only a phi of the branch's own block is
// looked at, and an answer of no leaves the path in, which errs towards a report.

// Decided reports whether edge n of b is never taken by what comes to b from a predecessor: the branch
// there tests what a phi of b has on that way, which is a constant or was tested before. A loop that
// goes on while err is nil does not end after an iteration that has found err to be nil.
func (f *Function) Decided(from, b *ssa.BasicBlock, n int) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	fact := f.factOf(branch.Cond, n == 0)
	phi, ok := fact.about.(*ssa.Phi)
	edge := slices.Index(b.Preds, from)
	if !ok || phi.Block() != b || edge < 0 {
		return false
	}
	fact.about = f.Resolve(phi.Edges[edge])
	if c, ok := fact.about.(*ssa.Const); ok {
		return fact.to == nil && isNilOrFalse(c) != fact.equal
	}
	return f.toldBefore(from, fact)
}

// toldBefore reports whether a branch that all ways to the end of b have taken excludes a fact.
//
// A block with one predecessor that dominates b was entered by the edge that its dominator's branch
// has for it, on all paths to b. So the fact of that edge holds at the end of b, of a value that
// has not changed since.
func (f *Function) toldBefore(b *ssa.BasicBlock, fact branchFact) bool {
	for at := b; at.Idom() != nil; at = at.Idom() {
		branch, ok := at.Idom().Instrs[len(at.Idom().Instrs)-1].(*ssa.If)
		if !ok || len(at.Preds) != 1 {
			continue
		}
		if fact.excludes(f.factOf(branch.Cond, at == at.Idom().Succs[0])) {
			return true
		}
	}
	return false
}

// isNilOrFalse reports whether a constant is one of these.
func isNilOrFalse(c *ssa.Const) bool {
	return c.Value == nil || c.Value.Kind() == constant.Bool && !constant.BoolVal(c.Value)
}
