// Program inline uses what TestInlined wants inlined.
package main

import "lessgc/arena"

type node struct {
	left, right *node
	list        []*node
}

func main() {
	a := arena.NewArena()
	defer a.Free()
	nodes := arena.Of[node](a)
	n := nodes.New()
	n.left = arena.New[node](a)
	n.right = arena.Of[node](a).New()
	n.list = arena.Append(a, n.list, n)
	n.list = arena.MakeSlice[*node](a, 0, len(a.String("text")))
	b := new(arena.Pool).Get()
	b.Free()
}
