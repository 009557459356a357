package lever

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// fieldAddresses holds where the addresses of a field are taken, in all functions and initializers of the program.
type fieldAddresses map[string][]*ssa.FieldAddr

// ownFunction reports whether a call is of a function value out of a field, or out of an array in a field, in which nothing
// is stored but functions of the program: only its package can store there, by the field's name.
func (p *Program) ownFunction(call *ssa.CallCommon) bool {
	load, ok := call.Value.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || call.IsInvoke() {
		return false
	}
	at := load.X
	if element, ok := at.(*ssa.IndexAddr); ok {
		if _, slice := element.X.Type().Underlying().(*types.Slice); slice {
			return false
		}
		at = element.X
	}
	address, ok := at.(*ssa.FieldAddr)
	return ok && p.onlyOwnFunctions(fieldOf(address))
}

// onlyOwnFunctions reports whether all that is stored in a field, or in its elements, are functions of the program.
func (p *Program) onlyOwnFunctions(field *types.Var) bool {
	if field == nil || field.Exported() || field.Embedded() || field.Pkg() == nil || p.builtElsewhere(field) || p.goesAroundTypes(field.Pkg()) {
		return false
	}
	p.indexAddresses()
	if slices.ContainsFunc(p.structChanges, func(t *types.Struct) bool { return slices.Contains(slices.Collect(t.Fields()), field) }) {
		return false
	}
	for _, address := range p.allAddresses[p.fieldKey(field)] {
		if !ownStores(address, true) {
			return false
		}
	}
	return true
}

// fieldKey is the place where a field is declared: the variants of a package have fields of their own.
func (p *Program) fieldKey(field *types.Var) string { return p.fset.Position(field.Pos()).String() }

// indexAddresses fills allAddresses and structChanges.
func (p *Program) indexAddresses() {
	if p.allAddresses != nil {
		return
	}
	p.allAddresses = fieldAddresses{}
	for fn := range ssautil.AllFunctions(p.ssa) {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.FieldAddr:
					if field := fieldOf(in); field != nil {
						p.allAddresses[p.fieldKey(field)] = append(p.allAddresses[p.fieldKey(field)], in)
					}
				case *ssa.ChangeType: // from a type with fields of its own
					to, from := structOf(in.Type()), structOf(in.X.Type())
					if to != nil && to != from {
						p.structChanges = append(p.structChanges, to)
					}
				}
			}
		}
	}
}

// structOf is the struct that a type is, or points to; nil if it does neither.
func structOf(t types.Type) *types.Struct {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}

// goesAroundTypes reports whether a file of a package imports unsafe or C.
func (p *Program) goesAroundTypes(pkg *types.Package) bool {
	for _, u := range p.units {
		if u.pkg.Types.Path() == pkg.Path() && slices.ContainsFunc(u.file.Imports, importsUnsafe) {
			return true
		}
	}
	return false
}

// ownStores reports whether an address is used for loading, and for storing functions of the program, only; elements holds
// if it may be that of an array of them.
func ownStores(address ssa.Value, elements bool) bool {
	for _, in := range *address.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if in.Addr != address || !isOwnFunction(in.Val, 0) {
				return false
			}
		case *ssa.IndexAddr:
			if !elements || !ownStores(in, false) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isOwnFunction reports whether a value is a function or method of the program, nil, or what a function of it returns that
// returns one of these.
func isOwnFunction(v ssa.Value, depth int) bool {
	if depth > deepest+1 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Function, *ssa.MakeClosure:
		return true
	case *ssa.Const:
		return true // nil, or an array of it
	case *ssa.ChangeType:
		return isOwnFunction(v.X, depth+1)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !isOwnFunction(e, depth+1) })
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		if callee == nil || len(callee.Blocks) == 0 || callee.Signature.Results().Len() != 1 {
			return false
		}
		for _, b := range callee.Blocks {
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if ok && !isOwnFunction(ret.Results[0], depth+1) {
				return false
			}
		}
		return true
	}
	return false
}
