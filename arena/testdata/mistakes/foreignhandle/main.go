// Command foreignhandle appends to a slice of another arena, through a slab.
package main

import "lessgc/arena"

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a, b := pool.Get(), pool.Get() // opened
	defer a.Free()
	defer b.Free()
	s := arena.Of[int](a).Append(nil, 1) // allocated
	_ = arena.Of[int](b).Append(s, 2)    // used
}
