// Package lib allocates from arenas of other packages.
package lib

import "lessgc/arena"

// A Node is a number.
type Node struct{ N int }

// NewNode returns a node.
func NewNode(a *arena.Arena, n int) *Node {
	p := arena.New[Node](a)
	p.N = n
	return p
}

// Background makes nodes later.
func Background(a *arena.Arena, numbers <-chan int) {
	go func() {
		for n := range numbers {
			NewNode(a, n)
		}
	}()
}

// Open reports whether there is an arena.
func Open(a *arena.Arena) bool { return a != nil }
