// Command childgoroutine uses a child from two goroutines.
package main

import "lessgc/arena"

func main() {
	var pool = arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get()
	child := a.Child() // opened
	done := make(chan bool)
	go func() {
		arena.New[int](child)
		close(done)
	}()
	<-done
	arena.New[int](child) // used
}
