package flow

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Owners are the structs that have parts. One that is passed by its value, as to methods whose receiver is
// no pointer, is followed through the local variables that hold copies of it: each of them has the same
// part, and what is released of one is gone for all.

// An ownerUse is a use of an owner, or of a copy.
type ownerUse struct {
	instr  ssa.Instruction
	value  ssa.Value // the owner as the instruction has it
	within string    // the way from the owner to a struct that is a field of it, with a dot at its end
}

// part returns the name of a part within the struct that is used, empty if it is not one there.
func (u ownerUse) part(name string) string {
	rest, _ := strings.CutPrefix(name, u.within)
	if rest == name && u.within != "" {
		return ""
	}
	return rest
}

// owns reports whether v may be an owner: a pointer, or a struct.
func owns(v ssa.Value) bool {
	if ssautil.IsPointer(v.Type()) {
		return true
	}
	_, ok := v.Type().Underlying().(*types.Struct)
	return ok
}

// ownerOf returns the owner of which v is a copy: what the variable that it is loaded from was given, or
// the variable itself if its fields were. It is v where there is no such variable.
func ownerOf(v ssa.Value) ssa.Value {
	for range 4 {
		load, ok := v.(*ssa.UnOp)
		if !ok || load.Op != token.MUL || !owns(load) || ssautil.IsPointer(load.Type()) {
			return v
		}
		cell, ok := load.X.(*ssa.Alloc)
		if !ok {
			return v
		}
		whole := onlyStore(cell)
		if whole == nil {
			return cell
		}
		v = whole.Val
	}
	return v
}

// onlyStore returns the store to a variable, if there is one only.
func onlyStore(cell *ssa.Alloc) *ssa.Store {
	var only *ssa.Store
	for s := range ssautil.StoresTo(cell) {
		if only != nil {
			return nil
		}
		only = s
	}
	return only
}

// ownerUses returns the uses of an owner, of its copies, and of the structs that are fields of it; not ok
// if a variable holds different owners.
func ownerUses(base ssa.Value) (all []ownerUse, ok bool) {
	type place struct {
		value  ssa.Value
		within string
	}
	seen := map[ssa.Value]bool{base: true}
	work := []place{{base, ""}}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for i := range ssautil.Uses[ssa.Instruction](at.value) {
			next, within := copyOf(i, at.value), at.within
			if fa, ok := i.(*ssa.FieldAddr); ok && isStruct(fa) && strings.Count(within, ".") < 2 {
				next, within = fa, within+FieldName(fa)+"."
			}
			if x, ok := i.(*ssa.Field); ok && owns(x) && !ssautil.IsPointer(x.Type()) && strings.Count(within, ".") < 2 {
				next, within = x, within+ssautil.FieldOf(x.X.Type(), x.Field).Name()+"."
			}
			s, store := i.(*ssa.Store)
			switch {
			case store && s.Addr == at.value && seen[s.Val]: // the copy that led here
			case next == nil:
				all = append(all, ownerUse{i, at.value, within})
			case !seen[next]:
				seen[next] = true
				if cell, ok := next.(*ssa.Alloc); ok && onlyStore(cell) == nil {
					return nil, false
				}
				work = append(work, place{next, within})
			}
		}
	}
	return all, true
}

// isStruct reports whether fa is the address of a struct.
func isStruct(fa *ssa.FieldAddr) bool {
	_, ok := ssautil.Deref(fa.Type()).Underlying().(*types.Struct)
	return ok
}

// copyOf returns the variable that an instruction copies the struct v to, or the value that it loads from
// the variable v; nil if it does something else.
func copyOf(i ssa.Instruction, v ssa.Value) ssa.Value {
	switch i := i.(type) {
	case *ssa.Store:
		cell, ok := i.Addr.(*ssa.Alloc)
		if !ok {
			return nil
		}
		if i.Val == v && !ssautil.IsPointer(v.Type()) {
			return cell
		}
	case *ssa.UnOp:
		_, cell := v.(*ssa.Alloc)
		_, field := v.(*ssa.FieldAddr)
		if (cell || field) && i.Op == token.MUL && !ssautil.IsPointer(i.Type()) {
			return i
		}
	}
	return nil
}

// isNilAt reports whether a block is executed only if what derives from the origin is nil: what a function
// returns there, in place of memory of an arena, is the heap's.
func (d *Aliases) isNilAt(b *ssa.BasicBlock) bool {
	for _, n := range d.Nodes.List {
		if n.Mark&MarkSame == 0 {
			continue
		}
		for c := range ssautil.Uses[*ssa.BinOp](n.Value) {
			if c.Op != token.EQL && c.Op != token.NEQ || !IsNil(c.X) && !IsNil(c.Y) {
				continue
			}
			for branch := range ssautil.Uses[*ssa.If](c) {
				succ := branch.Block().Succs[0]
				if c.Op == token.NEQ {
					succ = branch.Block().Succs[1]
				}
				if len(succ.Preds) == 1 && succ.Dominates(b) {
					return true
				}
			}
		}
	}
	return false
}

// partKinds finds out which kind of arenas fields hold that only this package assigns to: that of all
// that is assigned.
func (a *Package) partKinds() {
	a.kinds = map[*types.Var]catalog.Kind{}
	for _, f := range a.Order {
		for s := range ssautil.InstructionsOf[*ssa.Store](f.Function) {
			fa, ok := s.Addr.(*ssa.FieldAddr)
			if !ok || IsNil(s.Val) {
				continue
			}
			x := ssautil.Field(fa)
			if x == nil || !a.parts[x.Origin()] || x.Pkg() != a.Pass.Pkg {
				continue
			}
			k := catalog.Safe
			for _, o := range f.acquiredOrigins {
				if o.Tracked.Root == s.Val {
					k = o.Kind
				}
			}
			if n := ssautil.Named(fa.X.Type()); n == nil || n.Obj().Exported() && x.Exported() {
				k = catalog.Safe // others may assign to it
			}
			if old, ok := a.kinds[x.Origin()]; ok {
				k = min(k, old)
			}
			a.kinds[x.Origin()] = k
		}
	}
}

// fieldAt returns the field of a struct, or of what a pointer points to, that dots lead to; nil if there
// is none.
func fieldAt(t types.Type, path string) *types.Var {
	first, rest, more := strings.Cut(path, ".")
	s, ok := ssautil.Deref(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for x := range s.Fields() {
		if x.Name() == first {
			if more {
				return fieldAt(x.Type(), rest)
			}
			return x
		}
	}
	return nil
}

// InOwner reports whether an address leads through a local variable that holds the root, an owner that is
// passed by its value: its other fields may point into its arena, and what is stored there ends with it.
func (d *Aliases) InOwner(addr ssa.Value) bool {
	if ssautil.IsPointer(d.Root.Type()) {
		return false
	}
	for range 4 {
		switch x := ssautil.Root(addr).(type) {
		case *ssa.Alloc:
			whole := onlyStore(x)
			return whole != nil && ownerOf(whole.Val) == d.Root
		case *ssa.UnOp:
			if ownerOf(x) == d.Root {
				return true
			}
			addr = x.X
		case *ssa.Field:
			addr = x.X
		default:
			return x == d.Root
		}
	}
	return false
}
