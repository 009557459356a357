package arena_test

import (
	"context"
	"fmt"
	"sync"

	"lessgc/arena"
	"lessgc/arena/deep"
)

type user struct {
	id    int64
	name  string
	roles []string
}

func Example() {
	a := arena.NewArena()
	defer a.Free()
	u := arena.New[user](a)
	u.name = a.String(fmt.Sprintf("%s-%d", "gopher", 7))
	u.roles = arena.Append(a, u.roles, "admin")
	fmt.Println(u.name, u.roles)
	// Output: gopher-7 [admin]
}

// A service has one pool, and an arena for each request. What the answer needs
// is copied out before the arena is freed.
func ExamplePool() {
	var requests arena.Pool
	handle := func(names ...string) []*user {
		a := requests.Get()
		defer a.Free()
		users := arena.Of[user](a) // a loop with many objects of one type
		found := arena.MakeSlice[*user](a, 0, len(names))
		for i, name := range names {
			u := users.New()
			u.id, u.name = int64(i), a.String(name)
			found = append(found, u)
		}
		return deep.Clone(found[:1])
	}
	fmt.Println(handle("ann", "bob")[0].name)
	// Output: ann
}

// A mark frees what a step of the work needed, and nothing else.
func ExampleArena_Mark() {
	a := new(arena.Pool).Get()
	defer a.Free()
	total := arena.New[int](a)
	for i := range 3 {
		m := a.Mark()
		scratch := arena.MakeSlice[int](a, 1000, 1000)
		scratch[0] = i
		*total += scratch[0]
		a.Release(m)
	}
	fmt.Println(*total)
	// Output: 3
}

// An arena is for one goroutine. Others get children, which end with it.
func ExampleArena_Child() {
	a := arena.NewArena()
	defer a.Free()
	var wg sync.WaitGroup
	results := make([]*user, 3)
	for i := range results {
		child := a.Child()
		wg.Go(func() {
			results[i] = arena.New[user](child)
			results[i].id = int64(i)
		})
	}
	wg.Wait()
	fmt.Println(results[0].id, results[1].id, results[2].id)
	// Output: 0 1 2
}

// A function takes its arena from the context, and works on the heap without.
func ExampleFromContext() {
	hello := func(ctx context.Context) string {
		return arena.FromContext(ctx).String("hello, " + "gopher")
	}
	a := arena.NewArena()
	defer a.Free()
	fmt.Println(hello(arena.NewContext(context.Background(), a)))
	fmt.Println(hello(context.Background()))
	// Output:
	// hello, gopher
	// hello, gopher
}
