package xml

import (
	"strings"

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

// memory is the memory that a document is allocated from. A switch on allocator
// costs a predicted branch; a func value or an interface would cost a call that
// is not inlined, as much as the allocation itself.
type memory struct {
	allocator allocator
	std       stdArena
	arena     *arena.Arena
	nodes     *arena.Slab[Node]
	attrs     *arena.Slab[Attr]
}

func (m *memory) node() *Node {
	switch m.allocator {
	case inSlabs:
		return m.nodes.New()
	case inArena:
		return arena.New[Node](m.arena)
	case inStd:
		return m.std.node()
	}
	return new(Node)
}

// attributes copies a; nil if a is empty.
func (m *memory) attributes(a []Attr) []Attr {
	if len(a) == 0 {
		return nil
	}
	var s []Attr
	switch m.allocator {
	case inSlabs:
		s = m.attrs.Make(len(a), len(a))
	case inArena:
		s = arena.MakeSlice[Attr](m.arena, len(a), len(a))
	case inStd:
		s = m.std.attributes(len(a))
	default:
		s = make([]Attr, len(a))
	}
	copy(s, a)
	return s
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
