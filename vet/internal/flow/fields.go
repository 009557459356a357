package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// alike says whether two values are the same, or are loaded from the same place.
func alike(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok1 := a.(*ssa.UnOp)
	y, ok2 := b.(*ssa.UnOp)
	return ok1 && ok2 && x.X == y.X
}

// reuses says whether a slice is what the field of base held, or made because that was too small.
func reuses(v ssa.Value, f *types.Var, base ssa.Value, depth int) bool {
	if depth > 8 {
		return true
	}
	switch x := v.(type) {
	case *ssa.Slice:
		return reuses(x.X, f, base, depth+1)
	case *ssa.ChangeType:
		return reuses(x.X, f, base, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if e != v && !reuses(e, f, base, depth+1) {
				return false
			}
		}
		return true
	case *ssa.UnOp:
		fa, ok := x.X.(*ssa.FieldAddr)
		return ok && field(fa) == f && alike(root(fa.X), base)
	case *ssa.Call:
		// append(x.f, ...), x.f = strconv.AppendInt(x.f, ...): or a larger copy of it.
		for _, arg := range x.Call.Args {
			if isSlice(arg.Type()) && reuses(arg, f, base, depth+1) {
				return true
			}
		}
		return false
	case *ssa.MakeSlice:
		return measures(x, f)
	case *ssa.Alloc:
		return measures(x, f)
	case *ssa.Extract:
		return reuses(x.Tuple, f, base, depth+1)
	}
	return false
}

// measures says whether v is made in a branch that looks at the length or capacity of the
// field: because the old slice is too small.
func measures(v ssa.Instruction, f *types.Var) bool {
	for b := v.Block().Idom(); b != nil; b = b.Idom() {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cond, ok := branch.Cond.(*ssa.BinOp)
		if ok && (measure(cond.X, f, 0) || measure(cond.Y, f, 0)) {
			return true
		}
	}
	return false
}

// measure says whether v is computed from the length or capacity of the field.
func measure(v ssa.Value, f *types.Var, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.BinOp:
		return measure(x.X, f, depth+1) || measure(x.Y, f, depth+1)
	case *ssa.Convert:
		return measure(x.X, f, depth+1)
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); !ok || b.Name() != "cap" && b.Name() != "len" {
			return false
		}
		u, ok := x.Call.Args[0].(*ssa.UnOp)
		if !ok {
			return false
		}
		fa, ok := u.X.(*ssa.FieldAddr)
		return ok && field(fa) == f
	}
	return false
}
