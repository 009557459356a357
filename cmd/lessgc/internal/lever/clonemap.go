package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// clonedMap are the edits that make a map by maps.Clone where all that a loop, which comes right behind, does is to copy another
// map of the same type: one that is shown not to be nil, as a clone of nil is nil, and into a map that leaves the
// function, as one that does not may be on the stack.
func (p *Line) clonedMap(v *types.Var, d definition, loop ast.Node) []Edit {
	each, ok := loop.(*ast.RangeStmt)
	from, known := p.statement(d.pos)
	if !ok || !known || !p.goes("1.21") || !p.copiesEach(each, v) || !types.Identical(p.typeOf(each.X), v.Type()) {
		return nil
	}
	made := from.list[from.at]
	switch made.(type) {
	case *ast.AssignStmt, *ast.DeclStmt:
	default:
		return nil // a label
	}
	if from.at+1 >= len(from.list) || from.list[from.at+1] != ast.Stmt(each) || made.End() != d.value.End() ||
		p.commentedBetween(d.value.Pos(), each.End()) || !p.notNil(each.X, made) || !p.leavesFunction(v, each) {
		return nil
	}
	name, edits, ok := p.importing("maps")
	if !ok {
		return nil
	}
	clone, pos, end := name+".Clone("+p.text(each.X)+")", d.value.Pos(), each.End()
	if back := p.onlyReturned(v, from, each); back != nil {
		clone, pos, end = "return "+clone, made.Pos(), back.End()
	}
	edits = append(edits, p.unused(func(id *ast.Ident) bool {
		return pos <= id.Pos() && id.End() <= end && !(each.X.Pos() <= id.Pos() && id.End() <= each.X.End())
	}, []string{"maps"})...)
	return append(edits, p.edit(pos, end, clone))
}

// onlyReturned is the statement behind a loop which returns a variable, that only its declaration, right before the loop, and the loop have beside; nil if there is none.
func (p *Line) onlyReturned(v *types.Var, declared block, loop ast.Stmt) *ast.ReturnStmt {
	if declared.at+2 >= len(declared.list) {
		return nil
	}
	back, ok := declared.list[declared.at+2].(*ast.ReturnStmt)
	if !ok || len(back.Results) != 1 || p.local(back.Results[0]) != v || p.commentedBetween(loop.End(), back.End()) ||
		slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
			return m.parent() != back && !slices.Contains(m.stack, ast.Node(loop))
		}) {
		return nil
	}
	switch s := declared.list[declared.at].(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 {
			return back
		}
	case *ast.DeclStmt:
		if spec, ok := s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec); ok && len(s.Decl.(*ast.GenDecl).Specs) == 1 && len(spec.Names) == 1 && spec.Doc == nil {
			return back
		}
	}
	return nil
}

// copiesEach reports whether a loop only sets each entry of what it goes over in a map.
func (p *Line) copiesEach(loop *ast.RangeStmt, to *types.Var) bool {
	if loop.Tok != token.DEFINE || loop.Key == nil || loop.Value == nil || len(loop.Body.List) != 1 {
		return false
	}
	assign, ok := loop.Body.List[0].(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return false
	}
	index, ok := ast.Unparen(assign.Lhs[0]).(*ast.IndexExpr)
	key, value := p.local(loop.Key), p.local(loop.Value)
	return ok && key != nil && value != nil && p.local(index.X) == to && p.local(index.Index) == key && p.local(assign.Rhs[0]) == value
}

// leavesFunction reports whether a map is used by more than its entries, its length and whether it is nil, elsewhere than in the loop that fills it.
func (p *Line) leavesFunction(v *types.Var, loop ast.Node) bool {
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		if slices.Contains(m.stack, loop) {
			return false
		}
		switch parent := m.parent().(type) {
		case *ast.IndexExpr, *ast.RangeStmt, *ast.BinaryExpr:
			return false
		case *ast.CallExpr:
			_, builtin := p.object(parent.Fun).(*types.Builtin)
			return !builtin
		}
		return true
	})
}

// notNil reports whether a map is not nil at a statement: it is made in the function and never assigned, or it was
// compared with nil, or its length with 0, on the way there, and nothing since then calls a function or changes anything.
func (p *Line) notNil(e ast.Expr, at ast.Stmt) bool {
	if !isPath(e) {
		return false
	}
	if v := p.local(e); v != nil && p.madeOnce(v) {
		return true
	}
	b, ok := p.blockOf(at)
	if !ok || p.jumps(at.Pos()) {
		return false
	}
	for _, s := range slices.Backward(b.list[:b.at]) {
		if branch, ok := s.(*ast.IfStmt); ok && branch.Init == nil && branch.Else == nil && leaves(branch.Body) && p.inert(branch.Cond) && p.says(branch.Cond, e, token.LOR) {
			return true
		}
		if !p.inert(s) {
			return false
		}
	}
	stack := stackOf(p.file, at)
	if len(stack) < 2 {
		return false
	}
	branch, ok := stack[len(stack)-2].(*ast.IfStmt)
	return ok && branch.Body == stack[len(stack)-1] && p.inert(branch.Cond) && p.says(branch.Cond, e, token.LAND)
}

// madeOnce reports whether a local variable is a map that is made, and keeps it.
func (p *Line) madeOnce(v *types.Var) bool {
	d, ok := p.define(p.unit, v)
	if !ok || d.value == nil || !p.keepsValue(v) {
		return false
	}
	switch x := ast.Unparen(d.value).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return p.builtin(x, "make") != nil
	}
	return false
}

// says reports whether a map is not nil where a condition is false, and op is ||, or where it is true, and op is &&.
func (p *Line) says(cond, e ast.Expr, op token.Token) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	switch {
	case !ok:
		return false
	case b.Op == op:
		return p.says(b.X, e, op) || p.says(b.Y, e, op)
	}
	not := b.Op == token.EQL && op == token.LOR || b.Op == token.NEQ && op == token.LAND
	x, y := ast.Unparen(b.X), ast.Unparen(b.Y)
	if p.isNil(x) {
		x, y = y, x
	}
	if p.isNil(y) {
		return not && p.samePath(x, e)
	}
	call := p.builtin(x, "len")
	return call != nil && p.isZero(y) && (not || b.Op == token.GTR && op == token.LAND) && p.samePath(call.Args[0], e)
}

// samePath reports whether two expressions are the same variable, or the same field of it.
func (p *Line) samePath(a, b ast.Expr) bool {
	a, b = ast.Unparen(a), ast.Unparen(b)
	x, ok := a.(*ast.SelectorExpr)
	y, ok2 := b.(*ast.SelectorExpr)
	if ok && ok2 {
		return p.object(x.Sel) == p.object(y.Sel) && p.samePath(x.X, y.X)
	}
	return !ok && !ok2 && p.object(a) != nil && p.object(a) == p.object(b)
}

// inert reports whether a node only computes, and declares variables: it calls nothing but functions of the language, sets
// nothing that was there, and waits for nobody.
func (p *Line) inert(n ast.Node) bool {
	ok := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			ok = ok && n.Tok == token.DEFINE && !slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool {
				id, ok := e.(*ast.Ident)
				return !ok || p.pkg.TypesInfo.Uses[id] != nil // as it is declared already
			})
		case *ast.CallExpr:
			_, builtin := p.object(n.Fun).(*types.Builtin)
			ok = ok && (builtin || p.pkg.TypesInfo.Types[n.Fun].IsType())
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW && n.Op != token.AND
		case *ast.IncDecStmt, *ast.SendStmt, *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt, *ast.LabeledStmt, *ast.RangeStmt:
			ok = false
		}
		return ok
	})
	return ok
}
