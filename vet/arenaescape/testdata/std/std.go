//go:build goexperiment.arenas

// Package std lets memory of the standard library's arenas out.
package std

import (
	"arena"
	"bytes"
	"slices"
	"sync"
	"sync/atomic"
)

type node struct {
	value int
	label *string
	next  *node
}

func chain(a *arena.Arena, values []int) *node {
	var last *node
	for _, v := range values {
		n := arena.New[node](a)
		n.value, n.next = v, last
		last = n
	}
	return last
}

func badReturn(v int) *node {
	a := arena.NewArena()
	defer a.Free()
	n := arena.New[node](a)
	n.value = v
	return n // want "outlives"
}

func goodReturn(v int) *node {
	a := arena.NewArena()
	defer a.Free()
	n := arena.New[node](a)
	n.value = v
	return arena.Clone(n)
}

func badFreedBefore(v int) *node {
	a := arena.NewArena()
	n := arena.New[node](a)
	n.value = v
	a.Free()
	return n // want "outlives"
}

func goodFreedBefore(v int) *node {
	a := arena.NewArena()
	n := arena.New[node](a)
	n.value = v
	n = arena.Clone(n)
	a.Free()
	return n
}

func badSlice(values []int) []int {
	a := arena.NewArena()
	defer a.Free()
	s := arena.MakeSlice[int](a, len(values), len(values))
	copy(s, values)
	slices.Sort(s)
	return s // want "outlives"
}

func goodSlice(values []int) []int {
	a := arena.NewArena()
	defer a.Free()
	s := arena.MakeSlice[int](a, len(values), len(values))
	copy(s, values)
	slices.Sort(s)
	return slices.Clone(s)
}

func badPayload(payload []byte, clones int) []byte {
	a := arena.NewArena()
	defer a.Free()
	var last []byte
	for range clones {
		last = arena.MakeSlice[byte](a, len(payload), len(payload))
		copy(last, payload)
	}
	return last // want "outlives"
}

func goodPayload(payload []byte, clones int) []byte {
	a := arena.NewArena()
	defer a.Free()
	var last []byte
	for range clones {
		last = arena.MakeSlice[byte](a, len(payload), len(payload))
		copy(last, payload)
	}
	return bytes.Clone(last)
}

func badHelper(values []int) *node {
	a := arena.NewArena()
	defer a.Free()
	return chain(a, values) // want "outlives"
}

func goodHelper(values []int) int {
	a := arena.NewArena()
	defer a.Free()
	return chain(a, values).value
}

func goodParameter(a *arena.Arena, values []int) *node {
	return chain(a, values).next
}

var (
	first  *node
	latest atomic.Pointer[node]
	values sync.Map
)

func badGlobal(v int) {
	a := arena.NewArena()
	defer a.Free()
	n := arena.New[node](a)
	n.value = v
	first = n // want "outlives"
}

func goodGlobal(v int) {
	a := arena.NewArena()
	defer a.Free()
	n := arena.New[node](a)
	n.value = v
	first = arena.Clone(n)
}

func badAtomic(v int) {
	a := arena.NewArena()
	defer a.Free()
	n := arena.New[node](a)
	n.value = v
	latest.Store(n) // want "outlives"
}

func goodAtomic(v int) {
	a := arena.NewArena()
	defer a.Free()
	n := arena.New[node](a)
	n.value = v
	latest.Store(&node{value: n.value})
}

func badSyncMap(v int) {
	a := arena.NewArena()
	defer a.Free()
	values.Store(v, arena.New[node](a)) // want "outlives"
}

func goodSyncMap(v int) {
	a := arena.NewArena()
	defer a.Free()
	values.Store(v, arena.New[node](a).value)
}

func badAppended(numbers []int) []*node {
	a := arena.NewArena()
	defer a.Free()
	nodes := arena.MakeSlice[*node](a, len(numbers), len(numbers))
	for i, v := range numbers {
		nodes[i] = arena.New[node](a)
		nodes[i].value = v
	}
	return append([]*node(nil), nodes...) // want "outlives"
}

func goodAppended(numbers []int) []node {
	a := arena.NewArena()
	defer a.Free()
	nodes := arena.MakeSlice[node](a, len(numbers), len(numbers))
	for i, v := range numbers {
		nodes[i].value = v
	}
	return append([]node(nil), nodes...)
}

func badGo(numbers []int, out chan<- int) {
	a := arena.NewArena()
	defer a.Free()
	root := chain(a, numbers)
	go func() { out <- root.value }() // want "outlives"
}

func goodGo(numbers []int) int {
	a := arena.NewArena()
	defer a.Free()
	root := chain(a, numbers)
	out := make(chan int)
	go func() { out <- root.value }()
	return <-out
}

func badLabel(label string) **string {
	a := arena.NewArena()
	defer a.Free()
	n := arena.New[node](a)
	n.label = &label
	return &n.label // want "outlives"
}

func goodLabel(label string) *string {
	a := arena.NewArena()
	defer a.Free()
	n := arena.New[node](a)
	n.label = &label
	return n.label
}

// A list owns the arena that its nodes are in.
type list struct {
	root  *node
	arena *arena.Arena
}

func (l *list) close() { l.arena.Free() }

func goodOwner(numbers []int) *list {
	a := arena.NewArena()
	return &list{root: chain(a, numbers), arena: a}
}

func badOwner(numbers []int) *list {
	a := arena.NewArena()
	defer a.Free()
	return &list{root: chain(a, numbers), arena: a} // want "outlives"
}

func (l *list) badPrepend(v int) {
	a := arena.NewArena()
	defer a.Free()
	n := arena.New[node](a)
	n.value, n.next = v, l.root
	l.root = n // want "outlives"
}

func (l *list) goodPrepend(v int) {
	n := arena.New[node](l.arena)
	n.value, n.next = v, l.root
	l.root = n
}

func goodText(text string) string {
	a := arena.NewArena()
	defer a.Free()
	b := arena.MakeSlice[byte](a, len(text), len(text))
	copy(b, text)
	return string(bytes.ToUpper(b))
}
