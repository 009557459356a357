// Command slabafterfree uses the slab of an arena that was freed.
package main

import "lessgc/arena"

type item struct{ n int }

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get() // opened
	items := arena.Of[item](a)
	items.New()
	a.Free()    // freed
	items.New() // used
}
