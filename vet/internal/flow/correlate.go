package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does a branch contradict the one under which the origin was acquired? States join all paths, and
// without this question two conditions that belong together would make a finding:
//
//	if kind == 2 {
//		b = pool.Get().(*bytes.Buffer)
//	}
//	if kind != 2 {
//		return len(p) // b was not acquired on this path
//	}
//	pool.Put(b)
//
// With n > 2 in place of kind != 2 the answer is no: only facts about equality with a constant, and
// about nil and false, are compared, of one and the same SSA value. That errs towards a report of a
// missing release.

// contradicts reports whether a condition, being yes, is the contrary of one that held where the origin
// was acquired: on this way it was not.
//
// The edges that it asks have to be taken on all paths to the acquisition: an edge to a block with
// no other predecessor that dominates it. Then both facts are about one value, which SSA computes
// once, unless control can come back to it after the acquisition, as here, where the next iteration
// asks anew:
//
//	for {
//		p := next()
//		if p == nil {
//			return n // reached after Get, with another p
//		}
//		b := pool.Get().(*bytes.Buffer)
//		...
//	}
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
//
// Equal to 2 excludes equal to 3, and not equal to 2; not equal to 2 and not equal to 3 agree. A
// fact about nil says nothing of one about a constant.
func (a branchFact) excludes(b branchFact) bool {
	if a.about != b.about || (a.to == nil) != (b.to == nil) {
		return false
	}
	if a.to == nil || sameNumber(a.to, b.to) {
		return a.equal != b.equal
	}
	return a.equal && b.equal
}
