package ours

import (
	"sync"

	"lessgc/arena"
)

func release(a *arena.Arena) {
	if a != nil {
		a.Free()
	}
}

func open() *arena.Arena { return arenas.Get() }

func count(u *user) int {
	n := 0
	for ; u != nil; u = u.next {
		n++
	}
	return n
}

func badRelease(line string) int {
	a := open()
	u := parse(a, line)
	release(a)
	return u.id // want "is used after"
}

func goodRelease(line string) int {
	a := open()
	u := parse(a, line)
	defer release(a)
	return u.id
}

func badCount(line string) int {
	a := open()
	u := parse(a, line)
	release(a)
	return count(u) // want "is used after"
}

func goodCount(line string) int {
	a := open()
	u := parse(a, line)
	n := count(u)
	release(a)
	return n
}

func badParse(line string) int {
	a := open()
	release(a)
	return count(parse(a, line)) // want "is used after"
}

func goodParse(line string) int {
	a := open()
	n := count(parse(a, line))
	release(a)
	return n
}

func badClosure(line string) int {
	a := open()
	free := func() { a.Free() }
	u := parse(a, line)
	free()
	return u.id // want "is used after"
}

func goodClosure(line string) int {
	a := open()
	free := func() { a.Free() }
	u := parse(a, line)
	defer free()
	return u.id
}

func badMethodValue(line string) int {
	a := open()
	free := a.Free
	u := parse(a, line)
	free()
	return u.id // want "is used after"
}

func goodMethodValue(line string) int {
	a := open()
	free := a.Free
	u := parse(a, line)
	id := u.id
	free()
	return id
}

func badMethodExpression(line string) int {
	a := open()
	u := parse(a, line)
	(*arena.Arena).Free(a)
	return u.id // want "is used after"
}

func goodMethodExpression(line string) int {
	a := open()
	u := parse(a, line)
	defer (*arena.Arena).Free(a)
	return u.id
}

func badGeneric[T any](v T) T {
	a := arenas.Get()
	x := arena.New[T](a)
	*x = v
	a.Free()
	return *x // want "is used after"
}

func goodGeneric[T any](v T) T {
	a := arenas.Get()
	x := arena.New[T](a)
	*x = v
	v = *x
	a.Free()
	return v
}

func badParameter(a *arena.Arena, line string) string {
	a.Free()
	return a.String(line) // want "is used after"
}

func goodParameter(a *arena.Arena, line string) string {
	defer a.Free()
	return a.String(line)
}

// goodParameterMemory may be given an arena with policy Safe.
func goodParameterMemory(a *arena.Arena, line string) int {
	u := parse(a, line)
	a.Free()
	return u.id
}

// A server has pools of its own.
type server struct {
	arenas arena.Pool
	texts  arena.Pool
	kept   arena.Pool
}

func newServer() *server {
	return &server{
		arenas: arena.Pool{Policy: arena.RecycleTyped},
		texts:  arena.Pool{Policy: arena.RecycleAll},
		kept:   arena.Pool{Policy: arena.Safe},
	}
}

func (s *server) badUser(line string) int {
	a := s.arenas.Get()
	u := parse(a, line)
	a.Free()
	return u.id // want "is used after"
}

func (s *server) goodUser(line string) int {
	a := s.kept.Get()
	u := parse(a, line)
	a.Free()
	return u.id
}

func (s *server) badText(line string) int {
	a := s.texts.Get()
	text := a.String(line)
	a.Free()
	return int(text[0]) // want "is used after"
}

func (s *server) goodText(line string) int {
	a := s.arenas.Get()
	text := a.String(line)
	a.Free()
	return int(text[0])
}

func badLocalPool(lines []string) int {
	pool := arena.Pool{Policy: arena.RecycleAll}
	n := 0
	for _, line := range lines {
		a := pool.Get()
		text := a.String("> " + line)
		a.Free()
		n += int(text[0]) // want "is used after"
	}
	return n
}

func goodLocalPool(lines []string) int {
	pool := arena.Pool{Policy: arena.RecycleTyped}
	n := 0
	for _, line := range lines {
		a := pool.Get()
		text := a.String("> " + line)
		a.Free()
		n += int(text[0])
	}
	return n
}

// A scanner has one arena for the line that it is at.
type scanner struct {
	arena *arena.Arena
	last  string
}

func (s *scanner) badClose() {
	s.arena.Free()
	s.last = s.arena.String("closed") // want "is used after"
}

func (s *scanner) goodClose() {
	s.last = s.arena.String("closed")
	s.arena.Free()
}

func (s *scanner) goodReopen() {
	s.arena.Free()
	s.arena = arena.NewArena()
	s.last = s.arena.String("open")
}

// measures are called by name.
var measures = map[string]func(string) int{
	"wrong": func(line string) int {
		a := arenas.Get()
		u := parse(a, line)
		a.Free()
		return u.id // want "is used after"
	},
	"right": func(line string) int {
		a := arenas.Get()
		u := parse(a, line)
		id := u.id
		a.Free()
		return id
	},
}

func goodJoined(lines []string) int {
	a := arenas.Get()
	sums := arena.MakeSlice[int](a, len(lines), len(lines))
	var wg sync.WaitGroup
	for i, line := range lines {
		wg.Go(func() { sums[i] = len(line) })
	}
	wg.Wait()
	n := 0
	for _, sum := range sums {
		n += sum
	}
	a.Free()
	return n
}

// A closer frees in a way that cannot be seen.
type closer interface{ Finish(a *arena.Arena) }

// finish frees the arena.
//
//lessgc:releases a
func finish(c closer, a *arena.Arena) { c.Finish(a) }

func badDirective(c closer, line string) int {
	a := arenas.Get()
	u := parse(a, line)
	finish(c, a)
	return u.id // want "is used after"
}

func goodDirective(c closer, line string) int {
	a := arenas.Get()
	u := parse(a, line)
	defer finish(c, a)
	return u.id
}

func goodInterface(c closer, line string) int {
	a := arenas.Get()
	u := parse(a, line)
	c.Finish(a)
	return u.id
}
