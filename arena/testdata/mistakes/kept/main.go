// Command kept holds a pointer past Free, without using it.
package main

import (
	"fmt"
	"os"

	"lessgc/arena"
	"lessgc/arena/audit"
)

type user struct{ name string }

var last *user

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get()           // opened
	last = arena.New[user](a) // allocated
	a.Free()                  // freed
	if err := audit.Verify(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
