package html

import (
	"strings"

	"golang.org/x/net/html"

	"lessgc/arena"
)

// allocator selects the allocator of a [memory].
type allocator uint8

const (
	onHeap allocator = iota
	inStd
	inArena
	inSlabs
)

// memory is the memory that a tree is allocated from. A switch on allocator costs a
// predicted branch; a func value or an interface would cost a call that is not
// inlined, as much as the allocation itself.
type memory struct {
	allocator allocator
	std       stdArena
	arena     *arena.Arena
	nodes     *arena.Slab[html.Node]
	attrs     *arena.Slab[html.Attribute]
}

func (m *memory) node() *html.Node {
	switch m.allocator {
	case inSlabs:
		return m.nodes.New()
	case inArena:
		return arena.New[html.Node](m.arena)
	case inStd:
		return m.std.node()
	}
	return new(html.Node)
}

// attributes returns n zero attributes.
func (m *memory) attributes(n int) []html.Attribute {
	switch m.allocator {
	case inSlabs:
		return m.attrs.Make(n, n)
	case inArena:
		return arena.MakeSlice[html.Attribute](m.arena, n, n)
	case inStd:
		return m.std.attributes(n)
	}
	return make([]html.Attribute, n)
}

// string copies s.
func (m *memory) string(s string) string {
	switch m.allocator {
	case inSlabs, inArena:
		return m.arena.String(s)
	case inStd:
		return m.std.string(s)
	}
	return strings.Clone(s)
}
