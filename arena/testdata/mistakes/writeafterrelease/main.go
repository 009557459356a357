// Command writeafterrelease writes to memory that was released to a mark.
package main

import (
	"fmt"
	"os"

	"lessgc/arena"
)

func main() {
	var pool arena.Pool
	a := pool.Get() // opened
	defer a.Free()
	m := a.Mark()
	n := arena.New[int](a) // allocated
	a.Release(m)           // freed
	*n = 1
	if err := arena.Verify(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
