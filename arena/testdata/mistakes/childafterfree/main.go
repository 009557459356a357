// Command childafterfree uses a child after its parent was freed.
package main

import "lessgc/arena"

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get()
	child := a.Child() // opened
	arena.New[int](child)
	a.Free()              // freed
	arena.New[int](child) // used
}
