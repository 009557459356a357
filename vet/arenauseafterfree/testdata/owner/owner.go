// Package owner has owners of arenas that are passed by their value, and slices whose elements lead to
// memory of the arena.
package owner

import (
	"bytes"
	"io"

	"lessgc/arena"
)

var arenas = arena.Pool{Policy: arena.RecycleAll}

type manager struct {
	a    *arena.Arena
	name string
}

func newManager() manager { return manager{a: arenas.Get()} }

func (m manager) free() {
	if m.a != nil {
		m.a.Free()
	}
}

func (m manager) named(s string) manager {
	m.name = s
	return m
}

func alloc[T any](m manager) *T {
	if m.a != nil {
		return arena.New[T](m.a)
	}
	return new(T)
}

type point struct{ x, y int }

func badValue(points []point) int {
	m := newManager()
	sum := alloc[point](m)
	for _, p := range points {
		sum.x += p.x
	}
	m.free()
	return sum.x // want "sum is used after its arena was freed"
}

func goodValue(points []point) int {
	m := newManager()
	sum := alloc[point](m)
	for _, p := range points {
		sum.x += p.x
	}
	n := sum.x
	m.free()
	return n
}

func badCopy() int {
	m := newManager()
	other := m
	sum := alloc[point](m)
	other.free()
	return sum.x // want "sum is used after its arena was freed"
}

// The other manager has an arena of its own.
func goodOther() int {
	m, other := newManager(), newManager()
	sum := alloc[point](m)
	other.free()
	n := sum.x
	m.free()
	return n
}

func badAfter() *point {
	m := newManager()
	m.free()
	return alloc[point](m) // want "m.a is used after its arena was freed"
}

func goodReplaced() int {
	m := newManager()
	m.free()
	m = newManager()
	defer m.free()
	return alloc[point](m).x
}

func goodDeferred() int {
	m := newManager()
	defer m.free()
	return alloc[point](m).x
}

// Whether memory of an arena is used cannot be told when it may be the heap's for another reason.
func pick[T any](m manager, heap bool) *T {
	if heap {
		return new(T)
	}
	return arena.New[T](m.a)
}

func goodPicked() int {
	m := newManager()
	p := pick[point](m, true)
	m.free()
	return p.x
}

// Elements.
func words(a *arena.Arena, line []byte) [][]byte {
	out := arena.MakeSlice[[]byte](a, 0, 8)
	for _, w := range bytes.Fields(line) {
		out = arena.Append(a, out, a.Bytes(w))
	}
	return out
}

func longest(words [][]byte) int {
	at := 0
	for i := range words {
		if len(words[i]) > len(words[at]) {
			at = i
		}
	}
	return at
}

func badElement(w io.Writer, line []byte) {
	a := arenas.Get()
	list := words(a, line)
	word := list[longest(list)]
	a.Free()
	w.Write(word) // want "is used after its arena was freed"
}

func badElementWritten(line []byte) {
	a := arenas.Get()
	list := words(a, line)
	word := list[0]
	a.Free()
	word[0] = ' ' // want "is used after its arena was freed"
}

func goodElement(w io.Writer, line []byte) {
	a := arenas.Get()
	defer a.Free()
	list := words(a, line)
	w.Write(list[longest(list)])
}

func goodElementCopied(w io.Writer, line []byte) {
	a := arenas.Get()
	list := words(a, line)
	word := bytes.Clone(list[0])
	a.Free()
	w.Write(word)
}

// The elements are the heap's.
func subslices(a *arena.Arena, line []byte) [][]byte {
	out := arena.MakeSlice[[]byte](a, 0, 8)
	for _, w := range bytes.Fields(line) {
		out = arena.Append(a, out, w)
	}
	return out
}

func goodHeapElement(w io.Writer, line []byte) {
	a := arenas.Get()
	word := subslices(a, line)[0]
	a.Free()
	w.Write(word)
}

// One of them is.
func mixed(a *arena.Arena, line []byte) [][]byte {
	out := arena.MakeSlice[[]byte](a, 2, 2)
	out[0] = a.Bytes(line)
	out[1] = line
	return out
}

func goodMixed(w io.Writer, line []byte) {
	a := arenas.Get()
	word := mixed(a, line)[1]
	a.Free()
	w.Write(word)
}

// The caller, or a function that it calls, stores another.
func goodStoredHere(w io.Writer, line []byte) {
	a := arenas.Get()
	list := words(a, line)
	list[0] = line
	word := list[0]
	a.Free()
	w.Write(word)
}

func replace(list [][]byte, word []byte) { list[0] = word }

func goodStoredThere(w io.Writer, line []byte) {
	a := arenas.Get()
	list := words(a, line)
	replace(list, line)
	word := list[0]
	a.Free()
	w.Write(word)
}

// An owner within another.
type machine struct {
	mem   manager
	depth int
}

func (m machine) eval(x int) *point {
	p := alloc[point](m.mem)
	p.x = x
	return p
}

func (m machine) close() { m.mem.free() }

func badNested(x int) int {
	m := machine{mem: newManager()}
	p := m.eval(x)
	m.close()
	return p.x // want "p is used after its arena was freed"
}

func goodNested(x int) int {
	m := machine{mem: newManager()}
	defer m.close()
	return m.eval(x).x
}

func goodNestedAnew(x int) int {
	m := machine{mem: newManager()}
	n := m.eval(x).x
	m.close()
	m.mem = newManager()
	n += m.eval(x).x
	m.close()
	return n
}
