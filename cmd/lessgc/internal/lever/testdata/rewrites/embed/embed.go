// Package embed makes objects for fields of others.
package embed

import (
	"bytes"
	"fmt"
	"sync"
)

type position struct {
	line, column int
}

func (p *position) next() { p.line++ }

func (p position) text() string { return fmt.Sprint(p.line, ":", p.column) }

// A scanner has all of it.
type scanner struct {
	name string
	at   *position // where it is
	buf  *bytes.Buffer
	mu   *sync.Mutex
}

func newScanner(name string) *scanner {
	s := &scanner{
		name: name,
		at:   &position{line: len(name)}, // rewritten
		mu:   new(sync.Mutex),            // rewritten
	}
	s.name += "!"
	s.buf = &bytes.Buffer{} // rewritten
	return s
}

func (s *scanner) run() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at.next()
	s.at.column += 2
	s.buf.WriteString(s.at.text())
	return s.buf.String()
}

type plain struct{ at *position }

func plainly(n int) int {
	c := &plain{at: &position{line: n}} // rewritten
	c.at.next()
	return c.at.line
}

type compared struct{ at *position }

func equalAt(n int) bool {
	c := &compared{at: &position{line: n}} // refused: the pointers of two objects are compared
	d := &compared{at: &position{line: n}}
	return c.at == d.at
}

type unset struct{ at *position }

func setAt(n int) bool {
	c := &unset{at: &position{line: n}} // refused: it is set to nil
	c.at = nil
	return c.at == nil
}

type seldom struct{ at *position }

func always(n int) *seldom { return &seldom{at: &position{line: n}} } // refused: another is made without, and panics

func never() *seldom { return &seldom{} }

func (s *seldom) line() int { return s.at.line }

type copied struct{ at *position }

func twice(n int) int {
	c := &copied{at: &position{line: n}} // refused: a copy of the struct has the same object
	d := *c
	d.at.next()
	return c.at.line
}

type aliased struct{ at *position }

func alias(n int) int {
	c := &aliased{at: &position{line: n}} // refused: the pointer is copied, and outlives a change of the field
	p := c.at
	p.next()
	return c.at.line
}

type replaced struct{ at *position }

func replace(n int) int {
	c := &replaced{at: &position{line: n}} // refused: the object is replaced by one that another has
	d := &position{line: 7}
	c.at = d
	d.next()
	return c.at.line
}

type passed struct{ at *position }

func pass(n int) int {
	c := &passed{at: &position{line: n}} // refused: the pointer is given to a function
	all = append(all, c.at)
	return c.at.line
}

var all []*position

type started struct{ at *position }

func start(n int) int {
	c := &started{at: &position{line: n}} // refused: a goroutine has the pointer
	done := make(chan bool)
	go func(p *position) {
		p.next()
		done <- true
	}(c.at)
	<-done
	return c.at.line
}

type keyed struct{ at *position }

func key(n int) int {
	c := &keyed{at: &position{line: n}} // refused: the pointer is the key of a map
	m := map[*position]int{c.at: n}
	return m[c.at]
}

type printed struct{ at *position }

func print(n int) string {
	c := &printed{at: &position{line: n}} // refused: the struct is printed, with an address or with an object in it
	return fmt.Sprintf("%T %v", c, len(fmt.Sprintf("%v", c)) > 8)
}

type valued struct{ at *position }

func values(n int) int {
	list := []valued{{at: &position{line: n}}} // refused: structs that are elements are moved, and their copies share the object
	before := list
	list = append(list, valued{at: &position{}})
	list[0].at.next()
	return before[0].at.line
}

type converted struct{ at *position }

type other struct{ at *position }

func convert(n int) int {
	c := &converted{at: &position{line: n}} // refused: a pointer of another type has the struct
	return (*other)(c).at.line
}

type inner struct{ converted2 }

type converted2 struct{ at *position }

func insideOf(n int) int {
	c := &converted2{at: &position{line: n}} // refused: another type has the struct as its part
	i := inner{*c}
	i.at.next()
	return c.at.line
}

type late struct{ at *position }

func later(n int) (line int) {
	defer func() {
		if recover() != nil {
			line = -1
		}
	}()
	c := &late{}
	line = c.first()
	c.at = &position{line: n} // refused: a method has the struct before
	return line + c.first()
}

func (l *late) first() int { return l.at.line }

type tagged struct {
	at *position `json:"-"`
}

func tag(n int) int {
	c := &tagged{at: &position{line: n}} // refused: a tag says that something reads it by reflection
	return c.at.line
}

type finalized struct{ at *ended }

type ended struct{ id, n *int }

func finalize(n int) int {
	c := &finalized{at: &ended{n: &n}} // refused: a method gives the object to code that may need it as a piece of memory of its own
	c.at.watch()
	return *c.at.n
}

func (e *ended) watch() { watched = e }

var watched any

type tested struct{ pos *position }

func newTested(n int) *tested {
	return &tested{pos: &position{line: n}} // refused: a test sets the field to nil
}

// Exported has the field in a struct that others can copy.
type Exported struct{ pos *position }

// NewExported makes one.
func NewExported(n int) *Exported {
	return &Exported{pos: &position{line: n}} // refused: other packages copy the struct
}

type generic struct{ at *position }

func first[E any](p *E) E { return *p }

func instance(n int) int {
	c := &generic{at: &position{line: n}} // refused: a generic function copies the struct
	d := first(c)
	d.at.next()
	return c.at.line
}

type linked struct {
	n    int
	next *linked
}

func link(n int) int {
	c := &linked{n: n, next: &linked{n: n + 1}} // refused: a struct is no part of itself
	return c.n
}

type meter struct{ n int }

var meters []*meter

func (m *meter) register() { meters = append(meters, m) }

// A conn is large, and its meter may outlive it.
type conn struct {
	buf   [1 << 10]byte
	meter *meter
}

func newConn() *conn {
	c := &conn{meter: &meter{}} // refused: the method keeps the meter
	c.meter.register()
	return c
}

type pair struct{ first, second struct{ n int } }

type holder struct {
	buf  [1 << 10]byte
	pair *pair
}

func held() *int {
	h := &holder{pair: &pair{}} // refused: a pointer into it outlives the rest
	h.buf[0]++
	return &h.pair.second.n
}
