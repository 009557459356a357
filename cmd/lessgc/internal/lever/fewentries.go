package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var fewEntries = &Lever{
	Name:  "few-entries",
	Title: "search a small slice instead of a map that has few entries",
	Looks: "a map of an unexported field, or one that does not leave the functions that share it, when the profile shows that it is mostly no larger than its first group of 8 slots, or the benchmarks set no more than 8 entries in each. The package only looks up, sets, deletes and ranges over its entries.",
	Wrong: "when other inputs have many entries: search the slice up to 8 of them, and make a map beyond. When the map is kept for long: there is nothing to save then.",
	Before: `type Request struct {
	attributes map[string]any // made for each request
}

func (r *Request) Attribute(name string) any { return r.attributes[name] }`,
	After: `type Request struct {
	attributes []attribute // nil until one is set
}

func (r *Request) Attribute(name string) any {
	for i := range r.attributes {
		if r.attributes[i].name == name {
			return r.attributes[i].value
		}
	}
	return nil
}`,
	Model: "A map of one entry takes its header and a group of 8 slots; a slice takes one slot for it. To compare a few keys costs less than to hash one.",
	Risk:  NoRisk,
	Asks:  "Does the map stay at a few entries with real inputs, too?",
	Saves: Saves{Alloc: Range{0.3, 0.9}, Collect: Range{0.3, 0.85}},
	find:  findFewEntries,
}

func findFewEntries(p *Line) (f Finding) {
	for _, in := range p.allocators() {
		set, ok := in.(*ssa.MapUpdate)
		if !ok {
			continue
		}
		m := set.Map.Type().Underlying().(*types.Map)
		if !p.firstGroup(m) || !cheaplyCompared(m.Key()) {
			continue
		}
		if where := p.privateMap(set.Map); where != nil {
			size := fmt.Sprintf("most have no more than 8 entries: the objects have %.0f bytes on average, and the first group of a %s has %d%s", p.objectSize(), short(m), p.groupSize(m), p.inEach())
			return Finding{Share: p.direct(), Evidence: []Evidence{p.at(set.Pos(), size), *where}}
		}
	}
	return p.fewByUse()
}

// firstGroup reports whether the objects of the line are about as large as the first group of a map.
func (p *Line) firstGroup(m *types.Map) bool {
	if p.pkg.TypesSizes == nil || hasTypeParameter(m.Key()) || hasTypeParameter(m.Elem()) {
		return false
	}
	group := float64(p.groupSize(m))
	return p.objectSize() >= 0.8*group && p.objectSize() < 1.25*group
}

// cheaplyCompared reports whether keys are compared about as fast as hashed: no structs of many words.
func cheaplyCompared(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Pointer:
		return true
	case *types.Struct:
		return u.NumFields() <= 3
	case *types.Array:
		return u.Len() <= 16
	}
	return false
}

// privateMap returns the scope that a map does not leave: a field that only its package sees, or the function that
// makes it. It returns nil if the map may be known elsewhere.
func (p *Line) privateMap(m ssa.Value) *Evidence {
	switch m := m.(type) {
	case *ssa.UnOp:
		address, ok := m.X.(*ssa.FieldAddr)
		if !ok {
			return nil
		}
		field := fieldOf(address)
		if field == nil || field.Exported() || !p.onlyEntries(field) {
			return nil
		}
		e := p.at(field.Pos(), fmt.Sprintf("field %s is not exported, and the package only uses its entries", field.Name()))
		return &e
	case *ssa.MakeMap:
		if !p.follow(m).stays() {
			return nil
		}
		e := p.at(m.Pos(), "the map is made for each call of "+nameOf(m.Parent())+", and does not leave it")
		return &e
	}
	return nil
}

// onlyEntries reports whether a package uses the entries of the maps of a field, and does not hand out the maps.
func (p *Line) onlyEntries(field *types.Var) bool {
	used := false
	for _, file := range p.pkg.Syntax {
		only := true
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || p.pkg.TypesInfo.Uses[id] != field || p.inTest(id.Pos()) {
				return only
			}
			used = true
			only = only && p.usesEntries(id, stack)
			return only
		})
		if !only {
			return false
		}
	}
	return used
}

// usesEntries reports whether a mention of a map in a field is one of its entries, or where it is made or compared
// with nil.
func (p *Line) usesEntries(id *ast.Ident, stack []ast.Node) bool {
	if pair, ok := innermost(stack).(*ast.KeyValueExpr); ok && pair.Key == id {
		return p.makesNew(pair.Value)
	}
	sel, ok := innermost(stack).(*ast.SelectorExpr)
	if !ok || sel.Sel != id {
		return false
	}
	stack = stack[:slices.Index(stack, ast.Node(sel))]
	switch around := innermost(stack).(type) {
	case *ast.IndexExpr:
		return around.X == sel
	case *ast.RangeStmt:
		return around.X == sel
	case *ast.BinaryExpr:
		return around.Op == token.EQL || around.Op == token.NEQ
	case *ast.AssignStmt:
		i := slices.Index(around.Lhs, ast.Expr(sel))
		return i >= 0 && len(around.Lhs) == len(around.Rhs) && p.makesNew(around.Rhs[i])
	case *ast.CallExpr:
		return p.builtin(around, "len") != nil || p.builtin(around, "delete") != nil || p.builtin(around, "clear") != nil
	}
	return false
}

// makesNew reports whether an expression is nil, or a new map without entries.
func (p *Line) makesNew(e ast.Expr) bool { return p.empty(e) || p.sizedBy(e) }
