package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does a call use an origin that its argument only holds? A summary says that a parameter is used,
// but not that a field of it is dereferenced.
//
//	type cursor struct {
//		from *entries
//		at   int
//	}
//
//	func (c *cursor) next() bool    { c.at++; return c.at < len(c.from.list) } // through from
//	func (c *cursor) position() int { return c.at }                           // through nothing
//
//	c := newCursor(e) // holds e
//	e.close()
//	c.next() // uses e after its release
//
// It gives the names of fields that are dereferenced whenever a function returns. A use in one
// branch only, a field that may be set later, or a second field that could hold the origin instead
// make the answer no, which is silence.

// through finds the fields of a parameter that hold pointers which the function dereferences whenever it
// returns: who calls it uses what they point to.
func (f *Function) through(v ssa.Value) (names []string) {
	if n := ssautil.Named(v.Type()); n == nil || n.Obj().Pkg() != f.Package.Pass.Pkg || !isPointer(v.Type()) {
		return nil
	}
	for fa := range ssautil.Uses[*ssa.FieldAddr](v) {
		for load := range ssautil.Uses[*ssa.UnOp](fa) {
			if load.Op == token.MUL && isPointer(load.Type()) && f.alwaysUses(load) && !slices.Contains(names, FieldName(fa)) {
				names = append(names, FieldName(fa))
			}
		}
	}
	slices.Sort(names)
	return names
}

// alwaysUses reports whether what a pointer leads to is read or written on all ways to a return.
func (f *Function) alwaysUses(pointer ssa.Value) bool {
	for use := range ssautil.Uses[ssa.Instruction](pointer) {
		switch use := use.(type) {
		case *ssa.FieldAddr:
			for access := range ssautil.Uses[ssa.Instruction](use) {
				if touches(access, use) && f.alwaysRuns(access) {
					return true
				}
			}
		case *ssa.Call:
			for p := range f.passed(use, pointer) {
				if p.Use && f.alwaysRuns(use) {
					return true
				}
			}
		}
	}
	return false
}

// touches reports whether i loads from addr, or stores to it.
func touches(i ssa.Instruction, addr ssa.Value) bool {
	switch i := i.(type) {
	case *ssa.UnOp:
		return i.Op == token.MUL
	case *ssa.Store:
		return i.Addr == addr
	}
	return false
}

// alwaysRuns reports whether i is executed before each return, and there is one.
//
// A block that dominates all returns is on every path to one. A function that never returns has no
// such path, so it proves nothing for its callers.
func (f *Function) alwaysRuns(i ssa.Instruction) bool {
	all := f.Returns()
	return len(all) > 0 && !slices.ContainsFunc(all, func(r *ssa.Return) bool { return !i.Block().Dominates(r.Block()) })
}

// usesHeld reports whether a call uses the origin by an argument that holds it: it dereferences a field
// that is the only one in which the origin can be, and has been there since the holder was made.
//
// Each condition excludes a struct in which the origin is elsewhere:
//
//	func (w *window) move(e *entries) { w.from = e } // from is not fixed: it may lead to others by now
//	chain{first: new(entries), other: list}          // other can hold the origin as well
//
// What is left is one field of the origin's type, so what it leads to is the origin.
func (d *Aliases) usesHeld(a *argument, p *Param) bool {
	if a.mark&MarkMemory != MarkHold || !a.sure || len(p.Through) != 1 {
		return false
	}
	s, ok := ssautil.Deref(a.value.Type()).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for x := range s.Fields() {
		switch {
		case x.Name() == p.Through[0]:
			if !d.hasType(x.Type()) || !d.Func.Package.isFixed(x) {
				return false
			}
		case mayHold(x.Type()):
			return false
		}
	}
	return true
}

// hasType reports whether the origin is used as a value of type t.
func (d *Aliases) hasType(t types.Type) bool {
	return slices.ContainsFunc(d.Nodes.List, func(n Node) bool { return n.Mark&MarkSame != 0 && types.Identical(n.Value.Type(), t) })
}

// mayHold reports whether a field of type t can hold any pointer, as far as is seen.
//
// Numbers, strings and slices of them hold none. Anything else may, arrays and structs included.
func mayHold(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Slice:
		return !isBasic(t.Elem())
	}
	return true
}

// isFixed reports whether a field is set only where its struct is made.
func (a *Package) isFixed(x *types.Var) bool {
	if x.Exported() || x.Pkg() != a.Pass.Pkg {
		return false
	}
	if a.reset == nil {
		a.reset = map[*types.Var]bool{}
		for _, fn := range a.Order {
			for s := range ssautil.InstructionsOf[*ssa.Store](fn.Function) {
				a.findReset(s)
			}
		}
	}
	return !a.reset[x.Origin()]
}

// findReset notes the fields that a store sets in a struct which is not new.
func (a *Package) findReset(s *ssa.Store) {
	if fa, ok := s.Addr.(*ssa.FieldAddr); ok {
		if _, made := fa.X.(*ssa.Alloc); !made && ssautil.Field(fa) != nil {
			a.reset[ssautil.Field(fa)] = true
		}
	}
	st, ok := s.Val.Type().Underlying().(*types.Struct)
	if _, made := s.Addr.(*ssa.Alloc); !ok || made {
		return
	}
	for x := range st.Fields() {
		a.reset[x.Origin()] = true
	}
}
