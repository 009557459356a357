package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A call of a function that is not known may do anything with the origin, also release it. One after which
// the function releases the origin itself, whatever the call has returned, does not: it was only lent. That
// is used where something else fails later, and the release is forgotten on the way out.

// onlyLent reports whether cond, being yes, leads over edge n of b to a failure, and nobody else has
// the origin there but for calls that it was only lent to.
func (r *States) onlyLent(b *ssa.BasicBlock, n int, cond ssa.Value, yes bool) bool {
	last := b.Instrs[len(b.Instrs)-1]
	if call, failed := r.Aliases.Func.Failure(cond); (call == nil || yes != failed) && !r.surelyFails(b.Succs[n]) {
		return false
	}
	lent := false
	for i, list := range r.Effects {
		if !ssautil.Follows(i, last) {
			continue
		}
		for _, a := range list {
			switch a.Kind {
			case EffectUse, EffectRelease, EffectReset:
			case EffectHandOver:
				c, ok := i.(*ssa.Call)
				if !ok || !r.isLentTo(c, a) || r.dependsOn(cond, c, map[ssa.Value]bool{}) {
					return false
				}
				lent = true
			default:
				return false
			}
		}
	}
	return lent
}

// isLentTo reports whether a call that is not known gets the origin itself, and all ways on lead to a
// release that the call has no say in.
func (r *States) isLentTo(c *ssa.Call, a Effect) bool {
	if !a.ByCall || a.Mark&(MarkSame|MarkHold) != MarkSame || r.Aliases.Func.Callee(&c.Call).Summary != nil {
		return false
	}
	for _, release := range r.Effects.having(EffectRelease) {
		if ssautil.Before(c, release) && !r.decides(c, release) {
			return true
		}
	}
	return false
}

// decides reports whether a result of a call decides about a release behind it, in another way than by an
// error without which the function goes on.
func (r *States) decides(c *ssa.Call, release ssa.Instruction) bool {
	for b := release.Block(); b != c.Block() && b.Idom() != nil; b = b.Idom() {
		branch, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 || !r.dependsOn(branch.Cond, c, map[ssa.Value]bool{}) {
			continue
		}
		v, zero := r.Aliases.Func.test(branch.Cond, b == b.Idom().Succs[0])
		if !zero || !types.Identical(v.Type(), ErrorType) {
			return true
		}
	}
	return false
}

// dependsOn reports whether v is computed from what a call has returned; seen are the values that were
// looked at.
func (r *States) dependsOn(v ssa.Value, c *ssa.Call, seen map[ssa.Value]bool) bool {
	v = r.Aliases.Func.Resolve(v)
	if v == ssa.Value(c) {
		return true
	}
	i, ok := v.(ssa.Instruction)
	if !ok || seen[v] {
		return false
	}
	seen[v] = true
	var operands [8]*ssa.Value
	for _, o := range i.Operands(operands[:0]) {
		if *o != nil && r.dependsOn(*o, c, seen) {
			return true
		}
	}
	return false
}

// surelyFails reports whether b leads straight to a return of an error that is not nil.
func (r *States) surelyFails(b *ssa.BasicBlock) bool {
	for range 4 {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			for _, v := range ret.Results {
				if zero, sure := r.Aliases.Func.zero(r.Aliases.Func.Resolve(v), b); sure && !zero && types.Identical(v.Type(), ErrorType) {
					return true
				}
			}
		}
		if len(b.Succs) != 1 {
			return false
		}
		b = b.Succs[0]
	}
	return false
}
