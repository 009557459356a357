//go:build goexperiment.arenas

// Package std uses the arenas of the standard library.
package std

import (
	"arena"
	"fmt"
	"io"
)

type node struct {
	value       int
	label       *string
	left, right *node
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

func badRead(v int) int {
	a := arena.NewArena()
	n := arena.New[node](a)
	n.value = v
	a.Free()
	return n.value // want "is used after"
}

func goodRead(v int) int {
	a := arena.NewArena()
	n := arena.New[node](a)
	n.value = v
	v = n.value
	a.Free()
	return v
}

func badWrite(v int) {
	a := arena.NewArena()
	n := arena.New[node](a)
	a.Free()
	n.value = v // want "is used after"
}

func goodWrite(v int) {
	a := arena.NewArena()
	n := arena.New[node](a)
	n.value = v
	a.Free()
}

func badElement(values []int) int {
	a := arena.NewArena()
	s := arena.MakeSlice[int](a, len(values), len(values))
	copy(s, values)
	a.Free()
	return s[0] // want "is used after"
}

func goodLen(values []int) int {
	a := arena.NewArena()
	s := arena.MakeSlice[int](a, len(values), len(values))
	copy(s, values)
	a.Free()
	return len(s)
}

func badRange(values []int) int {
	a := arena.NewArena()
	s := arena.MakeSlice[int](a, len(values), len(values))
	copy(s, values)
	a.Free()
	sum := 0
	for _, v := range s { // want "is used after"
		sum += v
	}
	return sum
}

func goodRange(values []int) int {
	a := arena.NewArena()
	s := arena.MakeSlice[int](a, len(values), len(values))
	copy(s, values)
	sum := 0
	for _, v := range s {
		sum += v
	}
	a.Free()
	return sum
}

func badAlloc(depth int) int {
	a := arena.NewArena()
	sum := grow(a, depth).sum()
	a.Free()
	return sum + arena.New[node](a).value // want "is used after"
}

func goodAlloc(depth int) int {
	a := arena.NewArena()
	sum := grow(a, depth).sum()
	a.Free()
	a = arena.NewArena()
	defer a.Free()
	return sum + arena.New[node](a).value
}

func badHelper(depth int) int {
	a := arena.NewArena()
	a.Free()
	return grow(a, depth).sum() // want "is used after"
}

func goodHelper(depth int) int {
	a := arena.NewArena()
	sum := grow(a, depth).sum()
	a.Free()
	return sum
}

func badMethod(depth int) int {
	a := arena.NewArena()
	root := grow(a, depth)
	a.Free()
	return root.sum() // want "is used after"
}

func goodMethod(depth int) int {
	a := arena.NewArena()
	root := grow(a, depth)
	defer a.Free()
	return root.sum()
}

func badClone(v int) *node {
	a := arena.NewArena()
	n := arena.New[node](a)
	n.value = v
	a.Free()
	return arena.Clone(n) // want "is used after"
}

func goodClone(v int) *node {
	a := arena.NewArena()
	n := arena.New[node](a)
	n.value = v
	n = arena.Clone(n)
	a.Free()
	return n
}

func badCopy(values []byte) []byte {
	a := arena.NewArena()
	s := arena.MakeSlice[byte](a, len(values), len(values))
	copy(s, values)
	a.Free()
	return append([]byte("> "), s...) // want "is used after"
}

func goodCopy(values []byte) []byte {
	a := arena.NewArena()
	s := arena.MakeSlice[byte](a, len(values), len(values))
	copy(s, values)
	line := append([]byte("> "), s...)
	a.Free()
	return line
}

func badDeferOrder(w io.Writer, depth int) {
	a := arena.NewArena()
	root := grow(a, depth)
	defer func() { fmt.Fprintln(w, root.value) }() // want "is used after"
	defer a.Free()
}

func goodDeferOrder(w io.Writer, depth int) {
	a := arena.NewArena()
	root := grow(a, depth)
	defer a.Free()
	defer func() { fmt.Fprintln(w, root.value) }()
}

func badClosure(depth int) int {
	a := arena.NewArena()
	root := grow(a, depth)
	first := func() int { return root.value }
	a.Free()
	return first() // want "is used after"
}

func goodClosure(depth int) int {
	a := arena.NewArena()
	root := grow(a, depth)
	first := func() int { return root.value }
	defer a.Free()
	return first()
}

func badLabel(label string) string {
	a := arena.NewArena()
	n := arena.New[node](a)
	n.label = &label
	a.Free()
	return *n.label // want "is used after"
}

func goodLabel(label string) string {
	a := arena.NewArena()
	n := arena.New[node](a)
	n.label = &label
	p := n.label
	a.Free()
	return *p
}

func badErrorPath(depth int) (int, error) {
	a := arena.NewArena()
	root := grow(a, depth)
	if root.left == nil {
		a.Free()
		return 0, fmt.Errorf("leaf %d", root.value) // want "is used after"
	}
	sum := root.sum()
	a.Free()
	return sum, nil
}

func goodErrorPath(depth int) (int, error) {
	a := arena.NewArena()
	root := grow(a, depth)
	if root.left == nil {
		err := fmt.Errorf("leaf %d", root.value)
		a.Free()
		return 0, err
	}
	sum := root.sum()
	a.Free()
	return sum, nil
}

func badParameter(a *arena.Arena, depth int) int {
	root := grow(a, depth)
	a.Free()
	return root.value // want "is used after"
}

func goodParameter(a *arena.Arena, depth int) int {
	root := grow(a, depth)
	depth = root.value
	a.Free()
	return depth
}

func badNextRound(rounds, depth int) int {
	a := arena.NewArena()
	sum := 0
	for range rounds {
		sum += grow(a, depth).sum() // want "is used after"
		a.Free()
	}
	return sum
}

func goodNextRound(rounds, depth int) int {
	sum := 0
	for range rounds {
		a := arena.NewArena()
		sum += grow(a, depth).sum()
		a.Free()
	}
	return sum
}

// goodShadowed is the binary trees benchmark: the long-lived tree has an arena of its own.
func goodShadowed(rounds, depth int) int {
	a := arena.NewArena()
	defer a.Free()
	long := grow(a, depth)
	sum := 0
	for range rounds {
		a := arena.NewArena()
		sum += grow(a, depth).sum()
		a.Free()
	}
	return sum + long.sum()
}

func goodValue(v int) int {
	a := arena.NewArena()
	n := arena.New[node](a)
	n.value = v
	c := *n
	a.Free()
	return c.value
}

func goodCompare(n *node) bool {
	a := arena.NewArena()
	m := arena.New[node](a)
	a.Free()
	return m == n
}

func goodSwapped(depth int) int {
	a := arena.NewArena()
	old := a
	a = arena.NewArena()
	old.Free()
	sum := grow(a, depth).sum()
	a.Free()
	return sum
}
