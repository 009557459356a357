package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An embedding makes a field that points to an object the object itself.
type embedding struct {
	p     *Line
	field *confinedField
	edits []Edit
}

// embedded is the finding of a line that makes an object for a field, which can be part of the struct that has the field: nothing but
// the memory changes.
func (p *Line) embedded() (f Finding) {
	field, value := p.madeForField()
	if field == nil || p.pkg.TypesSizes == nil {
		return f
	}
	pointer, ok := field.Type().(*types.Pointer)
	if !ok || !p.embeddable(pointer.Elem()) {
		return f
	}
	c := p.confinedField(field)
	if c == nil || isAt(pointer.Elem(), c.owner.Obj().Pos()) {
		return f
	}
	e := &embedding{p: p, field: c}
	if !e.all() {
		return f
	}
	size := float64(p.pkg.TypesSizes.Sizeof(pointer.Elem()))
	share := p.direct()
	if _, own := p.only(); own == 0 {
		share *= size / (size + float64(p.pkg.TypesSizes.Sizeof(c.owner)))
	}
	slices.SortFunc(e.edits, byPlace)
	return Finding{Share: share, Edits: slices.Compact(e.edits), What: "store " + field.Name() + " by value", Evidence: []Evidence{
		p.at(value.Pos(), fmt.Sprintf("a %s of %.0f bytes is allocated on its own%s", short(pointer.Elem()), size, p.inEach())),
		p.at(field.Pos(), fmt.Sprintf("field %s gets a new object where each %s is made, and is only used for its fields and methods, so it can hold the object itself", field.Name(), c.owner.Obj().Name())),
	}}
}

// madeForField is the field that the only new object of its kind on the line is made for, and the expression that makes it.
func (p *Line) madeForField() (field *types.Var, value ast.Expr) {
	for _, s := range p.spots() {
		e, ok := s.node.(ast.Expr)
		if !ok || !p.onSite(e.Pos()) || len(s.stack) == 0 || freshType(p.unit, e) == nil {
			continue
		}
		var to *ast.Ident
		switch n := s.stack[len(s.stack)-1].(type) {
		case *ast.KeyValueExpr:
			to, _ = n.Key.(*ast.Ident)
		case *ast.AssignStmt:
			if sel, ok := n.Lhs[0].(*ast.SelectorExpr); ok && len(n.Lhs) == 1 && n.Tok == token.ASSIGN {
				to = sel.Sel
			}
		}
		if to == nil {
			continue
		}
		if v, ok := p.pkg.TypesInfo.ObjectOf(to).(*types.Var); ok && v.IsField() {
			if field != nil {
				return nil, nil
			}
			field, value = v, e
		}
	}
	return field, value
}

// freshType is the type, as it is written, of the new object that an expression makes; nil if it makes none.
func freshType(u *unit, e ast.Expr) ast.Expr {
	if call := u.builtin(e, "new"); call != nil && u.pkg.TypesInfo.Types[call.Args[0]].IsType() {
		return call.Args[0]
	}
	if and, ok := e.(*ast.UnaryExpr); ok && and.Op == token.AND {
		if lit, ok := and.X.(*ast.CompositeLit); ok {
			return lit.Type
		}
	}
	return nil
}

// embeddable reports whether a struct may be part of another one: it is small, and neither its methods nor others treat it as a piece
// of memory of its own.
func (p *Line) embeddable(t types.Type) bool {
	struc, ok := t.Underlying().(*types.Struct)
	named, isNamed := types.Unalias(t).(*types.Named)
	if !ok || !isNamed || struc.NumFields() == 0 || hasTypeParameter(t) || named.TypeArgs().Len() > 0 {
		return false
	}
	if size := p.pkg.TypesSizes.Sizeof(t); size == 0 || size > mostEmbedded {
		return false
	}
	if pkg := named.Obj().Pkg(); pkg == nil || p.unitOf(named.Obj().Pos()) == nil {
		return pkg != nil && staysInside[pkg.Path()+"."+named.Obj().Name()]
	}
	return !p.singled(t) && !p.reflected(named)
}

// staysInside are types of the standard library that may be fields, and whose zero values are ready for use.
var staysInside = map[string]bool{
	"bytes.Buffer": true, "strings.Builder": true, "sync.Mutex": true, "sync.RWMutex": true, "sync.WaitGroup": true, "sync.Once": true,
}

// all makes the edits of the field's type, and of all objects that are made for it.
func (e *embedding) all() bool {
	star, ok := e.field.decl.Type.(*ast.StarExpr)
	if !ok || !e.p.in(e.field.unit).cuts(e, star.Pos(), star.X.Pos(), "") {
		return false
	}
	for _, u := range e.p.units {
		if u.alignsAtomics() {
			return false
		}
	}
	sets := map[ast.Expr]bool{}
	for _, made := range e.field.makes {
		to, value := e.setOf(made)
		if value == nil || e.p.inTest(made.e.Pos()) || e.p.generated(made.unit) || !e.fresh(made.unit, value) {
			return false
		}
		sets[to] = true
	}
	return len(sets) > 0 && !slices.ContainsFunc(e.field.uses, func(u fieldUse) bool {
		return !sets[u.e] && (!u.follows() || e.keepsReceiver(u))
	})
}

// keepsReceiver reports whether a use of the field calls a method that may keep the object: it would keep all of the outer one alive.
func (e *embedding) keepsReceiver(u fieldUse) bool {
	sel := u.stack[len(u.stack)-1].(*ast.SelectorExpr)
	fn, ok := u.pkg.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok {
		return false
	}
	method := e.p.ssa.FuncValue(fn.Origin())
	if method == nil || e.p.unitOf(fn.Pos()) == nil {
		return false // of the standard library: see staysInside
	}
	return len(method.Blocks) == 0 || !e.p.follow(method.Params[0]).stays()
}

// in is the line as one of another file.
func (p *Line) in(u *unit) *Line { return &Line{p.Program, u, p.site, p.fn, nil} }

// cuts puts text in the place of source without a comment.
func (p *Line) cuts(e *embedding, pos, end token.Pos, text string) bool {
	e.edits = append(e.edits, p.edit(pos, end, text))
	return !p.commentedBetween(pos, end)
}

// fresh makes an expression that makes a new object its value.
func (e *embedding) fresh(u *unit, value ast.Expr) bool {
	typ := freshType(u, value)
	if typ == nil {
		return false
	}
	p := e.p.in(u)
	if and, ok := value.(*ast.UnaryExpr); ok {
		return p.cuts(e, and.Pos(), and.X.Pos(), "")
	}
	return p.cuts(e, value.Pos(), typ.Pos(), "") && p.cuts(e, typ.End(), value.End(), "{}")
}

// setOf is where the field is set of an object that is made, and to what: in its literal, or by a statement after that before which
// nothing has the object. The value is nil if it need not be.
func (e *embedding) setOf(made fieldUse) (to, value ast.Expr) {
	if lit, ok := made.e.(*ast.CompositeLit); ok {
		for _, element := range lit.Elts {
			pair, ok := element.(*ast.KeyValueExpr)
			if !ok {
				return nil, nil
			}
			if id := pair.Key.(*ast.Ident); id.Name == e.field.v.Name() {
				return id, pair.Value
			}
		}
	}
	stack := made.stack
	if and, ok := stack[len(stack)-1].(*ast.UnaryExpr); ok && and.Op == token.AND {
		stack = stack[:len(stack)-1]
	}
	assign, ok := stack[len(stack)-1].(*ast.AssignStmt)
	p := e.p.in(made.unit)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || p.jumps(made.e.Pos()) {
		return nil, nil
	}
	x := p.local(assign.Lhs[0])
	list := statements(stack[len(stack)-2])
	i := slices.Index(list, ast.Stmt(assign))
	if x == nil || i < 0 {
		return nil, nil
	}
	for _, s := range list[i+1:] {
		to, value, ok := p.setsFieldOf(s, x)
		if !ok {
			return nil, nil
		}
		if sel, is := to.(*ast.SelectorExpr); is && s.(*ast.AssignStmt).Tok == token.ASSIGN && p.pkg.TypesInfo.ObjectOf(sel.Sel).Pos() == e.field.v.Pos() {
			return sel, value
		}
	}
	return nil, nil
}

// setsFieldOf returns the field that a statement sets of a variable, and the value. ok is false if it does something else with it.
func (p *Line) setsFieldOf(s ast.Stmt, x *types.Var) (to, value ast.Expr, ok bool) {
	if !p.hasBelow(s, x) {
		return nil, nil, true
	}
	assign, is := s.(*ast.AssignStmt)
	if !is || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || assign.Tok == token.DEFINE || p.hasBelow(assign.Rhs[0], x) {
		return nil, nil, false
	}
	sel, is := assign.Lhs[0].(*ast.SelectorExpr)
	if !is || p.local(sel.X) != x {
		return nil, nil, false
	}
	return sel, assign.Rhs[0], true
}

// pointsInto reports whether a use of the field makes a pointer or slice of what is in the object: it would keep all of the outer one
// alive.
func (u fieldUse) pointsInto() bool {
	e := u.e
	for _, n := range slices.Backward(u.stack) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if _, pointer := u.typeOf(e).Underlying().(*types.Pointer); pointer && e != u.e {
				return false // of another object
			}
			e = n
		case *ast.ParenExpr:
			e = n
		case *ast.IndexExpr:
			if _, array := u.typeOf(e).Underlying().(*types.Array); n.X != e || !array {
				return false
			}
			e = n
		case *ast.UnaryExpr:
			return n.Op == token.AND
		case *ast.SliceExpr:
			_, array := u.typeOf(e).Underlying().(*types.Array)
			return array && n.X == e
		default:
			return false
		}
	}
	return false
}

// follows reports whether a use of the field selects a field of the object, or calls a method of it: with a value it is written the same.
func (u fieldUse) follows() bool {
	sel, ok := u.stack[len(u.stack)-1].(*ast.SelectorExpr)
	if !ok || sel.X != u.e {
		return false
	}
	selection := u.pkg.TypesInfo.Selections[sel]
	if selection == nil {
		return false
	}
	if u.pointsInto() {
		return false
	}
	switch n := u.stack[len(u.stack)-2].(type) {
	case *ast.CallExpr:
		return selection.Kind() == types.FieldVal || n.Fun == ast.Expr(sel)
	case *ast.UnaryExpr:
		return selection.Kind() == types.FieldVal && n.Op != token.AND
	}
	return selection.Kind() == types.FieldVal
}

// alignsAtomics reports whether a file uses functions that want numbers to be aligned by who declares them.
func (u *unit) alignsAtomics() bool {
	for id, object := range u.pkg.TypesInfo.Uses {
		fn, ok := object.(*types.Func)
		if ok && id.Pos() >= u.file.FileStart && id.Pos() < u.file.FileEnd && strings.HasPrefix(fn.FullName(), "sync/atomic.") && strings.HasSuffix(fn.Name(), "64") {
			return true
		}
	}
	return false
}
