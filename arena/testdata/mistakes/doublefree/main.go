// Command doublefree frees an arena twice.
package main

import "lessgc/arena"

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get() // opened
	a.Free()        // freed
	a.Free()        // used
}
