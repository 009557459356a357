package poolunbounded

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// measures reports whether call, in a function on the way to a Put, asks for the capacity of anything,
// or for the length of a value, to see whether it is large. A test whether there is room for more is
// none: what grows has that.
func (l *looker) measures(fn *ssa.Function, call ssa.CallInstruction) bool {
	c := call.Common()
	name := ssautil.CalleeName(c)
	if f, ok := c.Value.(*ssa.Function); ok {
		name = f.Name()
	}
	switch name {
	case "cap", "Cap", "Available", "Size":
		return l.limitsUse(fn, call.Value(), maxDepth)
	case "len", "Len":
		return (c.IsInvoke() || len(c.Args) > 0 && l.view.Part(c.Args[0])) && l.compared(fn, call.Value(), true)
	}
	return false
}

// limitsUse reports whether a capacity decides anything but how much room is made.
func (l *looker) limitsUse(fn *ssa.Function, v ssa.Value, depth int) bool {
	if v == nil || l.compared(fn, v, false) {
		return v != nil
	}
	for r := range ssautil.Uses[ssa.Instruction](v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.MakeSlice:
		case *ssa.BinOp:
			if !ssautil.IsComparison(r.Op) && (depth == 0 || l.limitsUse(fn, r, depth-1)) {
				return true
			}
		case *ssa.Convert:
			if depth == 0 || l.limitsUse(fn, r, depth-1) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// compared reports whether a length or capacity is compared with a limit. What a function is given is one
// for a length, and for a capacity how much is needed, unless the function puts.
func (l *looker) compared(fn *ssa.Function, v ssa.Value, length bool) bool {
	if v == nil {
		return false
	}
	for b := range ssautil.Uses[*ssa.BinOp](v) {
		other := b.X
		if other == v {
			other = b.Y
		}
		_, given := other.(*ssa.Parameter)
		if ssautil.IsComparison(b.Op) && (given && length || l.limit(fn, other)) {
			return true
		}
	}
	return false
}

// smallest is the least constant that is taken for a limit: what is compared with less is asked whether
// there is anything.
const smallest = 8

// limit reports whether v may be the limit of what is put, and not how much more is needed, or the
// counter of a loop.
func (l *looker) limit(fn *ssa.Function, v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value == nil || v.Int64() >= smallest
	case *ssa.Convert:
		return l.limit(fn, v.X)
	case *ssa.Parameter:
		return slices.ContainsFunc(l.pool.Ops, func(op *pooluse.Op) bool { return op.Verb != pooluse.Get && op.Fn == fn })
	case *ssa.Phi:
		return false
	case *ssa.BinOp:
		return v.Op != token.ADD && v.Op != token.SUB && l.limit(fn, v.X) && l.limit(fn, v.Y)
	case *ssa.Call:
		name := ssautil.CalleeName(&v.Call)
		return name != "len" && name != "cap" && name != "Len"
	}
	return true
}

// keepsBack reports whether s clears the variable that a closure puts, where a test has measured what is in
// it: what is large is not put.
func (l *looker) keepsBack(s *ssa.Store) bool {
	cell, ok := s.Addr.(*ssa.Alloc)
	if !ok || !ssautil.IsNil(s.Val) || !l.view.Is(ssautil.Deref(cell.Type())) {
		return false
	}
	putting := false
	for c := range ssautil.Uses[*ssa.MakeClosure](cell) {
		putting = putting || l.view.Putting[c.Fn.(*ssa.Function)]
	}
	if !putting {
		return false
	}
	for b := s.Block(); b.Idom() != nil; b = b.Idom() {
		before := b.Idom()
		branch, ok := before.Instrs[len(before.Instrs)-1].(*ssa.If)
		if ok && len(b.Preds) == 1 && measured(branch.Cond, cell, maxDepth) {
			return true
		}
	}
	return false
}

// measured reports whether v is computed from the length or the capacity of what a variable holds.
func measured(v ssa.Value, cell *ssa.Alloc, depth int) bool {
	if depth < 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return measured(v.X, cell, depth-1) || measured(v.Y, cell, depth-1)
	case *ssa.Convert:
		return measured(v.X, cell, depth-1)
	case *ssa.Call:
		name := ssautil.CalleeName(&v.Call)
		if name != "len" && name != "cap" || len(v.Call.Args) != 1 {
			return false
		}
		load, ok := v.Call.Args[0].(*ssa.UnOp)
		return ok && load.X == ssa.Value(cell)
	}
	return false
}
