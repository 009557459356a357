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

type lifeMatcher struct {
	names []string
	parts []lifePart
	lines []string
	n     int
	found map[string]int
}

type lifePart struct {
	key   string
	value int
}

func newLifeMatcher(names []string) *lifeMatcher {
	m := &lifeMatcher{names: names}
	for i, n := range names {
		m.parts = append(m.parts, lifePart{n, i})
	}
	return m
}

type lifeParameters struct {
	index map[string]int
	name  string
}

func (p lifeParameters) get() int { return p.index[p.name] }

// The map goes into a struct that only asks it.
func (m *lifeMatcher) match(name string) int {
	index := make(map[string]int, len(m.names)) // want index-map
	for i, n := range m.names {
		index[n] = i
	}
	p := lifeParameters{index: index, name: name}
	sink = p
	return p.get()
}

// Values are parts of the elements.
func (m *lifeMatcher) value(name string) int {
	values := make(map[string]int, len(m.parts)+8) // want index-map
	for _, p := range m.parts {
		values[p.key] = p.value
	}
	return lifeAsk(values, name)
}

func lifeAsk(values map[string]int, name string) int { return values[name] }

// It is changed later.
func (m *lifeMatcher) counted(names []string) (n int) {
	counts := make(map[string]int, len(m.names)) // no index-map
	for _, n := range m.names {
		counts[n] = 0
	}
	for _, n := range names {
		counts[n]++
	}
	return counts[names[0]]
}

// It is kept.
func (m *lifeMatcher) kept(name string) int {
	m.found = make(map[string]int, len(m.names)) // no index-map
	for i, n := range m.names {
		m.found[n] = i
	}
	return m.found[name]
}

// Others may change what is returned.
func (m *lifeMatcher) all() map[string]int {
	all := make(map[string]int, len(m.names)) // no index-map
	for i, n := range m.names {
		all[n] = i
	}
	return all
}

// The values are of each call.
func (m *lifeMatcher) with(value int, name string) int {
	values := make(map[string]int, len(m.names)) // no index-map
	for _, n := range m.names {
		values[n] = value
	}
	return lifeAsk(values, name)
}

// The slice is of the call.
func (m *lifeMatcher) among(names []string, name string) int {
	m.n++
	index := make(map[string]int, len(names)) // no index-map
	for i, n := range names {
		index[n] = i
	}
	return lifeAsk(index, name)
}

// Each call sets the slice.
func (m *lifeMatcher) each(names []string, name string) int {
	m.lines = names
	index := make(map[string]int, len(m.lines)) // no index-map
	for i, n := range m.lines {
		index[n] = i
	}
	return lifeAsk(index, name)
}

func lifeMatch(names []string) (n int) {
	m := newLifeMatcher(names)
	for _, name := range names {
		n += m.match(name) + m.value(name) + m.counted(names) + m.kept(name) + len(m.all()) + m.with(1, name) + m.among(names, name) + m.each(names, name)
	}
	return n
}

type lifeRequest struct{ names []string }

// A request is made for each call.
func (r *lifeRequest) match(name string) int {
	index := make(map[string]int, len(r.names)) // no index-map
	for i, n := range r.names {
		index[n] = i
	}
	return lifeAsk(index, name)
}

func lifeRequests(names []string) (n int) {
	for _, name := range names {
		r := &lifeRequest{names}
		n += r.match(name)
	}
	return n
}
