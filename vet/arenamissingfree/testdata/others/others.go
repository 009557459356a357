// Package others uses arenas of other libraries.
package others

import (
	"errors"
	"io"

	"github.com/ortuman/nuke"
	"github.com/valyala/fastjson"
	goarena "github.com/wundergraph/go-arena"
)

var errEmpty = errors.New("empty")

var (
	arenas = goarena.NewArenaPool()
	json   fastjson.ArenaPool
)

type point struct{ x, y int }

func badAcquire(n int) int {
	item := arenas.Acquire(1) // want "is not freed"
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	return len(points)
}

func goodAcquire(n int) int {
	item := arenas.Acquire(1)
	defer arenas.Release(item)
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	return len(points)
}

func badAcquireError(n int) (int, error) {
	item := arenas.Acquire(1) // want "is not freed"
	if n == 0 {
		return 0, errEmpty
	}
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	arenas.Release(item)
	return len(points), nil
}

func goodAcquireError(n int) (int, error) {
	item := arenas.Acquire(1)
	if n == 0 {
		arenas.Release(item)
		return 0, errEmpty
	}
	points := goarena.AllocateSlice[point](item.Arena, n, n)
	arenas.Release(item)
	return len(points), nil
}

func goodAcquireReturned() *goarena.PoolItem {
	item := arenas.Acquire(1)
	goarena.Allocate[point](item.Arena)
	return item
}

func goodJSON(w io.Writer, name string) error {
	a := json.Get()
	defer json.Put(a)
	o := a.NewObject()
	o.Set("name", a.NewString(name))
	_, err := w.Write(o.MarshalTo(nil))
	return err
}

func goodJSONError(w io.Writer, name string) error {
	if name == "" {
		return errEmpty
	}
	a := json.Get()
	text := a.NewString(name).MarshalTo(nil)
	json.Put(a)
	_, err := w.Write(text)
	return err
}

func goodNuke(n int) int {
	a := nuke.NewMonotonicArena(256<<10, 20)
	defer a.Reset(true)
	return len(nuke.MakeSlice[point](a, n, n))
}

func goodMonotonic(n int) int {
	a := goarena.NewMonotonicArena()
	defer a.Release()
	return len(goarena.AllocateSlice[point](a, n, n))
}

// A parser owns an arena of another library.
type parser struct{ arena nuke.Arena }

func goodNukeOwner() *parser {
	a := nuke.NewMonotonicArena(256<<10, 20)
	return &parser{arena: nuke.NewConcurrentArena(a)}
}

// Nobody has to free these: they are on the heap.
func goodNukeLeft(n int) int {
	a := nuke.NewMonotonicArena(256<<10, 20)
	if n == 0 {
		return 0
	}
	defer a.Reset(true)
	return len(nuke.MakeSlice[point](a, n, n))
}

func goodMonotonicLeft(n int) int {
	a := goarena.NewMonotonicArena()
	if n == 0 {
		return 0
	}
	defer a.Release()
	return len(goarena.AllocateSlice[point](a, n, n))
}
