package ours

import (
	"sync"

	"lessgc/arena"
)

func open() *arena.Arena { return arenas.Get() }

func release(a *arena.Arena) {
	if a != nil {
		a.Free()
	}
}

func length(a *arena.Arena, text string) int { return len(a.String(text)) }

func finish(a *arena.Arena, text string) int {
	n := len(a.String(text))
	a.Free()
	return n
}

func badHelper(name string) int {
	a := open()
	defer a.Free() // want "is freed twice"
	return finish(a, name)
}

func goodHelper(name string) int {
	a := open()
	defer a.Free()
	return length(a, name)
}

func badDeferredHelper(name string) int {
	a := open()
	defer release(a) // want "is freed twice"
	n := len(a.String(name))
	a.Free()
	return n
}

func goodDeferredHelper(name string) int {
	a := open()
	defer func() { release(a) }()
	n := len(a.String(name))
	a.Free()
	a = nil
	return n
}

func badClosure(name string) int {
	a := open()
	free := func() { a.Free() }
	n := len(a.String(name))
	free()
	a.Free() // want "is freed twice"
	return n
}

func goodClosure(name string) int {
	a := open()
	free := func() { a.Reset() }
	n := len(a.String(name))
	free()
	a.Free()
	return n
}

func badMethodValue(name string) int {
	a := open()
	free := a.Free
	defer free() // want "is freed twice"
	n := len(a.String(name))
	free()
	return n
}

func goodMethodValue(name string) int {
	a := open()
	free := sync.OnceFunc(a.Free)
	defer free()
	n := len(a.String(name))
	free()
	return n
}

func badMethodExpression(name string) int {
	a := open()
	n := len(a.String(name))
	(*arena.Arena).Free(a)
	a.Free() // want "is freed twice"
	return n
}

func goodMethodExpression(name string) int {
	a := open()
	n := len(a.String(name))
	(*arena.Arena).Reset(a)
	a.Free()
	return n
}

func badGeneric[T any](p *arena.Pool, v T) T {
	a := p.Get()
	x := arena.New[T](a)
	*x = v
	v = *x
	a.Free()
	a.Free() // want "is freed twice"
	return v
}

func goodGeneric[T any](p *arena.Pool, v T) T {
	a := p.Get()
	x := arena.New[T](a)
	*x = v
	v = *x
	a.Free()
	return v
}

func badParameter(a *arena.Arena, name string) int {
	n := len(a.String(name))
	a.Free()
	release(a) // want "is freed twice"
	return n
}

func goodParameter(a *arena.Arena, name string) int {
	n := len(a.String(name))
	release(a)
	return n
}

// A session owns its arena.
type session struct {
	pool  arena.Pool
	arena *arena.Arena
	open  bool
}

func (s *session) badClose() {
	s.arena.Free()
	s.open = false
	s.arena.Free() // want "is freed twice"
}

func (s *session) goodClose() {
	s.arena.Free()
	s.arena = nil
	s.open = false
	s.arena.Free()
}

func (s *session) goodCloseOnce() {
	if !s.open {
		return
	}
	s.open = false
	s.arena.Free()
}

func (s *session) badLen(text string) int {
	a := s.pool.Get()
	defer a.Free() // want "is freed twice"
	return finish(a, text)
}

func (s *session) goodLen(text string) int {
	a := s.pool.Get()
	return finish(a, text)
}

// measures are called by name.
var measures = map[string]func(string) int{
	"wrong": func(line string) int {
		a := arenas.Get()
		defer a.Free() // want "is freed twice"
		return finish(a, line)
	},
	"right": func(line string) int {
		a := arenas.Get()
		return finish(a, line)
	},
}

// A closer may free, or not.
type closer interface{ Finish(a *arena.Arena) }

func goodInterface(c closer, name string) int {
	a := open()
	defer a.Free()
	n := len(a.String(name))
	c.Finish(a)
	return n
}

// end frees the arena.
//
//lessgc:releases a
func end(c closer, a *arena.Arena) { c.Finish(a) }

func badDirective(c closer, name string) int {
	a := open()
	defer a.Free() // want "is freed twice"
	n := len(a.String(name))
	end(c, a)
	return n
}

func goodDirective(c closer, name string) int {
	a := open()
	n := len(a.String(name))
	end(c, a)
	return n
}
