package list

import (
	"slices"
	"sync"

	"lessgc/arena"
)

// A Strategy decides where elements and values live.
type Strategy struct {
	Name string

	// Do is one op: it hands a list of the values 0 to n-1 to use and drops
	// it when use returns. The list must not be used after that.
	Do func(n int, use func(*List))
}

// Strategies are all strategies of this build. The first is the reference.
//
// Each has its own loop, because one loop over an allocation function would
// add an indirect call to allocations of a few nanoseconds.
var Strategies = slices.Concat([]Strategy{
	{"heap", heap},
	{"pool", pooled},
	{"arena-safe", inSafe},
	{"arena-typed", inTyped},
	{"arena-recycle", inRecycled},
	{"handle", withHandles},
}, arenas)

func heap(n int, use func(*List)) {
	l := newList()
	for i := range n {
		e, v := new(element), new(int)
		*v = i
		e.value = v
		l.append(e)
	}
	use(l)
}

// elements holds unlinked elements. Each has a value, which is overwritten.
var elements = sync.Pool{New: func() any { return &element{value: new(int)} }}

func pooled(n int, use func(*List)) {
	l := newList()
	for i := range n {
		e := elements.Get().(*element)
		*e.value.(*int) = i
		l.append(e)
	}
	use(l)
	for e := l.root.next; e != &l.root; {
		next := e.next
		// An element that stays linked would keep its old neighbours alive
		// when the pool has dropped them.
		e.next, e.prev, e.list = nil, nil, nil
		elements.Put(e)
		e = next
	}
}

// Arenas that are reused: one pool for each policy, as a service would have.
var (
	typed    = arena.Pool{Policy: arena.RecycleTyped}
	recycled = arena.Pool{Policy: arena.RecycleAll}
)

func inSafe(n int, use func(*List)) { inArena(arena.NewArena(), n, use) }

func inTyped(n int, use func(*List)) { inArena(typed.Get(), n, use) }

func inRecycled(n int, use func(*List)) { inArena(recycled.Get(), n, use) }

func inArena(a *arena.Arena, n int, use func(*List)) {
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

func withHandles(n int, use func(*List)) {
	a := recycled.Get()
	defer a.Free()
	elements, values := arena.Of[element](a), arena.Of[int](a)
	l := newList()
	for i := range n {
		e, v := elements.New(), values.New()
		*v = i
		e.value = v
		l.append(e)
	}
	use(l)
}
