package index_test

import (
	"fmt"

	"lessgc/arena/index"
)

func ExampleIndex() {
	type node struct {
		child, sibling index.Handle[node]
		weight         int32
	}
	var nodes index.Index[node]
	root := nodes.New()
	for w := range int32(3) {
		h := nodes.New()
		*nodes.At(h) = node{sibling: nodes.At(root).child, weight: w}
		nodes.At(root).child = h
	}
	for h := nodes.At(root).child; h != 0; h = nodes.At(h).sibling {
		fmt.Println(nodes.At(h).weight)
	}
	// Output:
	// 2
	// 1
	// 0
}
