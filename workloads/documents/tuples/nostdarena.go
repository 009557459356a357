//go:build !goexperiment.arenas

package tuples

// noStdArena is the message of what cannot be called in this build: it has no
// strategy that does.
const noStdArena = "tuples: no standard arena in this build"

type stdArena struct{}

func stdNew[T any](stdArena) *T { panic(noStdArena) }

func stdSlice[T any](stdArena, int, int) []T { panic(noStdArena) }

func stdAppend[T any](stdArena, []T, T) []T { panic(noStdArena) }

var arenas []Strategy
