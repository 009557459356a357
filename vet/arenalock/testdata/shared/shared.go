// Package shared has an arena for several goroutines, whose slabs are on the heap.
package shared

import (
	"sync"

	"lessgc/arena"
)

var arenas = arena.Pool{Policy: arena.RecycleAll}

func goodShared() {
	a := arenas.Get()
	defer a.Free()
	a.Share()
	arena.Of[sync.Mutex](a).New()
}

func badShared() {
	a := arenas.Get()
	defer a.Free()
	a.Share()
	arena.New[sync.Mutex](a) // want `arena\.New of sync\.Mutex panics: it has the methods Lock and Unlock`
}
