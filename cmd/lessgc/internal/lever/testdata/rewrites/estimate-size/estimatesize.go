// Package estimatesize has slices that grow to about the same size in each run: its tests see what room, or nil for empty, changes.
package estimatesize

import "errors"

// next is a source of numbers that nobody can count before.
type next func() (int, bool)

func sum(n next) (total int) {
	out := []int{}
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // rewritten
	}
	for _, i := range out {
		total += i
	}
	return total
}

func last(n next) int {
	var out []int
	for i, ok := n(); ok; i, ok = n() {
		if i%2 == 0 {
			out = append(out, i) // rewritten
			continue
		}
		out = append(out, -i) // rewritten
	}
	if len(out) == 0 {
		return 0
	}
	return out[len(out)-1]
}

func evens(n next) []int {
	var out []int
	for i, ok := n(); ok; i, ok = n() {
		if i%2 == 0 {
			out = append(out, i) // rewritten
		}
	}
	return out
}

func countEvens(n next) int { return len(evens(n)) }

func someOdds(n next) []int {
	var out []int
	for i, ok := n(); ok; i, ok = n() {
		if i%2 != 0 {
			out = append(out, i) // rewritten
		}
	}
	return out
}

func hasOdds(n next) bool { return someOdds(n) != nil }

type lexer struct {
	tokens []int
	in     next
}

func lex(n next) (all int) {
	l := &lexer{
		tokens: make([]int, 0),
		in:     n,
	}
	for l.step() {
	}
	for _, t := range l.tokens {
		all += t
	}
	return all
}

func (l *lexer) step() bool {
	i, ok := l.in()
	if ok {
		l.tokens = append(l.tokens, i) // rewritten
	}
	return ok
}

type wrapper struct{ nodes []*int }

func wrap(n next) *wrapper {
	w := &wrapper{}
	for i, ok := n(); ok; i, ok = n() {
		node := &i
		w.nodes = append(w.nodes, node) // rewritten
	}
	return w
}

func (w *wrapper) total() (all int) {
	for _, n := range w.nodes {
		all += *n
	}
	return all
}

func doubled(all []int) (total int) {
	out := []int{}
	for _, i := range all {
		out = append(out, 2*i) // refused: the source has the number, and preallocate makes room for it
	}
	for _, i := range out {
		total += i
	}
	return total
}

func room(n next) int {
	out := []int{}
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: the capacity is asked for
	}
	return cap(out)
}

// Exported gives users a slice that they may append to.
func Exported(n next) []int {
	out := []int{}
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: users of the package see how much room there is
	}
	return out
}

func branched(n next) []int {
	out := []int{}
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: a caller makes two slices of it, in its memory or not
	}
	return out
}

func branches(n next) (a, b []int) {
	out := branched(n)
	a = append(out, 1)
	b = append(out, 2)
	return a, b
}

func padded(n next) int {
	out := []int{}
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: it is sliced beyond its length
	}
	return len(out[:len(out)+1])
}

func lent(n next, to func([]int) int) int {
	out := []int{}
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: nobody knows what is done with it
	}
	return to(out)
}

var all []int

func stored(n next) {
	out := []int{}
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: a variable of the package keeps it
	}
	all = out
}

var errBroken = errors.New("broken")

func recovered(n next) (out []int, err error) {
	defer func() {
		if recover() != nil {
			err = errBroken
		}
	}()
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: the first call may panic, and the result is nil then
	}
	return out, nil
}

func first(n next) int {
	out := []int{}
	var first *int
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: a pointer is into memory that the slice no longer has
		if first == nil {
			first = &out[0]
		}
		out[0]++
	}
	return *first
}

func nilEvens(n next) []int {
	var out []int
	for i, ok := n(); ok; i, ok = n() {
		if i%2 == 0 {
			out = append(out, i) // refused: a caller asks whether it is nil, and there are two appends
			continue
		}
		if i > 1000 {
			out = append(out, -i)
		}
	}
	return out
}

func hasEvens(n next) bool { return nilEvens(n) != nil }

func noted(n next) (total int) {
	out := []int{ /* of n */ }
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: a comment would go
	}
	for _, i := range out {
		total += i
	}
	return total
}

func shadowed(n next) (total int) {
	make := func(i int) int { return i }
	out := []int{}
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: make is another function here
	}
	for _, i := range out {
		total += make(i)
	}
	return total
}

func varied(n next) (total int) {
	out := []int{}
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: a few of the slices are a hundred times as long as the rest
	}
	for _, i := range out {
		total += i
	}
	return total
}

func huge(n next) (total int) {
	out := [][64]int{}
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, [64]int{i}) // refused: it takes more than 64 KiB
	}
	for i := range out {
		total += out[i][0]
	}
	return total
}

func later(n next) func() []int {
	out := []int{}
	get := func() []int { return out }
	for i, ok := n(); ok; i, ok = n() {
		out = append(out, i) // refused: a function literal hands it out at any time
	}
	return get
}

type open struct {
	Tokens []int
	in     next
}

func (o *open) step() bool {
	i, ok := o.in()
	if ok {
		o.Tokens = append(o.Tokens, i) // refused: others see the field
	}
	return ok
}

func lexOpen(n next) *open {
	o := &open{Tokens: make([]int, 0), in: n}
	for o.step() {
	}
	return o
}

type set struct {
	tokens []int
	in     next
}

func (s *set) step() bool {
	i, ok := s.in()
	if ok {
		s.tokens = append(s.tokens, i) // refused: an element is set, and there may be an older slice of it
	}
	return ok
}

func lexSet(n next) (old, now int) {
	s := &set{tokens: make([]int, 0), in: n}
	s.step()
	before := s.tokens
	for s.step() {
	}
	s.tokens[0] = -1
	return before[0], s.tokens[0]
}

type twin struct {
	tokens []int
	in     next
}

func (t *twin) step() bool {
	i, ok := t.in()
	if ok {
		t.tokens = append(t.tokens, i) // refused: the struct is copied, and both slices grow
	}
	return ok
}

func lexTwice(n, m next) (a, b []int) {
	t := &twin{tokens: make([]int, 0), in: n}
	for t.step() {
	}
	u := *t
	t.in, u.in = m, m
	t.step()
	u.step()
	return t.tokens[len(t.tokens)-1:], u.tokens[len(u.tokens)-1:]
}

type nested struct {
	tokens []int
	in     next
}

func (s *nested) step() int {
	i, ok := s.in()
	if !ok {
		return 0
	}
	s.tokens = append(s.tokens, i, s.step()) // refused: what is appended appends to the same field
	return i
}

func lexNested(n next) *nested {
	s := &nested{tokens: make([]int, 0), in: n}
	s.step()
	return s
}

func (s *nested) sum() (total int) {
	for _, t := range s.tokens {
		total += t
	}
	return total
}

type lazy struct{ nodes []int }

func lazily(n next, f func(int) int) (l *lazy, err error) {
	l = &lazy{}
	defer func() {
		if recover() != nil {
			err = errBroken
		}
	}()
	for i, ok := n(); ok; i, ok = n() {
		l.nodes = append(l.nodes, f(i)) // refused: the field would not be nil any more when the call panics
	}
	return l, nil
}

func (l *lazy) none() bool { return l.nodes == nil }

type part struct {
	tokens []int
	in     next
}

func (p *part) step() bool {
	i, ok := p.in()
	if ok {
		p.tokens = append(p.tokens, i) // refused: the struct moves when the slice of them grows, and both grow
	}
	return ok
}

func lexParts(n, m next) (a, b []int) {
	parts := []part{{tokens: make([]int, 0), in: n}}
	old := &parts[0]
	for old.step() {
	}
	parts = append(parts, part{})
	old.in, parts[0].in = m, m
	old.step()
	parts[0].step()
	return old.tokens[len(old.tokens)-1:], parts[0].tokens[len(parts[0].tokens)-1:]
}
