// Command keptstring holds a string of an arena that recycles strings.
package main

import (
	"fmt"
	"os"

	"lessgc/arena"
	"lessgc/arena/audit"
)

var seen = map[string]bool{}

func main() {
	pool := arena.Pool{Policy: arena.RecycleAll}
	a := pool.Get()              // opened
	seen[a.String("key")] = true // allocated
	a.Free()                     // freed
	if err := audit.Verify(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
