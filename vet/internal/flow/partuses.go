package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// What does a function do with a part of a struct, use by use of the struct?
//
//	r.inner.WriteString(s) // loads the field: derives
//	r.Close()              // a call whose summary knows the part
//	r.inner = b            // a store, which oneValue and lastValue place
//	all = append(all, r)   // not understood: the part is not followed in this function
//
// A use that is not understood ends it all, as the part may be anywhere then. That errs towards
// silence.

// A partUses holds what a function does with a part of an owner.
type partUses struct {
	d      *Aliases
	base   ssa.Value // the owner
	name   string    // of the part
	calls  []partCall
	stores []ssa.Instruction
	lists  []*listRelease        // of elements: loops that release them
	reads  []ssa.Instruction     // of elements: look into them
	whole  []ssa.CallInstruction // release the owner
	opaque bool                  // it goes to a call that may do anything with the part, or is returned
	shared bool                  // functions of which nothing is known have got it
	late   bool                  // calls that may set the part are understood
}

// add adds a use of the owner. It reports false if the use is not understood.
func (u *partUses) add(r ownerUse) (ok bool) {
	at := r.part(u.name)
	if at == "" {
		return true
	}
	switch i := r.instr.(type) {
	case *ssa.DebugRef, *ssa.BinOp:
		return true
	case *ssa.Return:
		u.opaque = true
		return true
	case *ssa.Store:
		// Of a nested struct as a whole it gives the part another value. Any other store ends it.
		u.stores = append(u.stores, i) // a struct that has the part
		return i.Addr == r.value && r.within != ""
	case *ssa.FieldAddr:
		if FieldName(i)+elementsOf == at {
			return u.addElements(i)
		}
		if FieldName(i) != at {
			return true
		}
		stores, ok := u.d.partAccesses(i, u.base)
		u.stores = append(u.stores, stores...)
		return ok
	case *ssa.Field:
		if x := ssautil.FieldOf(i.X.Type(), i.Field); x != nil && x.Name() == at {
			u.d.add(i, MarkSame, u.base)
		}
		return true
	case ssa.CallInstruction:
		// A call that may set the part, and nothing else, is one that stores to it. Only lastValue
		// can do with that.
		calls, ok := u.d.Func.partCalls(i, r.value, at, r.captured)
		if !ok && !r.captured && u.d.Func.isLent(i, r.value, at) {
			u.stores, ok = append(u.stores, i), true
		}
		u.opaque = u.opaque || len(calls) == 0
		u.calls = append(u.calls, calls...)
		return ok && !(r.captured && u.hides(r.value, i, at, calls))
	case *ssa.MakeInterface:
		// encoders.Put(e) takes the part along with its owner. Of other interface values only lent
		// ones are understood.
		puts, ok := u.d.Func.puts(i)
		u.whole = append(u.whole, puts...)
		return ok || u.late && u.addLent(i)
	}
	return false
}

// hides reports whether a call of a closure that has captured a struct, rather than a pointer to one, may
// do with the part at a name what calls does not say: summaries say of captured variables what is done
// with loads of them, and not what is done with the addresses of fields.
//
// An example, where the summary of the closure has no part of v, although it puts one back:
//
//	v := newView()
//	defer func() { buffers.Put(v.buf) }() // v is a struct: the closure takes the address of its field
func (u *partUses) hides(variable ssa.Value, c ssa.CallInstruction, at string, calls []partCall) bool {
	if ssautil.IsPointer(ssautil.Deref(variable.Type())) {
		return false
	}
	x := fieldAt(variable.Type(), at)
	return len(calls) == 0 || x == nil || u.d.Func.Package.sets(u.d.Func.Callee(c.Common()).Source, x.Origin(), 0)
}

// puts returns the calls that release v, a struct as an interface value; not ok if anything else is
// done with it.
func (f *Function) puts(v *ssa.MakeInterface) (all []ssa.CallInstruction, ok bool) {
	for r := range ssautil.Uses[ssa.Instruction](v) {
		c, call := r.(ssa.CallInstruction)
		if !call {
			return nil, false
		}
		for p := range f.passed(c, v) {
			if p.Release == ReleaseAlways {
				all = append(all, c)
			}
		}
		if !slices.Contains(all, c) {
			return nil, false
		}
	}
	return all, true
}

// partAccesses derives what is loaded from the address of the field, and what a struct that the
// function makes is given for it. It returns the stores to the field; not ok if the address goes
// elsewhere.
//
// In a struct that is made here the part is what is stored, so that is marked as well, and its uses
// before the store count.
func (d *Aliases) partAccesses(addr *ssa.FieldAddr, base ssa.Value) (stores []ssa.Instruction, ok bool) {
	for use := range ssautil.Uses[ssa.Instruction](addr) {
		switch use := use.(type) {
		case *ssa.UnOp:
			d.add(use, MarkSame, base)
		case *ssa.DebugRef:
		case *ssa.Store:
			if use.Val == ssa.Value(addr) {
				return nil, false
			}
			stores = append(stores, use)
			if _, made := base.(*ssa.Alloc); made {
				d.add(use.Val, MarkSame, base)
			}
		default:
			return nil, false
		}
	}
	return stores, true
}
