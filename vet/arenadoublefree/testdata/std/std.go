//go:build goexperiment.arenas

// Package std frees arenas of the standard library.
package std

import (
	"arena"
	"errors"
	"runtime"
	"sync"
)

var errEmpty = errors.New("empty")

func sum(a *arena.Arena, values []int) (sum int) {
	s := arena.MakeSlice[int](a, len(values), len(values))
	copy(s, values)
	for _, v := range s {
		sum += v
	}
	return sum
}

func badTwice(values []int) int {
	a := arena.NewArena()
	n := sum(a, values)
	a.Free()
	a.Free() // want "is freed twice"
	return n
}

func goodOnce(values []int) int {
	a := arena.NewArena()
	n := sum(a, values)
	a.Free()
	return n
}

func badErrorPath(values []int) (int, error) {
	a := arena.NewArena()
	defer a.Free() // want "is freed twice"
	n := sum(a, values)
	if n == 0 {
		a.Free()
		return 0, errEmpty
	}
	return n, nil
}

func goodErrorPath(values []int) (int, error) {
	a := arena.NewArena()
	n := sum(a, values)
	if n == 0 {
		a.Free()
		return 0, errEmpty
	}
	a.Free()
	return n, nil
}

func badLoop(rounds [][]int) (n int) {
	a := arena.NewArena()
	for _, values := range rounds {
		n += len(values)
		a.Free() // want "is freed twice"
	}
	return n
}

func goodLoop(rounds [][]int) (n int) {
	for _, values := range rounds {
		a := arena.NewArena()
		n += sum(a, values)
		a.Free()
	}
	return n
}

func badDeferInLoop(rounds [][]int) (n int) {
	a := arena.NewArena()
	for _, values := range rounds {
		defer a.Free() // want "is freed twice"
		n += sum(a, values)
	}
	return n
}

func goodDeferInLoop(rounds [][]int) (n int) {
	for _, values := range rounds {
		a := arena.NewArena()
		defer a.Free()
		n += sum(a, values)
	}
	return n
}

func badAlias(values []int) int {
	a := arena.NewArena()
	b := a
	n := sum(b, values)
	a.Free()
	b.Free() // want "is freed twice"
	return n
}

func goodAlias(values []int) int {
	a := arena.NewArena()
	b := a
	n := sum(b, values)
	a = arena.NewArena()
	n += sum(a, values)
	a.Free()
	b.Free()
	return n
}

func badParameter(a *arena.Arena, values []int) int {
	defer a.Free() // want "is freed twice"
	n := sum(a, values)
	a.Free()
	return n
}

func goodParameter(a *arena.Arena, values []int) int {
	defer a.Free()
	return sum(a, values)
}

func goodOnceFunc(values []int) int {
	a := arena.NewArena()
	free := sync.OnceFunc(a.Free)
	defer free()
	n := sum(a, values)
	free()
	return n
}

// A holder frees its arena when it is closed, or else collected.
type holder struct{ arena *arena.Arena }

func (h *holder) close() {
	h.arena.Free()
	runtime.SetFinalizer(h, nil)
}

func goodFinalizer() *holder {
	h := &holder{arena.NewArena()}
	runtime.SetFinalizer(h, (*holder).close)
	return h
}
