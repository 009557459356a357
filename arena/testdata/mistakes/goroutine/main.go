// Command goroutine uses an arena from a second goroutine.
package main

import "lessgc/arena"

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get() // opened
	defer a.Free()
	arena.New[int](a)
	done := make(chan bool)
	go func() {
		arena.New[int](a) // used
		close(done)
	}()
	<-done
}
