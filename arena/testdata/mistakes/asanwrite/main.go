// Command asanwrite writes to an object after its arena was freed.
package main

import "lessgc/arena"

type user struct {
	next *user
	id   int
}

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get()
	u := arena.New[user](a)
	a.Free()
	u.id = 1 // used
}
