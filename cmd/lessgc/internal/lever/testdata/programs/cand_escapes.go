package programs

import (
	"errors"
	"sync"
)

type escHeader struct {
	kind, size int
	name       string
}

type escRecord interface{ header() *escHeader }

func (h *escHeader) header() *escHeader { return h }

type escText struct {
	head escHeader
	text string
}

func (t *escText) header() *escHeader { return &t.head }

var errEscShort = errors.New("short")

// The address is only returned with an error.
//
//go:noinline
func escRecordOf(h escHeader, b []byte) (escRecord, error) { // want rare-address
	if len(b) < h.size {
		return &h, errEscShort
	}
	return &escText{head: h, text: "text"}, nil
}

// The benchmarks do not take the branch that returns it.
func escWrapped(n int, named bool) escRecord {
	h := escHeader{kind: n} // want rare-address
	if named {
		return &escText{head: h}
	}
	return &h
}

// One in two calls does.
func escHalf(n int, named bool) escRecord {
	h := escHeader{kind: n} // no rare-address
	if named {
		return &escText{head: h}
	}
	return &h
}

// What is stored later is to be seen.
//
//go:noinline
func escStored(n int, keep bool, to *[]*escHeader) int {
	h := escHeader{kind: n} // no rare-address
	if keep {
		*to = append(*to, &h)
	}
	h.size = n + 1
	return h.size
}

// All calls give it away.
//
//go:noinline
func escGiven(n int, keep func(*escHeader)) int {
	h := escHeader{kind: n} // no rare-address
	keep(&h)
	if h.size > 100 {
		return -1
	}
	return h.kind
}

// The log is seldom on.
//
//go:noinline
func escLogged(names []string, log func(...any)) (n int) {
	for _, name := range names {
		h := escHeader{name: name, size: len(name)} // want rare-address
		if h.size > 100 {
			log("long", &h)
			continue
		}
		n += h.size
	}
	return n
}

// The literal changes it.
//
//go:noinline
func escChanged(n int) (int, func()) {
	h := n + 1000 // no rare-address
	if n > 100 {
		return n, func() { h++ }
	}
	return h, nil
}

// An EscIndex may be of any kind.
type EscIndex interface {
	Labels(id int, to *[]string) error
}

type escFixed struct{ all []string }

func (f *escFixed) Labels(_ int, to *[]string) error {
	*to = append((*to)[:0], f.all...)
	return nil
}

type escSeries struct {
	index  EscIndex
	id     int
	labels []string
	calls  int
}

func (s *escSeries) next() bool {
	labels := s.labels[:0]
	s.calls++
	if s.index.Labels(s.id, &labels) != nil {
		return false
	}
	s.labels = labels
	return true
}

// The variable could stand before the loop.
func escScanned(n int, scan func(*escHeader) bool) (sum int) {
	for range n {
		var h escHeader // want reuse-variable
		if scan(&h) {
			sum += h.size
		}
	}
	return sum
}

//go:noinline
func escAny(n int, scan func(any) bool) (all []any) {
	for range n {
		var v any // want reuse-variable
		if scan(&v) {
			all = append(all, v)
		}
	}
	return all
}

// Many goroutines may have it.
type escShared struct {
	mu    sync.Mutex
	scan  func(*escHeader) bool
	count int
}

func (s *escShared) one() int {
	var h escHeader // no reuse-variable
	s.scan(&h)
	return h.size
}

// It is kept.
func escKept(n int, scan func(*escHeader) bool) (all []*escHeader) {
	for range n {
		var h escHeader // no reuse-variable
		if scan(&h) {
			all = append(all, &h)
		}
	}
	return all
}

// No loop, and no receiver.
//
//go:noinline
func escOnce(scan func(*escHeader) bool) int {
	var h escHeader // no reuse-variable
	scan(&h)
	return h.size
}

// It calls itself.
func (s *escSeries) nested(depth int) int {
	var labels []string // no reuse-variable
	s.calls++
	s.index.Labels(s.id, &labels)
	if depth == 0 {
		return len(labels)
	}
	return s.nested(depth-1) + len(labels)
}

func escAll(names []string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, name := range names {
			if !escYield(yield, name) {
				return
			}
		}
	}
}

var escYield = func(yield func(string) bool, name string) bool { return yield(name) }

// Both are objects.
func escSorted(names []string) int {
	var long, short []string // want join-variables
	for name := range escAll(names) {
		if len(name) > 100 {
			long = append(long, name)
		} else {
			short = nil
		}
	}
	return len(long) + len(short)
}

func escCounts(names []string) (int, int) {
	first := 0 // want join-variables
	last := 0
	for name := range escAll(names) {
		first += len(name)
		last = len(name)
	}
	return first, last
}

// There is only one.
func escCount(names []string) int {
	n := 1000 // no join-variables
	for name := range escAll(names) {
		n += len(name)
	}
	return n
}

// The literal has copies.
//
//go:noinline
func escCopies(a, b int, do func(func() int)) int {
	x, y := a+1000, b+1000
	f := func() int { return x + y } // no join-variables
	do(f)
	return x
}

// Each literal has its own.
func escApart(names []string) int {
	n := 1000 // no join-variables
	m := 1000
	for name := range escAll(names) {
		n += len(name)
	}
	for name := range escAll(names) {
		m += len(name)
	}
	return n + m
}

// It is declared later, in a branch.
func escLater(names []string) int {
	n := 1000 // no join-variables
	for name := range escAll(names) {
		n += len(name)
	}
	if n > 10 {
		m := 2000 // no join-variables
		for name := range escAll(names) {
			m += len(name)
		}
		return m
	}
	return n
}

// An EscChunk has a small slice inside.
type EscChunk struct {
	Stream EscStream
	count  int
}

// An EscStream is a part of it.
type EscStream struct {
	Data []byte
	left int
}

func newEscChunk() *EscChunk {
	b := make([]byte, 2, 128) // want embed-array
	return &EscChunk{Stream: EscStream{Data: b}}
}

func (c *EscChunk) add(b byte) { c.Stream.Data = append(c.Stream.Data, b) }

func (s *EscStack) add(n int) { s.Values = append(s.Values, n) }

// An EscStack begins small.
type EscStack struct{ Values []int }

func newEscStack() *EscStack {
	s := &EscStack{}
	s.Values = make([]int, 0, 16) // want embed-array
	return s
}

func newEscLarge() *EscStack {
	s := &EscStack{}
	s.Values = make([]int, 0, 1000) // no embed-array
	return s
}

// Its size is not known.
func newEscSized(n int) *EscStack {
	s := &EscStack{}
	s.Values = make([]int, 0, n) // no embed-array
	return s
}

// Another has it, too.
func newEscBoth(to *[]int) *EscStack {
	s := &EscStack{}
	b := make([]int, 0, 16) // no embed-array
	s.Values = b
	*to = b
	return s
}

// It is a value that is copied.
func newEscValue(to []EscStack) {
	s := EscStack{Values: make([]int, 0, 16)} // no embed-array
	to[0] = s
}

// A container that is given the object may keep it.
type escContext struct {
	escKeeper
	name string
}

type escKeeper interface{ bind(any) }

type escMap map[string]any

func (m escMap) bind(v any) { m["it"] = v }

func newEscContext(k escKeeper) *escContext {
	c := &escContext{k, "name"} // no return-value
	c.bind(c)
	return c
}

func escServed(k escKeeper) int {
	c := newEscContext(k)
	return len(c.name)
}
