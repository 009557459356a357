package lever

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// cutBefore cuts a text before the statement of which its first part is an operand: nil where that is not always evaluated, or
// the text is not the same before it.
func (p *Line) cutBefore(c called, first *ast.IndexExpr, cut string) []Edit {
	stack := stackOf(p.file, first)
	stmt := stmtOf(stack)
	if stmt == nil || !inList(stack, stmt) || !p.settled(c.call.Args[0]) || p.jumps(first.Pos()) || !evaluatesFirst(stmt, first) {
		return nil
	}
	for _, n := range stack[slices.Index(stack, ast.Node(stmt)):] {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) && b.Y.Pos() <= first.Pos() {
			return nil
		}
	}
	top := p.top(p.unit, first.Pos())
	if top == nil {
		return nil
	}
	name := "before"
	if p.taken(top.node, name) || below(top.node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && strings.HasPrefix(id.Name, "Split") && id.Pos() < c.call.Pos()
	}) {
		name = p.valueName(c.call.Args[0])
		if v := p.local(c.call.Args[0]); v != nil {
			name = v.Name()
		}
		if name += "Before"; p.taken(top.node, name) {
			return nil
		}
	}
	insert, ok := p.insert(stmt, name+", _, _ := "+cut)
	edits, replaced := p.instead(map[ast.Node]string{first: name})
	if !ok || !replaced {
		return nil
	}
	return append([]Edit{insert}, edits...)
}

// evaluatesFirst reports whether an expression is evaluated by a statement itself, once, and not by one in it or as what is set.
func evaluatesFirst(stmt ast.Stmt, e ast.Expr) bool {
	switch s := stmt.(type) {
	case *ast.ReturnStmt, *ast.ExprStmt:
		return true
	case *ast.AssignStmt:
		return s.Rhs[0].Pos() <= e.Pos()
	case *ast.IfStmt:
		return s.Init == nil && e.End() <= s.Cond.End()
	}
	return false
}
