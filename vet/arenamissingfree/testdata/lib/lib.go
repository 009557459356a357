// Package lib opens, uses and frees arenas for other packages.
package lib

import (
	"io"
	"strings"

	"lessgc/arena"
)

var arenas = arena.Pool{Policy: arena.RecycleTyped}

// Open returns an arena, which Close frees.
func Open() *arena.Arena { return arenas.Get() }

// OpenFor returns an arena for n objects, or an error if that is too many.
func OpenFor(n int) (*arena.Arena, error) {
	if n > 1<<20 {
		return nil, io.ErrShortBuffer
	}
	return arenas.Get(), nil
}

// Close frees an arena.
func Close(a *arena.Arena) { a.Free() }

// Words counts the words of a text, with memory of a.
func Words(a *arena.Arena, text string) int {
	var words []string
	for word := range strings.FieldsSeq(text) {
		words = arena.Append(a, words, word)
	}
	return len(words)
}

// A Session owns an arena.
type Session struct{ a *arena.Arena }

// NewSession returns a session that takes over a.
func NewSession(a *arena.Arena) *Session { return &Session{a: a} }

// Close ends the session.
func (s *Session) Close() { s.a.Free() }

// With calls f with an arena that it frees.
func With(f func(a *arena.Arena) error) error {
	a := arenas.Get()
	defer a.Free()
	return f(a)
}
