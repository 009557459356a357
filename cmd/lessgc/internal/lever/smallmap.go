package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

var smallMap = &Lever{
	Name:  "small-map",
	Title: "search the short slice itself, instead of a map of it",
	Looks: "a map that is made for each call, that one loop over a slice fills, and that is only looked up then, as a field of something that the function gives to others, when the profile shows that it has no more than 8 elements. (One that does not leave the function has these on the stack.)",
	Wrong: "when inputs may be long that the profile does not have: then keep a map beside the slice, if that lives on, or use the map above some length only.",
	Before: `index := make(map[string]int, len(names))
for i, name := range names {
	index[name] = i
}
if i, ok := index[key]; ok {
	return values[i]
}`,
	After: `if i := slices.Index(names, key); i >= 0 {
	return values[i]
}`,
	Model: "The map goes whole, and what it takes to hash the keys; comparing a few costs less.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0.2, 0.9}},
	find:  findSmallMap,
}

func findSmallMap(p *Line) (f Finding) {
	if p.direct() == 0 || p.others() && !p.makesMap() {
		return f
	}
	for _, s := range p.spots() {
		v := p.mapOf(s)
		if v == nil {
			continue
		}
		u := p.filled(v)
		if u == nil || p.objectSize() >= 1.25*float64(u.group) || !u.looksUp() {
			continue
		}
		f.Share, f.Calls = p.direct(), setters
		text := fmt.Sprintf("the loop puts the elements of %s into %s, which is made for each call", types.ExprString(u.loop.X), v.Name())
		f.Evidence = []Evidence{p.at(u.loop.Pos(), text), p.at(u.index.Pos(), fmt.Sprintf("most have no more than 8 elements: the objects have %s bytes on average, and the first group %d", few(p.objectSize()), u.group))}
		return f
	}
	return f
}

// makesMap reports whether the line makes a map with a size, and nothing else that others would count.
func (p *Line) makesMap() bool {
	n := 0
	for _, s := range p.spots() {
		if p.mayAllocate(s) {
			n++
		}
	}
	return n == 1 && slices.ContainsFunc(p.spots(), func(s spot) bool { return p.mapOf(s) != nil })
}

// mapOf is the local variable of the map that a statement makes with a size, or in which it sets an element; nil if
// it does neither.
func (p *Line) mapOf(s spot) *types.Var {
	if index := p.setsElement(s); index != nil {
		return p.local(index.X)
	}
	assign, ok := s.node.(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return nil
	}
	if _, isMap := p.typeOf(assign.Rhs[0]).Underlying().(*types.Map); !isMap || !p.sizedBy(assign.Rhs[0]) {
		return nil
	}
	return p.local(assign.Lhs[0])
}

// A filling describes how a function fills a map and uses it.
type filling struct {
	p     *Line
	v     *types.Var
	loop  *ast.RangeStmt // over the slice that fills it
	index *ast.IndexExpr // that is set
	group int64          // size of a group in bytes
}

// filled returns the loop over a slice with which a function fills a map that it makes: nil if it fills it in another
// way.
func (p *Line) filled(v *types.Var) *filling {
	d, ok := p.define(p.unit, v)
	if !ok || d.param || d.value == nil || p.isNil(d.value) || !p.empty(d.value) && !p.sizedBy(d.value) {
		return nil
	}
	u := &filling{p: p, v: v}
	for _, m := range p.mentions(p.unit, v) {
		index, ok := m.parent().(*ast.IndexExpr)
		if !ok || index.X != m.id || !stores(innermost(m.stack[:slices.Index(m.stack, ast.Node(index))]), index) {
			continue
		}
		loops := loopsSince(m.stack, m.id, d.pos)
		if u.index != nil || len(loops) != 1 || within(m.stack, d.pos) != nil {
			return nil
		}
		u.index = index
		u.loop, _ = loops[0].(*ast.RangeStmt)
	}
	if u.loop == nil || !u.ofElements() {
		return nil
	}
	u.group = p.groupOf(u.index)
	return u
}

// sizedBy reports whether an expression makes a map with a size.
func (p *Line) sizedBy(e ast.Expr) bool {
	call := p.builtin(ast.Unparen(e), "make")
	return call != nil && len(call.Args) == 2
}

// ofElements reports whether the loop goes over a slice, and the keys are its elements, or fields of them.
func (u *filling) ofElements() bool {
	if _, ok := u.p.typeOf(u.loop.X).Underlying().(*types.Slice); !ok || u.loop.Value == nil {
		return false
	}
	key := ast.Unparen(u.index.Index)
	for {
		sel, ok := key.(*ast.SelectorExpr)
		if !ok {
			break
		}
		key = ast.Unparen(sel.X)
	}
	return u.p.local(key) != nil && u.p.local(key) == u.p.local(u.loop.Value)
}

// looksUp reports whether the map is only looked up, but for what the loop sets: here, or where it is a field of
// something that the function makes.
func (u *filling) looksUp() bool {
	n := 0
	for _, m := range u.p.mentions(u.p.unit, u.v) {
		switch parent := m.parent().(type) {
		case *ast.IndexExpr:
			if parent == u.index {
				continue
			}
			if parent.X != m.id || stores(innermost(m.stack[:slices.Index(m.stack, ast.Node(parent))]), parent) {
				return false
			}
			continue
		case *ast.KeyValueExpr:
			if parent.Value != m.id || !u.fieldLooksUp(u.p.object(parent.Key)) || !u.p.onlyGiven(m.stack) {
				return false
			}
		case *ast.CallExpr:
			if u.p.builtin(parent, "len") == nil {
				return false
			}
			continue
		default:
			return false
		}
		n++
	}
	return n > 0
}

// onlyGiven reports whether a literal around a node is an argument of a call, or of a variable that is: then the function
// that makes it does not keep it.
func (p *Line) onlyGiven(stack []ast.Node) bool {
	for _, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.KeyValueExpr, *ast.CompositeLit, *ast.UnaryExpr, *ast.ParenExpr:
			continue
		case *ast.CallExpr:
			return true
		case *ast.AssignStmt:
			v := p.local(n.Lhs[0])
			return v != nil && n.Tok == token.DEFINE && len(n.Lhs) == 1 && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return p.keptMention(m) })
		default:
			return false
		}
	}
	return false
}

// keptMention reports whether a mention of a variable is something else than an argument of a call, or part of it.
func (p *Line) keptMention(m mention) bool {
	for _, n := range slices.Backward(m.stack) {
		switch n := n.(type) {
		case *ast.UnaryExpr, *ast.ParenExpr:
		case *ast.SelectorExpr, *ast.CallExpr:
			return false
		case *ast.AssignStmt:
			return !slices.Contains(n.Lhs, ast.Expr(m.id))
		default:
			return true
		}
	}
	return true
}

// fieldLooksUp reports whether the package only looks up the maps that a field has.
func (u *filling) fieldLooksUp(object types.Object) bool {
	field, ok := object.(*types.Var)
	if !ok || !field.IsField() || field.Exported() {
		return false
	}
	found, only := false, true
	for _, file := range u.p.pkg.Syntax {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || u.p.pkg.TypesInfo.ObjectOf(sel.Sel) != field {
				return only
			}
			found = true
			if u.p.builtin(innermost(stack), "len") != nil {
				return only
			}
			index, ok := innermost(stack).(*ast.IndexExpr)
			only = only && ok && index.X == sel && !stores(innermost(stack[:slices.Index(stack, ast.Node(index))]), index)
			return only
		})
	}
	return found && only
}
