//go:build goexperiment.arenas

// Package std shares arenas of the standard library.
package std

import (
	"arena"
	"sync"
)

type item struct{ key, value int }

var global = arena.NewArena()

func badGlobal(n int) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() { // want `goroutines started in this loop allocate from one arena at the same time`
			defer wg.Done()
			arena.New[item](global).key = i
		}()
	}
	wg.Wait()
}

var mu sync.Mutex

func goodGlobal(n int) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			p := arena.New[item](global)
			mu.Unlock()
			p.key = i
		}()
	}
	wg.Wait()
}

var handle = func(n int) {
	for range n {
		go func() { arena.MakeSlice[item](global, 0, 4) }() // want `goroutines started in this loop allocate from one arena at the same time`
	}
}

func badProducer(items <-chan int, out chan<- *item) {
	a := arena.NewArena()
	go func() { // want `the goroutine allocates from an arena that its parent uses`
		for i := range items {
			p := arena.New[item](a)
			p.key = i
			out <- p
		}
	}()
	last := arena.New[item](a)
	out <- last
}

func goodProducer(items <-chan int, out chan<- *item) {
	a := arena.NewArena()
	last := arena.New[item](a)
	go func() {
		for i := range items {
			p := arena.New[item](a)
			p.key = i
			out <- p
		}
	}()
	out <- last
}
