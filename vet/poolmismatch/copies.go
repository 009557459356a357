package poolmismatch

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// declaresNoCopy reports whether pkg, or a package that it imports, directly or not, declares a type that
// must not be copied.
func declaresNoCopy(pkg *types.Package, seen map[*types.Package]bool) bool {
	seen[pkg] = true
	return catalog.Declares(pkg, nil, func(t *catalog.Type) bool { return t.NoCopy }) || slices.ContainsFunc(pkg.Imports(), func(p *types.Package) bool {
		return !seen[p] && declaresNoCopy(p, seen)
	})
}

// copies reports copies of pools and arenas that must not be copied. Those of sync.Pool are left to
// the check copylocks of go vet.
func (c *checker) copies() {
	in := c.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	nodes := []ast.Node{(*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil), (*ast.ReturnStmt)(nil), (*ast.CompositeLit)(nil), (*ast.CallExpr)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil), (*ast.RangeStmt)(nil)}
	in.Preorder(nodes, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, e := range n.Rhs {
				if len(n.Lhs) != len(n.Rhs) || !isBlank(n.Lhs[i]) {
					c.copied(e)
				}
			}
		case *ast.ValueSpec:
			for i, e := range n.Values {
				if len(n.Names) != len(n.Values) || n.Names[i].Name != "_" {
					c.copied(e)
				}
			}
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				c.copied(e)
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				c.copied(e)
			}
		case *ast.CallExpr:
			c.arguments(n)
		case *ast.FuncDecl:
			if n.Recv != nil {
				c.parameters(n.Recv)
			}
			c.parameters(n.Type.Params)
		case *ast.FuncLit:
			c.parameters(n.Type.Params)
		case *ast.RangeStmt:
			if n.Value != nil && !isBlank(n.Value) {
				c.copiedType(n.Value, c.TypesInfo.TypeOf(n.Value), "range")
			}
		}
	})
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// arguments looks at what a call passes by value.
func (c *checker) arguments(call *ast.CallExpr) {
	t := c.TypesInfo.Types[call.Fun]
	if t.IsType() || t.IsBuiltin() {
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		if !ok || id.Name != "append" {
			return // new, len, unsafe.Sizeof and conversions copy nothing
		}
	}
	for _, e := range call.Args {
		c.copied(e)
	}
}

func (c *checker) parameters(list *ast.FieldList) {
	for _, f := range list.List {
		c.copiedType(f.Type, c.TypesInfo.TypeOf(f.Type), "a parameter")
	}
}

// copied reports e if using its value makes a copy: what was just made has no original.
func (c *checker) copied(e ast.Expr) {
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit, *ast.CallExpr, *ast.FuncLit, *ast.BasicLit:
		return
	case *ast.StarExpr:
		if c.TypesInfo.Types[x].IsType() {
			return
		}
	}
	if tv := c.TypesInfo.Types[e]; tv.IsValue() {
		c.copiedType(e, tv.Type, "this")
	}
}

// copiedType reports a copy of type t at n, made by what.
func (c *checker) copiedType(n ast.Expr, t types.Type, what string) {
	path := sole(t, nil)
	if path == nil {
		return
	}
	last := path[len(path)-1]
	f := rule.Finding{Pos: n.Pos(), End: n.End(), Category: rule.Corruption}
	name := types.TypeString(last, (*types.Package).Name)
	if len(path) > 1 {
		name = types.TypeString(path[0], types.RelativeTo(c.Pkg)) + ", which holds " + name
	}
	f.Message = what + " copies " + name + ": " + consequence(last)
	c.report(f)
}

// consequence returns the consequence of copying a t, for messages.
func consequence(t types.Type) string {
	switch n := t.(*types.Named).Obj(); {
	case n.Name() == "Arena":
		return "both free the same memory, which then has two owners; use a pointer"
	case n.Name() == "Buffers":
		return "Put of the one panics for buffers of the other; use a pointer"
	case n.Pkg().Name() == "arena":
		return "arenas of the one give their memory to it and not to the other, and the limits of both are wrong; use a pointer"
	}
	return "values put into one are not found by the other, and the statistics of both are wrong; use a pointer"
}

// sole returns the way through struct fields and array elements from t to a type of
// which there may be no copies, or nil.
func sole(t types.Type, path []types.Type) []types.Type {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	path = append(path, t)
	if !ssautil.IsPointer(t) && catalog.TypeOf(t).NoCopy {
		return path
	}
	if ssautil.IsTypeParam(t) {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if p := sole(f.Type(), path); p != nil {
				return p
			}
		}
	case *types.Array:
		return sole(u.Elem(), path)
	}
	return nil
}
