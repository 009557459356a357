package pooluse

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A cell is a local variable that has an address because a closure uses it.
type cell struct {
	stored []ssa.Value
	loads  []ssa.Value
	leaks  bool // others may assign to it
}

// cellOf returns the variable that addr is the address of, or nil.
func (u *Uses) cellOf(addr ssa.Value) *cell {
	if f, ok := addr.(*ssa.FreeVar); ok {
		addr = u.binding(f)
	}
	if f, ok := addr.(*ssa.FreeVar); ok {
		return u.cellOf(f)
	}
	if a, ok := addr.(*ssa.Alloc); ok {
		return u.cells[a]
	}
	return nil
}

// fill looks at all that is done with addr.
func (u *Uses) fill(c *cell, addr ssa.Value) {
	for r := range ssautil.Uses[ssa.Instruction](addr) {
		switch r := r.(type) {
		case *ssa.Store:
			c.leaks = c.leaks || r.Val == addr
			c.stored = append(c.stored, r.Val)
		case *ssa.UnOp:
			c.loads = append(c.loads, r)
		case *ssa.DebugRef:
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == addr && i < len(fn.FreeVars) {
					c.leaks = c.leaks || fn.Parent() == nil
					u.fill(c, fn.FreeVars[i])
				}
			}
		default:
			c.leaks = true
		}
	}
}

// binding returns the value of f in the surrounding function, or nil.
func (u *Uses) binding(f *ssa.FreeVar) ssa.Value {
	c := u.closures[f.Parent()]
	if c == nil {
		return nil
	}
	for i, v := range f.Parent().FreeVars {
		if v == f && i < len(c.Bindings) {
			return c.Bindings[i]
		}
	}
	return nil
}

// Source returns the value that v was before it was kept in local variables that are
// assigned to once.
func (u *Uses) Source(v ssa.Value) ssa.Value {
	for range 50 {
		switch x := v.(type) {
		case *ssa.ChangeType:
			if boxing(x) {
				return v
			}
			v = x.X
			continue
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return v
			}
			if c := u.cellOf(x.X); c != nil && !c.leaks && len(c.stored) == 1 {
				v = c.stored[0]
				continue
			}
		}
		return v
	}
	return v
}

// boxing reports whether c makes an interface of a value whose type is a type parameter.
func boxing(c *ssa.ChangeType) bool {
	return types.IsInterface(c.Type()) && !ssautil.IsTypeParam(c.Type()) && ssautil.IsTypeParam(c.X.Type())
}

// unbox returns the value that v was before it became an interface.
func (u *Uses) unbox(v ssa.Value) ssa.Value {
	for range 50 {
		v = u.Source(v)
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
	return v
}

// Root returns the value that v was before it was asserted to be of a type, became an
// interface, or was kept in a variable.
func (u *Uses) Root(v ssa.Value) ssa.Value {
	for range 50 {
		v = u.unbox(v)
		switch x := v.(type) {
		case *ssa.TypeAssert:
			v = x.X
			continue
		case *ssa.Extract:
			if t, ok := x.Tuple.(*ssa.TypeAssert); ok && x.Index == 0 {
				v = t.X
				continue
			}
		}
		return v
	}
	return v
}

// Origin returns the Get that surely gave v, or nil.
func (u *Uses) Origin(v ssa.Value) *Op { return u.got[u.Root(v)] }

// Referrers are the uses of v, and of what is read from the variable that it alone is
// assigned to.
func (u *Uses) Referrers(v ssa.Value) []ssa.Instruction {
	var all []ssa.Instruction
	for r := range ssautil.Uses[ssa.Instruction](v) {
		if s, ok := r.(*ssa.Store); ok && s.Val == v {
			if c := u.cellOf(s.Addr); c != nil && !c.leaks && len(c.stored) == 1 {
				for _, load := range c.loads {
					all = append(all, u.Referrers(load)...)
				}
				continue
			}
		}
		all = append(all, r)
	}
	return all
}

// Variable is the variable that v is the address of, also when a closure uses it.
func (u *Uses) Variable(v ssa.Value) ssa.Value {
	for {
		f, ok := v.(*ssa.FreeVar)
		if !ok {
			return v
		}
		v = u.binding(f)
	}
}

// Stored are the values that are assigned to the local variable at addr.
func (u *Uses) Stored(addr ssa.Value) []ssa.Value {
	if c := u.cellOf(addr); c != nil {
		return c.stored
	}
	return nil
}

// Closure returns the instruction that makes the function literal fn, or nil if fn is
// none.
func (u *Uses) Closure(fn *ssa.Function) *ssa.MakeClosure { return u.closures[fn] }

// Callee returns the function that c surely calls, as it is declared, and what it calls
// it with, beginning with the receiver.
func (u *Uses) Callee(c *ssa.CallCommon) (*ssa.Function, []ssa.Value) {
	if c.IsInvoke() {
		return nil, nil
	}
	switch f := u.Source(c.Value).(type) {
	case *ssa.Function:
		return declared(f), c.Args
	case *ssa.MakeClosure:
		fn := f.Fn.(*ssa.Function)
		if fn.Parent() != nil {
			return fn, c.Args
		}
		return declared(fn), append(append([]ssa.Value(nil), f.Bindings...), c.Args...) // a bound method
	}
	return nil, nil
}

// declared is the function in the source of which f is an instance or a wrapper.
func declared(f *ssa.Function) *ssa.Function {
	if f.Origin() != nil {
		return f.Origin()
	}
	if obj, ok := f.Object().(*types.Func); ok && f.Synthetic != "" {
		if d := f.Prog.FuncValue(obj.Origin()); d != nil {
			return d
		}
	}
	return f
}
