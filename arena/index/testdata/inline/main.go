// Program inline is compiled by TestIndexInlined.
package main

import "lessgc/arena/index"

type node struct {
	next index.Handle[node]
	n    int
}

func main() {
	var x index.Index[node]
	h := x.New()
	println(x.At(h).n, x.Len())
}
