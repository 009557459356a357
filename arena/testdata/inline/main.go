// Program inline uses what TestInlined wants inlined.
package main

import "lessgc/arena"

type node struct{ left, right *node }

func main() {
	a := arena.NewArena()
	defer a.Free()
	nodes := arena.Of[node](a)
	n := nodes.New()
	n.left = arena.New[node](a)
	n.right = arena.Of[node](a).New()
}
