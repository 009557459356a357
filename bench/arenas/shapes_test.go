package arenas

import (
	"fmt"
	"math/rand/v2"
	"unsafe"
)

// An element has the fields of container/list's Element: 40 bytes.
type element struct {
	next, prev *element
	list       *list
	value      any // a *value
}

// A value is the content of an element: 16 bytes without pointers.
type value struct{ n, square uint64 }

// A list is always on the heap, whatever holds its elements.
type list struct{ root element }

func newList() *list {
	l := new(list)
	l.root.next, l.root.prev = &l.root, &l.root
	return l
}

func (l *list) append(e *element) {
	last := l.root.prev
	e.prev, e.next, e.list = last, &l.root, l
	last.next = e
	l.root.prev = e
}

// sum walks the list and adds up its values.
func (l *list) sum() uint64 {
	sum := uint64(0)
	for e := l.root.next; e != &l.root; e = e.next {
		v := e.value.(*value)
		sum = sum*31 + v.n ^ v.square
	}
	return sum
}

// A tree is a node of two pointers.
type tree struct{ left, right *tree }

// sum walks the tree; it depends on the shape and the number of its nodes.
func (t *tree) sum() uint64 {
	if t == nil {
		return 1
	}
	return 3*t.left.sum() + 5*t.right.sum()
}

// An object is one of the things that a request is about.
type object struct {
	id   int64
	name string
}

// makeNames makes the names of n objects, 11 to 13 bytes each up to 1000: what a
// request would have come with.
func makeNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("user-name-%d", i)
	}
	return names
}

func sumObjects(objects []*object) uint64 {
	sum := uint64(0)
	for _, o := range objects {
		sum = sum*31 + uint64(o.id) + uint64(len(o.name)) + uint64(o.name[len(o.name)-1])
	}
	return sum
}

// A node is a function in the prefix tree of a profile's stacks. The children
// are in the order of their names.
type node struct {
	name        string
	total, self uint64
	children    []*node
}

// find returns the place of the child called name, and whether it is there.
func (n *node) find(name string) (int, bool) {
	low, high := 0, len(n.children)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if n.children[middle].name < name {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(n.children) && n.children[low].name == name
}

// insert puts child, which is the last of the children, to place i.
func (n *node) insert(i int, child *node) {
	copy(n.children[i+1:], n.children[i:])
	n.children[i] = child
}

func (n *node) sum() uint64 {
	sum := n.total + 7*n.self + uint64(len(n.name))
	for i, child := range n.children {
		sum = sum*31 + uint64(i) + child.sum()
	}
	return sum
}

// makeStacks returns n stacks of 8 to 40 functions, from the root to the leaf.
// The first functions are shared by many stacks, the last ones by few: 2000
// stacks make a prefix tree of about 34,000 nodes.
func makeStacks(n int) [][]string {
	rnd := rand.New(rand.NewPCG(3, 4))
	functions := make([]string, 400)
	for i := range functions {
		functions[i] = fmt.Sprintf("pkg%02d.Func%d", i%37, i)
	}
	stacks := make([][]string, n)
	for i := range stacks {
		stack := make([]string, 8+rnd.IntN(33))
		for depth := range stack {
			choices := 2
			if depth > 6 {
				choices = 16
			}
			stack[depth] = functions[(depth*11+rnd.IntN(choices))%len(functions)]
		}
		stacks[i] = stack
	}
	return stacks
}

func sumBytes(buffers [][]byte) uint64 {
	sum := uint64(0)
	for _, b := range buffers {
		sum = sum*31 + uint64(b[0]) + uint64(b[len(b)-1]) + uint64(len(b))
	}
	return sum
}

// copied copies src into dst, which is as long, and returns dst.
func copied(dst, src []byte) []byte {
	copy(dst, src)
	return dst
}

// str copies src into dst, which is as long, and returns dst as a string: for
// allocators that hand out bytes only. Nothing may write to dst as long as
// the string is in use.
func str(dst []byte, src string) string {
	copy(dst, src)
	return unsafe.String(unsafe.SliceData(dst), len(dst))
}
