//go:build goexperiment.arenas

package xml

import "arena"

// stdArena is an arena of the standard library.
type stdArena struct{ a *arena.Arena }

func (s stdArena) node() *Node { return arena.New[Node](s.a) }

func (s stdArena) attributes(n int) []Attr { return arena.MakeSlice[Attr](s.a, n, n) }

func (s stdArena) string(v string) string {
	b := arena.MakeSlice[byte](s.a, len(v), len(v))
	copy(b, v)
	return view(b)
}

var arenas = []Strategy{{"stdarena", stdarena}}

func stdarena(src []byte, use func(*Node)) error {
	a := arena.NewArena()
	defer a.Free()
	return do(src, memory{allocator: inStd, std: stdArena{a}}, use)
}
