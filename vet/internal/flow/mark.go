package flow

import (
	"go/constant"
	"go/token"
	"go/types"

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
// For a mark that the package also takes away, by v.checked = false, the answer is no. It takes all
// stores of constants to the field in the package. A store to the whole struct, which resets the
// field too, is not seen: a wrong yes makes the value dropped on that edge, which is silence.

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
			for fa := range ssautil.InstructionsOf[*ssa.FieldAddr](fn.Function) {
				if x := ssautil.Field(fa); x != nil && isBoolean(x.Type()) {
					a.flags[x] |= storedFlag(fa)
				}
			}
		}
	}
	return a.flags[f.Origin()]
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
