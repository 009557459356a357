//go:build goexperiment.arenas

// Package parts has an arena in a struct.
package parts

import "arena"

type data struct{ value int }

type session struct{ mem *arena.Arena }

func newSession() *session { return &session{arena.NewArena()} }

func (s *session) Free()       { s.mem.Free() }
func (s *session) data() *data { return arena.New[data](s.mem) }

// Renew begins anew.
func (s *session) Renew() {
	s.mem.Free()
	s.mem = arena.NewArena()
}

func badData() int {
	s := newSession()
	d := s.data()
	s.Free()
	return d.value // want "is used after"
}

func goodData() int {
	s := newSession()
	d := s.data()
	n := d.value
	s.Free()
	return n
}

func badSession(s *session) *data {
	s.Free()
	return s.data() // want "is used after"
}

func goodSession(s *session) *data {
	s.Renew()
	return s.data()
}

func badRenewed(s *session) int {
	d := s.data()
	s.Renew()
	return d.value // want "is used after"
}

func goodRenewed(s *session) int {
	s.Renew()
	d := s.data()
	return d.value
}
