// Package cross passes arenas to another package.
package cross

import (
	"sync"

	"cases/lib"

	"lessgc/arena"
)

func badNodes(a *arena.Arena, numbers []int) {
	var wg sync.WaitGroup
	for _, n := range numbers {
		wg.Go(func() { lib.NewNode(a, n) }) // want `goroutines started in this loop allocate from one arena at the same time`
	}
	wg.Wait()
}

func goodNodes(a *arena.Arena, numbers []int) (open bool) {
	var wg sync.WaitGroup
	for range numbers {
		wg.Go(func() { open = lib.Open(a) })
	}
	wg.Wait()
	return open
}

func badBackground(a *arena.Arena, numbers <-chan int) *lib.Node {
	lib.Background(a, numbers) // want `the goroutine allocates from an arena that its parent uses`
	return lib.NewNode(a, 0)
}

func goodBackground(a *arena.Arena, numbers <-chan int) *lib.Node {
	n := lib.NewNode(a, 0)
	lib.Background(a, numbers)
	return n
}
