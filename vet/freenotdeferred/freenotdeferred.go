package freenotdeferred

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer finds arenas that are freed at the end of a function, but not if it panics.
var Analyzer = rule.New("freenotdeferred", doc, true, run, says)

func run(p *rule.Pass) error {
	pass := &checker{p, p.ResultOf[says].(map[*types.Func]*said)}
	for _, file := range pass.Files {
		if strings.HasSuffix(pass.Fset.Position(file.FileStart).Filename, "_test.go") {
			continue // a test that panics is over
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil && !final(pass, n) {
					check(pass, n.Type, n.Body)
				}
			case *ast.FuncLit:
				check(pass, n.Type, n.Body)
			}
			return true
		})
	}
	return nil
}

// final reports whether the program ends when a function panics: main and init.
func final(pass *checker, fn *ast.FuncDecl) bool {
	return fn.Recv == nil && (fn.Name.Name == "init" || fn.Name.Name == "main" && pass.Pkg.Name() == "main")
}

// check looks at the arenas that a function takes and frees.
func check(pass *checker, typ *ast.FuncType, body *ast.BlockStmt) {
	if tests(pass, typ) {
		return
	}
	for i, stmt := range body.List {
		name, maker := acquired(pass, stmt)
		free := catalog.Func(maker).FreedBy
		if free != "" || pass.said(maker).Acquires {
			s := &scope{pass: pass, body: body, acquire: i, arena: pass.TypesInfo.Defs[name], free: free}
			s.check()
		}
	}
}

// tests reports whether a function is one of a test: it has a *testing.T or so.
func tests(pass *checker, typ *ast.FuncType) bool {
	for _, p := range typ.Params.List {
		if t := pass.TypesInfo.TypeOf(p.Type); t != nil && strings.Contains(types.TypeString(t, nil), "testing.") {
			return true
		}
	}
	return false
}

// acquired returns the variable that a statement declares, if that is all that it does, and the function
// whose result it is; nil if there is none.
func acquired(pass *checker, stmt ast.Stmt) (name *ast.Ident, maker *types.Func) {
	var names []*ast.Ident
	var values []ast.Expr
	switch stmt := stmt.(type) {
	case *ast.AssignStmt:
		id, ok := stmt.Lhs[0].(*ast.Ident)
		if !ok || stmt.Tok != token.DEFINE {
			return nil, nil
		}
		names, values = []*ast.Ident{id}, stmt.Rhs
		if len(stmt.Lhs) != 1 {
			return nil, nil
		}
	case *ast.DeclStmt:
		d, ok := stmt.Decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR || len(d.Specs) != 1 {
			return nil, nil
		}
		names, values = d.Specs[0].(*ast.ValueSpec).Names, d.Specs[0].(*ast.ValueSpec).Values
	}
	if len(names) != 1 || len(values) != 1 || pass.TypesInfo.Defs[names[0]] == nil {
		return nil, nil
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	return names[0], function(pass, call)
}

// function is the called function or method, nil if it is not known.
func function(pass *checker, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	f, _ := pass.TypesInfo.Uses[id].(*types.Func)
	return f
}

// A scope is the body of a function and an arena that it takes.
type scope struct {
	pass    *checker
	body    *ast.BlockStmt
	acquire int // the number of the statement that takes it
	arena   types.Object
	free    string // the full name of the function that frees it; empty if a directive says that it is an arena
}

// check reports the arena if it is freed at the end, and that could be missed.
func (s *scope) check() {
	last := len(s.body.List) - 1
	if last >= 0 {
		if r, ok := s.body.List[last].(*ast.ReturnStmt); ok {
			if s.works(r) {
				return // it is freed early, on purpose
			}
			last--
		}
	}
	if last <= s.acquire {
		return
	}
	free := s.frees(s.body.List[last])
	if free == nil {
		return
	}
	u := s.uses(last)
	if u.elsewhere || u.calls == nil && u.returns == nil {
		return
	}
	f := rule.Finding{
		Pos:      free.Pos(),
		End:      free.End(),
		Category: rule.Performance,
		Related:  []analysis.RelatedInformation{rule.Related(s.body.List[s.acquire].Pos(), "the arena is taken here")},
		Fixes:    s.fix(free, last, u),
	}
	if u.returns == nil {
		f.Message = fmt.Sprintf("%s is not freed if %s panics: defer it", s.arena.Name(), s.name(u.calls))
	} else {
		f.Message = fmt.Sprintf("%s is not freed if the function returns before this: defer it", s.arena.Name())
		f.Related = append(f.Related, rule.Related(u.returns.Pos(), "it returns here"))
	}
	s.pass.Report(f)
}

// name returns the name of a called function, for messages.
func (s *scope) name(call *ast.CallExpr) string {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if fun.Name != "panic" {
			return fun.Name
		}
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return "the function"
}

// frees is the call by which a statement frees the arena, nil if it does not.
func (s *scope) frees(stmt ast.Stmt) *ast.CallExpr {
	e, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return nil
	}
	f := function(s.pass, call)
	if f == nil {
		return nil
	}
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if s.free != "" && sel != nil && catalog.Is(f, s.free) && (s.is(sel.X) || len(call.Args) > 0 && s.is(call.Args[0])) {
		return call
	}
	args := call.Args
	if sel != nil && f.Signature().Recv() != nil {
		args = append([]ast.Expr{sel.X}, args...)
	}
	for i, a := range args {
		if s.is(a) && s.pass.releases(f, i) {
			return call
		}
	}
	return nil
}

// is reports whether an expression is the arena.
func (s *scope) is(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && s.pass.TypesInfo.Uses[id] == s.arena
}

// works reports whether a statement calls functions.
func (s *scope) works(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && s.mayPanic(call) {
			found = true
		}
		return !found
	})
	return found
}
