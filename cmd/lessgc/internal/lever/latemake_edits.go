package lever

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// mostCopied is the size of structs that are made on the stack, and copied where they are returned.
const mostCopied = 256

// atReturn keeps a new struct as the value of its variable, and makes the object where it is returned: nil if anything else has the
// pointer, or would notice the copy.
func (p *Line) atReturn(m making) []Edit {
	stack := stackOf(p.file, m.expr)
	if and, ok := innermost(stack).(*ast.UnaryExpr); ok && and.X == m.expr {
		m.expr, stack = and, stack[:len(stack)-1]
	}
	typ := freshType(p.unit, m.expr)
	if typ == nil || len(stack) < 2 || p.pkg.TypesSizes == nil || p.jumps(m.expr.Pos()) || p.generated(p.unit) {
		return nil
	}
	assign, ok := stack[len(stack)-1].(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || statements(stack[len(stack)-2]) == nil {
		return nil
	}
	v, of := p.local(assign.Lhs[0]), p.typeOf(typ)
	if v == nil || !p.setOnce(v) || hasTypeParameter(of) || !p.smallStruct(of, mostCopied) || p.pkg.TypesSizes.Sizeof(of) == 0 {
		return nil
	}
	var edits []Edit
	if and, ok := m.expr.(*ast.UnaryExpr); ok {
		edits = append(edits, p.edit(and.Pos(), and.X.Pos(), ""))
	} else {
		edits = append(edits, p.edit(m.expr.Pos(), typ.Pos(), ""), p.edit(typ.End(), m.expr.End(), "{}"))
	}
	if p.commentedBetween(m.expr.Pos(), typ.Pos()) || p.commentedBetween(typ.End(), m.expr.End()) && len(edits) > 1 {
		return nil
	}
	name := p.freeName("made", "complete", "result")
	for _, use := range p.mentions(p.unit, v) {
		if p.captured(use, v) || name == "" {
			return nil
		}
		around := use.stack[:len(use.stack)-1]
		switch n := use.stack[len(use.stack)-1].(type) {
		case *ast.SelectorExpr:
			if !p.readsField(n, around, true) {
				return nil
			}
		case *ast.ReturnStmt:
			more := p.returnsCopy(n, around, use.id, name)
			if more == nil {
				return nil
			}
			edits = append(edits, more...)
		default:
			return nil
		}
	}
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Pos, b.Pos) })
	return edits
}

// returnsCopy makes an object of a variable, for a statement that returns it once.
func (p *Line) returnsCopy(ret *ast.ReturnStmt, around []ast.Node, id *ast.Ident, name string) []Edit {
	indent, ok := p.indentOf(ret)
	same := 0
	for _, e := range ret.Results {
		if other, is := e.(*ast.Ident); is && p.object(other) == p.object(id) {
			same++
		}
	}
	if !ok || same != 1 || len(around) == 0 || statements(around[len(around)-1]) == nil {
		return nil
	}
	return []Edit{p.edit(ret.Pos(), ret.Pos(), name+" := "+id.Name+"\n"+indent), p.edit(id.Pos(), id.End(), "&"+name)}
}

// freeName is the first of some names that nothing in the function and its package has; "" if there is none.
func (p *Line) freeName(names ...string) string {
	top := p.top(p.unit, p.fn.body.Pos())
	if top == nil {
		return ""
	}
	for _, name := range names {
		taken := p.pkg.Types.Scope().Lookup(name) != nil || p.file.Scope != nil && p.file.Scope.Lookup(name) != nil
		ast.Inspect(top.node, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			taken = taken || ok && id.Name == name
			return !taken
		})
		if _, object := p.pkg.Types.Scope().Innermost(p.fn.body.Pos()).LookupParent(name, token.NoPos); !taken && (object == nil || object.Parent() == types.Universe) {
			return name
		}
	}
	return ""
}
