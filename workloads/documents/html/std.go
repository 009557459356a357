//go:build goexperiment.arenas

package html

import (
	"arena"

	"golang.org/x/net/html"
)

// stdArena is an arena of the standard library.
type stdArena struct{ a *arena.Arena }

func (s stdArena) node() *html.Node { return arena.New[html.Node](s.a) }

func (s stdArena) attributes(n int) []html.Attribute {
	return arena.MakeSlice[html.Attribute](s.a, n, n)
}

func (s stdArena) string(v string) string {
	b := arena.MakeSlice[byte](s.a, len(v), len(v))
	copy(b, v)
	return view(b)
}

var arenas = []Strategy{{"stdarena", stdarena}}

func stdarena(dst, src []byte, see func(*html.Node)) ([]byte, error) {
	a := arena.NewArena()
	defer a.Free()
	return do(dst, src, memory{allocator: inStd, std: stdArena{a}}, see)
}
