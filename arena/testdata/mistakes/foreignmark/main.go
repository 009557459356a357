// Command foreignmark releases an arena to the mark of another.
package main

import "lessgc/arena"

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a, b := pool.Get(), pool.Get() // opened
	m := a.Mark()
	b.Release(m) // used
}
