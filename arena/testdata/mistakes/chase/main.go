// Command chase follows a pointer in an object that was freed.
package main

import "lessgc/arena"

type list struct {
	next  *list
	value int
}

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get()
	l := arena.New[list](a)
	l.next = arena.New[list](a)
	a.Free()              // freed
	println(l.next.value) // used
}
