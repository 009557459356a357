package lever

import (
	"go/ast"
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

// atTop is a call as it may stand outside of functions; "" if it uses local names in a way that is
// not known.
func (p *Line) atTop(call *ast.CallExpr) string {
	local := false
	ast.Inspect(call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch object := p.pkg.TypesInfo.Uses[id].(type) {
			case *types.Const, *types.Var, *types.TypeName:
				local = local || object.Parent() != nil && object.Parent() != types.Universe && object.Parent() != p.pkg.Types.Scope()
			}
		}
		return true
	})
	if !local {
		return p.text(call)
	}
	var args []string
	for _, e := range call.Args {
		text, ok := p.stringOf(e)
		if !ok {
			return ""
		}
		args = append(args, quoted(text))
	}
	return types.ExprString(call.Fun) + "(" + strings.Join(args, ", ") + ")"
}

// named reports whether the package has a name, anywhere.
func (p *Line) named(name string) bool {
	return slices.ContainsFunc(p.pkg.Syntax, func(file *ast.File) bool {
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == name
			return !found
		})
		return found
	})
}
