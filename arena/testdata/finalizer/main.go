// Program finalizer sets a finalizer on an object in an arena.
package main

import (
	"runtime"

	"lessgc/arena"
)

func main() {
	a := (&arena.Pool{Policy: arena.RecycleTyped}).Get()
	arena.New[[4]*int](a)
	runtime.SetFinalizer(arena.New[[4]*int](a), func(*[4]*int) {})
}
