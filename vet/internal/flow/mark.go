package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"iter"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does a branch ask for a mark that every value of the pool has? Then its other edge is not taken
// by what was acquired.
//
//	v := borrow() // sets v.pooled, as all do
//	if !v.pooled {
//		return // not with this v
//	}
//	verdicts.Put(v)
//
// For a mark that the package also takes away, by v.checked = false or *v = verdict{}, the answer is no.
// It takes all stores of constants to the field in the package. A copy of another struct is not seen: a
// wrong yes makes the value dropped on that edge, which is silence.

// unmarked reports whether a condition, being yes, means that the value has no mark which those that come
// from a pool have: a flag of it that the package sets and never takes away. What was acquired has it,
// so that control does not come this way with it.
func (r *States) unmarked(cond ssa.Value, yes bool) bool {
	load, ok := cond.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || r.Start == nil {
		return false
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	return ok && r.Aliases.Mark(fa.X)&MarkSame != 0 && r.Aliases.Func.Package.onlyFlag(ssautil.Field(fa)) == flagOf(!yes)
}

// A flag says which constants are stored in a boolean field.
type flag uint8

const (
	flagNever flag = iota
	flagFalse
	flagTrue
	flagOther // both, or what is not known
)

func flagOf(b bool) flag {
	if b {
		return flagTrue
	}
	return flagFalse
}

// onlyFlag returns the only constant that the package stores in a field, if it does nothing else with it but
// read it.
func (a *Package) onlyFlag(f *types.Var) flag {
	if f == nil || f.Exported() || f.Pkg() != a.Pass.Pkg {
		return flagOther
	}
	if a.flags == nil {
		a.flags = map[*types.Var]flag{}
		for _, fn := range a.Order {
			fn.findFlags(a.flags)
		}
	}
	return a.flags[f.Origin()]
}

// findFlags adds what f stores in boolean fields.
func (f *Function) findFlags(flags map[*types.Var]flag) {
	for i := range ssautil.Instructions(f.Function) {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			if x := ssautil.Field(i); x != nil && isBoolean(x.Type()) {
				flags[x] |= storedFlag(i)
			}
		case *ssa.Store:
			for n := range f.zeroed(i) {
				flags[ssautil.FieldOf(i.Addr.Type(), n)] |= flagFalse
			}
		}
	}
}

// zeroed returns the boolean fields that a store to a whole struct sets to false for good.
//
// A literal is stored as its zero value and then by fields. One that is released next is not
// concerned: who acquires it sets its marks.
//
//	*v = verdict{pooled: true} // sets checked to false
//	verdicts.Put(v)
func (f *Function) zeroed(s *ssa.Store) iter.Seq[int] {
	return func(yield func(int) bool) {
		t, ok := s.Val.Type().Underlying().(*types.Struct)
		_, local := s.Addr.(*ssa.Alloc)
		if !ok || local || !isConst(s.Val) || f.releasedAfter(s) {
			return
		}
		for n := range t.NumFields() {
			if isBoolean(t.Field(n).Type()) && !setsField(s, n) && !yield(n) {
				return
			}
		}
	}
}

// setsField reports whether a field of a struct gets a value in the block in which all of it is stored,
// and later.
func setsField(all *ssa.Store, field int) bool {
	for fa := range ssautil.FieldAddrs(all.Addr, field) {
		for s := range ssautil.StoresTo(fa) {
			if s.Block() == all.Block() && ssautil.Before(all, s) {
				return true
			}
		}
	}
	return false
}

// releasedAfter reports whether what a store goes to is passed to a call that releases it, later.
func (f *Function) releasedAfter(s *ssa.Store) bool {
	given := []ssa.Value{s.Addr}
	for i := range ssautil.Uses[*ssa.MakeInterface](s.Addr) {
		given = append(given, i)
	}
	for _, v := range given {
		for c := range ssautil.Uses[ssa.CallInstruction](v) {
			for p := range f.passed(c, v) {
				_, deferred := c.(*ssa.Defer)
				if p.Release != ReleaseNever && (deferred || ssautil.Follows(s, c)) {
					return true
				}
			}
		}
	}
	return false
}

// storedFlag returns what is stored at the address of a flag.
//
// Never, false and true are bits, so that or joins the answers of all uses, with other as the top
// of a small lattice.
func storedFlag(fa *ssa.FieldAddr) flag {
	found := flagNever
	for use := range ssautil.Uses[ssa.Instruction](fa) {
		switch use := use.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if !isFlag(use.Val) {
				return flagOther
			}
			found |= flagOf(constant.BoolVal(use.Val.(*ssa.Const).Value))
		default:
			return flagOther
		}
	}
	return found
}

func isBoolean(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}
