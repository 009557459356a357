// Package copies copies pools and arenas.
package copies

import (
	"bytes"

	"lessgc/arena"
	"lessgc/pool"
)

var values pool.Pool[bytes.Buffer]

func badAssigned() *bytes.Buffer {
	p := values // want `this copies pool.Pool\[bytes.Buffer\]: values put into one are not found by the other`
	return p.Get()
}

func goodPointer() *bytes.Buffer {
	p := &values
	return p.Get()
}

func badParameter(p pool.Buffers) string { // want `a parameter copies pool.Buffers: Put of the one panics`
	b := p.Get(0)
	defer p.Put(b)
	return b.String()
}

func goodParameter(p *pool.Buffers) string {
	b := p.Get(0)
	defer p.Put(b)
	return b.String()
}

type server struct {
	name  string
	lines pool.Buffers
}

func (s server) badReceiver() string { // want `a parameter copies server, which holds pool.Buffers`
	return s.name
}

func (s *server) goodReceiver() string {
	return s.name
}

func badRange(all []server) (n int) {
	for _, s := range all { // want `range copies server, which holds pool.Buffers`
		n += len(s.name)
	}
	return n
}

func goodRange(all []server) (n int) {
	for i := range all {
		n += len(all[i].name)
	}
	return n
}

func badResult(s *server) server {
	return *s // want `this copies server, which holds pool.Buffers`
}

func goodResult(s *server) server {
	return server{name: s.name}
}

func badArgument(s *server) any {
	return any(use(s.lines)) // want `this copies pool.Buffers`
}

func use(p any) bool { return p != nil }

func goodArgument(s *server) any {
	return any(use(&s.lines))
}

type arenas struct{ pool arena.Pool }

func badLiteral(p *arena.Pool) *arenas {
	return &arenas{pool: *p} // want `this copies arena.Pool: arenas of the one give their memory to it`
}

func goodLiteral() *arenas {
	return &arenas{pool: arena.Pool{}}
}

func badArena() {
	a := *arena.NewArena() // want `this copies arena.Arena: both free the same memory`
	a.Free()
}

func goodArena() {
	a := arena.NewArena()
	a.Free()
}

func badSecondArena(a *arena.Arena) func() {
	b := *a // want `this copies arena.Arena`
	return b.Free
}

func goodSecondArena(a *arena.Arena) func() {
	b := a
	return b.Free
}

func goodUncopied() (*pool.Pool[int], int) {
	var zero pool.Pool[int]
	fresh := pool.Pool[int]{New: func() *int { return new(int) }}
	_ = zero.Get
	return &fresh, *new(pool.Pool[int]).Get()
}
