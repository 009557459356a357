// Package lessgcrenamed finds uses of names that lessgc has renamed or removed.
//
// Such code does not compile with this release. The message quotes the replacement from
// docs/migrating.md. Other compile errors are not reported. Neither is code that still compiles
// but has another meaning, such as a zero arena.Pool, which used to recycle and is safe now.
//
// Bad:
//
//	func copied(a *arena.Arena, s, v []int) []int {
//		return arena.AppendSlice(a, s, v)
//	}
//
// Good:
//
//	func copied(a *arena.Arena, s, v []int) []int {
//		return arena.Append(a, s, v...)
//	}
//
// Fix: the equivalent form is written, if there is one, and the imports are adjusted.
//
// There is no fix where it would change the order of function calls or lose a comment, where
// the replacement is a statement or a loop, and for package names of a dot import.
//
// The analyzer runs despite type errors. So must its driver: lessgc vet does, as do programs
// built with go/analysis/multichecker. Go vet and golangci-lint stop at the compile error.
// Severity: error.
package lessgcrenamed
