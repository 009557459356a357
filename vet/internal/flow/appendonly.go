package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Are the bytes in a field ever written again? If not, what was handed out of them stays valid when
// the struct has another owner.
//
//	l.buf = append(l.buf, p...)     // only grows: what is before stays as it is
//	return asString(l.buf[n:])
//
//	s.buf = append(s.buf[:0], p...) // begins anew, and overwrites what was handed out
//
// It takes all uses of an unexported field in the package, which all have to be loads that read,
// and stores of new memory or of an append to the field itself. A wrong no reports memory that
// stays valid; a wrong yes costs a finding.

// sameLoad reports whether two values are the same, or are loaded from the same place.
func sameLoad(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok1 := a.(*ssa.UnOp)
	y, ok2 := b.(*ssa.UnOp)
	if !ok1 || !ok2 {
		return false
	}
	fx, ok1 := x.X.(*ssa.FieldAddr)
	fy, ok2 := y.X.(*ssa.FieldAddr)
	return x.X == y.X || ok1 && ok2 && fx.Field == fy.Field && sameLoad(fx.X, fy.X)
}

// onlyGrows reports whether nothing that was ever written to the slice of a field is written
// again: it is unexported, and the package does nothing but append to it, and read. Its
// bytes stay what they are, whoever has the struct.
func (a *Package) onlyGrows(f *types.Var) bool {
	if f == nil || f.Exported() || f.Pkg() != a.Pass.Pkg {
		return false
	}
	if a.growing == nil {
		a.growing = map[*types.Var]bool{}
		for _, fn := range a.Order {
			for fa := range ssautil.InstructionsOf[*ssa.FieldAddr](fn.Function) {
				a.findGrowth(fa)
			}
		}
	}
	return a.growing[f.Origin()]
}

// findGrowth notes whether a use of a field that is a slice leaves alone what is in it. Of a field all
// uses must.
func (a *Package) findGrowth(fa *ssa.FieldAddr) {
	x := ssautil.Field(fa)
	if x == nil || !ssautil.IsSlice(fa.Type().Underlying().(*types.Pointer).Elem()) {
		return
	}
	before, known := a.growing[x]
	a.growing[x] = (before || !known) && a.grows(fa, x)
}

// grows reports whether one use of a field leaves alone what is in it.
func (a *Package) grows(fa *ssa.FieldAddr, f *types.Var) bool {
	for r := range ssautil.Uses[ssa.Instruction](fa) {
		switch i := r.(type) {
		case *ssa.UnOp:
			if !a.reads(i, f, 0) {
				return false
			}
		case *ssa.Store:
			if i.Addr != ssa.Value(fa) || !isGrowth(i.Val, f) {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// isGrowth reports whether v is new memory, or what append made of the field.
func isGrowth(v ssa.Value, f *types.Var) bool {
	if isNewSlice(v) {
		return true
	}
	c, ok := v.(*ssa.Call)
	if !ok || !ssautil.IsAppend(c) {
		return false
	}
	load, ok := c.Call.Args[0].(*ssa.UnOp)
	if !ok {
		return IsNil(c.Call.Args[0])
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	return ok && ssautil.Field(fa) == f
}

// reads reports whether a slice of the field is only read, by this function or by one that
// returns it.
func (a *Package) reads(v ssa.Value, f *types.Var, depth int) bool {
	if depth > 4 {
		return false
	}
	for r := range ssautil.Uses[ssa.Instruction](v) {
		switch i := r.(type) {
		case *ssa.Slice:
			// A part from the beginning leaves room behind it, which an append would write to.
			if i.Low == nil && i.High != nil || !a.reads(i, f, depth+1) { // what follows may be written again
				return false
			}
		case *ssa.Call:
			if !a.callReads(i, v) {
				return false
			}
		case *ssa.IndexAddr:
			for range ssautil.StoresTo(i) {
				return false
			}
		case *ssa.Return, *ssa.DebugRef, *ssa.Range, *ssa.BinOp:
		case *ssa.Convert:
		default:
			return false
		}
	}
	return true
}

// callReads reports whether a call only reads the slice v, or is one of a function of the package that
// returns it: reads is asked of that where it is called.
func (a *Package) callReads(c *ssa.Call, v ssa.Value) bool {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "SliceData", "String", "append":
			return true
		case "copy":
			return c.Call.Args[0] != v
		}
		return false
	}
	fn := a.Source(c.Call.StaticCallee())
	if fn == nil {
		return false
	}
	obj, _ := fn.Object().(*types.Func)
	s := a.summary(fn, obj)
	n := slices.Index(c.Call.Args, v)
	return s != nil && n >= 0 && s.Param(n).Alias != 0
}

// reuses reports whether a slice is what the field of base held, or made because that was too small.
//
// The opposite question, for detaches: does a store leave the field with its old memory, or with
// more room for the same use? These do:
//
//	w.buf = w.buf[:0]
//	w.buf = strconv.AppendInt(w.buf, n, 10)
//	if cap(w.buf) < n {
//		w.buf = make([]byte, n) // only where the old one was too small
//	}
//
// The depth bounds chains and cycles of phis. At the bound it is taken to be the old memory.
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
		return ok && ssautil.Field(fa) == f && sameLoad(ssautil.Root(fa.X), base)
	case *ssa.Call:
		// append(x.f, ...), x.f = strconv.AppendInt(x.f, ...): or a larger copy of it.
		for _, arg := range x.Call.Args {
			if ssautil.IsSlice(arg.Type()) && reuses(arg, f, base, depth+1) {
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

// measures reports whether v is made in a branch that looks at the length or capacity of the
// field: because the old slice is too small.
//
// Any branch before it in the dominator tree will do, whichever edge was taken: a check of the size
// is a sign of growth, not a proof.
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

// measure reports whether v is computed from the length or capacity of the field.
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
		if !ssautil.IsBuiltin(x, "cap", "len") {
			return false
		}
		u, ok := x.Call.Args[0].(*ssa.UnOp)
		if !ok {
			return false
		}
		fa, ok := u.X.(*ssa.FieldAddr)
		return ok && ssautil.Field(fa) == f
	}
	return false
}
