// Command freedslice appends to a slice of an arena that was freed.
package main

import "lessgc/arena"

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get()                     // opened
	s := arena.MakeSlice[int](a, 1, 10) // allocated
	a.Free()                            // freed
	b := pool.Get()
	defer b.Free()
	_ = arena.Append(b, s[:1], 1, 2) // used
}
