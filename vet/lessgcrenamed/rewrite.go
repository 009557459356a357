package lessgcrenamed

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"

	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

func replace(n ast.Node, text string) []analysis.TextEdit {
	return []analysis.TextEdit{{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}}
}

func insert(pos token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: pos, End: pos, NewText: []byte(text)}
}

// rename replaces the name by another of the same package or type.
func rename(name string) fixer {
	return func(u *use, _ string) []analysis.TextEdit {
		if !u.has(name) {
			return nil
		}
		return replace(u.sel.Sel, name)
	}
}

// constant replaces a constant by its value.
func constant(value string) fixer {
	return func(u *use, _ string) []analysis.TextEdit { return replace(u.sel, value) }
}

// moved replaces the name by one of another package. An embedded type must keep its name, which
// is also that of the field.
func moved(name string) fixer {
	return func(u *use, pkg string) []analysis.TextEdit {
		if name != u.name && u.embedded() {
			return nil
		}
		return replace(u.sel, pkg+"."+name)
	}
}

// spread renames a function and spreads the last of its three arguments: f(a, s, v...).
func spread(name string) fixer {
	return func(u *use, _ string) []analysis.TextEdit {
		if !u.called(3, 3) {
			return nil
		}
		return append(replace(u.sel.Sel, name), insert(u.call.Args[2].End(), "..."))
	}
}

// appendParts rewrites a.Bytes(b, c) to arena.Append(a, a.Bytes(b), c...). This evaluates the
// receiver twice, and c after b was copied: neither may have side effects.
func appendParts(u *use, pkg string) []analysis.TextEdit {
	if !u.called(2, -1) || !u.direct || !rule.IsVariable(u.sel.X) {
		return nil
	}
	args := u.call.Args
	if slices.ContainsFunc(args[1:], func(e ast.Expr) bool { return !u.pure(e) }) {
		return nil
	}
	call := pkg + ".Append(" + u.pointer() + types.ExprString(u.sel.X) + ", "
	edits := []analysis.TextEdit{insert(u.call.Pos(), strings.Repeat(call, len(args)-1)), insert(args[0].End(), ")")}
	for i, arg := range args[1:] {
		dots := "...)"
		if i == len(args)-2 {
			dots = "..." // the call has the parenthesis
		}
		edits = append(edits, insert(arg.End(), dots))
	}
	return edits
}

// concat rewrites a.Concat(x, y) to a.String(x + y).
func concat(u *use, _ string) []analysis.TextEdit {
	if !u.called(1, -1) || !u.has("String") {
		return nil
	}
	edits := replace(u.sel.Sel, "String")
	for i, arg := range u.call.Args[1:] {
		from, plus := u.call.Args[i].End(), " + "
		if u.line(from) != u.line(arg.Pos()) {
			plus = " +\n"
		}
		edits = append(edits, analysis.TextEdit{Pos: from, End: arg.Pos(), NewText: []byte(plus)})
	}
	return edits
}

// sprintf rewrites a.Sprintf(...) to a.String(fmt.Sprintf(...)).
func sprintf(u *use, pkg string) []analysis.TextEdit {
	if u.call == nil || !u.has("String") {
		return nil
	}
	return append(replace(u.sel.Sel, "String("+pkg+".Sprintf"), insert(u.call.End(), ")"))
}

// auditOf rewrites p.Audit() to audit.Of(p).
func auditOf(u *use, pkg string) []analysis.TextEdit {
	if !u.called(0, 0) || !u.direct {
		return nil
	}
	return []analysis.TextEdit{insert(u.sel.Pos(), pkg+".Of("+u.pointer()), {Pos: u.sel.X.End(), End: u.call.Lparen + 1}}
}

// collect rewrites seq.Collect(nil, s), which allocated on the heap, to slices.Collect(s).
func collect(u *use, pkg string) []analysis.TextEdit {
	if !u.called(2, 2) || !u.pass.TypesInfo.Types[u.call.Args[0]].IsNil() {
		return nil
	}
	return append(replace(u.sel, pkg+".Collect"), analysis.TextEdit{Pos: u.call.Args[0].Pos(), End: u.call.Args[1].Pos()})
}

// heapOption rewrites Policy: arena.Heap in options of package arenagrpc to Heap: true.
func heapOption(u *use, _ string) []analysis.TextEdit {
	pair, ok := u.cur.Parent().Node().(*ast.KeyValueExpr)
	if !ok || u.cur.ParentEdgeKind() != edge.KeyValueExpr_Value {
		return nil
	}
	lit, ok := u.cur.Parent().Parent().Node().(*ast.CompositeLit)
	if !ok {
		return nil
	}
	t := u.pass.TypesInfo.TypeOf(lit)
	if p, ok := t.(*types.Pointer); ok { // an element with an elided type
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "lessgc/rpc/arenagrpc" {
		return nil
	}
	key := func(e ast.Expr, name string) bool {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		id, ok := pair.Key.(*ast.Ident)
		return ok && id.Name == name
	}
	if !key(pair, "Policy") || slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { return key(e, "Heap") }) {
		return nil
	}
	return replace(pair, "Heap: true")
}

// conjunction merges function literals that return an expression of the same parameter into one.
// Other functions would need a literal around them, and its parameter a type that the file may
// not be able to name.
func conjunction(u *use, _ string) []analysis.TextEdit {
	if u.call == nil || len(u.call.Args) != int(u.name[len("And")]-'0') {
		return nil
	}
	edits := []analysis.TextEdit{{Pos: u.call.Pos(), End: u.call.Args[0].Pos()}}
	var head string
	var last token.Pos // end of the previous expression
	for i, arg := range u.call.Args {
		lit, ok := arg.(*ast.FuncLit)
		if !ok || len(lit.Body.List) != 1 || types.ExprString(lit.Type) != head && i > 0 {
			return nil
		}
		ret, ok := lit.Body.List[0].(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 || u.addresses(ret.Results[0]) {
			return nil
		}
		head = types.ExprString(lit.Type)
		e := ret.Results[0]
		if i > 0 {
			edits = append(edits, analysis.TextEdit{Pos: last, End: e.Pos(), NewText: []byte(" && ")})
		}
		if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LOR {
			edits = append(edits, insert(e.Pos(), "("), insert(e.End(), ")"))
		}
		last = e.End()
	}
	return append(edits, analysis.TextEdit{Pos: u.call.Args[len(u.call.Args)-1].End(), End: u.call.End()})
}

// addresses reports whether an expression may modify its operands: it takes an address, has a
// function literal, or selects from an operand of unknown type.
func (u *use) addresses(e ast.Expr) bool {
	info := u.pass.TypesInfo
	for n := range ast.Preorder(e) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return true
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				return true
			}
		case *ast.SliceExpr:
			if t := info.TypeOf(n.X); t == nil || !isSlice(t) {
				return true
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && u.pkgName(id) != nil {
				continue
			}
			s := info.Selections[n]
			if s == nil || s.Kind() == types.MethodVal && !ssautil.IsPointer(s.Recv()) && ssautil.IsPointer(s.Obj().(*types.Func).Signature().Recv().Type()) {
				return true
			}
		}
	}
	return false
}

// isSlice reports whether t is a slice or a string, so that slicing it takes no address.
func isSlice(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	}
	return false
}

// has reports whether name, selected from the operand of the use, is declared by lessgc. A type
// that embeds the receiver may declare its own.
func (u *use) has(name string) bool {
	if u.recv == "" {
		return true
	}
	o, _, _ := types.LookupFieldOrMethod(u.pass.TypesInfo.TypeOf(u.sel.X), true, nil, name)
	return o != nil && o.Pkg() != nil && o.Pkg().Path() == u.change.pkg
}

// called reports whether the use is a call with min to max arguments, or any number if max is
// negative, none of them spread or the results of another call.
func (u *use) called(min, max int) bool {
	return u.call != nil && !u.call.Ellipsis.IsValid() && len(u.call.Args) >= min && (max < 0 || len(u.call.Args) <= max) && !u.multiple()
}

// multiple reports whether the only argument is a call with several results.
func (u *use) multiple() bool {
	if len(u.call.Args) != 1 {
		return false
	}
	_, ok := u.pass.TypesInfo.TypeOf(u.call.Args[0]).(*types.Tuple)
	return ok
}

// pointer returns the operator that makes the receiver a pointer, empty if it is one.
func (u *use) pointer() string {
	if ssautil.IsPointer(u.pass.TypesInfo.TypeOf(u.sel.X)) {
		return ""
	}
	return "&"
}

// embedded reports whether the use is the type of an embedded field.
func (u *use) embedded() bool {
	for c := u.cur; ; c = c.Parent() {
		switch c.Parent().Node().(type) {
		case *ast.StarExpr, *ast.IndexExpr, *ast.IndexListExpr, *ast.ParenExpr:
		case *ast.Field:
			f := c.Parent()
			_, ok := f.Parent().Parent().Node().(*ast.StructType)
			return ok && len(f.Node().(*ast.Field).Names) == 0
		default:
			return false
		}
	}
}

// pure reports whether an expression has no side effects: no calls and no receives.
func (u *use) pure(e ast.Expr) bool {
	for n := range ast.Preorder(e) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if !u.pass.TypesInfo.Types[n.Fun].IsType() {
				return false
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				return false
			}
		}
	}
	return true
}
