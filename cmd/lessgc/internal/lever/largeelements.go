package lever

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var largeElements = &Lever{
	Name:  "large-elements",
	Title: "keep pointers to the large structs, instead of copies of them",
	Looks: "a slice of structs of 128 bytes or more that a function makes and fills, in a loop over another slice, with copies of its elements, or with structs that have such a copy in them. Nothing sets fields of the copies.",
	Wrong: "when the elements that are copied change or go while the copies are used. When the pointers keep alive a slice that would be garbage.",
	Before: `candidates := make([]Route, 0, 8)
for _, route := range routes { // 400 bytes each
	if matches(route, path) {
		candidates = append(candidates, route)
	}
}`,
	After: `candidates := make([]*Route, 0, 8)
for i := range routes {
	if matches(&routes[i], path) {
		candidates = append(candidates, &routes[i])
	}
}`,
	Model: "A pointer takes 8 bytes instead of the struct, and is sorted and passed without copying it.",
	Risk:  Aliasing,
	Asks:  "Do the elements that are copied stay as they are while the copies are used?",
	Saves: Saves{Alloc: Range{0.6, 0.95}, Collect: Range{0.6, 0.95}},
	find:  findLargeElements,
}

const leastLarge = 128 // bytes of an element

func findLargeElements(p *Line) (f Finding) {
	elem := p.elementsMade()
	if elem == nil || !p.large(elem) || p.setsFieldsOf(elem) {
		return f
	}
	ast.Inspect(p.fn.body, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || loop.Value == nil || len(f.Evidence) > 0 {
			return len(f.Evidence) == 0
		}
		v := p.local(loop.Value)
		if v == nil || !p.large(v.Type()) && !p.hasLarge(v.Type()) {
			return true
		}
		if copied := p.copiesWhole(v, elem); copied != nil {
			made := fmt.Sprintf("a slice of %s, of %d bytes each%s", short(elem), p.pkg.TypesSizes.Sizeof(elem), p.inEach())
			f = Finding{Share: p.direct(), Evidence: []Evidence{p.at(loop.Pos(), made), p.at(copied.Pos(), fmt.Sprintf("%s is copied from %s, and nothing sets a field of the copies", types.ExprString(copied), types.ExprString(loop.X)))}}
		}
		return true
	})
	return f
}

// elementsMade is the type of the elements of the slice that the line makes or makes larger; nil if it makes none, or
// more.
func (p *Line) elementsMade() (elem types.Type) {
	for _, in := range p.allocators() {
		var slice types.Type
		switch in := in.(type) {
		case *ssa.MakeSlice:
			slice = in.Type()
		case *ssa.Call:
			slice = in.Type()
		case *ssa.Alloc:
			array, ok := elemOf(in).Underlying().(*types.Array)
			if !ok || in.Comment != "makeslice" {
				continue // the variable of the slice
			}
			slice = types.NewSlice(array.Elem())
		default:
			return nil
		}
		s, ok := slice.Underlying().(*types.Slice)
		if !ok || elem != nil {
			return nil
		}
		elem = s.Elem()
	}
	return elem
}

// large reports whether a type is a struct that is dear to copy.
func (p *Line) large(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok && p.pkg.TypesSizes != nil && !hasTypeParameter(t) && p.pkg.TypesSizes.Sizeof(t) >= leastLarge
}

// hasLarge reports whether a struct, or what a pointer points to, has a field that is a large struct.
func (p *Line) hasLarge(t types.Type) bool {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		if p.large(field.Type()) {
			return true
		}
	}
	return false
}

// copiesWhole returns the expression that copies a large variable, or a large field of it, to an element of a type: an
// argument of append, or in a literal of the type. It returns nil if there is none.
func (p *Line) copiesWhole(v *types.Var, elem types.Type) (copied ast.Expr) {
	for _, m := range p.mentions(p.unit, v) {
		value, stack := ast.Expr(m.id), m.stack
		if sel, ok := innermost(stack).(*ast.SelectorExpr); ok && sel.X == m.id {
			value, stack = sel, stack[:len(stack)-1]
		}
		if !p.large(p.typeOf(value)) {
			continue
		}
		around := innermost(stack)
		if _, pair := around.(*ast.KeyValueExpr); pair {
			around = stack[len(stack)-2]
		}
		switch around := around.(type) {
		case *ast.CompositeLit:
			if types.Identical(p.typeOf(around), elem) {
				return value
			}
		case *ast.CallExpr:
			if p.builtin(around, "append") != nil && types.Identical(p.typeOf(value), elem) {
				return value
			}
		}
	}
	return nil
}

// setsFieldsOf reports whether the program sets a field of an element of a slice of a type, or of a variable by its
// address.
func (p *Line) setsFieldsOf(elem types.Type) bool {
	for _, fn := range p.fns {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				store, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				field, ok := store.Addr.(*ssa.FieldAddr)
				if !ok || !isPointerTo(field.X.Type(), elem) {
					continue
				}
				if _, element := field.X.(*ssa.IndexAddr); element {
					return true
				}
			}
		}
	}
	return false
}
