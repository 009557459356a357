package flow

import (
	"go/ast"
	"iter"
)

// sides returns what a declaration of variables or an assignment sets, and what to; nothing of other nodes,
// and of declarations without values. One call on the right can stand for several values.
func sides(n ast.Node) (left, right []ast.Expr) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs, n.Rhs
	case *ast.ValueSpec:
		if len(n.Values) == 0 {
			return nil, nil
		}
		for _, name := range n.Names {
			left = append(left, name)
		}
		return left, n.Values
	}
	return nil, nil
}

// settings returns an iterator over each expression that n sets and what it is set to, nil for one of
// several results of a call.
func settings(n ast.Node) iter.Seq2[ast.Expr, ast.Expr] {
	left, right := sides(n)
	return func(yield func(ast.Expr, ast.Expr) bool) {
		for i, l := range left {
			var v ast.Expr
			if len(left) == len(right) {
				v = right[i]
			}
			if !yield(l, v) {
				return
			}
		}
	}
}
