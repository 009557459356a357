// Command neverfreed forgets an arena. It does not look for mistakes itself.
package main

import (
	"runtime"
	"time"

	"lessgc/arena"
)

var pool = arena.Pool{Policy: arena.RecycleTyped}

func main() {
	forget()
	for {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

//go:noinline
func forget() {
	a := pool.Get() // opened
	*arena.New[int](a) = 1
}
