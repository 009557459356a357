package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Do two loads of a field yield the same memory? SSA has a value for each load, and a release is of
// one of them.
//
//	out := c.buf[:c.n]
//	put(c.buf)  // the same as out: what is returned was put back
//	c.buf = nil
//	return out
//
//	out := c.buf[:c.n]
//	c.fill()    // sets the field: another one is put back
//	put(c.buf)
//	return out
//
// It takes a load and gives others that yield the same for sure. A store to the field of any struct
// of the type, a call that may set it, a lock, or anything that waits for others makes the answer
// no, which is silence.

// sameLoads returns the other loads of the field, or the element, that v was loaded from and that yield the
// same. All reports that these are all loads that there are.
//
// Of a field there are three proofs, the strongest first. Nothing in f can set it (onlyLoads).
// Or nothing that can set it comes before the loads, so both yield what the caller's struct had
// (atEntry). Or one load dominates the other, and nothing between them can set it (unchanged).
func (f *Function) sameLoads(v ssa.Value) (others []ssa.Value, all bool) {
	fa := ssautil.LoadedFrom(v)
	if fa == nil {
		return f.sameElements(v), false
	}
	if ssautil.Field(fa) == nil {
		return nil, false
	}
	if others = f.onlyLoads(v, fa); others != nil {
		return others, true
	}
	if !f.stays(fa) {
		return nil, false
	}
	load := v.(*ssa.UnOp)
	var loads []*ssa.UnOp
	for u := range ssautil.InstructionsOf[*ssa.UnOp](f.Function) {
		if other := ssautil.LoadedFrom(u); other != nil && u != load && f.sameField(other, fa, 0) {
			loads = append(loads, u)
		}
	}
	if f.atEntry(load, fa) {
		for _, u := range loads {
			if f.atEntry(u, fa) {
				others = append(others, u)
			}
		}
		return others, others != nil
	}
	// Begin with a load that dominates this one, so that two loads which both follow it are known
	// to be the same.
	first := load
	for _, u := range loads {
		if ssautil.Before(u, first) && f.unchanged(u, load, fa) {
			first = u
		}
	}
	for _, u := range loads {
		if u == first || ssautil.Before(first, u) && f.unchanged(first, u, fa) || ssautil.Before(load, u) && f.unchanged(load, u, fa) {
			others = append(others, u)
		}
	}
	return others, false
}

// stays reports whether f only passes on the struct that has the field at fa, and those that lead to it,
// as they are: no list, interface value or closure has them, whose owners could change the field at
// any call.
func (f *Function) stays(fa *ssa.FieldAddr) bool {
	for v := fa.X; ; {
		for r := range ssautil.Uses[ssa.Instruction](v) {
			switch i := r.(type) {
			case *ssa.FieldAddr, *ssa.UnOp, *ssa.BinOp, *ssa.Return, *ssa.DebugRef, ssa.CallInstruction:
			case *ssa.Store:
				if _, cell := i.Addr.(*ssa.Alloc); i.Val == v && !cell {
					return false
				}
			default:
				return false
			}
		}
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
			if _, field := v.(*ssa.FieldAddr); !field {
				return true
			}
		case *ssa.FieldAddr:
			v = x.X
		default:
			return true
		}
	}
}

// atEntry reports whether load yields what the field at fa of a parameter held when f was called.
func (f *Function) atEntry(load *ssa.UnOp, fa *ssa.FieldAddr) bool {
	base := LoadedFrom(fa)
	if _, ok := f.Resolve(base).(*ssa.Parameter); !ok {
		return false
	}
	for x := range ssautil.Instructions(f.Function) {
		if ssautil.Follows(x, load) && f.changes(x, fa) {
			return false
		}
	}
	return true
}

// sameField reports whether two addresses are those of one field of one struct. The structs are one if
// they are the same value, or if they were loaded from one place that nothing is stored to.
func (f *Function) sameField(a, b *ssa.FieldAddr, depth int) bool {
	if a.Field != b.Field || !types.Identical(a.X.Type(), b.X.Type()) || depth > 3 {
		return false
	}
	if a.X == b.X || f.Resolve(a.X) == f.Resolve(b.X) {
		return true
	}
	if x, ok := a.X.(*ssa.FieldAddr); ok { // a struct in a struct
		y, ok := b.X.(*ssa.FieldAddr)
		return ok && f.sameField(x, y, depth+1)
	}
	x, ok := a.X.(*ssa.UnOp)
	if !ok {
		return false
	}
	y, ok := b.X.(*ssa.UnOp)
	if !ok {
		return false
	}
	if v, ok := x.X.(*ssa.FreeVar); ok && x.X == y.X {
		return f.definitions().variable(v).stores == 0
	}
	from, other := ssautil.LoadedFrom(x), ssautil.LoadedFrom(y)
	if from == nil || other == nil || !f.sameField(from, other, depth+1) {
		return false
	}
	return ssautil.Before(x, y) && f.unchanged(x, y, from) || ssautil.Before(y, x) && f.unchanged(y, x, from)
}

// unchanged reports whether the field at fa holds the same memory when last is executed as it did when
// first was, which dominates it: nothing on the way between them can have changed it.
//
// An instruction that changes the field matters only if it lies on a path from first to last. One
// that comes back to first before it reaches last does not: first loads anew then.
func (f *Function) unchanged(first, last ssa.Instruction, fa *ssa.FieldAddr) bool {
	again := func(i ssa.Instruction) bool { return i == first }
	for x := range ssautil.Instructions(f.Function) {
		if x != first && x != last && f.changes(x, fa) && ssautil.Follows(first, x) && PathWithout(x, last, again) {
			return false
		}
	}
	return true
}

// changes reports whether an instruction can give the field at fa other memory, or let others do so.
func (f *Function) changes(i ssa.Instruction, fa *ssa.FieldAddr) bool {
	switch i := i.(type) {
	case *ssa.Store:
		// By its type: which struct it is of does not matter, as two pointers may be equal.
		if to, ok := i.Addr.(*ssa.FieldAddr); ok {
			return to.Field == fa.Field && types.Identical(to.X.Type(), fa.X.Type())
		}
		return types.Identical(i.Addr.Type(), fa.X.Type())
	case *ssa.Defer, *ssa.Go:
		// One runs when the function ends, the other would need a lock, or a wait, which count
		// themselves.
		return false
	case ssa.CallInstruction:
		if ssautil.Builtin(i.Common()) != "" {
			return false
		}
		k := f.Callee(i.Common())
		if k.Summary == nil && !i.Common().IsInvoke() || k.Captured < len(k.Args) || slices.ContainsFunc(k.Args, func(v ssa.Value) bool { return isFunc(v.Type()) }) {
			return true // a function value, or a closure that may have captured the struct
		}
		// While another has the lock it may exchange what is in the field.
		if k.Func != nil && (k.Func.Name() == "Lock" || k.Func.Name() == "RLock" || k.Func.Name() == "Wait") {
			return true
		}
		return slices.ContainsFunc(k.Args, func(arg ssa.Value) bool { return f.leadsTo(arg, fa) }) && !f.leavesAlone(k, fa)
	}
	return Receives(i)
}

// leadsTo reports whether v is a struct that fa is a field of, or leads to.
func (f *Function) leadsTo(v ssa.Value, fa *ssa.FieldAddr) bool {
	for x := ssa.Value(fa); ; {
		if f.Resolve(x) == f.Resolve(v) {
			return true
		}
		switch y := x.(type) {
		case *ssa.FieldAddr:
			x = y.X
		case *ssa.UnOp:
			x = y.X
		default:
			return false
		}
	}
}

// leavesAlone reports whether a callee that gets the struct of fa does nothing to its field.
func (f *Function) leavesAlone(k Callee, fa *ssa.FieldAddr) bool {
	if k.Summary == nil {
		return false
	}
	for n, arg := range k.Args {
		if !f.leadsTo(arg, fa) {
			continue
		}
		p := k.Summary.Param(n)
		if f.Resolve(arg) != f.Resolve(fa.X) || f.Package.maySet(k, p, ssautil.Field(fa), FieldName(fa)) {
			return false
		}
	}
	return true
}

// sets reports whether fn, of the package, or a function that it calls stores to the field x: what was
// loaded before may be another slice than what is loaded then, even if that is only a larger copy.
//
// Three calls deep; what is deeper is taken to store, which is silence.
func (a *Package) sets(fn *ssa.Function, x *types.Var, depth int) bool {
	if fn == nil || x == nil {
		return false
	}
	if depth > 3 {
		return true
	}
	for i := range ssautil.Instructions(fn) {
		switch i := i.(type) {
		case *ssa.Store:
			if fa, ok := i.Addr.(*ssa.FieldAddr); ok && ssautil.Field(fa) == x {
				return true
			}
		case ssa.CallInstruction:
			if callee := a.Source(i.Common().StaticCallee()); callee != nil && callee != fn && callee.Pkg == a.ssaPkg && a.sets(callee, x, depth+1) {
				return true
			}
		}
	}
	return false
}

// onlyLoads returns the other loads of the field at fa, from which v was loaded, if f does not store to
// it, and the struct does not escape; nil otherwise, or if there are none.
func (f *Function) onlyLoads(v ssa.Value, fa *ssa.FieldAddr) []ssa.Value {
	base, ok := fa.X.(*ssa.Parameter)
	if !ok {
		return nil
	}
	var all []ssa.Value
	for r := range ssautil.Uses[ssa.Instruction](base) {
		switch i := r.(type) {
		case *ssa.FieldAddr:
			if i.Field != fa.Field {
				continue
			}
			loads, ok := loadsOnly(i)
			if !ok {
				return nil
			}
			for _, load := range loads {
				if load != v {
					all = append(all, load)
				}
			}
		case ssa.CallInstruction:
			if x := ssautil.Field(fa); x == nil || f.callChanges(i, base, x) {
				return nil
			}
		case *ssa.DebugRef, *ssa.UnOp:
		default:
			return nil
		}
	}
	return all
}

// loadsOnly returns the loads from an address, if nothing is stored there, and it goes nowhere but
// into a variable or to the fields in there.
func loadsOnly(addr *ssa.FieldAddr) (loads []ssa.Value, ok bool) {
	for use := range ssautil.Uses[ssa.Instruction](addr) {
		switch use := use.(type) {
		case *ssa.UnOp:
			loads = append(loads, use)
		case *ssa.Store:
			if use.Addr == addr {
				return nil, false
			}
		case *ssa.FieldAddr, *ssa.DebugRef:
		default:
			return nil, false
		}
	}
	return loads, true
}

// maySet reports whether a callee that does p with a struct may set its field x of some name, now or
// later; x is nil where the struct is a type parameter.
func (a *Package) maySet(k Callee, p *Param, x *types.Var, name string) bool {
	return a.sets(k.Source, x, 0) || p.Unknown || p.Keep || p.detaches(name)
}

// callChanges reports whether a call may set a field of what base points to, now or later.
func (f *Function) callChanges(c ssa.CallInstruction, base ssa.Value, field *types.Var) bool {
	k := f.Callee(c.Common())
	if k.Summary == nil {
		return true
	}
	for n, arg := range k.Args {
		p := k.Summary.Param(n)
		if arg == base && f.Package.maySet(k, p, field, field.Name()) {
			return true
		}
	}
	return false
}
