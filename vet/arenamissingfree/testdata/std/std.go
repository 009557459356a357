//go:build goexperiment.arenas

// Package std uses the arenas of the standard library.
package std

import (
	"arena"
	"context"
	"errors"
	"runtime"
	"strconv"
	"sync"
)

var errEmpty = errors.New("empty")

type node struct {
	value int
	left  *node
	right *node
}

func grow(a *arena.Arena, depth int) *node {
	n := arena.New[node](a)
	n.value = depth
	if depth > 0 {
		n.left, n.right = grow(a, depth-1), grow(a, depth-1)
	}
	return n
}

func (n *node) sum() int {
	if n == nil {
		return 0
	}
	return n.value + n.left.sum() + n.right.sum()
}

func badTree(depth int) int {
	a := arena.NewArena() // want "is not freed"
	return grow(a, depth).sum()
}

func goodTree(depth int) int {
	a := arena.NewArena()
	defer a.Free()
	return grow(a, depth).sum()
}

func badTreePerRound(rounds, depth int) int {
	sum := 0
	for range rounds {
		a := arena.NewArena() // want "is not freed"
		sum += grow(a, depth).sum()
	}
	return sum
}

func goodTreePerRound(rounds, depth int) int {
	sum := 0
	for range rounds {
		a := arena.NewArena()
		sum += grow(a, depth).sum()
		a.Free()
	}
	return sum
}

func badParse(fields []string) (int, error) {
	a := arena.NewArena() // want "is not freed"
	numbers := arena.MakeSlice[int](a, len(fields), len(fields))
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			return 0, err
		}
		numbers[i] = n
	}
	sum := 0
	for _, n := range numbers {
		sum += n
	}
	a.Free()
	return sum, nil
}

func goodParse(fields []string) (int, error) {
	a := arena.NewArena()
	numbers := arena.MakeSlice[int](a, len(fields), len(fields))
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			a.Free()
			return 0, err
		}
		numbers[i] = n
	}
	sum := 0
	for _, n := range numbers {
		sum += n
	}
	a.Free()
	return sum, nil
}

func badCloned(values []int) *node {
	a := arena.NewArena() // want "is not freed"
	var last *node
	for _, v := range values {
		n := arena.New[node](a)
		n.value, n.left = v, last
		last = n
	}
	return arena.Clone(&node{value: last.sum()})
}

func goodCloned(values []int) *node {
	a := arena.NewArena()
	defer a.Free()
	var last *node
	for _, v := range values {
		n := arena.New[node](a)
		n.value, n.left = v, last
		last = n
	}
	return arena.Clone(&node{value: last.sum()})
}

// A tree owns the arena that its nodes are in.
type tree struct {
	root  *node
	arena *arena.Arena
}

func (t *tree) close() { t.arena.Free() }

func goodOwner(depth int) *tree {
	a := arena.NewArena()
	return &tree{root: grow(a, depth), arena: a}
}

func goodOwnerOrError(depth int) (*tree, error) {
	a := arena.NewArena()
	root := grow(a, depth)
	if root.sum() == 0 {
		a.Free()
		return nil, errEmpty
	}
	return &tree{root, a}, nil
}

func badOwnerOrError(depth int) (*tree, error) {
	a := arena.NewArena() // want "is not freed"
	root := grow(a, depth)
	if root.sum() == 0 {
		return nil, errEmpty
	}
	return &tree{root, a}, nil
}

func goodFinalizer(depth int) *tree {
	t := &tree{arena: arena.NewArena()}
	t.root = grow(t.arena, depth)
	runtime.SetFinalizer(t, (*tree).close)
	return t
}

func goodCleanup(depth int) *tree {
	a := arena.NewArena()
	t := &tree{root: grow(a, depth)}
	runtime.AddCleanup(t, (*arena.Arena).Free, a)
	return t
}

func badCleanup(depth int) int {
	a := arena.NewArena() // want "is not freed"
	t := &tree{root: grow(a, depth)}
	runtime.AddCleanup(t, func(depth int) { print(depth) }, depth)
	return t.root.sum()
}

func goodAfterFunc(ctx context.Context, depth int) *node {
	a := arena.NewArena()
	context.AfterFunc(ctx, a.Free)
	return grow(a, depth)
}

func goodReturned(depth int) (*node, *arena.Arena) {
	a := arena.NewArena()
	return grow(a, depth), a
}

func goodOnce(depth int) int {
	a := arena.NewArena()
	free := sync.OnceFunc(a.Free)
	defer free()
	sum := grow(a, depth).sum()
	if sum > 1000 {
		free()
	}
	return sum
}

func badWorkers(depths []int) []int {
	sums := make([]int, len(depths))
	var wg sync.WaitGroup
	for i, depth := range depths {
		wg.Go(func() {
			a := arena.NewArena() // want "is not freed"
			sums[i] = grow(a, depth).sum()
		})
	}
	wg.Wait()
	return sums
}

func goodWorkers(depths []int) []int {
	sums := make([]int, len(depths))
	var wg sync.WaitGroup
	for i, depth := range depths {
		wg.Go(func() {
			a := arena.NewArena()
			defer a.Free()
			sums[i] = grow(a, depth).sum()
		})
	}
	wg.Wait()
	return sums
}
