package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does a branch leave a value alone because it has no memory, or no pool to go to?
//
//	func (c *chunk) release() {
//		if c.pool == nil {
//			return // dropped: it was never from a pool
//		}
//		c.pool.Put(c)
//	}
//
//	func (l *lease) release() {
//		if l.pool == nil {
//			return // released before: the field is the mark of that
//		}
//		p := l.pool
//		l.pool = nil
//		p.Put(l)
//	}
//
// The second kind is told by a store of nil to the field, anywhere in the package. Then the answer
// is no, and callers take the value for perhaps released.

// ownerless reports whether a condition, being yes, means that the value has nothing to be released, or
// nowhere to go: a field of it that holds its memory or its pool is nil. That is no mark of a release,
// as the package never sets such a field to nil.
func (r *States) ownerless(cond ssa.Value, yes bool) bool {
	c, ok := cond.(*ssa.BinOp)
	if !ok || !IsNil(c.Y) || yes != (c.Op == token.EQL) || c.Op != token.EQL && c.Op != token.NEQ {
		return false
	}
	load, ok := r.Aliases.Func.Resolve(c.X).(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok || r.Aliases.Mark(fa.X)&MarkSame == 0 || r.Aliases.Func.Package.isCleared(ssautil.Field(fa)) {
		return false
	}
	return ssautil.IsSlice(load.Type()) || r.releasesTo(fa)
}

// releasesTo reports whether the origin is released by a method of what the field holds.
func (r *States) releasesTo(fa *ssa.FieldAddr) bool {
	for i, list := range r.Effects {
		c, ok := i.(ssa.CallInstruction)
		if !ok || !slices.ContainsFunc(list, func(a Effect) bool { return a.Kind == EffectRelease || a.Kind == EffectDefer }) {
			continue
		}
		args := ssautil.Arguments(c.Common())
		if len(args) == 0 {
			continue
		}
		if to := ssautil.LoadedFrom(args[0]); to != nil && to.X == fa.X && to.Field == fa.Field {
			return true
		}
	}
	return false
}

// isCleared reports whether the package stores nil in a field, or in all of a struct that has it.
func (a *Package) isCleared(f *types.Var) bool {
	if f == nil || f.Pkg() != a.Pass.Pkg {
		return true
	}
	if a.cleared == nil {
		a.cleared = map[*types.Var]bool{}
		for _, fn := range a.Order {
			for s := range ssautil.InstructionsOf[*ssa.Store](fn.Function) {
				a.findCleared(s)
			}
		}
	}
	return a.cleared[f.Origin()]
}

// findCleared notes the fields that a store sets to nil, or may.
func (a *Package) findCleared(s *ssa.Store) {
	if fa, ok := s.Addr.(*ssa.FieldAddr); ok {
		if field := ssautil.Field(fa); field != nil && (IsNil(s.Val) || isPhiWithNil(s.Val)) {
			a.cleared[field.Origin()] = true
		}
	}
	// *x = T{...} sets all fields that are not named.
	st, ok := s.Val.Type().Underlying().(*types.Struct)
	if _, local := s.Addr.(*ssa.Alloc); !ok || local {
		return
	}
	for field := range st.Fields() {
		a.cleared[field.Origin()] = true
	}
}

func isPhiWithNil(v ssa.Value) bool {
	phi, ok := v.(*ssa.Phi)
	return ok && slices.ContainsFunc(phi.Edges, IsNil)
}

// asksSize reports whether a callee, a function of the package, only asks how large argument i is.
//
// The value goes nowhere but to len, cap and methods of such names, by itself or by slices in its
// fields. A predicate that looks at anything else may ask for a mark, which the owner knows.
func asksSize(k Callee, i int) bool {
	if k.Source == nil || i >= len(k.Source.Params) {
		return false
	}
	for use := range ssautil.Uses[ssa.Instruction](k.Source.Params[i]) {
		switch use := use.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			if !IsMeasure(use) {
				return false
			}
		case *ssa.UnOp: // a pooled pointer to a slice
			if !ssautil.IsSlice(use.Type()) || !onlyMeasured(use) {
				return false
			}
		case *ssa.FieldAddr:
			for load := range ssautil.Uses[ssa.Instruction](use) {
				if u, ok := load.(*ssa.UnOp); !ok || !ssautil.IsSlice(u.Type()) || !onlyMeasured(u) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// onlyMeasured reports whether v is used for nothing but its length or capacity.
func onlyMeasured(v ssa.Value) bool {
	for use := range ssautil.Uses[ssa.Instruction](v) {
		if c, ok := use.(*ssa.Call); !ok || !IsMeasure(c) {
			return false
		}
	}
	return true
}

// IsMeasure reports whether a call asks for a length or a capacity.
func IsMeasure(c *ssa.Call) bool {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "len" || b.Name() == "cap"
	}
	f := ssautil.Callee(&c.Call)
	if f == nil {
		return false
	}
	switch f.Name() {
	case "Len", "Cap", "Size":
		return true
	}
	return false
}
