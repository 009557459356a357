package amap_test

import (
	"fmt"

	"lessgc/arena"
	"lessgc/arena/amap"
)

func ExampleMap() {
	a := arena.NewArena()
	defer a.Free()
	words := amap.New[string, int](a, 0)
	for _, w := range []string{"to", "be", "or", "not", "to", "be"} {
		*words.Ref(w)++
	}
	for w, n := range words.All() {
		fmt.Println(w, n)
	}
	// Output:
	// to 2
	// be 2
	// or 1
	// not 1
}
