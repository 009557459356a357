package deep_test

import (
	"fmt"

	"lessgc/arena"
	"lessgc/arena/deep"
)

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
	kept := deep.Detach(a, ann)
	a.Free()
	fmt.Println(kept.friend.name, kept.friend.friend == kept)
	// Output:
	// Bob true
}

func ExampleClone() {
	type page struct {
		all   []string
		first *string
	}
	p := page{all: []string{"a", "b"}}
	p.first = &p.all[0]
	c := deep.Clone(p)
	c.all[0] = "changed"
	fmt.Println(p.all[0], *c.first)
	// Output:
	// a changed
}
