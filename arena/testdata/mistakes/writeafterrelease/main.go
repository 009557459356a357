// Command writeafterrelease writes to memory that was released to a mark.
package main

import (
	"fmt"
	"os"

	"lessgc/arena"
	"lessgc/arena/audit"
)

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get() // opened
	defer a.Free()
	m := a.Mark()
	n := arena.New[int](a) // allocated
	a.Release(m)           // freed
	*n = 1
	if err := audit.Verify(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
