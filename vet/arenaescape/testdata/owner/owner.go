// Package owner has owners of arenas that are passed by their value, and slices whose elements lead to
// memory of the arena.
package owner

import (
	"bytes"

	"lessgc/arena"
)

var arenas = arena.Pool{Policy: arena.RecycleAll}

type manager struct{ a *arena.Arena }

func newManager() manager { return manager{a: arenas.Get()} }

func (m manager) free() {
	if m.a != nil {
		m.a.Free()
	}
}

func (m manager) ints(n int) []int {
	if m.a == nil {
		return make([]int, n)
	}
	return arena.MakeSlice[int](m.a, n, n)
}

func badSquares(n int) []int {
	m := newManager()
	defer m.free()
	out := m.ints(n)
	for i := range out {
		out[i] = i * i
	}
	return out // want "out, outlives its arena"
}

func goodSquares(n int) []int {
	m := newManager()
	defer m.free()
	out := make([]int, n)
	tmp := m.ints(n)
	copy(out, tmp)
	return out
}

func keys(a *arena.Arena, ids []byte) [][]byte {
	all := arena.MakeSlice[[]byte](a, len(ids), len(ids))
	for i := range ids {
		all[i] = a.Bytes(ids[i:])
	}
	return all
}

func badFirst(ids []byte) []byte {
	a := arenas.Get()
	defer a.Free()
	return keys(a, ids)[0] // want "outlives its arena"
}

func goodFirst(ids []byte) []byte {
	a := arenas.Get()
	defer a.Free()
	return bytes.Clone(keys(a, ids)[0])
}

// What an owner has a pointer to may lie in its arena.
type list struct{ items []int }

type lister struct {
	*arena.Arena
	*list
}

func newLister() lister {
	a := arenas.Get()
	return lister{a, arena.New[list](a)}
}

func (l lister) destroy() { l.Free() }

func goodLister(n int) int {
	l := newLister()
	defer l.destroy()
	for i := range n {
		l.items = arena.Append(l.Arena, l.items, i)
	}
	return len(l.items)
}

func badLister(n int, to *list) {
	l := newLister()
	defer l.destroy()
	to.items = arena.MakeSlice[int](l.Arena, n, n) // want "outlives its arena"
}
