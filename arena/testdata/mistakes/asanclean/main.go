// Command asanclean makes no mistake: memory that was poisoned is used again.
package main

import (
	"fmt"
	"runtime"

	"lessgc/arena"
)

type user struct {
	next *user
	id   int
	name string
}

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	for range 20 {
		a := pool.Get()
		var last *user
		for i := range 1000 {
			u := arena.New[user](a)
			*u = user{last, i, a.String(fmt.Sprintf("user %d", i))}
			last = u
		}
		a.Free()
		runtime.GC()
	}
}
