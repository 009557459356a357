package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// hoist replaces a call by a variable of the package, which it declares before the first function of
// the file that has the same call, and all such calls that would have the same name with it, where the variable has its value too. nameOf gives the
// name for this and other calls, or "". A local variable that only holds the value goes.
func (p *Line) hoist(call *ast.CallExpr, nameOf func(*Line, *ast.CallExpr) string) []Edit {
	text, name := p.atTop(call), nameOf(p, call)
	if text == "" {
		return nil
	}
	replaceable := func(call *ast.CallExpr) bool {
		top := p.top(p.unit, call.Pos())
		return !p.hasComment(call) && top != nil && p.initialized(top.node.(*ast.FuncDecl))
	}
	var same []*ast.CallExpr    // in this file
	others := map[string]bool{} // that would have this name, too
	for _, file := range p.pkg.Syntax {
		here := &Line{p.Program, &unit{p.pkg, file}, p.site, p.fn, nil}
		ast.Inspect(file, func(n ast.Node) bool {
			if other, ok := n.(*ast.CallExpr); ok && nameOf(here, other) == name {
				switch top := here.atTop(other); {
				case file != p.file || top != text:
					if len(same) == 0 {
						others[p.fset.Position(file.Package).Filename+top] = true
					}
				case replaceable(other):
					same = append(same, other)
				}
			}
			return true
		})
	}
	if !slices.Contains(same, call) {
		return nil
	}
	local, uses := p.holds(call)
	if local == nil || local.Name() != name || !p.keepsName(local) {
		if name = p.numbered(name, len(others)+1); name == "" {
			return nil
		}
	}
	text, ok := declared("var " + name + " = " + text)
	if !ok {
		return nil
	}
	decl := p.top(p.unit, same[0].Pos()).node.(*ast.FuncDecl)
	pos := decl.Pos()
	if decl.Doc != nil {
		pos = decl.Doc.Pos()
	}
	edits := []Edit{p.edit(pos, pos, text+"\n\n")}
	if p.usesOnce(call) {
		return append(edits, p.edit(call.Pos(), call.End(), name))
	}
	for _, other := range same {
		if other != call || local == nil {
			edits = append(edits, p.edit(other.Pos(), other.End(), name))
		}
	}
	if local == nil {
		return edits
	}
	b, _ := p.statement(local.Pos())
	gone, _ := p.withoutDeclaration(b.list[b.at])
	edits = append(edits, gone)
	for _, use := range uses {
		if local.Name() != name {
			edits = append(edits, p.edit(use.Pos(), use.End(), name))
		}
	}
	return edits
}

// hoistBeside adds to a change by hoist those of other calls in the function that the profile does not have: a reader would ask why these are left. may says
// whether another call may be replaced, too.
func (p *Line) hoistBeside(f Finding, call *ast.CallExpr, nameOf func(*Line, *ast.CallExpr) string, may func(*ast.CallExpr) bool) Finding {
	if len(f.Edits) == 0 || p.generated(p.unit) {
		return f
	}
	whole, n := f, 0
	whole.Edits, whole.Evidence = slices.Clone(f.Edits), slices.Clone(f.Evidence)
	ast.Inspect(p.top(p.unit, call.Pos()).node, func(node ast.Node) bool {
		other, ok := node.(*ast.CallExpr)
		if !ok || other == call || nameOf(p, other) == "" || p.profiled(other) || p.isReplaced(other, whole.Edits) || !may(other) {
			return true
		}
		line := p.lineAt(other.Pos())
		if line == nil || !line.mayChange() {
			return true
		}
		more := line.hoist(other, nameOf)
		if len(more) < 2 || more[0].File != f.Edits[0].File || more[0].Pos != f.Edits[0].Pos || conflict(whole.Edits[1:], more[1:]) || declaresSame(whole.Edits, more[0]) {
			return true
		}
		n++
		whole.Edits = append(whole.Edits, more...)
		whole.Evidence = append(whole.Evidence, p.at(other.Pos(), ChangesAlike))
		return true
	})
	if n == 0 || n > mostCallsAlike {
		return f
	}
	whole.Alone, whole.InPlace = f.Edits, true
	slices.SortStableFunc(whole.Edits, byPlace)
	return whole
}

// declaresSame reports whether one of the edits declares a variable with the name that another edit does.
func declaresSame(edits []Edit, declares Edit) bool {
	name, _, _ := strings.Cut(declares.Text, "=")
	return slices.ContainsFunc(edits, func(e Edit) bool { return strings.HasPrefix(e.Text, name+"=") })
}

// usesOnce reports whether a call makes something of its first operand and uses it at once.
func (p *Line) usesOnce(call *ast.CallExpr) bool {
	fn := p.callee(call)
	return fn != nil && strings.HasPrefix(fn.FullName(), "regexp.Match")
}

// mostRenamed is the number of places that may get another name for a local variable that goes.
const mostRenamed = 3

// holds is the local variable that a call, and nothing else, is the value of, and its uses: nil if its declaration cannot go.
func (p *Line) holds(call *ast.CallExpr) (v *types.Var, uses []*ast.Ident) {
	var id *ast.Ident
	switch s := innermost(stackOf(p.file, call)).(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 && s.Tok == token.DEFINE {
			id, _ = s.Lhs[0].(*ast.Ident)
		}
	case *ast.ValueSpec:
		if len(s.Names) == 1 && len(s.Values) == 1 && s.Type == nil {
			id = s.Names[0]
		}
	}
	if id == nil {
		return nil, nil
	}
	v, _ = p.pkg.TypesInfo.Defs[id].(*types.Var)
	if v == nil || v.Parent() == v.Pkg().Scope() || !p.keepsValue(v) {
		return nil, nil
	}
	b, ok := p.statement(v.Pos())
	if !ok {
		return nil, nil
	}
	decl := b.list[b.at]
	if group, ok := decl.(*ast.DeclStmt); ok && len(group.Decl.(*ast.GenDecl).Specs) != 1 {
		return nil, nil
	}
	if _, ok := p.withoutDeclaration(decl); !ok {
		return nil, nil
	}
	for _, m := range p.mentions(p.unit, v) {
		uses = append(uses, m.id)
	}
	if len(uses) > mostRenamed && !p.keepsName(v) {
		return nil, nil
	}
	return v, uses
}

// withoutDeclaration is the edit that takes a statement away: ok is false if it shares its lines, or a comment belongs to it.
func (p *Line) withoutDeclaration(decl ast.Stmt) (gone Edit, ok bool) {
	start, end, whole := p.linesOf(decl)
	if !whole || p.behind(decl) != "" || p.linesAbove(decl) != nil || p.hasComment(decl) {
		return gone, false
	}
	return p.edit(start, end, ""), true
}

// keepsName reports whether a local variable may become one of the package with the name that it has: that has several words, as it has to say
// enough there, and nothing else in the folder has it.
func (p *Line) keepsName(v *types.Var) bool {
	name := v.Name()
	if ast.IsExported(name) || !strings.ContainsFunc(name, unicode.IsUpper) || below(p.file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && id.Name == name && p.pkg.TypesInfo.ObjectOf(id) != v
	}) {
		return false
	}
	return p.pkg.Types.Scope().Lookup(name) == nil && !p.inFolder(name, p.fset.PositionFor(p.file.Package, false).Filename)
}

// numbered is a name that is free, with a number from n on; "" if many are taken.
func (p *Line) numbered(name string, n int) string {
	for ; n < 10; n++ {
		numbered := name
		if n > 1 {
			numbered += strconv.Itoa(n)
		}
		if p.free(numbered) {
			return numbered
		}
	}
	return ""
}

// matchesOnce replaces a call of regexp.MatchString or Match, whose error nothing takes, by the method of a pattern that a variable
// of the package has.
func (p *Line) matchesOnce(call *ast.CallExpr) []Edit {
	assign, ok := innermost(stackOf(p.file, call)).(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || !isBlank(assign.Lhs[1]) || len(assign.Rhs) != 1 || p.hasComment(assign) {
		return nil
	}
	if isBlank(assign.Lhs[0]) && assign.Tok == token.DEFINE {
		return nil
	}
	edits := p.hoist(call, (*Line).compiles)
	if edits == nil {
		return nil
	}
	fun, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	name := edits[1].Text
	if cond := p.onlyAsked(assign); cond != nil {
		return []Edit{edits[0], p.edit(assign.Pos(), cond.End(), name+"."+fun.Sel.Name+"("+p.text(call.Args[1])+")")}
	}
	return []Edit{edits[0], p.edit(assign.Lhs[0].End(), assign.Lhs[1].End(), ""), p.edit(call.Pos(), call.Args[1].Pos(), name+"."+fun.Sel.Name+"(")}
}

// onlyAsked is the condition of the if statement that an assignment begins, if that is the new variable and nothing else has it; else nil.
func (p *Line) onlyAsked(assign *ast.AssignStmt) (cond *ast.Ident) {
	branch, ok := innermost(stackOf(p.file, assign)).(*ast.IfStmt)
	if !ok || branch.Init != ast.Stmt(assign) || assign.Tok != token.DEFINE || p.commentedBetween(assign.Pos(), branch.Body.Pos()) {
		return nil
	}
	cond, ok = branch.Cond.(*ast.Ident)
	v := p.local(assign.Lhs[0])
	if !ok || v == nil || p.local(cond) != v || len(p.mentions(p.unit, v)) != 1 {
		return nil
	}
	return cond
}

// atTop is a call as it may stand outside of functions, of regexp.MatchString the one that compiles the pattern; "" if it uses local
// names in a way that is not known.
func (p *Line) atTop(call *ast.CallExpr) string {
	fun, of := types.ExprString(call.Fun), call.Args
	matches := p.usesOnce(call)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && matches {
		fun, of = p.text(sel.X)+".MustCompile", of[:1]
	}
	switch {
	case !p.usesLocal(call) && !matches:
		return p.text(call)
	case !p.usesLocal(of[0]) && matches:
		return fun + "(" + p.text(of[0]) + ")"
	}
	var args []string
	for _, e := range of {
		text, ok := p.stringOf(e)
		if n := p.constantInt(e); n >= 0 {
			text, ok = strconv.FormatInt(n, 10), true
		} else {
			text = quoted(text)
		}
		if !ok || !p.writtenOut(e, 0) { // elsewhere it may have another value
			return ""
		}
		args = append(args, text)
	}
	return fun + "(" + strings.Join(args, ", ") + ")"
}

// usesLocal reports whether an expression uses names that are declared in a function.
func (p *Line) usesLocal(e ast.Expr) bool {
	return below(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		switch object := p.pkg.TypesInfo.Uses[id].(type) {
		case *types.Const, *types.Var, *types.TypeName:
			return object.Parent() != nil && object.Parent() != types.Universe && object.Parent() != object.Pkg().Scope()
		}
		return false
	})
}

// named reports whether the package has a name, anywhere.
func (p *Line) named(name string) bool {
	return slices.ContainsFunc(p.pkg.Syntax, func(file *ast.File) bool { return hasName(file, name) })
}
