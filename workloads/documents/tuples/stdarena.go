//go:build goexperiment.arenas

package tuples

import "arena"

type stdArena = *arena.Arena

func stdNew[T any](a stdArena) *T { return arena.New[T](a) }

func stdSlice[T any](a stdArena, len, cap int) []T { return arena.MakeSlice[T](a, len, cap) }

// stdAppend appends inside the arena, which the standard library has nothing
// for.
func stdAppend[T any](a stdArena, list []T, v T) []T {
	if len(list) == cap(list) {
		list = append(arena.MakeSlice[T](a, 0, max(2*cap(list), 16)), list...)
	}
	return append(list, v)
}

var arenas = []Strategy{{"stdarena", inStdArena}}

func inStdArena(in Input, use func(Output)) {
	a := arena.NewArena()
	defer a.Free()
	run(&memory{kind: inStd, std: a}, in, use)
}
