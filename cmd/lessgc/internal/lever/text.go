package lever

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"go/version"
	"slices"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// A called is a call, on the site's line, of a function or method that is known.
type called struct {
	spot
	call *ast.CallExpr
	fn   *types.Func
	name string // its full name, as package types writes it
}

// called returns the calls on the line, but for functions that it calls twice: the profile does
// not tell these apart.
func (p *Line) called() []called {
	var all []called
	times := map[string]int{}
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok {
			continue
		}
		if fn := p.callee(call); fn != nil {
			name := fn.Origin().FullName()
			times[name]++
			all = append(all, called{s, call, fn, name})
		}
	}
	return slices.DeleteFunc(all, func(c called) bool { return times[c.name] > 1 })
}

// profiled is the name of a function in profiles.
func profiled(fn *types.Func) string {
	name := profiledName(prof.Generic(fn.Origin().FullName()))
	if fn.Pkg() == nil {
		return name
	}
	return prof.EscapePath(fn.Pkg().Path()) + strings.TrimPrefix(name, fn.Pkg().Path())
}

// below is the share of the bytes that a call allocates which the line makes itself.
func (p *Line) below(fn *types.Func) float64 {
	name := profiled(fn)
	return p.leaves(func(l site.Leaf) bool {
		return len(l.Path) > 0 && l.Path[0].Func == name
	})
}

// alone is the share of the bytes that the line allocates without a call, if nothing there may do
// so but what is mine: 0 if something else may.
func (p *Line) alone(mine func(ast.Node) bool) float64 {
	if slices.ContainsFunc(p.spots(), func(s spot) bool {
		return p.mayAllocate(s) && !mine(s.node) && p.line(s.node.Pos()) <= p.site.Line
	}) {
		return 0
	}
	return p.direct()
}

// mayAllocate reports whether a node may allocate without a call.
func (p *Line) mayAllocate(s spot) bool {
	switch n := s.node.(type) {
	case *ast.CompositeLit:
		return p.allocates(s)
	case *ast.FuncLit, *ast.GoStmt:
		return true
	case *ast.CallExpr:
		return p.builtin(n, "append") != nil || p.builtin(n, "make") != nil || p.builtin(n, "new") != nil || p.copiesText(n) || p.boxes(n)
	case *ast.BinaryExpr:
		return n.Op == token.ADD && isString(p.typeOf(n)) && !p.constant(n)
	case *ast.IncDecStmt:
		return p.setsElement(s) != nil
	case *ast.AssignStmt:
		return n.Tok == token.ADD_ASSIGN && isString(p.typeOf(n.Lhs[0])) || p.setsElement(s) != nil || p.boxesAssigned(n) || p.movesToHeap(n)
	case *ast.ReturnStmt:
		return p.boxesReturned(s, n)
	}
	return false
}

// boxes reports whether a call or conversion makes an interface of a value that needs memory for it.
func (p *Line) boxes(call *ast.CallExpr) bool {
	if p.pkg.TypesInfo.Types[call.Fun].IsType() {
		return len(call.Args) == 1 && types.IsInterface(p.typeOf(call)) && p.needsMemory(call.Args[0])
	}
	sig, ok := p.typeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || call.Ellipsis.IsValid() {
		return false
	}
	for i, arg := range call.Args {
		var to types.Type
		switch n := sig.Params().Len(); {
		case sig.Variadic() && i >= n-1:
			if rest, ok := sig.Params().At(n - 1).Type().Underlying().(*types.Slice); ok {
				to = rest.Elem()
			}
		case i < n:
			to = sig.Params().At(i).Type()
		}
		if to != nil && types.IsInterface(to) && !isTypeParameter(to) && p.needsMemory(arg) {
			return true
		}
	}
	return false
}

// boxesAssigned reports whether an assignment makes an interface of a value that needs memory for it.
func (p *Line) boxesAssigned(n *ast.AssignStmt) bool {
	if len(n.Lhs) != len(n.Rhs) {
		return false
	}
	for i, e := range n.Lhs {
		if n.Tok == token.ASSIGN && types.IsInterface(p.typeOf(e)) && p.needsMemory(n.Rhs[i]) {
			return true
		}
	}
	return false
}

// boxesReturned reports whether a statement returns a value as an interface that needs memory for it.
func (p *Line) boxesReturned(s spot, n *ast.ReturnStmt) bool {
	typ := p.fn.typ
	for _, around := range s.stack {
		switch f := around.(type) {
		case *ast.FuncDecl:
			typ = f.Type
		case *ast.FuncLit:
			typ = f.Type
		}
	}
	if typ.Results == nil {
		return false
	}
	var results []types.Type
	for _, field := range typ.Results.List {
		for range max(1, len(field.Names)) {
			results = append(results, p.typeOf(field.Type))
		}
	}
	for i, e := range n.Results {
		if len(n.Results) == len(results) && types.IsInterface(results[i]) && p.needsMemory(e) {
			return true
		}
	}
	return false
}

// movesToHeap reports whether an assignment declares a variable whose address is taken, or that a
// function literal captures.
func (p *Line) movesToHeap(n *ast.AssignStmt) bool {
	if n.Tok != token.DEFINE {
		return false
	}
	return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool {
		v := p.local(e)
		return v != nil && slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
			u, ok := m.parent().(*ast.UnaryExpr)
			return ok && u.Op == token.AND || within(m.stack, v.Pos()) != nil
		})
	})
}

// goes reports whether the file's module has a version of Go, such as "1.24", or a later one.
func (p *Line) goes(v string) bool {
	if fileVersion := p.pkg.TypesInfo.FileVersions[p.file]; fileVersion != "" {
		return version.Compare(fileVersion, "go"+v) >= 0
	}
	return p.pkg.Module != nil && p.pkg.Module.GoVersion != "" && version.Compare("go"+p.pkg.Module.GoVersion, "go"+v) >= 0
}

// stringOf is the constant that an expression is.
func (u *unit) stringOf(e ast.Expr) (string, bool) {
	v := u.pkg.TypesInfo.Types[ast.Unparen(e)].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// simple reports whether an expression is a variable, constant or field of one: it may stand anywhere,
// and more than once.
func (u *unit) simple(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return u.simple(e.X)
	case *ast.StarExpr:
		return u.simple(e.X)
	case *ast.UnaryExpr:
		return e.Op == token.AND && u.simple(e.X)
	}
	return false
}

// operand is an expression as it stands in the source, in parentheses if it needs them to have
// a selector behind it; "" if it takes several lines, or cannot be read.
func (p *Line) operand(e ast.Expr) string {
	text := p.oneLine(e)
	switch ast.Unparen(e).(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr, *ast.CompositeLit, *ast.FuncLit:
		if _, ok := e.(*ast.ParenExpr); !ok && text != "" {
			return "(" + text + ")"
		}
	}
	return text
}

// oneLine is a node as it stands in the source; "" if it takes several lines.
func (p *Line) oneLine(n ast.Node) string {
	if text := p.text(n); !strings.Contains(text, "\n") {
		return text
	}
	return ""
}

// instead replaces nodes by texts, with the imports that these need. Imports that nothing else in
// the file uses go. ok is false if a text is empty,
// a comment would go, or a package cannot be imported.
func (p *Line) instead(texts map[ast.Node]string, imports ...string) (edits []Edit, ok bool) {
	for n, text := range texts {
		if text == "" || p.hasComment(n) || !parses(n, text) {
			return nil, false
		}
		edits = append(edits, p.edit(n.Pos(), n.End(), text))
	}
	slices.SortFunc(edits, func(a, b Edit) int { return a.Pos - b.Pos })
	for _, path := range imports {
		if _, more, ok := p.importing(path); ok {
			edits = append(edits, more...)
		} else {
			return nil, false
		}
	}
	return append(edits, p.unimport(texts, imports)...), true
}

// parses reports whether text may stand in the place of an expression: part of it may not have been
// on one line.
func parses(n ast.Node, text string) bool {
	if _, ok := n.(ast.Expr); !ok {
		return true
	}
	_, err := parser.ParseExpr(text)
	return err == nil
}

// qualify is the name by which the file calls a package, if it may.
func (p *Line) qualify(path string) string {
	name, _, ok := p.importing(path)
	if !ok {
		return path[strings.LastIndexByte(path, '/')+1:]
	}
	return name
}

// selectsFrom reports whether a text of Go has a name with a selector, as that of a package: not in a literal, or as part of another name.
func selectsFrom(text, name string) bool {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, 0)
	before, named := token.ILLEGAL, false
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return false
		case tok == token.PERIOD && named:
			return true
		}
		named = tok == token.IDENT && lit == name && before != token.PERIOD
		before = tok
	}
}

// unimport removes the imports that only nodes which are replaced use.
func (p *Line) unimport(texts map[ast.Node]string, keep []string) []Edit {
	return p.unused(func(id *ast.Ident) bool {
		for around, text := range texts {
			if around.Pos() <= id.Pos() && id.End() <= around.End() && !selectsFrom(text, id.Name) {
				return true
			}
		}
		return false
	}, keep)
}

// unused removes the imports, but for some, of which all uses go.
func (p *Line) unused(goes func(*ast.Ident) bool, keep []string) (edits []Edit) {
	used := map[*types.PkgName]bool{}
	var gone []*types.PkgName
	ast.Inspect(p.file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		name, isPackage := p.object1(id, ok).(*types.PkgName)
		if !isPackage {
			return true
		}
		if goes(id) {
			gone = append(gone, name)
		} else {
			used[name] = true
		}
		return true
	})
	for _, d := range p.file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.IMPORT {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ImportSpec)
			name := p.pkg.TypesInfo.PkgNameOf(spec)
			if path, _ := strconv.Unquote(spec.Path.Value); name == nil || used[name] || !slices.Contains(gone, name) || slices.Contains(keep, path) {
				continue
			}
			if decl.Lparen.IsValid() {
				edits = append(edits, p.edit(spec.Pos(), spec.End(), ""))
			} else {
				edits = append(edits, p.edit(decl.Pos(), decl.End(), ""))
			}
		}
	}
	return edits
}

// object1 is what an identifier is used for; nil if there is none.
func (u *unit) object1(id *ast.Ident, ok bool) types.Object {
	if !ok {
		return nil
	}
	return u.pkg.TypesInfo.Uses[id]
}
