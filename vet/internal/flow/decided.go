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
// events: without it h would be returned after its put. And states ask it, of what comes to a join:
//
//	var t *table
//	for _, s := range sources {
//		t = &table{rows: get(s)}
//		break
//	}
//	if t == nil {
//		return nil // no rows are lost here: who has some comes from the break, and t is not nil
//	}
//
// Only a phi of the branch's own block is looked at, and an answer of no leaves the path in, which
// errs towards a report.

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
	if !ok || phi.Block() != b || !slices.Contains(b.Preds, from) {
		return false
	}
	for edge, pred := range b.Preds {
		if pred == from && !f.decidedBy(phi.Edges[edge], from, fact) {
			return false
		}
	}
	return true
}

// decidedBy reports whether a fact about a phi cannot hold for v, which the phi has after from: v is a
// constant, a pointer to something new, or was tested before.
func (f *Function) decidedBy(v ssa.Value, from *ssa.BasicBlock, fact branchFact) bool {
	fact.about = f.Resolve(v)
	if c, ok := fact.about.(*ssa.Const); ok {
		return fact.to == nil && isNilOrFalse(c) != fact.equal
	}
	if zero, sure := f.zero(fact.about, from); sure && fact.to == nil && zero != fact.equal {
		return true
	}
	return f.toldBefore(from, fact)
}

// onPhi reports whether the branch at the end of b tests a phi of b.
func (f *Function) onPhi(b *ssa.BasicBlock) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if _, phi := b.Instrs[0].(*ssa.Phi); !ok || !phi {
		return false
	}
	phi, ok := f.factOf(branch.Cond, true).about.(*ssa.Phi)
	return ok && phi.Block() == b
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
