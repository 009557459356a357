//go:build goexperiment.arenas

package stacktree

import (
	"arena"
	"unsafe"
)

var stdArenas = []Strategy{{"stdarena", inStdArena}}

type stdArena struct{ *arena.Arena }

func newStdArena() stdArena { return stdArena{arena.NewArena()} }

func (a stdArena) free() { a.Free() }

func (a stdArena) node() *node { return arena.New[node](a.Arena) }

// text makes its string of bytes that nothing else has: the standard arena
// knows no strings, and does not use memory again while something points to it.
func (a stdArena) text(b []byte) string {
	mem := arena.MakeSlice[byte](a.Arena, len(b), len(b))
	copy(mem, b)
	return unsafe.String(unsafe.SliceData(mem), len(mem)) // nobody else has mem
}

func (a stdArena) list(len, cap int) []*node { return arena.MakeSlice[*node](a.Arena, len, cap) }
