// Package generic has a typed arena on bytes.
package generic

import (
	"strconv"
	"unsafe"

	"cases/lib"
)

type region struct {
	mem []byte
	off uintptr
}

func newRegion(n int) *region { return &region{mem: make([]byte, n)} }

func (r *region) alloc(size uintptr) unsafe.Pointer {
	p := unsafe.Pointer(&r.mem[r.off])
	r.off += (size + 7) &^ 7
	return p
}

func alloc[T any](r *region) *T {
	return (*T)(r.alloc(unsafe.Sizeof(*new(T))))
}

// Put copies v to the region.
func put[T any](r *region, v T) *T {
	p := alloc[T](r)
	*p = v
	return p
}

// Again is put.
func again[T any](r *region, v T) *T { return put(r, v) }

type user struct {
	id   int
	name string
}

type score struct{ id, points int }

func badAlloc(r *region, name []byte) *user {
	u := alloc[user](r)
	u.name = string(name) // want `a string is stored in a `
	return u
}

func goodAlloc(r *region, n int) *score {
	s := alloc[score](r)
	s.points = n
	return s
}

func badPut(r *region, name string) *user {
	return put(r, user{1, name}) // want `a value of type .* is stored in a `
}

func goodPut(r *region, n int) *score {
	return put(r, score{1, n})
}

func badAgain(r *region, n int) *string {
	return again(r, strconv.Itoa(n)) // want `a string is stored in a `
}

func goodAgain(r *region, n int) *int {
	return again(r, n)
}

func goodConstant(r *region) *string {
	return put(r, "none")
}

// A list has its nodes in a region.
type list[T any] struct {
	r    *region
	head *node[T]
}

type node[T any] struct {
	next  *node[T]
	value T
}

// Push links nodes of the region only.
func (l *list[T]) push(v T) {
	n := alloc[node[T]](l.r)
	n.value = v
	n.next = l.head
	l.head = n
}

func badList(r *region, names []string) *list[string] {
	l := &list[string]{r: r}
	for _, n := range names {
		l.push(n) // want `a string is stored in a `
	}
	return l
}

func goodList(r *region, names []string) *list[int] {
	l := &list[int]{r: r}
	for _, n := range names {
		l.push(len(n))
	}
	return l
}

func badElsewhere(r *lib.Region, n int) *user {
	u := lib.New[user](r)
	u.name = strconv.Itoa(n) // want `a string is stored in a `
	return u
}

func goodElsewhere(r *lib.Region, n int) *user {
	u := lib.New[user](r)
	u.id = n
	return u
}

func badStored(r *lib.Region, name string) {
	lib.Put(r, name+".go") // want `a string is stored in a `
}

func goodStored(r *lib.Region, name string) {
	lib.Put(r, len(name))
}
