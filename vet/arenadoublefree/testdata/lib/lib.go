// Package lib frees what other packages give it.
package lib

import "lessgc/arena"

var arenas = arena.Pool{Policy: arena.RecycleTyped}

// Open returns an arena, which Close frees.
func Open() *arena.Arena { return arenas.Get() }

// Close frees an arena.
func Close(a *arena.Arena) {
	if a != nil {
		a.Free()
	}
}

// Len is the length of a text in a.
func Len(a *arena.Arena, text string) int { return len(a.String(text)) }

// Finish is Len, and frees the arena.
func Finish(a *arena.Arena, text string) int {
	defer a.Free()
	return Len(a, text)
}
