package ours

import "lessgc/arena"

type object struct {
	names  []string
	values []int
	parent *object
	inner  struct{ list []int }
}

func badField(a *arena.Arena, names []string) *object {
	o := arena.New[object](a)
	for i, n := range names {
		o.names = append(o.names, n)   // want `append puts names on the heap`
		o.values = append(o.values, i) // want `append puts values on the heap`
	}
	return o
}

func goodField(a *arena.Arena, names []string) *object {
	o := arena.New[object](a)
	o.names = arena.MakeSlice[string](a, 0, len(names))
	for i, n := range names {
		o.names = append(o.names, n)
		o.values = arena.Append(a, o.values, i)
	}
	return o
}

// Made by another function.
func newObject(a *arena.Arena) *object { return arena.New[object](a) }

func (o *object) size() int { return len(o.names) }

func badMadeElsewhere(a *arena.Arena, n string) *object {
	o := newObject(a)
	if o.size() == 0 {
		o.names = append(o.names, n) // want `append puts names on the heap`
	}
	return o
}

func newSized(a *arena.Arena, n int) *object {
	o := arena.New[object](a)
	o.names = arena.MakeSlice[string](a, 0, n)
	return o
}

func goodMadeElsewhere(a *arena.Arena, n string) *object {
	o := newSized(a, 1)
	o.names = append(o.names, n)
	return o
}

func (o *object) room(a *arena.Arena, n int) { o.names = arena.MakeSlice[string](a, 0, n) }

func goodRoom(a *arena.Arena, n string) *object {
	o := arena.New[object](a)
	o.room(a, 1)
	o.names = append(o.names, n)
	return o
}

func badNested(a *arena.Arena, x int) *object {
	o := arena.New[object](a)
	o.inner.list = append(o.inner.list, x) // want `append puts list on the heap`
	return o
}

// A copy has what the original has.
func goodCopy(a *arena.Arena, from object, n string) *object {
	o := arena.New[object](a)
	*o = from
	o.names = append(o.names, n)
	return o
}

type registry struct{ last *object }

func (r *registry) fill(a *arena.Arena) { r.last.names = arena.MakeSlice[string](a, 0, 1) }

func (r *registry) goodStored(a *arena.Arena, n string) {
	o := arena.New[object](a)
	r.last = o
	r.fill(a)
	o.names = append(o.names, n)
}

func badStoredLater(a *arena.Arena, names []string) []*object {
	all := arena.MakeSlice[*object](a, 0, len(names))
	for _, n := range names {
		o := arena.New[object](a)
		o.names = append(o.names, n) // want `append puts names on the heap`
		all = append(all, o)
	}
	return all
}

func goodHeapObject(n string) *object {
	o := new(object)
	o.names = append(o.names, n)
	return o
}

func goodNilArena(n string) *object {
	o := arena.New[object](nil)
	o.names = append(o.names, n)
	return o
}

func badOfSlab(s *arena.Slab[object], n string) *object {
	o := s.New()
	o.names = append(o.names, n) // want `append puts names on the heap`
	return o
}
