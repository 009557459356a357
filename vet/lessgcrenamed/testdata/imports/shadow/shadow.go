package shadow

import (
	"lessgc/arena"
)

func badShadow(a *arena.Arena, index, amap int) {
	var x arena.Index[int]              // want `Index`
	_ = arena.NewMap[string, int](a, 1) // want `NewMap`
	x.Reset()
}

// deep is a function of this package.
func deep() {}

func badPackage(v []int) []int {
	deep()
	return arena.DeepClone(v) // want `DeepClone`
}
