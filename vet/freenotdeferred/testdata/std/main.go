//go:build goexperiment.arenas

// Std takes arenas of the standard library.
package main

import (
	"arena"
	"fmt"
)

func main() {
	a := arena.NewArena()
	fmt.Println(len(fill(a, 10)))
	a.Free()
	badSum(1)
	goodSum(2)
}

func fill(a *arena.Arena, n int) []int {
	s := arena.MakeSlice[int](a, n, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func badSum(n int) (sum int) {
	a := arena.NewArena()
	for _, i := range fill(a, n) {
		sum += i
	}
	a.Free() // want `a is not freed if fill panics`
	return sum
}

func goodSum(n int) (sum int) {
	a := arena.NewArena()
	s := arena.MakeSlice[int](a, n, n)
	for i := range s {
		sum += i
	}
	a.Free()
	return sum
}
