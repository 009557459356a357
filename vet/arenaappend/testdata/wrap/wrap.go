// Package wrap makes slices through functions.
package wrap

import (
	"cases/mem"

	"lessgc/arena"
)

func empty[T any](a *arena.Arena, n int) []T { return arena.MakeSlice[T](a, 0, n) }

func badEmpty(a *arena.Arena, xs []int) []int {
	out := empty[int](a, len(xs))
	for _, x := range xs {
		out = append(out, x)
	}
	return append(out, 0) // want `append moves the slice from its arena to the heap, because it has no room left`
}

func goodEmpty(a *arena.Arena, xs []int) []int {
	out := empty[int](a, len(xs)+1)
	for _, x := range xs {
		out = append(out, x)
	}
	return append(out, 0)
}

func badElsewhere(a *arena.Arena, n int) []int {
	out := mem.Slice[int](a, n, n)
	return append(out, 0) // want `append moves the slice from its arena to the heap, because it has no room left`
}

func goodElsewhere(a *arena.Arena, n int) []int {
	out := mem.Slice[int](a, n, n+1)
	return append(out, 0)
}
