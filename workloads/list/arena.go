//go:build goexperiment.arenas

package list

import "arena"

var arenas = []Strategy{
	{"stdarena-elements", stdArenaElements},
	{"stdarena", stdArena},
}

func stdArenaElements(n int, use func(*List)) {
	a := arena.NewArena()
	defer a.Free()
	l := newList()
	for i := range n {
		e, v := arena.New[element](a), new(int)
		*v = i
		e.value = v
		l.append(e)
	}
	use(l)
}

func stdArena(n int, use func(*List)) {
	a := arena.NewArena()
	defer a.Free()
	l := newList()
	for i := range n {
		e, v := arena.New[element](a), arena.New[int](a)
		*v = i
		e.value = v
		l.append(e)
	}
	use(l)
}
