// Command useafterfree allocates from an arena that was freed.
package main

import "lessgc/arena"

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get() // opened
	arena.New[int](a)
	a.Free()          // freed
	arena.New[int](a) // used
}
