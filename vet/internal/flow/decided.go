package flow

import (
	"go/constant"
	"slices"

	"golang.org/x/tools/go/ssa"
)

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
