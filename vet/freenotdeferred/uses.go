package freenotdeferred

import (
	"go/ast"
	"go/token"
	"go/types"

	"lessgc/vet/internal/catalog"
)

// A usage describes what a function does between taking an arena and freeing it.
type usage struct {
	calls     *ast.CallExpr   // one that may panic
	returns   *ast.ReturnStmt // without freeing the arena
	early     []*ast.ExprStmt // that free it, each before a return
	leaves    []*ast.ReturnStmt
	elsewhere bool // another function may free it, or it is freed in another way
}

// uses looks at the statements from the one that takes the arena to the one that frees it.
func (s *scope) uses(last int) usage {
	var u usage
	for _, stmt := range s.body.List[s.acquire+1 : last] {
		u.elsewhere = u.elsewhere || s.frees(stmt) != nil
		s.look(stmt, &u, false)
	}
	return u
}

// look adds what a statement does. Inner says that it is in a function literal.
func (s *scope) look(n ast.Node, u *usage, inner bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			s.look(n.Body, u, true)
			return false
		case *ast.DeferStmt:
			u.elsewhere = u.elsewhere || s.mentions(n)
		case *ast.GoStmt:
			u.elsewhere = u.elsewhere || s.mentions(n)
		case *ast.SendStmt:
			u.elsewhere = u.elsewhere || s.is(n.Value)
		case *ast.AssignStmt:
			for _, e := range append(n.Lhs[:len(n.Lhs):len(n.Lhs)], n.Rhs...) {
				u.elsewhere = u.elsewhere || s.is(e)
			}
		case *ast.ValueSpec:
			for _, e := range n.Values {
				u.elsewhere = u.elsewhere || s.is(e)
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				u.elsewhere = u.elsewhere || s.is(e)
			}
		case *ast.UnaryExpr:
			u.elsewhere = u.elsewhere || n.Op == token.AND && s.is(n.X)
		case *ast.IfStmt:
			if cond, ok := n.Cond.(*ast.BinaryExpr); ok && cond.Op == token.EQL && s.is(cond.X) {
				return false // there is no arena
			}
		case *ast.BlockStmt:
			s.list(n.List, u, inner)
		case *ast.CaseClause:
			s.list(n.Body, u, inner)
		case *ast.CommClause:
			s.list(n.Body, u, inner)
		case *ast.CallExpr:
			s.call(n, u, inner)
		case *ast.BranchStmt:
			u.elsewhere = u.elsewhere || n.Tok == token.GOTO
		}
		return true
	})
}

// list looks at the statements of a block for returns and what stands before them.
func (s *scope) list(list []ast.Stmt, u *usage, inner bool) {
	for i, stmt := range list {
		free := s.frees(stmt)
		if free != nil && inner {
			u.elsewhere = true
		}
		if r, ok := stmt.(*ast.ReturnStmt); ok && !inner {
			for _, e := range r.Results {
				u.elsewhere = u.elsewhere || s.is(e)
			}
			if i == 0 || s.frees(list[i-1]) == nil {
				u.returns = r
			}
		}
		if free == nil || inner {
			continue
		}
		r, ok := returnAfter(list, i)
		if !ok {
			u.elsewhere = true // it goes on without the arena
			continue
		}
		u.early, u.leaves = append(u.early, stmt.(*ast.ExprStmt)), append(u.leaves, r)
	}
}

// returnAfter returns the return statement that follows a statement of a list.
func returnAfter(list []ast.Stmt, i int) (*ast.ReturnStmt, bool) {
	if i+1 >= len(list) {
		return nil, false
	}
	r, ok := list[i+1].(*ast.ReturnStmt)
	return r, ok
}

// call looks at a call.
func (s *scope) call(call *ast.CallExpr, u *usage, inner bool) {
	for _, arg := range call.Args {
		if f := function(s.pass, call); s.is(arg) && (f == nil || f.Pkg() != nil && f.Pkg().Path() == "runtime") {
			u.elsewhere = true // a function variable may keep it; a finalizer frees it
		}
	}
	if u.calls == nil && !inner && s.mayPanic(call) {
		u.calls = call
	}
}

// mentions reports whether a node mentions the arena.
func (s *scope) mentions(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.pass.TypesInfo.Uses[id] == s.arena {
			found = true
		}
		return !found
	})
	return found
}

// mayPanic reports whether a call runs code that was not examined: a function other than
// those of arenas.
func (s *scope) mayPanic(call *ast.CallExpr) bool {
	if s.pass.TypesInfo.Types[call.Fun].IsType() {
		return false
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := s.pass.TypesInfo.Uses[id].(*types.Builtin); ok {
			return b.Name() == "panic"
		}
	}
	f := function(s.pass, call)
	if f == nil || f.Pkg() == nil {
		return true
	}
	if catalog.Says(f, func(f *catalog.Function) bool { return f.Calm }) {
		return false
	}
	return !catalog.Declares(f.Pkg(), func(f *catalog.Function) bool { return f.FreedBy != "" }, nil)
}
