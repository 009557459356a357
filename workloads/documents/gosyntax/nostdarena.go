//go:build !goexperiment.arenas

package gosyntax

type stdArena struct{}

func stdNew[T any](stdArena) *T { panic("gosyntax: no standard arena in this build") }

func stdSlice[T any](stdArena, int) []T { panic("gosyntax: no standard arena in this build") }

var arenas []Strategy
