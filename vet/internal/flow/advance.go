package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A batch hands out its elements one by one: what begins at an index that is a field of it, which only ever
// grows, is not the next owner's. The same goes for the front of a slice that the batch cuts off.
//
//	n := &b.nodes[b.used] // handed out: the next owner begins at b.used
//	b.used++
//
//	p := s.rest[:n]       // so is the front that rest moves beyond
//	s.rest = s.rest[n:]
//
//	p := s.data[:n]       // not handed out: the next owner gets it too
//
// Nothing in the package may move the field back, but for a store of new memory. A field that is
// set to zero where the struct is put back is one that moves back: then its elements are the next
// owner's.

// handsOut reports whether the address of element i of v, which belongs to the origin, is handed out for
// good: i is a field of the same struct, and the function moves that on.
func (d *Aliases) handsOut(v, i ssa.Value) bool {
	for {
		switch x := i.(type) {
		case *ssa.Convert:
			i = x.X
			continue
		case *ssa.BinOp:
			if isConst(x.Y) && x.Op == token.SUB { // it was moved on before
				i = x.X
				continue
			}
		}
		break
	}
	fa := ssautil.LoadedFrom(i)
	if fa == nil || d.Func.structOf(v) != d.Func.structOf(fa) {
		return false
	}
	return d.Func.movesOn(fa)
}

// cutsOff reports whether a slice of what a field of the origin holds is cut off there: the field gets
// what follows it.
func (d *Aliases) cutsOff(s *ssa.Slice) bool {
	fa := ssautil.LoadedFrom(s.X)
	if fa == nil || s.High == nil {
		return false
	}
	for t := range ssautil.InstructionsOf[*ssa.Store](d.Func.Function) {
		to, ok := t.Addr.(*ssa.FieldAddr)
		if !ok || to.Field != fa.Field || d.Func.structOf(to) != d.Func.structOf(fa) {
			continue
		}
		if rest, ok := t.Val.(*ssa.Slice); ok && rest.Low != nil && sameNumber(rest.Low, s.High) {
			return d.Func.movesOn(fa)
		}
	}
	return false
}

// sameNumber reports whether two values are one, or the same constant.
func sameNumber(v, w ssa.Value) bool {
	x, ok := v.(*ssa.Const)
	y, both := w.(*ssa.Const)
	return v == w || ok && both && x.Value != nil && y.Value != nil && x.Value.ExactString() == y.Value.ExactString()
}

// structOf returns the struct that v is part of, or was loaded from a field of.
func (f *Function) structOf(v ssa.Value) ssa.Value {
	v = ssautil.Root(v)
	if fa := ssautil.LoadedFrom(v); fa != nil {
		v = ssautil.Root(fa)
	}
	return f.Resolve(v)
}

// movesOn reports whether f moves on the field at fa, and nothing in the package ever moves it back.
func (f *Function) movesOn(fa *ssa.FieldAddr) bool {
	x := ssautil.Field(fa)
	if x == nil || x.Pkg() != f.Package.Pass.Pkg || f.Package.movesBack(x.Origin()) {
		return false
	}
	for s := range ssautil.InstructionsOf[*ssa.Store](f.Function) {
		to, ok := s.Addr.(*ssa.FieldAddr)
		if ok && to.Field == fa.Field && f.structOf(to) == f.structOf(fa) && isAdvance(s.Val, x.Origin()) {
			return true
		}
	}
	return false
}

// movesBack reports whether the package sets a field that is an index, or a slice, so that it may lead to
// what was handed out before.
func (a *Package) movesBack(x *types.Var) bool {
	if a.movedBack == nil {
		a.movedBack = map[*types.Var]bool{}
		for _, fn := range a.Order {
			for s := range ssautil.InstructionsOf[*ssa.Store](fn.Function) {
				a.findMovedBack(s)
			}
		}
	}
	return a.movedBack[x]
}

// findMovedBack notes the fields that a store gives what does not follow what they held.
func (a *Package) findMovedBack(s *ssa.Store) {
	if _, fresh := ssautil.Root(s.Addr).(*ssa.Alloc); fresh {
		return // nothing was handed out of it
	}
	if fa, ok := s.Addr.(*ssa.FieldAddr); ok {
		if x := ssautil.Field(fa); x != nil && !isAdvance(s.Val, x.Origin()) && !isRefill(s) {
			a.movedBack[x.Origin()] = true
		}
	}
	if st, ok := s.Val.Type().Underlying().(*types.Struct); ok { // *x = T{}
		for x := range st.Fields() {
			a.movedBack[x.Origin()] = true
		}
	}
}

// isAdvance reports whether v is what field x held and something added to it, or what follows the front
// of the slice that it held.
func isAdvance(v ssa.Value, x *types.Var) bool {
	holds := func(v ssa.Value) bool {
		fa := ssautil.LoadedFrom(v)
		return fa != nil && ssautil.Field(fa) != nil && ssautil.Field(fa).Origin() == x
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return v.Op == token.ADD && (holds(v.X) || holds(v.Y))
	case *ssa.Slice:
		return v.Low != nil && !isZero(v.Low) && holds(v.X)
	}
	return false
}

// isRefill reports whether s begins anew with new memory: it stores that, or 0 beside a field that gets it.
func isRefill(s *ssa.Store) bool {
	if isAnew(s.Val) {
		return true
	}
	if !isZero(s.Val) {
		return false
	}
	for _, i := range s.Block().Instrs {
		if other, ok := i.(*ssa.Store); ok && isAnew(other.Val) && ssautil.Root(other.Addr) == ssautil.Root(s.Addr) {
			return true
		}
	}
	return false
}

// isAnew reports whether v is memory that was made here, or none.
func isAnew(v ssa.Value) bool {
	switch x := ssautil.Root(v).(type) {
	case *ssa.Alloc, *ssa.MakeSlice:
		return true
	case *ssa.Const:
		return x.Value == nil
	}
	return false
}
