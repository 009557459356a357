package tuples

import (
	"unsafe"

	"lessgc/arena"
)

// A memory is the memory that rows, lists and the hash table are allocated
// from.
type memory struct {
	kind  kind
	sized *sized
	std   stdArena
	arena *arena.Arena
	slabs // set if kind is inSlabs
}

type kind uint8

const (
	onHeap kind = iota
	isSized
	inStd
	inArena
	inSlabs
)

// slabs are the slabs of rows and of what they hold, and of the hash table. The
// lists of rows have none: they grow a few times.
type slabs struct {
	orders    *arena.Slab[Order]
	customers *arena.Slab[Customer]
	notes     *arena.Slab[string]
	itemLists *arena.Slab[int32]
	slotLists *arena.Slab[slot]
}

func slabsOf(a *arena.Arena) slabs {
	return slabs{
		orders:    arena.Of[Order](a),
		customers: arena.Of[Customer](a),
		notes:     arena.Of[string](a),
		itemLists: arena.Of[int32](a),
		slotLists: arena.Of[slot](a),
	}
}

// alloc returns a new zero T. S is m's slab of T. Sized memory has its own.
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

// makeSlice returns a slice of n zero T.
func makeSlice[T any](m *memory, s *arena.Slab[T], n int) []T {
	switch m.kind {
	case inSlabs:
		return s.Make(n, n)
	case inArena:
		return arena.MakeSlice[T](m.arena, n, n)
	case inStd:
		return stdSlice[T](m.std, n, n)
	}
	return make([]T, n)
}

// push appends v to list and keeps it in m.
func push[T any](m *memory, list []T, v T) []T {
	switch m.kind {
	case inSlabs, inArena:
		return arena.Append(m.arena, list, v)
	case inStd:
		return stdAppend(m.std, list, v)
	}
	return append(list, v)
}

func (m *memory) order() *Order {
	if m.kind == isSized {
		return m.sized.orders.next()
	}
	return alloc(m, m.orders)
}

func (m *memory) customer() *Customer {
	if m.kind == isSized {
		return m.sized.customers.next()
	}
	return alloc(m, m.customers)
}

func (m *memory) note() *string {
	if m.kind == isSized {
		return m.sized.notes.next()
	}
	return alloc(m, m.notes)
}

// orderList returns an empty list, with the room it will need if m knows it.
func (m *memory) orderList() []*Order {
	if m.kind == isSized {
		return m.sized.orderList.all[:0]
	}
	return nil
}

// customerList is orderList for customers.
func (m *memory) customerList() []*Customer {
	if m.kind == isSized {
		return m.sized.customerList.all[:0]
	}
	return nil
}

// items returns n zero items, nil if n is 0.
func (m *memory) items(n int) []int32 {
	switch {
	case n == 0:
		return nil
	case m.kind == isSized:
		return m.sized.items.cut(n)
	}
	return makeSlice(m, m.itemLists, n)
}

// text returns a copy of b.
func (m *memory) text(b []byte) string {
	switch m.kind {
	case inSlabs, inArena:
		return m.arena.String(view(b))
	case inStd:
		s := stdSlice[byte](m.std, len(b), len(b))
		copy(s, b)
		return view(s)
	case isSized:
		return m.sized.text(b)
	}
	return string(b)
}

// view returns a string that shares the memory of b. By the rules of package
// unsafe b must not change as long as the string exists: text only uses it for
// the time of a copy and for a copy that nobody else has.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
