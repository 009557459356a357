// Package dots imports arenas with a dot.
package dots

import . "lessgc/arena"

type fields struct{ Map, List int }

func badDot(a *Arena, s, v []int) {
	_ = AppendSlice(a, s, v)      // want `^arena.AppendSlice is gone`
	_ = NewMap[string, int](a, 0) // want `^arena.NewMap is gone`
	a.KeepAll()                   // want `^arena.Arena.KeepAll is gone`
}

func goodDot() {
	_ = fields{Map: 1, List: 2}
	_ = fields{}.Map
	Grow := 1
	_ = Grow
	_ = Nothing
}
