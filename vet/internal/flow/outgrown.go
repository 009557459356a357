package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Did append make new memory, because a function had none, or chose new memory, for what it appends
// to?
//
//	var out []byte
//	if len(list) > len(t.room) {
//		out = list[:0] // of t
//	}
//	return append(out, "x"...) // may be new: does not derive surely
//
//	b := (*p)[:0]
//	if cap(b) < n {
//		b = make([]byte, 0, n)
//	}
//	b = append(b, data...)
//	*p = b // the new memory is the origin's, too
//	return b // derives surely
//
// The second kind is found by what becomes of the slice. It takes the derivation, and errs towards
// silence.

// outgrows reports whether v is what append made of the origin's memory on some paths, and of none or of
// new memory on others: what the function chose new memory for does not derive surely. It does if the
// origin gets it in the end.
func (d *Aliases) outgrows(n *Node) bool {
	c, ok := n.Value.(*ssa.Call)
	if !ok || !ssautil.IsAppend(c) || len(n.from) != 1 || n.from[0] != c.Call.Args[0] {
		return false
	}
	return d.Optional(n.from[0]) && !d.getsBack(c)
}

// getsBack reports whether a slice may be stored in the origin, or released.
//
// It ends because each value is looked at once. Loads of the same address count as the slice,
// whichever store they see.
func (d *Aliases) getsBack(v ssa.Value) bool {
	seen := map[ssa.Value]bool{v: true}
	work := []ssa.Value{v}
	for len(work) > 0 {
		v = work[len(work)-1]
		work = work[:len(work)-1]
		for use := range ssautil.Uses[ssa.Instruction](v) {
			if d.takesBack(use, v) {
				return true
			}
			for _, next := range slicesOf(use) {
				if !seen[next] {
					seen[next] = true
					work = append(work, next)
				}
			}
		}
	}
	return false
}

// slicesOf returns the values that an instruction makes of a slice and that may be that slice.
func slicesOf(use ssa.Instruction) []ssa.Value {
	switch use := use.(type) {
	case *ssa.Phi, *ssa.Slice, *ssa.ChangeType, *ssa.MakeInterface:
		return []ssa.Value{use.(ssa.Value)}
	case *ssa.Call:
		if ssautil.IsAppend(use) {
			return []ssa.Value{use}
		}
	case *ssa.Store:
		var loads []ssa.Value
		for load := range ssautil.Uses[*ssa.UnOp](use.Addr) {
			loads = append(loads, load)
		}
		return loads
	}
	return nil
}

// takesBack reports whether an instruction stores v in the origin, or in a variable that others share, or
// releases it.
func (d *Aliases) takesBack(use ssa.Instruction, v ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.Store:
		if use.Val != v {
			return false
		}
		cell, variable := use.Addr.(*ssa.Alloc)
		_, captured := use.Addr.(*ssa.FreeVar)
		return captured || d.Inside(use.Addr) || variable && isShared(cell)
	case ssa.CallInstruction:
		k := d.Func.Callee(use.Common())
		n := slices.Index(k.Args, v)
		return k.Summary != nil && n >= 0 && k.Summary.Param(n).Release != ReleaseNever
	}
	return false
}

// isShared reports whether the address of a variable is used for more than to load and to store.
func isShared(cell *ssa.Alloc) bool {
	for use := range ssautil.Uses[ssa.Instruction](cell) {
		switch use := use.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if use.Val == cell {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// grows reports whether s gives a pointer to a slice a new one only where what it had is too small:
// otherwise it goes on with the memory that it had, and so do the loads that follow.
//
// The store is alone in the branch that a comparison of the capacity leads to: a block with one
// predecessor. On the other edge the memory is the old one, so loads behind both still derive.
func (f *Function) grows(s *ssa.Store) bool {
	if _, made := unsliced(s.Val).(*ssa.MakeSlice); !made || len(s.Block().Preds) != 1 {
		return false
	}
	before := s.Block().Preds[0]
	branch, ok := before.Instrs[len(before.Instrs)-1].(*ssa.If)
	if !ok || before.Succs[0] != s.Block() {
		return false
	}
	cmp, ok := f.Resolve(branch.Cond).(*ssa.BinOp)
	if !ok {
		return false
	}
	switch cmp.Op {
	case token.LSS, token.LEQ:
		return f.isCapacity(cmp.X, s.Addr)
	case token.GTR, token.GEQ:
		return f.isCapacity(cmp.Y, s.Addr)
	}
	return false
}

// growsAfter reports whether the branch at the end of b decides about more room for the origin, and so
// about nothing else.
func (d *Aliases) growsAfter(b *ssa.BasicBlock) bool {
	for _, i := range b.Succs[0].Instrs {
		if s, ok := i.(*ssa.Store); ok && d.Mark(s.Addr)&MarkSame != 0 && d.Func.grows(s) {
			return true
		}
	}
	return false
}

// isCapacity reports whether v is the capacity of the slice at an address.
func (f *Function) isCapacity(v, addr ssa.Value) bool {
	c, ok := f.Resolve(v).(*ssa.Call)
	if !ok || !ssautil.IsBuiltin(c, "cap") {
		return false
	}
	load, ok := c.Call.Args[0].(*ssa.UnOp)
	return ok && load.Op == token.MUL && load.X == addr
}
