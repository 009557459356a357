// Package lib has types, pools and arenas that other packages use.
package lib

import (
	"sync"

	"lessgc/arena"
)

// Conn holds a lock that no other package can name.
type Conn struct{ state state }

type state struct {
	mu sync.Mutex
	n  int
}

// Plain holds none.
type Plain struct{ N int }

// Arenas recycle, which is not seen by other packages.
var Arenas = arena.Pool{Policy: arena.RecycleAll}

// Anybody may choose its policy.
var Open arena.Pool

// Get returns an arena that recycles.
func Get() *arena.Arena { return Arenas.Get() }

// GoodChosen has an arena of a pool whose policy others choose.
func GoodChosen() {
	a := Open.Get()
	defer a.Free()
	arena.New[Conn](a)
}

// A Request has the arena of whoever makes it.
type Request struct{ Arena *arena.Arena }

// Last is somebody's arena.
var Last *arena.Arena
