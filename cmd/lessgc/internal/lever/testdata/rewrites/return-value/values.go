// Package values has functions that return small structs, of which their callers only use the fields and methods.
package values

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

type pair struct {
	left, right int
	items       []int
	last        [2]int
	next        *pair
}

func (p *pair) add(n int)           { p.left += n }
func (p *pair) with(n int) *pair    { p.right = n; return p }
func (p pair) sum() int             { return p.left + p.right }
func (p *pair) fill()               { p.items = append(p.items, p.left, p.right) }
func (p *pair) remember()           { kept = p }
func (p *pair) alias()              { p.items = p.last[:] }
func (p *pair) self()               { p.next = p }
func (p *pair) same(q *pair) bool   { return p == q }
func (p *pair) known() bool         { return p != nil }
func bump(p *pair)                  { p.left++ }
func hold(p *pair)                  { kept = p }
func look(p *pair, other *pair) int { return p.left + other.left }

var kept *pair

//go:noinline
func literal(n int) *pair {
	return &pair{left: n, right: 2} // rewritten
}

func useLiteral(n int) int {
	p := literal(n)
	p.add(1)
	p.right += 3
	bump(p)
	return p.sum() + p.left
}

//go:noinline
func zero() *pair {
	return new(pair) // rewritten
}

func useZero() int {
	p := zero()
	p.last[1] = 4
	q := *p
	q.left = 7
	p.items = append(p.items, q.left)
	(*p).right = len(p.items)
	return p.last[1] + p.right + p.left + zero().left
}

//go:noinline
func variable(n int) *pair {
	p := &pair{ // rewritten
		left: n, // the first
	}
	p.add(n)
	bump(p)
	p.fill()
	if n > 5 {
		p.right = 1
		return p
	}
	return p
}

func useVariable(n int) int {
	var p = variable(n)
	return p.left + p.right + len(p.items) + variable(n).sum()
}

//go:noinline
func allocated(n int) *pair {
	p := new(pair) // rewritten
	p.left = n
	*p = pair{left: p.left + 1}
	return p
}

func useAllocated(n int) int { return allocated(n).left }

//go:noinline
func addressed(n int) *pair {
	var p pair // rewritten
	p.left = n
	p.fill()
	return &p
}

func useAddressed(n int) int {
	p := addressed(n)
	return len(p.items)
}

var errOdd = fmt.Errorf("odd")

//go:noinline
func checked(n int) (*pair, error) {
	if n%2 != 0 {
		return nil, errors.New("odd")
	}
	if err := check(n); err != nil {
		return nil, err
	}
	return &pair{left: n}, nil // rewritten
}

func check(n int) error {
	if n > 10 {
		return fmt.Errorf("large: %d", n)
	}
	return nil
}

func useChecked(n int) (int, error) {
	p, err := checked(n)
	if err != nil {
		return 0, err
	}
	return p.left, nil
}

func useCheckedInside(n int) int {
	if p, err := checked(n); err == nil {
		return p.sum()
	}
	_, err := checked(n)
	checked(n)
	if err == nil {
		return 0
	}
	return -1
}

//go:noinline
func found(n int) (*pair, bool) {
	if n < 0 {
		return nil, false
	}
	return &pair{right: n}, true // rewritten
}

func useFound(all []int) (sum int) {
	for _, n := range all {
		p, ok := found(n)
		if !ok {
			continue
		}
		p.add(n)
		sum += p.sum()
	}
	return sum
}

type maker struct{ n int }

//go:noinline
func (m *maker) make() *pair {
	m.n++
	return &pair{left: m.n} // rewritten
}

func useMaker() int {
	m := &maker{}
	a, b := m.make(), m.make()
	a.add(1)
	return look(a, b)
}

func valued(n int) *pair {
	return &pair{left: n} // rewritten
}

func useValued(n int) int {
	p := *valued(n)
	p.left++
	return p.left + valued(n).left
}

func failing(n int) (*pair, *failure) {
	if n < 0 {
		return nil, fail(n)
	}
	p := &pair{left: n} // rewritten
	for p.left < 10 {
		p.add(3)
	}
	return p, nil
}

type failure struct{ n int }

func fail(n int) *failure { return &failure{n} }

func useFailing(n int) int {
	p, err := failing(n)
	if err != nil {
		return err.n
	}
	grow := p.add
	grow(2)
	defer p.add(1)
	return p.left
}

func recursive(n int) *pair {
	if n == 0 {
		return &pair{} // rewritten
	}
	p := &pair{left: n}
	below := recursive(n - 1)
	p.right = below.left + below.right
	return p
}

func useRecursive(n int) int {
	switch p := recursive(n); p.left {
	case 3:
		return p.right
	}
	return -1
}

type printer struct {
	text  bytes.Buffer
	depth inner
	all   [2]int
}

type inner struct{ n int }

func (i *inner) more() { i.n++ }

func newPrinter(text string) *printer {
	p := &printer{} // rewritten
	p.text.WriteString(text)
	p.depth.more()
	return p
}

func useNewPrinter(text string) string {
	p := newPrinter(text)
	p.text.WriteByte('.')
	p.depth.more()
	depth, all := &p.depth, p.all[:]
	depth.n++
	all[0] = 4
	p.depth.n += p.all[0]
	return fmt.Sprint(p.text.String(), depth.n)
}

func lentPrinter() *printer {
	p := &printer{} // refused: something else writes to a buffer in it
	writer = &p.text
	return p
}

var writer io.Writer

func useLentPrinter() string {
	p := lentPrinter()
	fmt.Fprint(writer, "lent")
	return p.text.String()
}

func builderInside(text string) *built {
	b := &built{} // refused: a strings.Builder must not be copied once it is written to
	b.text.WriteString(text)
	return b
}

type built struct{ text strings.Builder }

func useBuilderInside(text string) string {
	b := builderInside(text)
	b.text.WriteByte('.')
	return b.text.String()
}

func methodValue(n int) *pair {
	p := &pair{left: n} // refused: a method of it is in a field of another object
	steps.add = p.add
	return p
}

var steps struct{ add func(int) }

func useMethodValue(n int) int {
	p := methodValue(n)
	steps.add(3)
	return p.left
}

func sliced(n int) *pair {
	p := &pair{left: n} // refused: a field is a slice of another one
	p.items = p.last[:]
	return p
}

func useSliced(n int) int {
	p := sliced(n)
	p.last[0] = n
	return p.items[0]
}

func fluent(n int) *pair {
	p := &pair{left: n} // refused: a method returns it, and that is stored
	q := p.with(3)
	kept = q
	return p
}

func useFluent(n int) int {
	p := fluent(n)
	p.left++
	return kept.left
}

func constantFalse(n int) (*pair, bool) {
	const false = true
	if n < 0 {
		return nil, false
	}
	return &pair{left: n}, true // refused: false is not false
}

func useConstantFalse(n int) int {
	if p, ok := constantFalse(n); ok {
		return p.left
	}
	return -1
}

func shadowed(n int) (*pair, bool) {
	if n < 0 {
		type pair struct{}
		_ = pair{}
		return nil, false
	}
	return &pair{left: n}, true // refused: where nil is returned, the name of the type means another one
}

func useShadowed(n int) int {
	if p, ok := shadowed(n); ok {
		return p.left
	}
	return -1
}

func setThrough(n int) *pair {
	return &pair{left: n} // refused: a caller sets what it points to, where there is no variable
}

func useSetThrough(n int) int {
	*setThrough(n) = pair{}
	return n
}

func parameter(p pair, n int) *pair { // rewritten
	p.left += n
	return &p
}

func useParameter(p pair, n int) int { return parameter(p, n).left }

func passedOn(n int) *pair {
	return &pair{left: n} // refused: a caller gives it to functions for any pointers
}

func usePassedOn(n int) int {
	p := passedOn(n)
	all(p)
	return p.left
}

func all(pairs ...*pair) { kept = pairs[0] }

func inClosure(n int) *pair {
	return &pair{left: n} // refused: a function literal of a caller keeps it
}

func useInClosure(n int) int {
	p := inClosure(n)
	callLater = func() { p.left++ }
	callLater()
	return p.left
}

func remembered(n int) *pair {
	p := &pair{left: n} // refused: a method keeps it
	p.remember()
	return p
}

func useRemembered(n int) int {
	p := remembered(n)
	p.left++
	return kept.left
}

func intoItself(n int) *pair {
	p := &pair{left: n} // refused: a slice of it is in a field
	p.alias()
	return p
}

func useIntoItself(n int) int {
	p := intoItself(n)
	p.last[0] = n
	return p.items[0]
}

func toItself(n int) *pair {
	p := &pair{left: n} // refused: it points to itself
	p.self()
	return p
}

func useToItself(n int) int {
	p := toItself(n)
	p.left++
	return p.next.left
}

func insideToo(n int) (*pair, *int) {
	p := &pair{left: n} // refused: a pointer to a field is returned, too
	return p, &p.right
}

func useInsideToo(n int) int {
	p, right := insideToo(n)
	*right = 5
	return p.right
}

func twice(n int) (*pair, *pair) {
	p := &pair{left: n} // refused: it is returned twice
	return p, p
}

func useTwice(n int) int {
	p, q := twice(n)
	q.left++
	return p.left
}

func increase(p *pair) int { p.left++; return p.left }

func changedByReturn(n int) (*pair, int) {
	p := &pair{left: n} // refused: the statement that returns it calls what changes it
	return p, increase(p)
}

func useChangedByReturn(n int) int {
	p, left := changedByReturn(n)
	return p.left - left
}

var counter int

func count() int { counter++; return counter }

func unordered() (*pair, int) {
	return &pair{left: counter}, count() // refused: the statement that returns it calls what changes a field's value
}

func useUnordered() int {
	counter = 0
	p, n := unordered()
	return p.left + n
}

func captured(n int) *pair {
	p := &pair{left: n} // refused: a function literal has it
	callLater = func() { p.left++ }
	return p
}

var callLater func()

func useCaptured(n int) int {
	p := captured(n)
	callLater()
	return p.left
}

func comparedInside(n int) *pair {
	p := &pair{left: n} // refused: a method compares it with another pointer
	if p.same(kept) {
		return &pair{}
	}
	return p
}

func useComparedInside(n int) int { return comparedInside(n).left }

func existing(n int) *pair {
	if n < 0 {
		return kept
	}
	return &pair{left: n} // refused: another one is returned, too
}

func useExisting(n int) int {
	kept = &pair{}
	p := existing(n)
	p.left += 5
	return kept.left
}

type locked struct {
	mu sync.Mutex
	n  int
}

func lock(n int) *locked {
	return &locked{n: n} // refused: it has a lock
}

func useLock(n int) int {
	l := lock(n)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

type uncopied struct {
	_ noCopy
	n int
}

func uncopiable(n int) *uncopied {
	return &uncopied{n: n} // refused: it must not be copied
}

func useUncopiable(n int) int { return uncopiable(n).n }

type large struct{ all [40]int }

func larger(n int) *large {
	return &large{[40]int{n}} // refused: it is large
}

func useLarger(n int) int { return larger(n).all[0] }

func elsewhere(n int) *pair {
	return &pair{left: n} // refused: a file for another system calls it
}

func useElsewhere(n int) int { return elsewhere(n).left }

func Exported(n int) *pair {
	return &pair{left: n} // refused: others may call it
}

func useExported(n int) int { return Exported(n).left }

func generic[T any](n T) *pair {
	return &pair{last: [2]int{1}} // refused: it has type parameters
}

func useGeneric(n int) int { return generic(n).last[0] }

func inGlobal() *pair {
	return &pair{left: 3} // refused: a variable of the package has it
}

var global = inGlobal()

func useGlobal() int { return global.left }

func unused(n int) *pair {
	return &pair{left: n} // refused: nothing calls it
}
