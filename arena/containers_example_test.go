package arena_test

import (
	"fmt"

	"lessgc/arena"
)

func ExampleMap() {
	a := arena.NewArena()
	defer a.Free()
	words := arena.NewMap[string, int](a, 0)
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

func ExampleList() {
	a := arena.NewArena()
	defer a.Free()
	l := arena.NewList[int](a)
	for i := range 6 {
		l.PushBack(i)
	}
	for e := range l.All() {
		if e.Value%2 == 1 {
			l.Remove(e)
		}
	}
	for e := range l.Backward() {
		fmt.Println(e.Value)
	}
	// Output:
	// 4
	// 2
	// 0
}

func ExampleIndex() {
	type node struct {
		child, sibling arena.Handle[node]
		weight         int32
	}
	var nodes arena.Index[node]
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

func ExampleBuilder() {
	a := arena.NewArena()
	defer a.Free()
	b := arena.NewBuilder(a)
	b.WriteString("total")
	fmt.Fprintf(b, ": %d", 42)
	fmt.Println(b.String())
	// Output:
	// total: 42
}

func ExampleDetach() {
	type user struct {
		name   string
		friend *user
	}
	var pool arena.Pool
	a := pool.Get()
	ann, bob := arena.New[user](a), arena.New[user](a)
	*ann = user{a.String("Ann"), bob}
	*bob = user{a.String("Bob"), ann}
	kept := arena.Detach(a, ann)
	a.Free()
	fmt.Println(kept.friend.name, kept.friend.friend == kept)
	// Output:
	// Bob true
}

func ExampleDeepClone() {
	type page struct {
		all   []string
		first *string
	}
	p := page{all: []string{"a", "b"}}
	p.first = &p.all[0]
	c := arena.DeepClone(p)
	c.all[0] = "changed"
	fmt.Println(p.all[0], *c.first)
	// Output:
	// a changed
}
