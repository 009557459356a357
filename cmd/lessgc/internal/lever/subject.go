package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// withKind is a variable with what it is, as the subject of a commit has it, unless its name tells: "the map seen", "nameMap".
func withKind(v *types.Var) string { return withKindAs(v.Name(), v.Type()) }

// withKindAs is withKind for an expression of a type.
func withKindAs(name string, t types.Type) string {
	kind := ""
	switch t.Underlying().(type) {
	case *types.Map:
		kind = "map"
	case *types.Slice:
		kind = "slice"
	default:
		switch strings.TrimPrefix(types.TypeString(t, nil), "*") {
		case "bytes.Buffer":
			kind = "buffer"
		case "strings.Builder":
			kind = "builder"
		}
	}
	if kind == "" || strings.Contains(strings.ToLower(name), kind) {
		return name
	}
	return "the " + kind + " " + name
}

// subject is a phrase for Finding.What about the variable or field that gets the value of an expression, whose name is in the place
// of its %: "" if it has no name.
func (u *unit) subject(phrase string, e ast.Expr) string {
	if name := u.storedIn(e); name != "" {
		return strings.ReplaceAll(phrase, "%", withKindAs(name, u.typeOf(e)))
	}
	return ""
}

// storedIn is the variable or field that an expression is all of the value of; "" if it has no plain name.
func (u *unit) storedIn(e ast.Expr) string {
	stack := stackOf(u.file, e)
	parent := innermost(stack)
	if and, ok := parent.(*ast.UnaryExpr); ok && and.Op == token.AND {
		return u.storedIn(and)
	}
	is := func(x ast.Expr) bool { return ast.Unparen(x) == ast.Unparen(e) }
	switch n := parent.(type) {
	case *ast.AssignStmt:
		for i, right := range n.Rhs {
			if is(right) && len(n.Lhs) == len(n.Rhs) && isPath(n.Lhs[i]) {
				return types.ExprString(ast.Unparen(n.Lhs[i]))
			}
		}
	case *ast.ValueSpec:
		for i, right := range n.Values {
			if is(right) && len(n.Names) == len(n.Values) {
				return n.Names[i].Name
			}
		}
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok && is(n.Value) {
			if v, ok := u.pkg.TypesInfo.ObjectOf(id).(*types.Var); ok && v.IsField() {
				return id.Name
			}
		}
	}
	return ""
}
