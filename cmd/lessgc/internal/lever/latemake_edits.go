package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// mostCopied is the size of structs that are made on the stack, and copied where they are returned.
const mostCopied = 256

// A lateStruct is a new struct in a local variable that has the only pointer to it until the function returns.
type lateStruct struct {
	p       *Line
	v       *types.Var
	expr    ast.Expr // that makes it: &T{...} or new(T)
	typ     ast.Expr // T
	assign  *ast.AssignStmt
	fields  []mention // the variable where a field is selected
	returns []mention // and where it is returned
}

// atReturn makes a new struct where it is returned: its literal stands there if it means the same, or the struct is the value of its
// variable, and is copied. It returns nil if anything else has the pointer, or would notice the copy.
func (p *Line) atReturn(m making) []Edit {
	l := p.lateStruct(m)
	if l == nil {
		return nil
	}
	edits := l.moved()
	if edits == nil {
		edits = l.copied()
	}
	slices.SortFunc(edits, byPlace)
	return edits
}

func (p *Line) lateStruct(m making) *lateStruct {
	stack := stackOf(p.file, m.expr)
	if and, ok := innermost(stack).(*ast.UnaryExpr); ok && and.X == m.expr {
		m.expr, stack = and, stack[:len(stack)-1]
	}
	l := &lateStruct{p: p, expr: m.expr, typ: freshType(p.unit, m.expr)}
	if l.typ == nil || len(stack) < 2 || p.pkg.TypesSizes == nil || p.jumps(m.expr.Pos()) || p.generated(p.unit) {
		return nil
	}
	assign, ok := stack[len(stack)-1].(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || statements(stack[len(stack)-2]) == nil {
		return nil
	}
	l.assign = assign
	l.v = p.local(assign.Lhs[0])
	of := p.typeOf(l.typ)
	if l.v == nil || !p.setOnce(l.v) || hasTypeParameter(of) || !p.smallStruct(of, mostCopied) || !p.mayBeCopied(of) || p.pkg.TypesSizes.Sizeof(of) == 0 || !l.sortUses() {
		return nil
	}
	return l
}

// sortUses notes the uses of the variable: it reports false for one that is neither a field nor returned.
func (l *lateStruct) sortUses() bool {
	for _, use := range l.p.mentions(l.p.unit, l.v) {
		around := use.stack[:len(use.stack)-1]
		switch n := use.stack[len(use.stack)-1].(type) {
		case *ast.SelectorExpr:
			if !l.p.readsField(n, around, true) {
				return false
			}
			l.fields = append(l.fields, use)
		case *ast.ReturnStmt:
			if l.returnsTwice(n) || len(around) == 0 || statements(around[len(around)-1]) == nil {
				return false
			}
			l.returns = append(l.returns, use)
		default:
			return false
		}
		if l.p.captured(use, l.v) {
			return false
		}
	}
	return true
}

// returnsTwice reports whether several results of a statement are the variable.
func (l *lateStruct) returnsTwice(ret *ast.ReturnStmt) bool {
	same := 0
	for _, e := range ret.Results {
		if id, ok := e.(*ast.Ident); ok && l.p.local(id) == l.v {
			same++
		}
	}
	return same != 1
}

// copied makes the struct the value of its variable, of which a copy is returned.
func (l *lateStruct) copied() []Edit {
	indent, ok := l.p.indentOf(l.assign)
	if _, inside := l.typ.(*ast.ParenExpr); !ok || inside {
		return nil
	}
	edits := []Edit{l.p.edit(l.assign.Pos(), l.assign.Pos(), strings.Join(append(comment(indent, l.v.Name()+" stays on the stack: the result is a copy."), ""), "\n"+indent))}
	if and, ok := l.expr.(*ast.UnaryExpr); ok {
		edits = append(edits, l.p.edit(and.Pos(), and.X.Pos(), ""))
	} else {
		edits = append(edits, l.p.edit(l.expr.Pos(), l.typ.Pos(), ""), l.p.edit(l.typ.End(), l.expr.End(), "{}"))
	}
	if l.p.commentedBetween(l.expr.Pos(), l.typ.Pos()) || l.p.commentedBetween(l.typ.End(), l.expr.End()) && len(edits) > 2 {
		return nil
	}
	for _, use := range l.returns {
		more := l.returnsCopy(use)
		if more == nil {
			return nil
		}
		edits = append(edits, more...)
	}
	return edits
}

// returnsCopy makes an object of the variable where it is returned. Before Go 1.26 that needs another variable.
func (l *lateStruct) returnsCopy(use mention) []Edit {
	if l.p.goes("1.26") && l.p.means(use.id.Pos(), "new(", "new") {
		return []Edit{l.p.edit(use.id.Pos(), use.id.End(), "new("+l.v.Name()+")")}
	}
	around, ret := use.stack[len(use.stack)-2], use.stack[len(use.stack)-1].(*ast.ReturnStmt)
	name := l.p.freeName("result", "out", "complete")
	indent, ok := l.p.indentOf(ret)
	if name == "" || !ok || slices.ContainsFunc(l.returns, func(o mention) bool { return o.id != use.id && o.stack[len(o.stack)-2] == around }) {
		return nil // or it would have two variables of a name
	}
	return []Edit{l.p.edit(ret.Pos(), ret.Pos(), name+" := "+l.v.Name()+"\n"+indent), l.p.edit(use.id.Pos(), use.id.End(), "&"+name)}
}

// moved puts the literal where the variable is returned: nil if that is in several places, if a field is set, or if the literal
// may differ there.
func (l *lateStruct) moved() []Edit {
	if len(l.returns) != 1 {
		return nil
	}
	use := l.returns[0]
	ret := use.stack[len(use.stack)-1].(*ast.ReturnStmt)
	if !l.sameLater(l.expr) || l.p.renamesAt(ret.Pos(), l.expr) || l.p.commentedBetween(l.assign.Pos(), l.expr.Pos()) {
		return nil
	}
	edits := l.withoutStatement(ret)
	if edits == nil {
		return nil
	}
	for _, read := range l.fields {
		sel := read.stack[len(read.stack)-1].(*ast.SelectorExpr)
		value := l.valueOf(sel)
		if value == nil || !l.p.readsField(sel, read.stack[:len(read.stack)-1], false) || l.p.renamesAt(sel.Pos(), value) || l.p.commentedBetween(sel.Pos(), sel.End()) {
			return nil
		}
		edits = append(edits, l.p.edit(sel.Pos(), sel.End(), value.Name))
	}
	return append(edits, l.p.edit(use.id.Pos(), use.id.End(), l.p.text(l.expr)))
}

// sameLater reports whether an expression, or the literal that it is, has the same value wherever its variables are known, and cannot
// panic: these are set once, and are no structs or arrays, of which a part may be set.
func (l *lateStruct) sameLater(e ast.Expr) bool {
	e = ast.Unparen(e)
	if l.p.constant(e) || l.p.isNil(e) || l.p.builtin(e, "new") != nil && freshType(l.p.unit, e) != nil {
		return true
	}
	if and, ok := e.(*ast.UnaryExpr); ok && and.Op == token.AND {
		e = and.X
	}
	if lit, ok := e.(*ast.CompositeLit); ok {
		_, isMap := l.p.typeOf(lit).Underlying().(*types.Map)
		return !isMap && !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				e = pair.Value
			}
			return !l.sameLater(e)
		})
	}
	return l.p.settled(e) && !below(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		v, isVar := l.p.object(id).(*types.Var)
		return isVar && (!l.p.setOnce(v) || !whole(v.Type()))
	})
}

// whole reports whether a variable of a type is only set as a whole, by an assignment to it.
func whole(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return false
	}
	return !hasTypeParameter(t)
}

// valueOf is the variable that the literal gives a field as it is; nil if there is none.
func (l *lateStruct) valueOf(sel *ast.SelectorExpr) *ast.Ident {
	and, ok := l.expr.(*ast.UnaryExpr)
	selection := l.p.pkg.TypesInfo.Selections[sel]
	if !ok || selection.Kind() != types.FieldVal || len(selection.Index()) != 1 {
		return nil
	}
	for i, e := range and.X.(*ast.CompositeLit).Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if pair.Key.(*ast.Ident).Name != sel.Sel.Name {
				continue
			}
			e = pair.Value
		} else if i != selection.Index()[0] {
			continue
		}
		id, ok := e.(*ast.Ident)
		if !ok || l.p.local(id) == nil || !types.Identical(l.p.typeOf(id), l.p.typeOf(sel)) {
			return nil
		}
		return id
	}
	return nil
}

// withoutStatement takes the lines of the assignment out. Comments above and behind it go to the statement that returns: nil if that has
// such, too, or if there is something else on the lines.
func (l *lateStruct) withoutStatement(ret *ast.ReturnStmt) []Edit {
	start, end, own := l.p.linesOf(l.assign)
	indent, ok := l.p.indentOf(ret)
	if !ok || !own {
		return nil
	}
	var edits []Edit
	if behind := l.p.behind(l.assign); behind != "" {
		if !strings.HasPrefix(behind, "//") || l.p.behind(ret) != "" {
			return nil
		}
		edits = append(edits, l.p.edit(ret.End(), ret.End(), " "+behind))
	}
	if above := l.p.linesAbove(l.assign); above != nil {
		file := l.p.fset.File(above.Pos())
		begin := file.LineStart(file.Line(above.Pos()))
		if l.p.linesAbove(ret) != nil || l.p.textBetween(begin, above.Pos()) != l.p.textBetween(start, l.assign.Pos()) {
			return nil
		}
		edits = append(edits, l.p.edit(ret.Pos(), ret.Pos(), l.p.text(above)+"\n"+indent))
		start = begin
	}
	return append(edits, l.p.edit(start, end, ""))
}

// linesOf are the lines of a statement, with an empty one below if a block would begin with it: ok is false if something else stands
// before the statement.
func (p *Line) linesOf(s ast.Stmt) (start, end token.Pos, ok bool) {
	file := p.fset.File(s.Pos())
	last := file.Line(s.End())
	stack := stackOf(p.file, s)
	if _, first := p.indentOf(s); !first || last >= file.LineCount() || len(stack) == 0 {
		return 0, 0, false
	}
	end = file.LineStart(last + 1)
	if list := statements(stack[len(stack)-1]); len(list) > 0 && list[0] == s && last+2 <= file.LineCount() {
		if next := file.LineStart(last + 2); strings.TrimSpace(p.textBetween(end, next)) == "" {
			end = next
		}
	}
	return file.LineStart(file.Line(s.Pos())), end, true
}

// behind is what stands on the last line of a statement behind it.
func (p *Line) behind(s ast.Stmt) string {
	file := p.fset.File(s.Pos())
	last := file.Line(s.End())
	if last == file.LineCount() {
		return "" // of a file without a last newline
	}
	return strings.TrimSpace(p.textBetween(s.End(), file.LineStart(last+1)))
}

// linesAbove is the comment that ends on the line above a statement, other than one beside another statement; nil if there is none.
func (p *Line) linesAbove(s ast.Stmt) *ast.CommentGroup {
	file := p.fset.File(s.Pos())
	for _, c := range p.file.Comments {
		if first, last := file.Line(c.Pos()), file.Line(c.End()); last == file.Line(s.Pos())-1 {
			before, behind := p.textBetween(file.LineStart(first), c.Pos()), p.textBetween(c.End(), file.LineStart(last+1))
			if strings.TrimSpace(behind) != "" || strings.TrimSpace(before) != "" {
				return nil
			}
			return c
		}
	}
	return nil
}

// freeName is the first of some names that nothing in the function and its package has; "" if there is none.
func (p *Line) freeName(names ...string) string {
	top := p.top(p.unit, p.fn.body.Pos())
	if top == nil {
		return ""
	}
	for _, name := range names {
		taken := p.pkg.Types.Scope().Lookup(name) != nil || p.file.Scope != nil && p.file.Scope.Lookup(name) != nil || hasName(top.node, name)
		if _, object := p.pkg.Types.Scope().Innermost(p.fn.body.Pos()).LookupParent(name, token.NoPos); !taken && (object == nil || object.Parent() == types.Universe) {
			return name
		}
	}
	return ""
}
