// Package others takes arenas of other libraries from pools.
package others

import "github.com/wundergraph/go-arena"

type node struct{ id int }

func visit(a arena.Arena, id int) *node {
	n := arena.Allocate[node](a)
	n.id = id
	return n
}

func badPooled(pool *arena.Pool, id int) int {
	item := pool.Acquire(1)
	id = visit(item.Arena, id).id
	pool.Release(item) // want `item is not freed if visit panics`
	return id
}

func goodPooled(pool *arena.Pool, id int) int {
	item := pool.Acquire(1)
	defer pool.Release(item)
	return visit(item.Arena, id).id
}

func badOwn(id int) int {
	a := arena.NewMonotonicArena()
	id = visit(a, id).id
	a.Release() // want `a is not freed if visit panics`
	return id
}

func goodOwn(id int) int {
	a := arena.NewMonotonicArena()
	n := arena.Allocate[node](a)
	n.id = id
	a.Release()
	return id
}
