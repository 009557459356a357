//go:build goexperiment.arenas

package gosyntax

import (
	"arena"
)

type stdArena = *arena.Arena

func stdNew[T any](a stdArena) *T { return arena.New[T](a) }

func stdSlice[T any](a stdArena, n int) []T { return arena.MakeSlice[T](a, n, n) }

var arenas = []Strategy{{"stdarena", inStdArena}}

func inStdArena(src []byte, use func(*Tree)) error {
	a := arena.NewArena()
	defer a.Free()
	return run(memory{kind: inStd, std: a}, src, use)
}
