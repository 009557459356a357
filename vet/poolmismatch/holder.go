package poolmismatch

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// keptCopy reports a Put of the address of a copy that a field, or the list there, has of what Get gave.
func (c *checker) keptCopy(op *pooluse.Op) {
	if op.Item == nil || !isStruct(ssautil.Deref(op.Item.Type())) {
		return // the copy of a slice is only its header
	}
	field := c.holder(op.Item)
	if field == nil || field.Exported() || field.Pkg() != c.Pkg {
		return
	}
	load, get := c.copiedInto(field, op.Pool)
	if load == nil {
		return
	}
	f := c.at(op, rule.Leak, rule.Related(load.Pos(), "the value from Get is copied here"), rule.Related(get.Pos(), "it is got here"))
	f.Message = "the address of a copy is put into " + op.Pool.String() + ": the value from Get is lost, and what is put keeps all of " + field.Name() + " in memory; keep the pointer that Get returned and put that back"
	c.report(f)
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// holder returns the field that has what an address points to, itself or as an element; the address may
// be that of a variable that is a copy of it. It is nil if there is none.
func (c *checker) holder(v ssa.Value) *types.Var {
	if v == nil {
		return nil
	}
	switch x := c.uses.Variable(c.uses.Source(v)).(type) {
	case *ssa.FieldAddr:
		return ssautil.Field(x)
	case *ssa.IndexAddr:
		if array, ok := x.X.(*ssa.FieldAddr); ok {
			return ssautil.Field(array)
		}
		return ssautil.LoadedField(c.uses.Source(x.X))
	case *ssa.Alloc:
		var of *types.Var
		for s := range ssautil.StoresTo(x) {
			load, ok := s.Val.(*ssa.UnOp)
			if !ok || load.Op != token.MUL || of != nil {
				return nil
			}
			switch load.X.(type) {
			case *ssa.FieldAddr, *ssa.IndexAddr:
				of = c.holder(load.X)
			default:
				return nil
			}
		}
		return of
	}
	return nil
}

// copiedInto returns a load of what a Get from pool gave, which is copied into a field or the list there,
// and that Get. They are nil if the field gets anything else, or somebody keeps what Get gave.
func (c *checker) copiedInto(field *types.Var, pool pooluse.Location) (load *ssa.UnOp, get *pooluse.Op) {
	for _, fn := range c.uses.Funcs {
		for s := range ssautil.InstructionsOf[*ssa.Store](fn) {
			for _, v := range c.assigned(s, field) {
				l, ok := v.(*ssa.UnOp)
				if !ok || l.Op != token.MUL {
					return nil, nil
				}
				from := c.uses.Origin(l.X)
				if from == nil || !same(from.Pool, pool) || c.kept(from) {
					return nil, nil
				}
				load, get = l, from
			}
		}
	}
	return load, get
}

// assigned returns the values that a store gives a field, or elements of the list there, other than zero values
// and what the list has.
func (c *checker) assigned(s *ssa.Store, field *types.Var) []ssa.Value {
	if _, ok := s.Addr.(*ssa.Alloc); ok || c.holder(s.Addr) != field {
		return nil
	}
	switch v := s.Val.(type) {
	case *ssa.Const:
		return nil
	case *ssa.MakeSlice:
		if size, ok := v.Len.(*ssa.Const); ok && size.Int64() == 0 {
			return nil
		}
	case *ssa.Slice:
		if ssautil.LoadedField(v.X) == field {
			return nil
		}
	case *ssa.Call:
		if ssautil.IsAppend(v) && len(v.Call.Args) == 2 && c.continues(v.Call.Args[0], field) {
			if list, ok := v.Call.Args[1].(*ssa.Slice); ok {
				return elements(list)
			}
		}
	}
	return []ssa.Value{s.Val}
}

// continues reports whether v is the list of a field, or a part of it.
func (c *checker) continues(v ssa.Value, field *types.Var) bool {
	if cut, ok := v.(*ssa.Slice); ok {
		v = cut.X
	}
	return ssautil.LoadedField(v) == field
}

// elements returns the values that the arguments of a variadic call have, or the list itself.
func elements(list *ssa.Slice) []ssa.Value {
	array, ok := list.X.(*ssa.Alloc)
	if !ok {
		return []ssa.Value{list}
	}
	var all []ssa.Value
	for at := range ssautil.Uses[*ssa.IndexAddr](array) {
		for s := range ssautil.StoresTo(at) {
			all = append(all, s.Val)
		}
	}
	return all
}

// kept reports whether what Get gave may be put, or kept by somebody.
func (c *checker) kept(get *pooluse.Op) bool {
	for _, op := range c.uses.Ops {
		if op.Verb == pooluse.Put && c.uses.Origin(op.Item) == get {
			return true
		}
	}
	return get.Item == nil || c.leaves(get.Item)
}

// leaves reports whether a pointer goes anywhere but to methods that it is the receiver of.
func (c *checker) leaves(v ssa.Value) bool {
	for _, r := range c.uses.Referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.FieldAddr, *ssa.UnOp:
		case *ssa.TypeAssert:
			if c.leaves(r) {
				return true
			}
		case *ssa.Extract:
			if r.Index == 0 && c.leaves(r) {
				return true
			}
		case *ssa.Store:
			if r.Addr != v {
				return true
			}
		case *ssa.Call:
			fn := r.Call.StaticCallee()
			if fn == nil || fn.Signature.Recv() == nil || r.Call.Args[0] != v {
				return true
			}
		default:
			return true
		}
	}
	return false
}
