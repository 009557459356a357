// Package others frees arenas of other libraries.
package others

import (
	"github.com/ortuman/nuke"
	"github.com/valyala/fastjson"
	goarena "github.com/wundergraph/go-arena"
)

var (
	arenas = goarena.NewArenaPool()
	json   fastjson.ArenaPool
)

type point struct{ x, y int }

func badRelease(n int) int {
	item := arenas.Acquire(1)
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	arenas.Release(item)
	arenas.Release(item) // want "is freed twice"
	return len(points)
}

func goodRelease(n int) int {
	item := arenas.Acquire(1)
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	item.Arena.Reset()
	arenas.Release(item)
	return len(points)
}

func badReleaseDeferred(n int) int {
	item := arenas.Acquire(1)
	defer arenas.Release(item) // want "is freed twice"
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	if len(points) == 0 {
		arenas.Release(item)
		return 0
	}
	return points[0].x
}

func goodReleaseDeferred(n int) int {
	item := arenas.Acquire(1)
	defer arenas.Release(item)
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	if len(points) == 0 {
		return 0
	}
	return points[0].x
}

func goodPut(name string) []byte {
	a := json.Get()
	defer json.Put(a)
	text := a.NewString(name).MarshalTo(nil)
	a.Reset()
	return text
}

func goodNuke(n int) int {
	a := nuke.NewMonotonicArena(256<<10, 20)
	defer a.Reset(true)
	points := nuke.MakeSlice[point](a, n, n)
	a.Reset(false)
	return len(points)
}

func goodMonotonic(n int) int {
	a := goarena.NewMonotonicArena()
	defer a.Release()
	points := goarena.AllocateSlice[point](a, n, n)
	a.Reset()
	return len(points)
}
