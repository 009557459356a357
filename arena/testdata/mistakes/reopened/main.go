// Command reopened uses the handle of an arena whose memory serves the next one.
package main

import "lessgc/arena"

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	first := pool.Get() // opened
	first.Free()        // freed
	second := pool.Get()
	defer second.Free()
	arena.MakeSlice[byte](first, 1, 1) // used
}
