//go:build goexperiment.arenas

// Package std appends to slices in arenas of the standard library.
package std

import "arena"

func badSquares(n int) int {
	a := arena.NewArena()
	defer a.Free()
	out := arena.MakeSlice[int](a, n, n)
	for i := range n {
		out = append(out, i*i) // want `append moves the slice from its arena to the heap, because it has no room left`
	}
	return len(out)
}

func goodSquares(n int) int {
	a := arena.NewArena()
	defer a.Free()
	out := arena.MakeSlice[int](a, 0, n)
	for i := range n {
		out = append(out, i*i)
	}
	return len(out)
}

var count = func(n int) int {
	a := arena.NewArena()
	defer a.Free()
	out := arena.MakeSlice[int](a, 4, 4)
	out = append(out, n) // want `append moves the slice from its arena to the heap, because it has no room left`
	return len(out)
}

func badUpTo(n int) int {
	a := arena.NewArena()
	defer a.Free()
	out := arena.MakeSlice[int](a, 0, n)
	for i := 0; i <= n; i++ {
		out = append(out, i) // want `append moves the slice from its arena to the heap, because it has no room left`
	}
	return len(out)
}

func goodUpTo(n int) int {
	a := arena.NewArena()
	defer a.Free()
	out := arena.MakeSlice[int](a, 0, n+1)
	for i := 0; i <= n; i++ {
		out = append(out, i)
	}
	return len(out)
}
