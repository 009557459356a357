package gosyntax

import (
	"unsafe"

	"lessgc/arena"
)

// A memory is the memory that a tree is allocated from.
type memory struct {
	kind  kind
	std   stdArena
	arena *arena.Arena
	slabs // set if kind is inSlabs
}

type kind uint8

const (
	onHeap kind = iota
	inStd
	inArena
	inSlabs
)

// alloc returns a new zero T. S is m's slab of T.
func alloc[T any](m *memory, s *arena.Slab[T]) *T {
	switch m.kind {
	case inSlabs:
		return s.New()
	case inArena:
		return arena.New[T](m.arena)
	case inStd:
		return stdNew[T](m.std)
	}
	return new(T)
}

// clone returns a copy of list with no spare capacity; nil if it is empty. S is
// m's slab of T.
func clone[T any](m *memory, s *arena.Slab[T], list []T) []T {
	n := len(list)
	if n == 0 {
		return nil
	}
	var to []T
	switch m.kind {
	case inSlabs:
		to = s.Make(n, n)
	case inArena:
		to = arena.MakeSlice[T](m.arena, n, n)
	case inStd:
		to = stdSlice[T](m.std, n)
	default:
		to = make([]T, n)
	}
	copy(to, list)
	return to
}

// take moves the top of a stack, from index from on, into a slice as clone
// makes it.
func take[T any](m *memory, s *arena.Slab[T], stack *[]T, from int) []T {
	list := clone(m, s, (*stack)[from:])
	*stack = (*stack)[:from]
	return list
}

// text returns a copy of b.
func (m *memory) text(b []byte) string {
	switch m.kind {
	case inSlabs, inArena:
		return m.arena.String(view(b))
	case inStd:
		return view(clone(m, nil, b))
	}
	return string(b)
}

// view returns a string that shares the memory of b. By the rules of package
// unsafe b must not change as long as the string exists: text only uses it for
// the time of a copy and for a copy that nobody else has.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
