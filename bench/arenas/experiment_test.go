//go:build goexperiment.arenas

package arenas

import (
	"arena"

	"github.com/scttfrdmn/safearena"
)

var experimental = []allocator{
	{"stdarena", stdArenaList, stdArenaTree, stdArenaReq, stdArenaTrie, stdArenaClones},
	{"safearena", safeArenaList, safeArenaTree, safeArenaReq, safeArenaTrie, safeArenaClones},
}

// stdAppend is append that grows in the arena, which the library does not have.
func stdAppend[T any](a *arena.Arena, s []T, v T) []T {
	if len(s) == cap(s) {
		s = append(arena.MakeSlice[T](a, 0, max(1, 2*cap(s))), s...)
	}
	return append(s, v)
}

var experimentalSubjects = []subject{
	{
		name: "std `arena`",
		open: func(int) *region {
			a := arena.NewArena()
			bytes := func(n int) []byte { return arena.MakeSlice[byte](a, n, n) }
			return &region{
				object: func() *object { return arena.New[object](a) },
				bytes:  bytes, text: textIn(bytes), close: a.Free,
			}
		},
		null: func() *object { return arena.New[object](nil) },
		zero: func() *object { return arena.New[object](new(arena.Arena)) },
	},
	{
		name: "scttfrdmn/safearena",
		open: func(int) *region {
			a := safearena.New()
			var last safearena.Ptr[object]
			bytes := func(n int) []byte { return safearena.AllocSlice[byte](a, n).Get() }
			return &region{
				object: func() *object {
					last = safearena.Alloc(a, object{})
					return last.Get()
				},
				bytes: bytes, text: textIn(bytes), close: a.Free,
				read: func() int64 { return last.Get().id },
			}
		},
		null: func() *object { return safearena.Alloc(nil, object{}).Get() },
		zero: func() *object { return safearena.Alloc(new(safearena.Arena), object{}).Get() },
	},
}
