package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Do two loads of an element of a list, an array or a map yield the same value?
//
//	v := list[i]
//	pool.Put(list[i]) // the same as v, with the same index and nothing in between
//	v.n++             // used after its release
//
//	v := list[i]
//	list[i] = other
//	pool.Put(list[i]) // another one
//
// It is the question of loads.go, with one condition more: the index. A store to an element of any
// list with such elements, or a call that may make one, makes the answer no, which is silence.

// A listElement is an element of a list, an array or a map, as it is loaded from there.
type listElement struct {
	list, index ssa.Value
}

// elementLoaded returns the element that v was loaded from.
func elementLoaded(v ssa.Value) (p listElement, ok bool) {
	switch v := v.(type) {
	case *ssa.UnOp:
		if at, ok := v.X.(*ssa.IndexAddr); ok && v.Op == token.MUL {
			return listElement{at.X, at.Index}, true
		}
	case *ssa.Lookup:
		return listElement{v.X, v.Index}, isMap(v.X.Type()) && !v.CommaOk
	case *ssa.Extract:
		if at, ok := v.Tuple.(*ssa.Lookup); ok && v.Index == 0 {
			return listElement{at.X, at.Index}, isMap(at.X.Type())
		}
	}
	return listElement{}, false
}

// sameElements returns the other loads of the element that v was loaded from, as far as nothing can have
// changed it between the first of them and the others.
func (f *Function) sameElements(v ssa.Value) (others []ssa.Value) {
	p, ok := elementLoaded(v)
	if !ok {
		return nil
	}
	if fa := fieldOfList(p.list); fa != nil && !f.stays(fa) {
		return nil
	}
	var loads []ssa.Value
	for u := range ssautil.Instructions(f.Function) {
		other, isValue := u.(ssa.Value)
		if !isValue || other == v {
			continue
		}
		if q, ok := elementLoaded(other); ok && f.sameIndex(p.index, q.index) && f.sameList(p.list, q.list) {
			loads = append(loads, other)
		}
	}
	first := v
	for _, u := range loads {
		if f.elementStays(u, first, p.list) {
			first = u
		}
	}
	for _, u := range loads {
		if u == first || f.elementStays(first, u, p.list) {
			others = append(others, u)
		}
	}
	return others
}

// fieldOfList returns the address of the field that has a list, or nil.
func fieldOfList(list ssa.Value) *ssa.FieldAddr {
	if fa, ok := list.(*ssa.FieldAddr); ok {
		return fa
	}
	return ssautil.LoadedFrom(list)
}

// sameIndex reports whether two values are one, the same constant, or computed alike from such.
func (f *Function) sameIndex(a, b ssa.Value) bool {
	if f.Resolve(a) == f.Resolve(b) {
		return true
	}
	p, ok := a.(*ssa.BinOp)
	if q, both := b.(*ssa.BinOp); ok && both {
		return p.Op == q.Op && f.sameIndex(p.X, q.X) && f.sameIndex(p.Y, q.Y)
	}
	x, y := exact(a), exact(b)
	return x != "" && x == y
}

// sameList reports whether two values are one list, or were loaded from one field that was not changed in
// between.
func (f *Function) sameList(a, b ssa.Value) bool {
	if f.Resolve(a) == f.Resolve(b) {
		return true
	}
	from, other := fieldOfList(a), fieldOfList(b)
	if from == nil || other == nil || !f.sameField(from, other, 0) {
		return false
	}
	x, ok := a.(*ssa.UnOp)
	if !ok {
		_, array := b.(*ssa.FieldAddr)
		return array
	}
	y, ok := b.(*ssa.UnOp)
	return ok && (ssautil.Before(x, y) && f.unchanged(x, y, from) || ssautil.Before(y, x) && f.unchanged(y, x, from))
}

// elementStays reports whether first is loaded before last, and nothing on the way can have changed the
// element.
//
// As in unchanged, what comes back to the first load before the last does not matter: that loads
// anew.
func (f *Function) elementStays(first, last, list ssa.Value) bool {
	from, to := loadOf(first), loadOf(last)
	if from == to || !ssautil.Before(from, to) {
		return false
	}
	again := func(i ssa.Instruction) bool { return i == from }
	for x := range ssautil.Instructions(f.Function) {
		if x != from && x != to && f.changesElements(x, list) && ssautil.Follows(from, x) && PathWithout(x, to, again) {
			return false
		}
	}
	return true
}

// loadOf returns the instruction that loads an element.
func loadOf(v ssa.Value) ssa.Instruction {
	if e, ok := v.(*ssa.Extract); ok {
		return e.Tuple.(ssa.Instruction)
	}
	return v.(ssa.Instruction)
}

// changesElements reports whether an instruction can change elements of a list, or let others do so.
func (f *Function) changesElements(i ssa.Instruction, list ssa.Value) bool {
	if storesElement(i, list.Type()) {
		return true
	}
	call, ok := i.(ssa.CallInstruction)
	if !ok {
		return Receives(i)
	}
	if ssautil.Builtin(call.Common()) != "" {
		return false
	}
	switch i.(type) {
	case *ssa.Defer, *ssa.Go:
		return false
	}
	k := f.Callee(call.Common())
	if k.Summary == nil && !call.Common().IsInvoke() || k.Captured < len(k.Args) || slices.ContainsFunc(k.Args, func(v ssa.Value) bool { return isFunc(v.Type()) }) {
		return true
	}
	if k.Func != nil && (k.Func.Name() == "Lock" || k.Func.Name() == "RLock" || k.Func.Name() == "Wait") {
		return true
	}
	return slices.ContainsFunc(k.Args, func(arg ssa.Value) bool { return f.leadsToList(arg, list) }) &&
		(k.Source == nil || f.Package.setsElements(k.Source, list.Type(), 0))
}

// leadsToList reports whether v is a list, or a struct that has it.
func (f *Function) leadsToList(v, list ssa.Value) bool {
	if f.sameList(v, list) || f.sameList(ssautil.Root(v), list) {
		return true
	}
	fa := fieldOfList(list)
	return fa != nil && f.leadsTo(v, fa)
}

// setsElements reports whether fn, of the package, or a function that it calls may change elements of a
// list of a type.
func (a *Package) setsElements(fn *ssa.Function, list types.Type, depth int) bool {
	if depth > 3 {
		return true
	}
	for i := range ssautil.Instructions(fn) {
		if storesElement(i, list) {
			return true
		}
		c, ok := i.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if ssautil.Builtin(c.Common()) != "" {
			continue
		}
		callee := a.Source(c.Common().StaticCallee())
		if callee != nil && callee.Pkg == a.ssaPkg {
			if callee != fn && a.setsElements(callee, list, depth+1) {
				return true
			}
			continue
		}
		if callee == nil && !c.Common().IsInvoke() && c.Common().StaticCallee() == nil {
			return true
		}
		if slices.ContainsFunc(c.Common().Args, func(v ssa.Value) bool { return sameElementType(v.Type(), list) }) {
			return true
		}
	}
	return false
}

// storesElement reports whether an instruction stores to an element of any list of a type, or moves some.
func storesElement(i ssa.Instruction, list types.Type) bool {
	switch i := i.(type) {
	case *ssa.Store:
		switch at := i.Addr.(type) {
		case *ssa.IndexAddr:
			return sameElementType(at.X.Type(), list)
		case *ssa.FieldAddr, *ssa.Alloc:
			return sameElementType(i.Val.Type(), list) && !ssautil.IsSlice(i.Val.Type())
		}
		e := elementType(list)
		return e != nil && types.Identical(i.Val.Type(), e)
	case *ssa.MapUpdate:
		return sameElementType(i.Map.Type(), list)
	case ssa.CallInstruction:
		if b, ok := i.Common().Value.(*ssa.Builtin); ok {
			switch b.Name() {
			case "append", "copy", "clear", "delete":
				return sameElementType(i.Common().Args[0].Type(), list)
			}
		}
	}
	return false
}

// sameElementType reports whether t is a list with the same elements as another one.
func sameElementType(t, list types.Type) bool {
	e, f := elementType(t), elementType(list)
	return e != nil && f != nil && types.Identical(e, f)
}

// elementType returns the type of the elements of a slice, an array, perhaps by its address, or a map; nil
// for other types.
func elementType(t types.Type) types.Type {
	switch t := ssautil.Deref(t).Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	}
	return nil
}
