package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// mostInSlice is the size of structs that become elements of a slice: a range over them copies each.
const mostInSlice = 64

// An elementing makes the objects that a field's slice points to its elements.
type elementing struct {
	p     *Line
	field *confinedField
	edits []Edit
}

// asElements is the finding of a line that appends a new object to a field, which can have the objects themselves: only the memory
// changes.
func (p *Line) asElements() (f Finding) {
	_, share := p.only()
	if share == 0 { // several objects, and the slice grows
		share = p.direct() / 2
	}
	field, value := p.appendedObject()
	if field == nil || p.pkg.TypesSizes == nil {
		return f
	}
	of := p.typeOf(value).(*types.Pointer).Elem()
	size := p.pkg.TypesSizes.Sizeof(of)
	if _, ok := of.Underlying().(*types.Struct); !ok || size == 0 || size > mostInSlice || hasTypeParameter(of) || ownsLock(of) || p.singled(of) {
		return f
	}
	c := p.confinedField(field)
	if c == nil || isAt(of, c.owner.Obj().Pos()) {
		return f
	}
	e := &elementing{p: p, field: c}
	list, ok := c.decl.Type.(*ast.ArrayType)
	if !ok || !e.star(c.unit, list) || slices.ContainsFunc(c.uses, func(u fieldUse) bool { return !e.use(u) }) {
		return f
	}
	slices.SortFunc(e.edits, byPlace)
	return Finding{Share: share, Edits: slices.Compact(e.edits), What: "make " + field.Name() + " a slice of values", Evidence: []Evidence{
		p.at(value.Pos(), fmt.Sprintf("each object of type %s, %d bytes, is allocated on its own%s", short(of), size, p.inEach())),
		p.at(field.Pos(), fmt.Sprintf("field %s of %s holds the objects, which are only read there, so the slice can hold the objects themselves", field.Name(), c.owner.Obj().Name())),
	}}
}

// appendedObject is the field that a new object on the line is appended to, and the expression that makes it.
func (p *Line) appendedObject() (*types.Var, ast.Expr) {
	for _, s := range p.spots() {
		and, ok := s.node.(*ast.UnaryExpr)
		if !ok || and.Op != token.AND || !p.onSite(and.Pos()) || len(s.stack) < 2 {
			continue
		}
		call, ok := s.stack[len(s.stack)-1].(*ast.CallExpr)
		if !ok || p.builtin(call, "append") == nil || call.Args[0] == ast.Expr(and) {
			continue
		}
		sel, ok := call.Args[0].(*ast.SelectorExpr)
		if !ok || freshType(p.unit, and) == nil {
			continue
		}
		list, ok := p.typeOf(sel).(*types.Slice)
		if v, is := p.pkg.TypesInfo.ObjectOf(sel.Sel).(*types.Var); ok && is && v.IsField() && types.Identical(list.Elem(), p.typeOf(and)) {
			return v, and
		}
	}
	return nil, nil
}

// cut puts text in the place of source without a comment, that is no test's.
func (e *elementing) cut(u *unit, pos, end token.Pos, text string) bool {
	e.edits = append(e.edits, e.p.edit(pos, end, text))
	return !e.p.in(u).commentedBetween(pos, end) && !e.p.inTest(pos) && !e.p.generated(u)
}

// star makes a slice of pointers, as it is written, one of structs.
func (e *elementing) star(u *unit, list *ast.ArrayType) bool {
	star, ok := list.Elt.(*ast.StarExpr)
	return ok && list.Len == nil && e.cut(u, star.Pos(), star.X.Pos(), "")
}

// use reports whether a use of the field does the same with elements.
func (e *elementing) use(u fieldUse) bool {
	switch n := u.stack[len(u.stack)-1].(type) {
	case *ast.KeyValueExpr:
		return n.Key == u.e && e.empty(u.unit, n.Value)
	case *ast.AssignStmt:
		return len(n.Lhs) == 1 && len(n.Rhs) == 1 && n.Tok == token.ASSIGN && n.Lhs[0] == u.e && (e.empty(u.unit, n.Rhs[0]) || e.appends(u, n.Rhs[0]))
	case *ast.CallExpr:
		if u.builtin(n, "len") != nil {
			return true
		}
		assign, ok := u.stack[len(u.stack)-2].(*ast.AssignStmt)
		return ok && len(assign.Lhs) == 1 && e.appends(fieldUse{u.unit, assign.Lhs[0], nil}, n)
	case *ast.BinaryExpr:
		return u.isNil(n.X) || u.isNil(n.Y)
	case *ast.RangeStmt:
		if n.X != u.e || n.Tok == token.ASSIGN {
			return false
		}
		id, ok := n.Value.(*ast.Ident)
		return n.Value == nil || ok && (id.Name == "_" || e.reads(u.unit, id, false))
	case *ast.IndexExpr:
		return n.X == u.e && e.element(u, n)
	}
	return false
}

// empty makes a slice without elements, or nil, one of structs.
func (e *elementing) empty(u *unit, value ast.Expr) bool {
	if u.isNil(value) {
		id, ok := value.(*ast.Ident)
		return ok && id.Name == "nil"
	}
	if lit, ok := value.(*ast.CompositeLit); ok {
		list, is := lit.Type.(*ast.ArrayType)
		return is && len(lit.Elts) == 0 && e.star(u, list)
	}
	call := u.builtin(value, "make")
	if call == nil || len(call.Args) != 3 || !u.isZero(call.Args[1]) || !u.constant(call.Args[2]) && u.builtin(call.Args[2], "len") == nil {
		return false
	}
	list, ok := call.Args[0].(*ast.ArrayType)
	return ok && e.star(u, list)
}

// appends reports whether a value is what append makes of the field itself and new objects, and makes these structs.
func (e *elementing) appends(to fieldUse, value ast.Expr) bool {
	call := to.builtin(value, "append")
	if call == nil || call.Ellipsis.IsValid() || len(call.Args) < 2 {
		return false
	}
	left, ok := to.e.(*ast.SelectorExpr)
	from, is := call.Args[0].(*ast.SelectorExpr)
	if !ok || !is || to.local(left.X) == nil || to.local(left.X) != to.local(from.X) || to.pkg.TypesInfo.ObjectOf(left.Sel) != to.pkg.TypesInfo.ObjectOf(from.Sel) {
		return false
	}
	for _, arg := range call.Args[1:] {
		and, ok := arg.(*ast.UnaryExpr)
		if !ok || freshType(to.unit, arg) == nil || !e.cut(to.unit, and.Pos(), and.X.Pos(), "") {
			return false
		}
	}
	return true
}

// element reports whether an element of the field is only read: a field of it where it stands, or by a variable. A variable that is
// set may change fields of it, too, while nothing else has the slice.
func (e *elementing) element(u fieldUse, index *ast.IndexExpr) bool {
	around := u.stack[:len(u.stack)-1]
	switch n := around[len(around)-1].(type) {
	case *ast.SelectorExpr:
		return e.p.in(u.unit).readsField(n, around[:len(around)-1], false)
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE || len(n.Lhs) != 1 || len(n.Rhs) != 1 || n.Rhs[0] != ast.Expr(index) {
			return false
		}
		id, ok := n.Lhs[0].(*ast.Ident)
		if !ok {
			return false
		}
		if e.reads(u.unit, id, false) {
			return !e.writesIn(u) // which would not show in a copy
		}
		return e.reads(u.unit, id, true) && e.alone(u, n, around) && e.cut(u.unit, index.Pos(), index.Pos(), "&")
	}
	return false
}

// reads reports whether a variable that has an element is only used to read fields of it, or to set them if it may.
func (e *elementing) reads(u *unit, id *ast.Ident, sets bool) bool {
	p := e.p.in(u)
	v := p.local(id)
	if v == nil {
		return false
	}
	for _, m := range p.mentions(u, v) {
		sel, ok := m.stack[len(m.stack)-1].(*ast.SelectorExpr)
		if !ok || p.captured(m, v) || !p.readsField(sel, m.stack[:len(m.stack)-1], sets) {
			return false
		}
	}
	return true
}

// readsField reports whether what is selected of an element is read, and not changed, nor its address taken. The field itself may be
// set if sets says so.
func (p *Line) readsField(sel *ast.SelectorExpr, stack []ast.Node, sets bool) bool {
	selection := p.pkg.TypesInfo.Selections[sel]
	if selection == nil {
		return false
	}
	if selection.Kind() == types.MethodVal {
		call, ok := stack[len(stack)-1].(*ast.CallExpr)
		return ok && call.Fun == ast.Expr(sel) && byValue(selection) && len(selection.Index()) == 1
	}
	var e ast.Expr = sel
	for i := len(stack) - 1; ; i-- {
		t := p.typeOf(e).Underlying()
		_, isArray := t.(*types.Array)
		_, isStruct := t.(*types.Struct)
		switch n := stack[i].(type) {
		case *ast.ParenExpr:
			e = n
		case *ast.SelectorExpr:
			inner := p.pkg.TypesInfo.Selections[n]
			if inner != nil && inner.Kind() == types.MethodVal {
				_, isPointer := t.(*types.Pointer)
				return isPointer || types.IsInterface(t) || byValue(inner)
			}
			if !isStruct {
				return true // of what the field points to
			}
			e = n
		case *ast.IndexExpr:
			if !isArray || n.X != e {
				return true
			}
			e = n
		case *ast.SliceExpr:
			return !isArray || n.X != e
		case *ast.UnaryExpr:
			return n.Op != token.AND
		case *ast.IncDecStmt:
			return sets && e == ast.Expr(sel)
		case *ast.AssignStmt:
			return !slices.Contains(n.Lhs, e) || sets && e == ast.Expr(sel)
		case *ast.RangeStmt:
			return n.X == e && !isArray
		default:
			return true
		}
	}
}

// byValue reports whether a method has a copy of its receiver.
func byValue(selection *types.Selection) bool {
	recv := selection.Obj().(*types.Func).Signature().Recv()
	_, pointer := recv.Type().Underlying().(*types.Pointer)
	return !pointer && !types.IsInterface(recv.Type())
}

// writesIn reports whether the function around a use changes elements by variables.
func (e *elementing) writesIn(u fieldUse) bool {
	top := e.p.top(u.unit, u.e.Pos())
	return top == nil || slices.ContainsFunc(e.field.uses, func(o fieldUse) bool {
		if o.e.Pos() < top.node.Pos() || top.node.End() < o.e.Pos() {
			return false
		}
		assign, ok := o.stack[max(0, len(o.stack)-2)].(*ast.AssignStmt)
		if !ok || assign.Tok != token.DEFINE {
			return false
		}
		id, ok := assign.Lhs[0].(*ast.Ident)
		return !ok || !e.reads(o.unit, id, false)
	})
}

// alone reports whether nothing else has the slice or an element of it while a variable has one: the struct was made by the function,
// which has not given it to anyone, and what can name the variable has no other use of the field.
func (e *elementing) alone(u fieldUse, assign *ast.AssignStmt, stack []ast.Node) bool {
	p := e.p.in(u.unit)
	sel, ok := u.e.(*ast.SelectorExpr)
	list := statements(stack[max(0, len(stack)-2)])
	i := slices.Index(list, ast.Stmt(assign))
	if !ok || i < 0 || p.jumps(u.e.Pos()) {
		return false
	}
	x := p.local(sel.X)
	if x == nil || !p.unshared(x) {
		return false
	}
	top := p.top(u.unit, u.e.Pos())
	return !slices.ContainsFunc(e.field.uses, func(o fieldUse) bool {
		if o.e == u.e || o.e.Pos() < top.node.Pos() || top.node.End() < o.e.Pos() {
			return false
		}
		loop, ok := o.stack[len(o.stack)-1].(*ast.RangeStmt)
		if ok && loop.Value != nil {
			return true
		}
		return assign.End() <= o.e.Pos() && o.e.Pos() < list[len(list)-1].End()
	})
}

// unshared reports whether a local variable has a new object that only its function knows, until it returns it.
func (p *Line) unshared(x *types.Var) bool {
	d, ok := p.define(p.unit, x)
	if !ok || d.param || d.value == nil || freshType(p.unit, d.value) == nil || !p.setOnce(x) {
		return false
	}
	return !slices.ContainsFunc(p.mentions(p.unit, x), func(m mention) bool {
		if p.captured(m, x) {
			return true
		}
		switch n := m.stack[len(m.stack)-1].(type) {
		case *ast.ReturnStmt:
			return false
		case *ast.SelectorExpr:
			selection := p.pkg.TypesInfo.Selections[n]
			and, isAnd := m.stack[len(m.stack)-2].(*ast.UnaryExpr)
			return selection == nil || selection.Kind() != types.FieldVal || isAnd && and.Op == token.AND
		}
		return true
	})
}
