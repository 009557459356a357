//go:build go1.27

package gosyntax

// genericMethods records that a method may have type parameters of its own.
const genericMethods = true
