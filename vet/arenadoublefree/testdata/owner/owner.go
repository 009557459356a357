// Package owner has owners of arenas that are passed by their value.
package owner

import "lessgc/arena"

type manager struct{ a *arena.Arena }

func newManager() manager { return manager{a: arena.NewArena()} }

func (m manager) free() { m.a.Free() }

func (m manager) ints(n int) []int { return arena.MakeSlice[int](m.a, n, n) }

func badTwice(n int) int {
	m := newManager()
	defer m.free() // want "m.a"
	if n > 100 {
		m.free()
		return 0
	}
	return len(m.ints(n))
}

func goodOnce(n int) int {
	m := newManager()
	if n > 100 {
		m.free()
		return 0
	}
	defer m.free()
	return len(m.ints(n))
}

func goodTwo(n int) int {
	m := newManager()
	sum := len(m.ints(n))
	m.free()
	m = newManager()
	sum += len(m.ints(n))
	m.free()
	return sum
}

// An arena that is embedded.
type embedder struct {
	*arena.Arena
	name string
}

func newEmbedder(name string) embedder { return embedder{arena.NewArena(), name} }

func (e embedder) destroy() { e.Free() }

func badEmbedded(n int) int {
	e := newEmbedder("x")
	defer e.destroy() // want "e.Arena"
	if n > 100 {
		e.Free()
		return 0
	}
	return len(arena.MakeSlice[int](e.Arena, n, n))
}

func goodEmbedded(n int) int {
	e := newEmbedder("x")
	defer e.destroy()
	if n > 100 {
		return 0
	}
	return len(arena.MakeSlice[int](e.Arena, n, n))
}
