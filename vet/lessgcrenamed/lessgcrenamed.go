package lessgcrenamed

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer reports uses of names that lessgc has removed. It runs despite type errors, as such
// names are errors.
var Analyzer = despiteErrors(rule.New("lessgcrenamed", doc, false, run, inspect.Analyzer))

func despiteErrors(a *analysis.Analyzer) *analysis.Analyzer {
	a.RunDespiteErrors = true
	return a
}

// A use is a use of a name, or a call, that is gone.
type use struct {
	*change
	pass   *rule.Pass
	file   *ast.File
	expr   ast.Expr          // the reported range
	cur    inspector.Cursor  // of sel, or of the identifier
	sel    *ast.SelectorExpr // nil for a name of a dot import
	call   *ast.CallExpr     // the call of sel, instantiated or not; nil if it is not called
	direct bool              // the receiver is not promoted from an embedded field
}

func run(pass *rule.Pass) error {
	if len(pass.TypeErrors) == 0 {
		return nil
	}
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for file := range in.Root().Children() {
		f := file.Node().(*ast.File)
		var uses []*use
		for cur := range file.Preorder((*ast.SelectorExpr)(nil), (*ast.Ident)(nil)) {
			if u := find(pass, f, cur); u != nil {
				uses = append(uses, u)
			}
		}
		fixes := newFixes(f, uses)
		for i, u := range uses {
			pass.Report(rule.Finding{Pos: u.expr.Pos(), End: u.expr.End(), Category: rule.Removed, Message: u.message(), Fixes: fixes[i]})
		}
	}
	return nil
}

// find returns the use at cur, an identifier or a selector, or nil.
func find(pass *rule.Pass, file *ast.File, cur inspector.Cursor) *use {
	u := &use{pass: pass, file: file, cur: cur}
	switch n := cur.Node().(type) {
	case *ast.Ident:
		u.expr = n
		u.change = dotted(pass, file, cur, n)
	case *ast.SelectorExpr:
		u.expr, u.sel = n, n
		u.selected()
	}
	if u.change == nil {
		return nil
	}
	u.findCall()
	if u.args != "" {
		if u.call == nil || len(u.call.Args) < 1+strings.Count(u.args, ",") && !u.call.Ellipsis.IsValid() {
			return nil
		}
		u.expr = u.call
	}
	return u
}

// dotted returns the change of an undeclared name of a package that the file imports with a
// dot, or nil.
func dotted(pass *rule.Pass, file *ast.File, cur inspector.Cursor, id *ast.Ident) *change {
	switch cur.ParentEdgeKind() {
	case edge.SelectorExpr_Sel, edge.KeyValueExpr_Key:
		return nil
	}
	if pass.TypesInfo.Uses[id] != nil || pass.TypesInfo.Defs[id] != nil {
		return nil
	}
	for _, spec := range file.Imports {
		if p := pass.TypesInfo.PkgNameOf(spec); p != nil && p.Name() == "." {
			c := lookup(p.Imported().Path(), "", id.Name)
			if _, o := pass.Pkg.Scope().Innermost(id.Pos()).LookupParent(id.Name, id.Pos()); c != nil && o == nil {
				return c
			}
		}
	}
	return nil
}

// selected sets the change of a selector whose operand is a package or a value.
func (u *use) selected() {
	info, sel := u.pass.TypesInfo, u.sel
	if id, ok := sel.X.(*ast.Ident); ok {
		if p := u.pkgName(id); p != nil {
			if p.Imported().Scope().Lookup(sel.Sel.Name) == nil {
				u.change = lookup(p.Imported().Path(), "", sel.Sel.Name)
			}
			return
		}
	}
	t := info.TypeOf(sel.X)
	if t == nil || t == types.Typ[types.Invalid] {
		return
	}
	for recv, member := range members {
		o, index, _ := types.LookupFieldOrMethod(t, true, nil, member)
		if o == nil || o.Pkg() == nil {
			continue
		}
		c := lookup(o.Pkg().Path(), recv, sel.Sel.Name)
		if c == nil || c.args == "" && info.Uses[sel.Sel] != nil {
			continue
		}
		if m, ok := info.Uses[sel.Sel].(*types.Func); c.args != "" && (!ok || m.Pkg() != o.Pkg()) {
			continue // a method of another type
		}
		u.change, u.direct = c, len(index) == 1
	}
}

// pkgName returns the package that an identifier denotes, or nil. Go/types does not resolve the
// type arguments of an undeclared type; the scopes do.
func (u *use) pkgName(id *ast.Ident) *types.PkgName {
	o := u.pass.TypesInfo.ObjectOf(id)
	if o == nil {
		_, o = u.pass.Pkg.Scope().Innermost(id.Pos()).LookupParent(id.Name, id.Pos())
	}
	p, _ := o.(*types.PkgName)
	return p
}

// findCall sets the call of a function or method.
func (u *use) findCall() {
	fun := u.cur
	switch fun.ParentEdgeKind() {
	case edge.IndexExpr_X, edge.IndexListExpr_X:
		fun = fun.Parent()
	}
	if fun.ParentEdgeKind() == edge.CallExpr_Fun && (u.sel == nil || !u.pass.TypesInfo.Types[u.sel.X].IsType()) {
		u.call = fun.Parent().Node().(*ast.CallExpr)
	}
}

// line returns the line of pos in its file, line directives ignored.
func (u *use) line(pos token.Pos) int { return u.pass.Fset.PositionFor(pos, false).Line }

// edits returns the edits of the fix other than to imports, nil if there is no fix or it would
// lose a comment.
func (u *use) edits(pkg string) []analysis.TextEdit {
	if u.fix == nil || u.sel == nil {
		return nil
	}
	edits := u.fix(u, pkg)
	for _, g := range u.file.Comments {
		if slices.ContainsFunc(edits, func(e analysis.TextEdit) bool { return e.Pos < g.End() && g.Pos() < e.End }) {
			return nil
		}
	}
	return edits
}
