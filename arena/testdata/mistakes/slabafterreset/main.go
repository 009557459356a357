// Command slabafterreset uses the slab of an arena that was reset.
package main

import "lessgc/arena"

type item struct{ n int }

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get() // opened
	defer a.Free()
	items := arena.Of[item](a)
	items.New()
	a.Reset()   // freed
	items.New() // used
}
