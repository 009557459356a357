// Program index is compiled by TestIndexInlined.
package main

import "lessgc/arena"

type node struct {
	next arena.Handle[node]
	n    int
}

func main() {
	var x arena.Index[node]
	h := x.New()
	println(x.At(h).n, x.Len())
}
