package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// hoist replaces a call by a variable of the package, which it declares before the first function of
// the file that has the same call. nameOf gives the name for this and other calls, or "".
func (p *Line) hoist(call *ast.CallExpr, nameOf func(*Line, *ast.CallExpr) string) []Edit {
	text, name := p.atTop(call), nameOf(p, call)
	top := p.top(p.unit, call.Pos())
	if text == "" || p.hasComment(call) || top == nil || !p.initialized(top.node.(*ast.FuncDecl)) {
		return nil
	}
	var first *function
	others := map[string]bool{} // that would have this name, too
	for _, file := range p.pkg.Syntax {
		here := &Line{p.Program, &unit{p.pkg, file}, p.site, p.fn, nil}
		ast.Inspect(file, func(n ast.Node) bool {
			if other, ok := n.(*ast.CallExpr); ok && first == nil && nameOf(here, other) == name {
				if same := here.atTop(other); file == p.file && same == text {
					first = p.top(p.unit, other.Pos())
				} else {
					others[p.fset.Position(file.Package).Filename+same] = true
				}
			}
			return first == nil
		})
	}
	if len(others) > 0 {
		name += strconv.Itoa(len(others) + 1)
	}
	if first == nil || !p.free(name) {
		return nil
	}
	text, ok := declared("var " + name + " = " + text)
	if !ok {
		return nil
	}
	decl := first.node.(*ast.FuncDecl)
	pos := decl.Pos()
	if decl.Doc != nil {
		pos = decl.Doc.Pos()
	}
	return []Edit{p.edit(pos, pos, text+"\n\n"), p.edit(call.Pos(), call.End(), name)}
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
	return []Edit{edits[0], p.edit(assign.Lhs[0].End(), assign.Lhs[1].End(), ""), p.edit(call.Pos(), call.Args[1].Pos(), name+"."+fun.Sel.Name+"(")}
}

// atTop is a call as it may stand outside of functions, of regexp.MatchString the one that compiles the pattern; "" if it uses local
// names in a way that is not known.
func (p *Line) atTop(call *ast.CallExpr) string {
	fun, of := types.ExprString(call.Fun), call.Args
	fn := p.callee(call)
	matches := fn != nil && strings.HasPrefix(fn.FullName(), "regexp.Match")
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
