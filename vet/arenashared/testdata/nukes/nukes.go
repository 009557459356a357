// Package nukes shares arenas of other libraries.
package nukes

import (
	"sync"

	"github.com/ortuman/nuke"
	"github.com/wundergraph/go-arena"
)

type point struct{ x, y int }

func badMonotonic(n int) {
	a := nuke.NewMonotonicArena(1<<20, 1)
	defer a.Reset(true)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { nuke.New[point](a).x = i }) // want `goroutines started in this loop allocate from one arena at the same time`
	}
	wg.Wait()
}

func goodConcurrent(n int) {
	a := nuke.NewConcurrentArena(nuke.NewMonotonicArena(1<<20, 1))
	defer a.Reset(true)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { nuke.New[point](a).x = i })
	}
	wg.Wait()
}

// It may be either: the caller knows.
func goodUnknown(a nuke.Arena, n int) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { nuke.New[point](a).x = i })
	}
	wg.Wait()
}

type cache struct {
	a arena.Arena
}

func newCache() *cache { return &cache{a: arena.NewMonotonicArena(nil)} }

func (c *cache) badFill(n int) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { c.add(i) }) // want `goroutines started in this loop allocate from one arena at the same time`
	}
	wg.Wait()
}

func (c *cache) add(i int) { arena.Allocate[point](c.a).x = i }

func (c *cache) goodFill(n int) {
	for i := range n {
		c.add(i)
	}
}
