// Command asanread reads bytes after their arena was freed.
package main

import "lessgc/arena"

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get()
	b := a.Bytes([]byte("some text"))
	a.Free()
	println(b[3]) // used
}
