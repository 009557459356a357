package events

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/rule"
)

// CopyFix returns a copy of the bytes that are returned: where the result is a []byte and the
// release is deferred, that is all it takes. After a release that is not deferred a copy
// would be one of the next owner's bytes.
func (e *Event) CopyFix(pass *analysis.Pass) []analysis.SuggestedFix {
	if !e.Deferred || e.What != "returned" || e.Value == nil || !flow.Bytes(e.Value.Type()) {
		return nil
	}
	ret, ok := Around[*ast.ReturnStmt](pass, e.Pos)
	if !ok {
		return nil
	}
	var bad ast.Expr
	for _, r := range ret.Results {
		t := pass.TypesInfo.TypeOf(r)
		if t == nil || !flow.Bytes(t) {
			continue
		}
		if bad != nil {
			return nil
		}
		bad = r
	}
	if bad == nil {
		return nil
	}
	before, after := "append([]byte(nil), ", "...)"
	if name := imported(pass, e.Pos, "bytes"); name != "" {
		before, after = name+".Clone(", ")"
	}
	return []analysis.SuggestedFix{{
		Message:   "Return a copy",
		TextEdits: []analysis.TextEdit{{Pos: bad.Pos(), End: bad.Pos(), NewText: []byte(before)}, {Pos: bad.End(), End: bad.End(), NewText: []byte(after)}},
	}}
}

// imported is the name by which the file around pos imports a package, or "".
func imported(pass *analysis.Pass, pos token.Pos, path string) string {
	for _, file := range pass.Files {
		if file.FileStart > pos || pos >= file.FileEnd {
			continue
		}
		for _, spec := range file.Imports {
			if spec.Path.Value != fmt.Sprintf("%q", path) {
				continue
			}
			obj := pass.TypesInfo.PkgNameOf(spec)
			if obj == nil || obj.Name() == "_" || obj.Name() == "." {
				return ""
			}
			if _, found := pass.Pkg.Scope().Innermost(pos).LookupParent(obj.Name(), pos); found == types.Object(obj) {
				return obj.Name()
			}
		}
	}
	return ""
}

// DeferFix defers the release of what is never released: right after the statement that
// acquires it. Method is Put, of the pool, or Free, of what was acquired.
//
// An acquisition in a loop, or in a branch, is left alone: defer would wait for the end of the
// function. A value that other paths release or hand over is left alone as well, as a deferred
// release would make that a second one.
func (e *Event) DeferFix(pass *analysis.Pass, method string) []analysis.SuggestedFix {
	o := e.Origin
	if e.Release.IsValid() || e.Partly || !o.Direct || o.Name == "" || o.Name == "_" || len(e.Iterations) > 0 {
		return nil
	}
	assign, ok := Around[*ast.AssignStmt](pass, o.Pos)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || !inBody(pass, assign) {
		return nil
	}
	name, ok := assign.Lhs[0].(*ast.Ident)
	if !ok {
		return nil
	}
	var call *ast.CallExpr
	switch x := ast.Unparen(assign.Rhs[0]).(type) {
	case *ast.CallExpr:
		call = x
	case *ast.TypeAssertExpr:
		call, _ = ast.Unparen(x.X).(*ast.CallExpr)
	}
	if call == nil {
		return nil
	}
	text := name.Name + ".Free()"
	if method == "Put" {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Get" || pass.TypesInfo.Selections[sel] == nil || !rule.IsVariable(sel.X) {
			return nil
		}
		var pool bytes.Buffer
		if printer.Fprint(&pool, pass.Fset, sel.X) != nil {
			return nil
		}
		text = fmt.Sprintf("%s.Put(%s)", &pool, name.Name)
	} else if t := pass.TypesInfo.TypeOf(name); t == nil || types.NewMethodSet(t).Lookup(pass.Pkg, "Free") == nil {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message:   "Defer " + text,
		TextEdits: []analysis.TextEdit{{Pos: assign.End(), End: assign.End(), NewText: []byte("\ndefer " + text)}},
	}}
}

// inBody reports whether a statement stands in the block of a function itself, where defer does
// what is meant.
func inBody(pass *analysis.Pass, stmt ast.Stmt) bool {
	path := enclosing(pass, stmt.Pos())
	for i, n := range path {
		if n != ast.Node(stmt) || i+2 >= len(path) {
			continue
		}
		if _, ok := path[i+1].(*ast.BlockStmt); !ok {
			return false
		}
		switch path[i+2].(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return true
		}
	}
	return false
}
