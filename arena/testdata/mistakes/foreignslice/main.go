// Command foreignslice appends to a slice of another arena.
package main

import "lessgc/arena"

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a, b := pool.Get(), pool.Get() // opened
	defer a.Free()
	defer b.Free()
	s := arena.MakeSlice[int](a, 0, 4) // allocated
	_ = arena.Append(b, s, 1)          // used
}
