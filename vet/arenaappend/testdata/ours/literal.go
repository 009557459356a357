package ours

import (
	"strings"

	"lessgc/arena"
)

// The body of a loop over a function, and a function literal, append to a struct of the function around it.
func badSequence(a *arena.Arena, line string) *object {
	o := arena.New[object](a)
	for name := range strings.SplitSeq(line, ",") {
		o.names = append(o.names, name) // want `append puts names on the heap`
	}
	return o
}

func each(list []string, f func(int, string)) {
	for i, s := range list {
		f(i, s)
	}
}

func badEach(a *arena.Arena, list []string) *object {
	o := newObject(a)
	each(list, func(i int, s string) {
		if s != "" {
			o.values = append(o.values, i) // want `append puts values on the heap`
		}
	})
	return o
}

func badNestedLiteral(a *arena.Arena, s *arena.Slab[object], list []string) (all []*object) {
	for range list {
		o := s.New()
		o.parent = nil
		each(list, func(i int, line string) {
			for name := range strings.SplitSeq(line, ",") {
				o.inner.list = append(o.inner.list, len(name)) // want `append puts list on the heap`
			}
		})
		all = append(all, o)
	}
	return all
}

func goodSequence(a *arena.Arena, line string) *object {
	o := arena.New[object](a)
	o.names = arena.MakeSlice[string](a, 0, strings.Count(line, ",")+1)
	for name := range strings.SplitSeq(line, ",") {
		o.names = append(o.names, name)
	}
	return o
}

// The literal makes room for itself, the first time.
func goodEach(a *arena.Arena, list []string) *object {
	o := newObject(a)
	each(list, func(i int, s string) {
		if i == 0 {
			o.values = arena.MakeSlice[int](a, 0, len(list))
		}
		o.values = append(o.values, i)
	})
	return o
}

// Another struct takes its place.
func goodReplaced(a *arena.Arena, list []string) *object {
	o := newObject(a)
	each(list, func(i int, s string) {
		if i == 0 {
			o = newSized(a, len(list))
		}
		o.names = append(o.names, s)
	})
	return o
}

// A function that gets it in a literal makes room.
func goodRoomInLiteral(a *arena.Arena, list []string) *object {
	o := newObject(a)
	func() { o.room(a, len(list)) }()
	each(list, func(i int, s string) { o.names = append(o.names, s) })
	return o
}

// The literal is called with what has room.
func goodHeapLiteral(list []string) *object {
	o := new(object)
	each(list, func(i int, s string) { o.names = append(o.names, s) })
	return o
}

// The literal is called after the struct has got room, by a function that has kept it.
func goodKeptLiteral(a *arena.Arena, list []string) *object {
	o := newObject(a)
	add := func(i int, s string) { o.names = append(o.names, s) }
	each(nil, add)
	o.room(a, len(list))
	each(list, add)
	return o
}

func badGivenLater(a *arena.Arena, list []string) *object {
	o := newObject(a)
	each(list, func(i int, s string) {
		o.names = append(o.names, s) // want `append puts names on the heap`
	})
	o.room(a, 1)
	return o
}
