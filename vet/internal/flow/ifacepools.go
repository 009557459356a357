package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Which pools of the package hold nothing but values of its own types? What is asserted of a value from one
// of these does not open an interface to others.
//
//	var encoders = sync.Pool{New: func() any { return new(jsonEncoder) }}
//
//	func get() encoder  { return encoders.Get().(encoder) } // a *jsonEncoder
//	func put(e encoder) { encoders.Put(e) }                 // what was taken, or another encoder
//
//	func Put(v any) { encoders.Put(v) } // anybody's: the pool is open
//
// It takes all uses of a global variable that others cannot name. A use that is not understood, such as
// that its address goes to a function, makes the pool open: silence.

// poolContents holds what a global pool of the package can hold.
type poolContents struct {
	open   bool         // values of other packages, or unknown ones
	ifaces []types.Type // interfaces as which its values are put
}

// globalPools finds out what the global pools of the package hold.
func (a *Package) globalPools(functions []*ssa.Function) map[*ssa.Global]*poolContents {
	all := map[*ssa.Global]*poolContents{}
	if !a.imports("sync") {
		return all
	}
	var operands [8]*ssa.Value
	for _, f := range functions {
		for i := range ssautil.Instructions(f) {
			for _, op := range i.Operands(operands[:0]) {
				g, ok := (*op).(*ssa.Global)
				if !ok || ssautil.TypeName(ssautil.Deref(g.Type())) != "sync.Pool" {
					continue
				}
				if all[g] == nil {
					all[g] = &poolContents{open: g.Object() == nil || g.Object().Exported() || g.Pkg != a.ssaPkg}
				}
				a.useOfPool(all[g], g, i)
			}
		}
	}
	return all
}

// useOfPool adds what a use of a pool tells of its values.
func (a *Package) useOfPool(p *poolContents, g *ssa.Global, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.FieldAddr:
		a.setsNew(p, i)
	case *ssa.Store: // a literal
		load, ok := i.Val.(*ssa.UnOp)
		if !ok || i.Addr != ssa.Value(g) {
			p.open = true
			return
		}
		if _, literal := load.X.(*ssa.Alloc); !literal {
			p.open = true
			return
		}
		for fa := range ssautil.Uses[*ssa.FieldAddr](load.X) {
			a.setsNew(p, fa)
		}
	case ssa.CallInstruction:
		c := i.Common()
		f := ssautil.Callee(c)
		if f == nil || len(c.Args) == 0 || c.Args[0] != ssa.Value(g) || slices.Contains(c.Args[1:], ssa.Value(g)) {
			p.open = true
			return
		}
		switch f.FullName() {
		case "(*sync.Pool).Get":
		case "(*sync.Pool).Put":
			a.heldByPool(p, c.Args[1])
		default:
			p.open = true
		}
	case *ssa.DebugRef:
	default:
		p.open = true
	}
}

// setsNew adds what the function makes that is stored as New of a pool, at the address of that field.
func (a *Package) setsNew(p *poolContents, fa *ssa.FieldAddr) {
	for use := range ssautil.Uses[ssa.Instruction](fa) {
		s, ok := use.(*ssa.Store)
		if !ok || s.Addr != ssa.Value(fa) {
			p.open = true
			return
		}
		made, ok := s.Val.(*ssa.Function)
		if !ok || len(made.Blocks) == 0 {
			p.open = true
			return
		}
		for ret := range ssautil.Returns(made) {
			a.heldByPool(p, ret.Results[0])
		}
	}
}

// heldByPool adds a value that a pool may hold, as any.
func (a *Package) heldByPool(p *poolContents, v ssa.Value) {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		if n := ssautil.Named(v.X.Type()); n == nil || n.Obj().Pkg() != a.Pass.Pkg {
			p.open = true
		}
	case *ssa.ChangeInterface:
		p.ifaces = append(p.ifaces, types.Unalias(v.X.Type()))
	default:
		p.open = p.open || !IsNil(v)
	}
}

// fromOwnPool reports whether what is asserted to be of an interface type came from a pool that only holds
// types of the package, or what is put there as of that interface.
func fromOwnPool(i *ssa.TypeAssert, pools map[*ssa.Global]*poolContents) bool {
	c, ok := i.X.(*ssa.Call)
	if !ok || len(c.Call.Args) == 0 {
		return false
	}
	g, ok := c.Call.Args[0].(*ssa.Global)
	p := pools[g]
	if f := ssautil.Callee(&c.Call); !ok || p == nil || p.open || f == nil || f.FullName() != "(*sync.Pool).Get" {
		return false
	}
	return !slices.ContainsFunc(p.ifaces, func(t types.Type) bool { return !types.Identical(t, types.Unalias(i.AssertedType)) })
}
