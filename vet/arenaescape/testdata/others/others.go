// Package others lets memory of other libraries' arenas out.
package others

import (
	"sync"

	"github.com/ortuman/nuke"
	"github.com/valyala/fastjson"
	goarena "github.com/wundergraph/go-arena"
)

var (
	arenas = goarena.NewArenaPool()
	json   fastjson.ArenaPool
	nukes  = sync.Pool{New: func() any { return nuke.NewMonotonicArena(256<<10, 20) }}
)

type point struct{ x, y int }

func badAcquired(x int) *point {
	item := arenas.Acquire(1)
	defer arenas.Release(item)
	p := goarena.Allocate[point](item.Arena)
	p.x = x
	return p // want "outlives"
}

func goodAcquired(x int) point {
	item := arenas.Acquire(1)
	defer arenas.Release(item)
	p := goarena.Allocate[point](item.Arena)
	p.x = x
	return *p
}

func badAcquiredSlice(n int) []point {
	item := arenas.Acquire(1)
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	arenas.Release(item)
	return points // want "outlives"
}

func goodAcquiredSlice(n int) []point {
	item := arenas.Acquire(1)
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	points = append([]point(nil), points...)
	arenas.Release(item)
	return points
}

func goodItem(n int) (*goarena.PoolItem, []point) {
	item := arenas.Acquire(1)
	return item, goarena.AllocateSlice[point](item.Arena, n, n)
}

func badReset(a nuke.Arena, x int) *point {
	defer a.Reset(false)
	p := nuke.New[point](a)
	p.x = x
	return p // want "outlives"
}

func goodReset(a nuke.Arena, x int) point {
	defer a.Reset(false)
	p := nuke.New[point](a)
	p.x = x
	return *p
}

func goodParameter(a nuke.Arena, x int) *point {
	p := nuke.New[point](a)
	p.x = x
	return p
}

func badResetSlice(a goarena.Arena, values []int) []int {
	defer a.Reset()
	return goarena.SliceAppend(a, nil, values...) // want "outlives"
}

func goodResetSlice(a goarena.Arena, values []int) int {
	defer a.Reset()
	return len(goarena.SliceAppend(a, nil, values...))
}

func badPooledNuke(n int) []int {
	a := nukes.Get().(nuke.Arena)
	defer func() {
		a.Reset(false)
		nukes.Put(a)
	}()
	return nuke.MakeSlice[int](a, n, n) // want "outlives"
}

func goodPooledNuke(n int) []int {
	a := nukes.Get().(nuke.Arena)
	defer func() {
		a.Reset(false)
		nukes.Put(a)
	}()
	return append([]int(nil), nuke.MakeSlice[int](a, n, n)...)
}

func goodJSON(name string) []byte {
	a := json.Get()
	defer json.Put(a)
	o := a.NewObject()
	o.Set("name", a.NewString(name))
	return o.MarshalTo(nil)
}

var latest *fastjson.Value

func goodJSONGlobal(name string) {
	var a fastjson.Arena
	latest = a.NewString(name)
}
