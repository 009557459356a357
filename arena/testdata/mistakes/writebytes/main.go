// Command writebytes writes to bytes that it kept, and lets go of them.
package main

import (
	"fmt"
	"os"

	"lessgc/arena"
	"lessgc/arena/audit"
)

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	scribble(&pool)
	if err := audit.Verify(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

//go:noinline
func scribble(pool *arena.Pool) {
	a := pool.Get()               // opened
	b := a.Bytes([]byte("bytes")) // allocated
	a.Free()                      // freed
	b[4] = 'x'
}
