// Command writeafterfree writes through a pointer that it kept. It does not
// look for mistakes itself.
package main

import (
	"runtime"
	"time"

	"lessgc/arena"
)

type user struct {
	id   int
	next *user
}

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get()         // opened
	u := arena.New[user](a) // allocated
	a.Free()                // freed
	u.id = 1
	for {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}
