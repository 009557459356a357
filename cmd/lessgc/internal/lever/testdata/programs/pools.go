package programs

import "strings"

// Maps, and what constructors make.

func distinct(words []string) int {
	seen := make(map[string]bool) // want typed-pool
	for _, w := range words {
		mark(seen, w)
	}
	return len(seen)
}

//go:noinline
func mark(seen map[string]bool, w string) { markers[0](seen, w) }

var markers = []func(map[string]bool, string){func(seen map[string]bool, w string) { seen[w] = true }}

var keptMap map[string]bool

func distinctKept(words []string) int {
	seen := make(map[string]bool) // no typed-pool
	for _, w := range words {
		mark(seen, w)
	}
	keptMap = seen
	return len(seen)
}

type machine interface{ Run(text string) int }

type stackMachine struct {
	stack [64]int
	n     int
}

//go:noinline
func newMachine() machine {
	return &stackMachine{} // want typed-pool
}

func (m *stackMachine) Run(text string) int {
	for _, word := range strings.Fields(text) {
		m.stack[m.n%64] = len(word)
		m.n++
	}
	return m.stack[0] + m.n
}

func runMachine(text string) int { return newMachine().Run(text) }

type keptMachine struct {
	stack [64]int
	n     int
}

var lastMachine *keptMachine

//go:noinline
func newKeptMachine() machine {
	return &keptMachine{} // no typed-pool
}

func (m *keptMachine) Run(text string) int {
	lastMachine = m
	return m.n
}

func runKeptMachine(text string) int { return newKeptMachine().Run(text) }

type listedMachine struct {
	stack [64]int
	n     int
}

var listed [1]*listedMachine

//go:noinline
func newListedMachine() *listedMachine {
	m := &listedMachine{} // no typed-pool
	listed[0] = m
	return m
}

func runListedMachine() int { return newListedMachine().n }

type givenMachine struct {
	stack [64]int
	n     int
}

//go:noinline
func newGivenMachine() *givenMachine {
	return &givenMachine{} // no typed-pool
}

// One of those who call newGivenMachine keeps it.
func runGivenMachine() int { return newGivenMachine().n }

func giveMachine(to []*givenMachine) { to[0] = newGivenMachine() }

type scope struct{ counts map[string]int }

//go:noinline
func newScope() *scope {
	return &scope{counts: make(map[string]int)} // no typed-pool
}

var keptCounts map[string]int

// What the constructor has made goes on without the object that it came in.
func runScope(words []string) int {
	s := newScope()
	for _, w := range words {
		s.counts[w]++
	}
	keptCounts = s.counts
	return len(s.counts)
}

type droppedScope struct{ counts map[string]int }

//go:noinline
func newDroppedScope() *droppedScope {
	return &droppedScope{counts: make(map[string]int)} // want typed-pool
}

func runDroppedScope(words []string) int {
	s := newDroppedScope()
	for _, w := range words {
		s.counts[w]++
	}
	return len(s.counts)
}
