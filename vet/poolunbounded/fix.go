package poolunbounded

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
)

// fix makes op depend on the capacity of the value that it puts, if it is a statement of its own
// and puts a variable.
func fix(pass *rule.Pass, uses *pooluse.Uses, v *pooluse.View, op *pooluse.Op) []analysis.SuggestedFix {
	call := uses.Syntax(op.Call)
	if _, plain := op.Call.(*ssa.Call); call == nil || !plain || op.Verb != pooluse.Put || len(call.Args) != 1 {
		return nil
	}
	id, ok := call.Args[0].(*ast.Ident)
	if !ok || !types.Identical(pass.TypesInfo.TypeOf(id), v.Item) || !statement(pass, call) {
		return nil
	}
	size := capacity(pass, id, v)
	if size == "" {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "Put it back only below a size limit", TextEdits: []analysis.TextEdit{
		{Pos: call.Pos(), End: call.Pos(), NewText: fmt.Appendf(nil, "if %s {\n", size)},
		{Pos: call.End(), End: call.End(), NewText: []byte("\n}")},
	}}}
}

// statement reports whether call is a statement of its own in a block.
func statement(pass *rule.Pass, call *ast.CallExpr) bool {
	for _, f := range pass.Files {
		if f.FileStart <= call.Pos() && call.Pos() < f.FileEnd {
			path, _ := astutil.PathEnclosingInterval(f, call.Pos(), call.End())
			if len(path) < 3 {
				return false
			}
			_, alone := path[1].(*ast.ExprStmt)
			_, block := path[2].(*ast.BlockStmt)
			return alone && block
		}
	}
	return false
}

// capacity is the test that id, a value of the pool, is not large, or "".
func capacity(pass *rule.Pass, id *ast.Ident, v *pooluse.View) string {
	if _, o := pass.Pkg.Scope().Innermost(id.Pos()).LookupParent("cap", id.Pos()); o != types.Universe.Lookup("cap") {
		return ""
	}
	if isBuffer(v.Item) {
		return id.Name + ".Cap() <= 64<<10"
	}
	switch u := v.Elem.Underlying().(type) {
	case *types.Slice:
		if types.Identical(v.Item, v.Elem) {
			return "cap(" + id.Name + ") <= " + limit(u)
		}
		return "cap(*" + id.Name + ") <= " + limit(u)
	case *types.Struct:
		return fields(pass.Pkg, id.Name, u)
	}
	return ""
}

// fields returns the test for the field of a struct that grows, if there is just one.
func fields(pkg *types.Package, name string, s *types.Struct) string {
	test := ""
	for f := range s.Fields() {
		if !growable(f.Type()) {
			continue
		}
		l, slice := f.Type().Underlying().(*types.Slice)
		_, pointer := f.Type().Underlying().(*types.Pointer)
		switch {
		case test != "" || f.Name() == "_" || pointer || !f.Exported() && f.Pkg() != pkg:
			return ""
		case isBuffer(f.Type()):
			test = name + "." + f.Name() + ".Cap() <= 64<<10"
		case slice:
			test = "cap(" + name + "." + f.Name() + ") <= " + limit(l)
		default:
			return ""
		}
	}
	return test
}

// limit returns the number of elements up to which a slice is small enough, as source
// text.
func limit(s *types.Slice) string {
	if b, ok := s.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
		return "64<<10"
	}
	return "1<<10"
}
