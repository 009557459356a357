package names

import (
	ar "lessgc/arena" // the arenas
	"lessgc/seq"
	"slices"
)

type (
	table  = ar.Map[string, int] // want `^arena.Map is gone: use amap.Map\[K, V\], package lessgc/arena/amap$`
	handle ar.Handle[int]        // want `^arena.Handle is gone: use index.Handle\[T\], package lessgc/arena/index$`
)

type cache struct {
	ar.Map[string, int]                // want `arena.Map is gone`
	byID                *ar.Index[int] // want `arena.Index is gone`
}

func badMap(a *ar.Arena) *ar.Map[string, []int] { // want `arena.Map is gone`
	m := ar.NewMap[string, []int](a, 0) // want `^arena.NewMap is gone: use amap.New\[K, V\]\(a, hint\), package lessgc/arena/amap$`
	m.Set("a", nil)
	make := ar.NewMap[string, []int] // want `arena.NewMap is gone`
	_ = make
	return m
}

// badIndex has a variable of the name of the package.
func badIndex(index int) ar.Handle[int] { // want `arena.Handle is gone`
	var x ar.Index[int] // want `arena.Index is gone`
	_ = index
	return x.New()
}

func badBuilder(a *ar.Arena) string {
	var local ar.Builder // want `^arena.Builder is gone: use abytes.Buffer, package lessgc/arena/abytes$`
	local.WriteString("x")
	b := ar.NewBuilder(a) // want `arena.NewBuilder is gone`
	b.WriteString(local.String())
	return b.String()
}

func badClone[T any](a *ar.Arena, v T) (T, T) {
	return ar.DeepClone(v), ar.Detach[T](a, v) // want `arena.DeepClone is gone` `arena.Detach is gone`
}

func badCollect() []int {
	return seq.Collect(nil, slices.Values([]int{1})) // want `arena.Append\(a, all, v\) } or slices.Collect\(s\)$`
}

func badFilter() {
	s := slices.Values([]int{1})
	_ = seq.Filter(s, seq.And2(func(v int) bool { return v > 1 }, func(v int) bool { return v < 9 || v == 12 })) // want `seq.And2 is gone: use func\(v T\) bool { return a\(v\) && b\(v\) }$`
	_ = seq.Collect[int](nil, s)                                                                                 // want `seq.Collect is gone`
	type order struct{ paid, sent, open bool }
	keep := seq.And3(func(o order) bool { return o.paid || o.open }, func(o order) bool { return o.sent }, func(o order) bool { return !o.open }) // want `seq.And3 is gone`
	_ = keep
}

type nested = ar.Map[string, *ar.Map[int, ar.Handle[int]]] // want `Map` `Map` `Handle`
