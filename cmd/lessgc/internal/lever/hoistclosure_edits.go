package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// hoistedClosure makes a function literal or method value of a line, which captures nothing of the iterations of a loop, a
// variable before the loop: nil if it cannot be shown that the change is unobservable, or that the loop comes there each time.
func (p *Line) hoistedClosure(s spot, loop ast.Node) []Edit {
	e, ok := s.node.(ast.Expr)
	if !ok || p.usesFrom(e, e, loop) || !p.eachTime(s, loop) || p.calledThere(s) {
		return nil
	}
	top := p.top(p.unit, e.Pos())
	if top == nil || jumpsAbout(top.node.(*ast.FuncDecl)) {
		return nil
	}
	x := &pooling{p: p, decl: top.node.(*ast.FuncDecl)}
	name := x.localName(p.closureName(s))
	first, ok := p.insert(loop, name+" := "+p.text(e))
	if !ok || p.text(e) == "" {
		return nil
	}
	return []Edit{first, p.edit(e.Pos(), e.End(), name)}
}

// calledThere reports whether a function literal is called where it stands, also by a defer or go statement.
func (p *Line) calledThere(s spot) bool {
	call, ok := s.parent().(*ast.CallExpr)
	return ok && ast.Unparen(call.Fun) == s.node
}

// eachTime reports whether a node is reached by each iteration of a loop that does not end before it: only other loops stand
// between the two.
func (p *Line) eachTime(s spot, loop ast.Node) bool {
	at := slices.Index(s.stack, loop)
	return at >= 0 && !slices.ContainsFunc(s.stack[at+1:], func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.CaseClause, *ast.CommClause, *ast.FuncLit, *ast.LabeledStmt:
			return true
		case *ast.BinaryExpr:
			return n.Op == token.LAND || n.Op == token.LOR
		}
		return false
	})
}

// jumpsAbout reports whether a function has a goto: it may not jump over the declaration of a variable.
func jumpsAbout(decl *ast.FuncDecl) bool {
	found := false
	ast.Inspect(decl, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.GOTO
		return !found
	})
	return found
}

// closureName is a name for a function: that of the parameter or field that gets it, or of the method.
func (p *Line) closureName(s spot) string {
	switch parent := s.parent().(type) {
	case *ast.CallExpr:
		sig, ok := p.typeOf(parent.Fun).Underlying().(*types.Signature)
		i := slices.Index(parent.Args, s.node.(ast.Expr))
		if ok && i >= 0 && i < sig.Params().Len() && goodName(sig.Params().At(i).Name()) {
			return sig.Params().At(i).Name()
		}
	case *ast.KeyValueExpr:
		if key, ok := parent.Key.(*ast.Ident); ok && goodName(lower(key.Name)) {
			return lower(key.Name)
		}
	}
	if method, ok := s.node.(*ast.SelectorExpr); ok && goodName(lower(method.Sel.Name)) {
		return lower(method.Sel.Name)
	}
	return "do"
}

// goodName reports whether a text may be the name of a variable.
func goodName(name string) bool {
	return token.IsIdentifier(name) && name != "_" && types.Universe.Lookup(name) == nil
}
