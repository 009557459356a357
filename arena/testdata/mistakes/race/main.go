// Command race uses memory in one goroutine that another one frees.
package main

import (
	"time"

	"lessgc/arena"
)

var sink int

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get()
	n := arena.New[int](a)
	done := make(chan bool)
	go func() {
		time.Sleep(10 * time.Millisecond)
		sink = *n // used
		close(done)
	}()
	a.Free() // freed
	<-done
}
