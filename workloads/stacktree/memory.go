package stacktree

import "lessgc/arena"

// A kind of memory: what a strategy is.
type kind int

const (
	onHeap kind = iota
	inPool
	inStdArena
	inSafeArena
	inTypedArena
	inArena
	inHandle
)

// The pools of the arenas that are used again.
var (
	typedArenas = arena.Pool{Policy: arena.RecycleTyped}
	allArenas   = arena.Pool{Policy: arena.RecycleAll}
)

// A memory is the memory that one tree is allocated from. Its methods ask for the
// kind in every call instead of calling through an interface: the branch goes the
// same way each time, and all strategies pay for it alike.
type memory struct {
	kind  kind
	store *store   // of inPool
	std   stdArena // of inStdArena

	arena *arena.Arena       // of the other arenas; nil is the heap
	nodes *arena.Slab[node]  // of inHandle
	lists *arena.Slab[*node] // of inHandle
}

func newMemory(k kind) memory {
	switch k {
	case inPool:
		return memory{kind: k, store: stores.Get().(*store)}
	case inStdArena:
		return memory{kind: k, std: newStdArena()}
	case inSafeArena:
		return memory{kind: k, arena: arena.NewArena()}
	case inTypedArena:
		return memory{kind: k, arena: typedArenas.Get()}
	case inArena:
		return memory{kind: k, arena: allArenas.Get()}
	case inHandle:
		a := allArenas.Get()
		return memory{kind: k, arena: a, nodes: arena.Of[node](a), lists: arena.Of[*node](a)}
	}
	return memory{}
}

// free ends the life of the tree, which must not be used after that.
func (m *memory) free() {
	switch m.kind {
	case onHeap:
	case inPool:
		m.store.free()
	case inStdArena:
		m.std.free()
	default:
		m.arena.Free()
	}
}

// node returns a node without name, counts and children.
func (m *memory) node() *node {
	switch m.kind {
	case onHeap:
		return new(node)
	case inPool:
		return m.store.node()
	case inStdArena:
		return m.std.node()
	case inHandle:
		return m.nodes.New()
	}
	return arena.New[node](m.arena)
}

// text returns a copy of b, which is not empty.
func (m *memory) text(b []byte) string {
	switch m.kind {
	case onHeap, inPool:
		return string(b)
	case inStdArena:
		return m.std.text(b)
	}
	return m.arena.StringFrom(b)
}

// extend returns children with one more element at the end, whose value is of
// no interest. An arena grows a slice that is full by its own rules. Elsewhere it
// is copied to one of twice the capacity, from 1 on because most nodes have one
// child.
func (m *memory) extend(children []*node) []*node {
	n := len(children)
	if n < cap(children) {
		return children[:n+1]
	}
	if m.arena != nil && m.kind != inHandle {
		return arena.Append(m.arena, children, nil)
	}
	grown := m.list(n+1, max(1, 2*n))
	copy(grown, children)
	return grown
}

// list returns a slice whose elements are nil.
func (m *memory) list(len, cap int) []*node {
	switch m.kind {
	case onHeap, inPool:
		return make([]*node, len, cap)
	case inStdArena:
		return m.std.list(len, cap)
	case inHandle:
		return m.lists.Make(len, cap)
	}
	return arena.MakeSlice[*node](m.arena, len, cap)
}
