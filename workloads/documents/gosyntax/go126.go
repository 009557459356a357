//go:build go1.26

package gosyntax

import (
	"go/ast"
	"go/token"
)

// setEnd sets the end of a literal, which the length of its value does not tell
// if carriage returns have been taken out of it.
func setEnd(x *ast.BasicLit, end token.Pos) { x.ValueEnd = end }
