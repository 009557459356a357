package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// variable finds the name of the variable that the value made at pos is assigned to, or
// which of the results of the call at pos if it is one of several.
func (a *Package) variable(pos token.Pos, v ssa.Value) string {
	result := 0
	if e, ok := v.(*ssa.Extract); ok {
		result = e.Index
	}
	for _, file := range a.Pass.Files {
		if file.FileStart > pos || pos >= file.FileEnd {
			continue
		}
		name := ""
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil || n.Pos() > pos || n.End() <= pos {
				return n == nil || name == "" && n.Pos() <= pos && pos < n.End()
			}
			left, right := sides(n)
			for i, r := range right {
				if len(right) == 1 {
					i = result
				}
				if i < len(left) && isCall(r, pos) {
					name = types.ExprString(left[i])
				}
			}
			if n, ok := n.(*ast.RangeStmt); ok && n.For == pos && n.Key != nil {
				name = types.ExprString(n.Key) // of a channel
			}
			return true
		})
		return name
	}
	return ""
}

// isCall reports whether e is the call at pos, its value as another type, or a slice of it.
//
// Calls of SSA have the position of the left parenthesis, index expressions that of the bracket.
func isCall(e ast.Expr, pos token.Pos) bool {
	for {
		switch x := e.(type) {
		case *ast.CallExpr:
			return x.Lparen == pos || x.Pos() == pos
		case *ast.ParenExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Pos() == pos {
				return true
			}
			e = x.X
		case *ast.CompositeLit:
			return x.Lbrace == pos || x.Pos() == pos
		case *ast.SliceExpr:
			e = x.X
		case *ast.IndexExpr:
			return x.Lbrack == pos
		default:
			return e.Pos() == pos
		}
	}
}

// poolName returns the name of a pool in the source, or "".
func poolName(v ssa.Value) string {
	switch x := v.(type) {
	case *ssa.Global:
		return x.Name()
	case *ssa.FieldAddr:
		return FieldName(x)
	case *ssa.UnOp:
		return poolName(x.X)
	case *ssa.Parameter:
		return x.Name()
	case *ssa.FreeVar:
		return x.Name()
	case *ssa.Alloc:
		return x.Comment
	}
	return ""
}
