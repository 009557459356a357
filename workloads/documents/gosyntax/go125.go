//go:build !go1.26

package gosyntax

import (
	"go/ast"
	"go/token"
)

// setEnd does nothing: literals have had an end of their own since Go 1.26.
func setEnd(*ast.BasicLit, token.Pos) {}
