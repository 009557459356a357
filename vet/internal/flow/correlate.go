package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// contradicts reports whether a condition, being yes, is the contrary of one that held where the origin
// was acquired: on this way it was not.
func (r *States) contradicts(cond ssa.Value, yes bool) bool {
	if r.Start == nil {
		return false
	}
	now := r.Aliases.Func.factOf(cond, yes)
	if i, ok := now.about.(ssa.Instruction); ok && ssautil.Reaches(r.Start.Block(), i.Block()) {
		return false // it may have been computed anew since
	}
	start := r.Start.Block()
	for b := start.Idom(); b != nil; b = b.Idom() {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		for n, succ := range b.Succs {
			if len(succ.Preds) == 1 && succ.Dominates(start) && now.excludes(r.Aliases.Func.factOf(branch.Cond, n == 0)) {
				return true
			}
		}
	}
	return false
}

// A branchFact is a fact that an edge tells about a value: it is equal to a constant, or it is not.
type branchFact struct {
	about ssa.Value
	to    ssa.Value // a constant; nil for nil and false
	equal bool
}

// factOf returns what a condition tells, being yes.
func (f *Function) factOf(cond ssa.Value, yes bool) branchFact {
	v, zero := f.test(cond, yes)
	c, ok := v.(*ssa.BinOp)
	if !ok || c.Op != token.EQL && c.Op != token.NEQ {
		return branchFact{v, nil, zero}
	}
	x, y := f.Resolve(c.X), c.Y
	if isConst(x) {
		x, y = f.Resolve(c.Y), x
	}
	if !isConst(y) || IsNil(y) {
		return branchFact{v, nil, zero}
	}
	return branchFact{x, y, zero == (c.Op == token.NEQ)}
}

// excludes reports whether two facts cannot both be true.
func (a branchFact) excludes(b branchFact) bool {
	if a.about != b.about || (a.to == nil) != (b.to == nil) {
		return false
	}
	if a.to == nil || sameNumber(a.to, b.to) {
		return a.equal != b.equal
	}
	return a.equal && b.equal
}
