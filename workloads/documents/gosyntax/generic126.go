//go:build !go1.27

package gosyntax

// genericMethods records that a method may have type parameters of its own. That
// came with Go 1.27.
const genericMethods = false
