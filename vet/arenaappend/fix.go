package arenaappend

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// fix replaces append by the function of package lessgc/arena, if the slice is of an arena
// of that package and the arena's variable is in scope.
func fix(pass *rule.Pass, call, made *ssa.Call) []analysis.SuggestedFix {
	at, file := callAt(pass, call.Pos())
	from, _ := callAt(pass, made.Pos())
	if at == nil || from == nil || len(at.Args) != 2 || !fits(pass, at) {
		return nil
	}
	name, args := "Append", ""
	fun := from.Fun
	if i, ok := fun.(*ast.IndexExpr); ok {
		fun = i.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	arena := sel.X
	if len(from.Args) > 0 && is(pass, from.Args[0], "Arena") {
		arena = from.Args[0]
	}
	switch pkg := imported(pass, file, at.Pos()); {
	case !visible(pass, file, arena, at.Pos()):
		return nil
	case is(pass, arena, "Arena") && pkg != "":
		name, args = pkg+"."+name, types.ExprString(arena)+", "
	case is(pass, arena, "Slab") && !at.Ellipsis.IsValid():
		name = types.ExprString(arena) + ".Append"
	default:
		return nil
	}
	edit := analysis.TextEdit{Pos: at.Fun.Pos(), End: at.Lparen + 1, NewText: []byte(name + "(" + args)}
	return []analysis.SuggestedFix{{Message: "append in the arena", TextEdits: []analysis.TextEdit{edit}}}
}

// callAt is the call with its parenthesis at pos, and its file.
func callAt(pass *rule.Pass, pos token.Pos) (call *ast.CallExpr, file *ast.File) {
	for _, f := range pass.Files {
		if pos < f.FileStart || pos >= f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && c.Lparen == pos {
				call, file = c, f
			}
			return call == nil
		})
	}
	return call, file
}

// fits reports whether the type arguments of the function that replaces an append can be
// inferred.
func fits(pass *rule.Pass, at *ast.CallExpr) bool {
	s, ok := pass.TypesInfo.TypeOf(at.Args[0]).(*types.Slice)
	if !ok {
		return false
	}
	t := pass.TypesInfo.TypeOf(at.Args[1])
	if at.Ellipsis.IsValid() {
		return types.Identical(t, s)
	}
	return types.Identical(t, s.Elem())
}

// imported is the name of package lessgc/arena at pos, empty if it has none there.
func imported(pass *rule.Pass, file *ast.File, pos token.Pos) string {
	for _, spec := range file.Imports {
		p := pass.TypesInfo.PkgNameOf(spec)
		if p == nil || p.Imported().Path() != "lessgc/arena" {
			continue
		}
		if _, o := pass.TypesInfo.Scopes[file].Innermost(pos).LookupParent(p.Name(), pos); o == p {
			return p.Name()
		}
	}
	return ""
}

// visible reports whether an expression, a variable or fields of one, means the same at pos.
// It does not if the variable is assigned to more than once.
func visible(pass *rule.Pass, file *ast.File, e ast.Expr, pos token.Pos) bool {
	for {
		sel, ok := e.(*ast.SelectorExpr)
		if !ok {
			break
		}
		e = sel.X
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := pass.TypesInfo.Uses[id].(*types.Var)
	if !ok {
		return false
	}
	_, o := pass.TypesInfo.Scopes[file].Innermost(pos).LookupParent(id.Name, pos)
	return o == v && !isAssigned(pass, file, v)
}

// isAssigned reports whether a variable is assigned to after it was declared.
func isAssigned(pass *rule.Pass, file *ast.File, v *types.Var) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, l := range a.Lhs {
				if id, ok := l.(*ast.Ident); ok && pass.TypesInfo.Uses[id] == v {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// is reports whether an expression is a pointer to a type of package lessgc/arena.
func is(pass *rule.Pass, e ast.Expr, name string) bool {
	t := pass.TypesInfo.TypeOf(e)
	return ssautil.IsPointer(t) && ssautil.TypeName(t) == "lessgc/arena."+name
}
