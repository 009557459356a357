package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does an integer result say that another result is nil? A getter may return a code in place of an
// error:
//
//	func get(s string) (*text, code) {
//		if s == "" {
//			return nil, short
//		}
//		return newText(s), fine
//	}
//
//	t, c := get(s)
//	if c != fine {
//		return // there is no t
//	}
//
// All returns with a value have to have the same constant, and none without may have it, or the
// code would not tell. A computed code of a return with a value ends the search. Where there is no
// answer the branch of a caller says nothing, so a missing release on it is reported.

// presentWith returns the integer results of f that say whether result i is nil, each with the constant that
// it has when result i is not: a code is zero if all went well.
func (f *Function) presentWith(i int) map[int]string {
	all := map[int]string{}
	for j := range f.Signature.Results().Len() {
		b, ok := f.Signature.Results().At(j).Type().Underlying().(*types.Basic)
		if j == i || !ok || b.Info()&types.IsInteger == 0 {
			continue
		}
		if c := f.codeOf(i, j); c != "" {
			all[j] = c
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// codeOf returns the constant that result j has on all returns of a result i that is not nil, and on none
// of the others; "" if there is no such constant, or result i is never nil.
func (f *Function) codeOf(i, j int) string {
	found, absent := "", false
	for _, ret := range f.Returns() {
		if IsNil(ret.Results[i]) {
			absent = true
			continue
		}
		c := exact(ret.Results[j])
		if c == "" || found != "" && c != found {
			return ""
		}
		found = c
	}
	for _, ret := range f.Returns() {
		// The same code with and without a value tells nothing.
		if IsNil(ret.Results[i]) && exact(ret.Results[j]) == found {
			return ""
		}
	}
	if !absent {
		return ""
	}
	return found
}

// exact returns the value of a constant, or "".
func exact(v ssa.Value) string {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		return c.Value.ExactString()
	}
	return ""
}

// codeOfOrigin returns the constant that v, a result of the call that acquires the origin, has when there is
// one; "" if v says nothing about that.
func (r *States) codeOfOrigin(v ssa.Value) string {
	e, ok := r.Aliases.Func.Resolve(v).(*ssa.Extract)
	if !ok || !r.acquiring(e.Tuple) {
		return ""
	}
	return r.present[e.Index]
}

// absentByCode reports whether cond, being yes, means that the call which acquires the origin has returned a
// code with which there is none; and whether that is sure. What a function tells of a code is not known: the
// branch that has nothing to do with the origin, while the other has, is the one without it.
func (r *States) absentByCode(b *ssa.BasicBlock, n int, cond ssa.Value, yes bool) (none, sure bool) {
	if len(r.present) == 0 {
		return false, false
	}
	switch c := cond.(type) {
	case *ssa.BinOp:
		code, to := r.codeOfOrigin(c.X), exact(c.Y)
		if code == "" {
			code, to = r.codeOfOrigin(c.Y), exact(c.X)
		}
		if code == "" || to == "" || c.Op != token.EQL && c.Op != token.NEQ {
			return false, false
		}
		equal := yes == (c.Op == token.EQL)
		return equal != (to == code), true
	case *ssa.Call:
		// As in isFail(c). Which answer means failure can only be guessed by what is done in the
		// branches, so it is not sure: the origin is dropped rather than absent.
		for _, arg := range ssautil.Arguments(&c.Call) {
			if r.codeOfOrigin(arg) != "" {
				return !r.concerns(b.Succs[n]) && r.concerns(b.Succs[1-n]), false
			}
		}
	}
	return false, false
}

// concerns reports whether something is done with the origin in b or after it.
func (r *States) concerns(b *ssa.BasicBlock) bool {
	for i, list := range r.Effects {
		if len(list) > 0 && ssautil.Reachable(b, i.Block()) {
			return true
		}
	}
	return false
}
