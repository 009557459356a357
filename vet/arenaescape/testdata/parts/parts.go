//go:build goexperiment.arenas

// Package parts has an arena in a struct.
package parts

import "arena"

type data struct{ value int }

type session struct{ mem *arena.Arena }

func newSession() *session       { return &session{arena.NewArena()} }
func (s *session) Free()         { s.mem.Free() }
func (s *session) data() *data   { return arena.New[data](s.mem) }
func alloc[T any](s *session) *T { return arena.New[T](s.mem) }
func (s *session) copied() *data { return arena.Clone(arena.New[data](s.mem)) }
func (s *session) slice() []int  { return arena.MakeSlice[int](s.mem, 3, 3) }

func badReturned() *data {
	s := newSession()
	defer s.Free()
	return s.data() // want "the value returned, memory of the arena, outlives"
}

func goodReturned() *data {
	s := newSession()
	defer s.Free()
	return s.copied()
}

func badGeneric() *data {
	s := newSession()
	defer s.Free()
	return alloc[data](s) // want "the value returned, memory of the arena, outlives"
}

func goodGeneric() int {
	s := newSession()
	defer s.Free()
	return alloc[data](s).value
}

var last []int

func badGlobal() {
	s := newSession()
	defer s.Free()
	last = s.slice() // want "outlives its arena"
}

func goodGlobal() {
	s := newSession()
	defer s.Free()
	last = append(last[:0], s.slice()...)
}

// The session lives on.
func goodSession(s *session) *data {
	return s.data()
}
