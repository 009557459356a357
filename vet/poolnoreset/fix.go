package poolnoreset

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"lessgc/vet/internal/rule"
)

// fix adds a Reset after the statement that assigns the result of call, a Get.
func fix(pass *rule.Pass, item types.Type, call *ast.CallExpr) []analysis.SuggestedFix {
	for _, f := range pass.Files {
		if f.FileStart > call.Pos() || call.Pos() >= f.FileEnd {
			continue
		}
		path, _ := astutil.PathEnclosingInterval(f, call.Pos(), call.End())
		for len(path) > 0 {
			if _, ok := path[0].(ast.Stmt); ok {
				break
			}
			path = path[1:]
		}
		if len(path) < 2 {
			return nil
		}
		if _, ok := path[1].(*ast.BlockStmt); !ok {
			return nil
		}
		edits := reset(pass, item, path[0], call)
		if edits == nil {
			return nil
		}
		return []analysis.SuggestedFix{{Message: "Reset the value from Get", TextEdits: edits}}
	}
	return nil
}

// reset makes s, which assigns or returns what call gives, reset it.
func reset(pass *rule.Pass, item types.Type, s ast.Node, call *ast.CallExpr) []analysis.TextEdit {
	switch s := s.(type) {
	case *ast.AssignStmt:
		id, ok := s.Lhs[0].(*ast.Ident)
		if !ok || id.Name == "_" || len(s.Lhs) != 1 || len(s.Rhs) != 1 || !gives(s.Rhs[0], call) || !types.Identical(pass.TypesInfo.TypeOf(id), item) {
			return nil
		}
		return []analysis.TextEdit{{Pos: s.End(), End: s.End(), NewText: fmt.Appendf(nil, "\n%s.Reset()", id.Name)}}
	case *ast.ReturnStmt:
		if len(s.Results) != 1 || !gives(s.Results[0], call) || !types.Identical(pass.TypesInfo.TypeOf(s.Results[0]), item) {
			return nil
		}
		name := unused(pass, s.Pos())
		return []analysis.TextEdit{
			{Pos: s.Pos(), End: s.Results[0].Pos(), NewText: fmt.Appendf(nil, "%s := ", name)},
			{Pos: s.End(), End: s.End(), NewText: fmt.Appendf(nil, "\n%s.Reset()\nreturn %[1]s", name)},
		}
	}
	return nil
}

// gives reports whether e is call, or the assertion of its type.
func gives(e ast.Expr, call *ast.CallExpr) bool {
	e = ast.Unparen(e)
	if t, ok := e.(*ast.TypeAssertExpr); ok {
		e = ast.Unparen(t.X)
	}
	return e == ast.Expr(call)
}

// unused is a name that means nothing at pos.
func unused(pass *rule.Pass, pos token.Pos) string {
	scope := pass.Pkg.Scope().Innermost(pos)
	name := "x"
	for {
		if _, o := scope.LookupParent(name, pos); o == nil {
			return name
		}
		name += "x"
	}
}
