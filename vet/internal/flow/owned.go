package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Does a buffer that a field points to end with its struct, so that its bytes have the next owner
// that the struct has?
//
//	p := &printer{buf: bytes.NewBuffer(make([]byte, 0, 512))} // yes, if all structs get theirs so
//	v.buf = b                                                 // no: a view of another owner's buffer
//
// It takes all uses of the field in the package. A field that others can set, because it and its
// type are exported, is never owned. One store of a buffer that is not new, or one use of the
// field's address, makes the answer no for all: a wrong no costs a finding, a wrong yes would
// report bytes that stay valid.

// isOwned reports whether the buffer that a field points to goes with its struct: the package, and no
// other, sets the field, always to a new buffer. Its bytes have the next owner that the struct has.
func (a *Package) isOwned(fa *ssa.FieldAddr) bool {
	x := ssautil.Field(fa)
	if x == nil || x.Pkg() != a.Pass.Pkg || !isBufferPointer(x.Type()) {
		return false
	}
	if n := ssautil.Named(fa.X.Type()); x.Exported() && (n == nil || n.Obj().Exported()) {
		return false
	}
	if a.owned == nil {
		a.owned = map[*types.Var]bool{}
		for _, fn := range append([]*Function{{Function: a.ssaPkg.Func("init")}}, a.Order...) {
			for fa := range ssautil.InstructionsOf[*ssa.FieldAddr](fn.Function) {
				a.findOwned(fa)
			}
		}
	}
	return a.owned[x.Origin()]
}

func isBufferPointer(t types.Type) bool { return ssautil.IsPointer(t) && catalog.TypeOf(t).Buffer }

// findOwned notes whether a use of a field that points to a buffer leaves it to its struct. Of a field
// all uses must, and one must make a buffer.
func (a *Package) findOwned(fa *ssa.FieldAddr) {
	x := ssautil.Field(fa)
	if x == nil || !isBufferPointer(x.Type()) {
		return
	}
	for r := range ssautil.Uses[ssa.Instruction](fa) {
		switch i := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if IsNil(i.Val) {
				continue
			}
			before, known := a.owned[x]
			a.owned[x] = (before || !known) && i.Addr == ssa.Value(fa) && isNewBuffer(i.Val)
		default:
			a.owned[x] = false
		}
	}
}

// isNewBuffer reports whether v is a new buffer with memory of its own.
func isNewBuffer(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return v.Heap
	case *ssa.Call:
		// A buffer takes over the bytes that it is made of, so these have to be new too.
		held := false
		for i, p := range catalog.Callee(&v.Call).Params {
			if p.Hold {
				held = true
				if !isNewSlice(ssautil.Arguments(&v.Call)[i]) {
					return false
				}
			}
		}
		return held
	}
	return false
}

// isNewSlice reports whether v is nil or a new slice.
func isNewSlice(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const, *ssa.MakeSlice:
		return true
	case *ssa.Slice:
		_, made := v.X.(*ssa.Alloc)
		return made
	}
	return false
}
