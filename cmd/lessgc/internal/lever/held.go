package lever

import (
	"go/token"
	"go/types"
	"iter"

	"golang.org/x/tools/go/ssa"
)

// A holder is a field of a linked type that a value ends up in.
type holder struct {
	of    *types.Named
	field *types.Var
	pos   token.Pos // where it is stored
}

// held follows a string or slice through variables, results, parameters and fields of own
// code until it is stored in a field of a type that is linked; ok is false if it is not.
func (p *Program) held(v ssa.Value) (h holder, ok bool) {
	s := holderSearch{p: p, seen: map[ssa.Value]bool{}, fields: map[*types.Var]bool{}}
	s.value(v)
	return s.found, s.found.of != nil
}

type holderSearch struct {
	p      *Program
	seen   map[ssa.Value]bool
	fields map[*types.Var]bool
	found  holder
}

func (s *holderSearch) value(v ssa.Value) {
	if v == nil || s.found.of != nil || s.seen[v] || len(s.seen) > longest || v.Referrers() == nil {
		return
	}
	s.seen[v] = true
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.Phi, *ssa.ChangeType, *ssa.Slice, *ssa.Extract:
			s.value(in.(ssa.Value))
		case *ssa.UnOp:
			if in.Op == token.MUL && isVariable(v) || isString(in.Type()) {
				s.value(in)
			}
		case *ssa.Store:
			if in.Val == v {
				s.store(in)
			}
		case *ssa.Return:
			s.results(in, v)
		case ssa.CallInstruction:
			s.arguments(in, v)
		}
	}
}

func (s *holderSearch) store(in *ssa.Store) {
	switch to := in.Addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		s.value(to)
	case *ssa.FieldAddr:
		field := fieldOf(to)
		if field == nil || s.fields[field] {
			return
		}
		s.fields[field] = true
		pointer, _ := types.Unalias(to.X.Type()).(*types.Pointer)
		if pointer != nil {
			if named, ok := types.Unalias(pointer.Elem()).(*types.Named); ok && s.p.link(named) != nil {
				s.found = holder{named, field, in.Pos()}
				return
			}
		}
		for _, load := range s.p.loads[field] {
			s.value(load)
		}
	}
}

// results follows what a function returns to its callers.
func (s *holderSearch) results(in *ssa.Return, v ssa.Value) {
	for part := range s.p.atCallers(in, v) {
		s.value(part)
	}
}

// atCallers yields what the callers of a function get for a value that it returns.
func (p *Program) atCallers(ret *ssa.Return, v ssa.Value) iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		fn := ret.Parent()
		for _, c := range p.callsOf(fn) {
			if c.Value() == nil {
				continue
			}
			for i, part := range parts(c.Value()) {
				if ret.Results[i] == v && !yield(part) {
					return
				}
			}
		}
	}
}

func (s *holderSearch) arguments(in ssa.CallInstruction, v ssa.Value) {
	callee := in.Common().StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 {
		return
	}
	for i, arg := range in.Common().Args {
		if arg == v && i < len(callee.Params) {
			s.value(callee.Params[i])
		}
	}
}

// fieldOf is the field whose address an instruction takes, or nil.
func fieldOf(a *ssa.FieldAddr) *types.Var {
	pointer, ok := a.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	t, ok := pointer.Elem().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return t.Field(a.Field).Origin() // of all instances of a type the same
}

// isVariable reports whether an address is that of a variable that holds a reference.
func isVariable(address ssa.Value) bool {
	switch a := address.(type) {
	case *ssa.Alloc:
		switch a.Type().Underlying().(*types.Pointer).Elem().Underlying().(type) {
		case *types.Pointer, *types.Slice, *types.Interface:
			return true
		}
	case *ssa.FreeVar:
		return true
	}
	return false
}
