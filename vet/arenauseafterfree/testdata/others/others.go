// Package others uses arenas of other libraries.
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

func badNuke(n int) int {
	a := nuke.NewMonotonicArena(256<<10, 20)
	p := nuke.New[point](a)
	p.x = n
	a.Reset(false)
	q := nuke.New[point](a)
	return p.x + q.x // want "is used after"
}

func goodNuke(n int) int {
	a := nuke.NewMonotonicArena(256<<10, 20)
	p := nuke.New[point](a)
	p.x = n
	n = p.x
	a.Reset(false)
	q := nuke.New[point](a)
	return n + q.x
}

func badNukeSlice(values []int) int {
	a := nuke.NewMonotonicArena(256<<10, 20)
	s := nuke.SliceAppend(a, nil, values...)
	a.Reset(false)
	nuke.MakeSlice[int](a, 8, 8)[0] = 1
	return s[0] // want "is used after"
}

func goodNukeSlice(values []int) int {
	a := nuke.NewMonotonicArena(256<<10, 20)
	s := nuke.SliceAppend(a, nil, values...)
	a.Reset(false)
	nuke.MakeSlice[int](a, 8, 8)[0] = 1
	return len(s)
}

func badMonotonic(n int) int {
	a := goarena.NewMonotonicArena()
	p := goarena.Allocate[point](a)
	a.Reset()
	p.x = n // want "is used after"
	return goarena.Allocate[point](a).x
}

func goodMonotonic(n int) int {
	a := goarena.NewMonotonicArena()
	p := goarena.Allocate[point](a)
	p.x = n
	a.Reset()
	return goarena.Allocate[point](a).x
}

func badAcquire(n int) int {
	item := arenas.Acquire(1)
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	arenas.Release(item)
	return points[0].x // want "is used after"
}

func goodAcquire(n int) int {
	item := arenas.Acquire(1)
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	defer arenas.Release(item)
	return points[0].x
}

func badItem(n int) int {
	item := arenas.Acquire(1)
	arenas.Release(item)
	return len(goarena.AllocateSlice[point](item.Arena, n, n)) // want "is used after"
}

func goodItem(n int) int {
	item := arenas.Acquire(1)
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	arenas.Release(item)
	return len(points)
}

func goodJSON(name string) []byte {
	a := json.Get()
	o := a.NewObject()
	o.Set("name", a.NewString(name))
	text := o.MarshalTo(nil)
	json.Put(a)
	return text
}

func goodJSONArena(name string) []byte {
	a := json.Get()
	defer json.Put(a)
	return a.NewString(name).MarshalTo(nil)
}

func goodJSONReset(names []string) (text []byte) {
	var a fastjson.Arena
	for _, name := range names {
		text = a.NewString(name).MarshalTo(text)
		a.Reset()
	}
	return text
}
