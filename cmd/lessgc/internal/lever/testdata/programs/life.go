package programs

import (
	"runtime"
	"strings"
)

type lifeDecoder struct {
	data []byte
	pos  int
	keys map[string]int
}

// Each word is cut out of the input.
func (d *lifeDecoder) word() string {
	start := d.pos
	for d.pos < len(d.data) && d.data[d.pos] != ' ' {
		d.pos++
	}
	s := string(d.data[start:d.pos]) // want string-chunk
	d.pos++
	return s
}

func lifeWords(data []byte) (all []string) {
	d := &lifeDecoder{data: data}
	for d.pos < len(d.data) {
		all = append(all, d.word())
	}
	return all
}

// What is boxed is cut out, too.
func (d *lifeDecoder) value() any {
	start := d.pos
	for d.pos < len(d.data) && d.data[d.pos] != ' ' {
		d.pos++
	}
	b := d.data[start:d.pos]
	d.pos++
	return string(b) // want string-chunk
}

func lifeValues(data []byte) (all []any) {
	d := &lifeDecoder{data: data}
	for d.pos < len(d.data) {
		all = append(all, d.value())
	}
	return all
}

// Keys repeat.
func (d *lifeDecoder) key() string {
	start := d.pos
	for d.pos < len(d.data) && d.data[d.pos] != ' ' {
		d.pos++
	}
	s := string(d.data[start:d.pos]) // no string-chunk
	d.keys[s]++
	d.pos++
	return s
}

func lifeKeys(data []byte) (all []string) {
	d := &lifeDecoder{data: data, keys: map[string]int{}}
	for d.pos < len(d.data) {
		all = append(all, d.key())
	}
	return all
}

// Lines are long.
func (d *lifeDecoder) line() string {
	start := d.pos
	d.pos = min(d.pos+100, len(d.data))
	return string(d.data[start:d.pos]) // no string-chunk
}

func lifeLines(data []byte) (all []string) {
	d := &lifeDecoder{data: data}
	for d.pos < len(d.data) {
		all = append(all, d.line())
	}
	return all
}

type lifeCopied struct {
	data []byte
	pos  int
}

// Both copies would write to one chunk.
func (d *lifeCopied) word() string {
	start := d.pos
	d.pos = min(d.pos+4, len(d.data))
	return string(d.data[start:d.pos]) // no string-chunk
}

func lifeCopies(data []byte) (all []string) {
	d := &lifeCopied{data: data}
	for d.pos < len(d.data) {
		saved := *d
		all = append(all, d.word())
		*d = saved
		d.pos += 4
	}
	return all
}

// A function has no place for a chunk.
func lifeFields(data []byte) (all []string) {
	for len(data) > 4 {
		all = append(all, string(data[:4])) // no string-chunk
		data = data[4:]
	}
	return all
}

type lifePoint struct {
	x, y int
	name string
}

func lifePoints(xs []int) []*lifePoint {
	out := make([]*lifePoint, len(xs))
	for i, x := range xs {
		out[i] = &lifePoint{x: x, name: "p"} // want slab
	}
	return out
}

func lifeAppended(xs []int) (out []any) {
	for _, x := range xs {
		p := new(lifePoint) // want slab
		p.x = x
		out = append(out, p)
	}
	return out
}

// Few of them are made.
func lifeChosen(xs []int) (out []*lifePoint) {
	for _, x := range xs {
		if x%3 == 0 {
			out = append(out, &lifePoint{x: x}) // no slab
		}
	}
	return out
}

// One is left of all.
func lifeBest(xs []int) (best *lifePoint) {
	for _, x := range xs {
		p := &lifePoint{x: x} // no slab
		if best == nil || best.x < p.x {
			best = p
		}
	}
	return best
}

// Each call makes two.
func lifePairs(n int) (all [][]*lifePoint) {
	for i := range n {
		all = append(all, lifePair([]int{i, i + 1}))
	}
	return all
}

func lifePair(xs []int) []*lifePoint {
	out := make([]*lifePoint, 0, len(xs))
	for _, x := range xs {
		out = append(out, &lifePoint{x: x}) // no slab
	}
	return out
}

type lifeHandle struct {
	id   int
	name string
}

// It has a finalizer.
func lifeHandles(xs []int) (out []*lifeHandle) {
	for _, x := range xs {
		h := &lifeHandle{id: x} // no slab
		runtime.SetFinalizer(h, func(*lifeHandle) {})
		out = append(out, h)
	}
	return out
}

// How often it runs is not known.
func lifeUntil(text string) (out []*lifePoint) {
	for text != "" {
		var name string
		name, text, _ = strings.Cut(text, " ")
		out = append(out, &lifePoint{name: name}) // no slab
	}
	return out
}

type lifeStack struct {
	cells [64]int
	names []string
	top   int
}

func (s *lifeStack) push(n int, name string) {
	s.cells[s.top] = n
	s.top++
	s.names = append(s.names, name)
}

var lifeHook = func(s *lifeStack) { s.top++ }

// Its slice is kept, and it is not.
func lifeNames(n int) []string {
	s := &lifeStack{} // want typed-pool
	for i := range n {
		s.push(i, "name")
	}
	lifeHook(s)
	return s.names
}

var lifeCells []int

// Its own memory is kept.
func lifeInside(n int) {
	s := &lifeStack{} // no typed-pool
	s.push(n, "name")
	lifeHook(s)
	lifeCells = s.cells[:s.top]
}

// A constructor makes it with a slice, which is kept.
func lifeMade(n int) []string {
	return newLifeStack(n).names
}

func newLifeStack(n int) *lifeStack {
	s := &lifeStack{names: make([]string, n)} // no typed-pool
	lifeHook(s)
	return s
}

type lifeTable struct {
	cells [64]int
	next  *lifeTable
}

// By its type, nothing else can hold it.
func lifeCount(n int) (sum int) {
	all := map[int]*lifeTable{}
	t := new(lifeTable) // want typed-pool
	all[n] = t
	t.next = all[n-1]
	for _, t := range all {
		sum += t.cells[n] + n
	}
	return sum
}

type lifeKept struct {
	cells [64]int
	next  *lifeKept
}

var lifeAll = map[int]*lifeKept{}

// A map of the package holds it.
func lifeKeep(n int) int {
	t := new(lifeKept) // no typed-pool
	lifeAll[n] = t
	t.next = lifeAll[n-1]
	return t.cells[n]
}

type lifeMany struct {
	cells [64]int
	next  *lifeMany
}

// There are many at a time: that is a case for an arena.
func lifeChain(n int) (sum int) {
	all := map[int]*lifeMany{}
	for i := range n {
		t := new(lifeMany) // no typed-pool
		all[i] = t
		t.next = all[i-1]
	}
	return len(all)
}
