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

func (o *object) badParse(line string) {
	if line == "" {
		return
	}
	o.names = append(o.names, line)            // want `append puts names on the heap`
	o.values = append(o.values[:0], len(line)) // want `append puts values on the heap`
}

func parsed(a *arena.Arena, lines []string) []*object {
	all := arena.MakeSlice[*object](a, 0, len(lines))
	for _, line := range lines {
		o := arena.New[object](a)
		o.badParse(line)
		all = append(all, o)
	}
	return all
}

func addTo(o *object, line string) { o.badAdd(line) }

func (o *object) badAdd(line string) {
	o.inner.list = append(o.inner.list, len(line)) // want `append puts list on the heap`
}

func added(a *arena.Arena, line string) *object {
	o := arena.New[object](a)
	addTo(o, line)
	return o
}

func (o *object) extend(line string) { o.names = append(o.names, line) }

func goodExtend(a *arena.Arena, line string) *object {
	o := arena.New[object](a)
	o.room(a, 1)
	o.extend(line)
	return o
}

func goodExtendHeap(line string) *object {
	o := new(object)
	o.extend(line)
	return o
}

// Only if it was given room.
func (o *object) extendBy(line string) {
	if cap(o.names) > len(o.names) {
		o.names = append(o.names, line)
	}
}

func goodExtendBy(a *arena.Arena, line string) *object {
	o := arena.New[object](a)
	o.extendBy(line)
	return o
}

func (o *object) copyFrom(p *object) { o.names = append(p.names, "") }

func goodCopyFrom(a *arena.Arena, p *object) *object {
	o := arena.New[object](a)
	o.copyFrom(p)
	return o
}

func badCut(a *arena.Arena, names []string) *object {
	o := arena.New[object](a)
	o.names = append(o.names[:0], names...) // want `append puts names on the heap`
	return o
}

func goodAssigned(a *arena.Arena, from *object, name string) *object {
	o := arena.New[object](a)
	o.names = from.names
	o.names = append(o.names, name)
	return o
}
