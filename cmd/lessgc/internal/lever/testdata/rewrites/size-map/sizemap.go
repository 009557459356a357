// Package sizemap has maps that grow to about the same size in each run: its tests see whether they are what they were.
package sizemap

// next is a source of numbers that nobody can count before.
type next func() (int, bool)

func counts(n next) map[int]int {
	m := make(map[int]int)
	fill(m, n)
	return m
}

func fill(m map[int]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i]++ // refused: who has smaller maps would pay for a number
	}
}

type index struct {
	names map[string]int // by name
	in    next
}

var letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func indexed(n next) *index {
	x := &index{
		names: map[string]int{},
		in:    n,
	}
	for x.step() {
	}
	return x
}

func (x *index) step() bool {
	i, ok := x.in()
	if ok {
		x.names[letters[:i%len(letters)]] = i // refused: who has smaller maps would pay for a number
	}
	return ok
}

type shape map[int]bool

func shaped(n next) shape {
	var s shape
	s = make(shape, 0)
	s.fill(n)
	return s
}

func (s shape) fill(n next) {
	for i, ok := n(); ok; i, ok = n() {
		s[i] = true // refused: who has smaller maps would pay for a number
	}
}

func small(n next) map[int]int {
	m := make(map[int]int)
	fillSmall(m, n)
	return m
}

func fillSmall(m map[int]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i]++ // refused: most of them need no more than the first eight slots
	}
}

func varied(n next) map[int]int {
	m := make(map[int]int)
	fillVaried(m, n)
	return m
}

func fillVaried(m map[int]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i]++ // refused: their sizes differ by orders of magnitude
	}
}

func large(n next) map[int]int {
	m := make(map[int]int)
	fillLarge(m, n)
	return m
}

func fillLarge(m map[int]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i]++ // refused: they take more than one table
	}
}

func wide(n next) map[int][16]int {
	m := make(map[int][16]int)
	fillWide(m, n)
	return m
}

func fillWide(m map[int][16]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i] = [16]int{i} // refused: they take more than 64 KiB
	}
}

func sized(n next) map[int]int {
	m := make(map[int]int, 1)
	fillSized(m, n)
	return m
}

func fillSized(m map[int]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i]++ // refused: it is made with a size
	}
}

func literal(n next) map[int]int {
	m := map[int]int{0: 1}
	fillLiteral(m, n)
	return m
}

func fillLiteral(m map[int]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i]++ // refused: there is an entry from the beginning
	}
}

func noted(n next) map[int]int {
	m := make(map[int]int /* of n */)
	fillNoted(m, n)
	return m
}

func fillNoted(m map[int]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i]++ // refused: a comment would go
	}
}

func shadowed(n next) map[int]int {
	make := func() map[int]int { return nil }
	m := map[int]int{}
	fillShadowed(m, n)
	if len(make()) > 0 {
		return nil
	}
	return m
}

func fillShadowed(m map[int]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i]++ // refused: make is another function where it is made
	}
}

func either(n next, a bool) map[int]int {
	m := make(map[int]int)
	if a {
		m = map[int]int{}
	}
	fillEither(m, n)
	return m
}

func fillEither(m map[int]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i]++ // refused: it is made in two places, and nobody knows which one grows
	}
}

func keyed[K comparable](n next, key func(int) K) map[K]int {
	m := make(map[K]int)
	fillKeyed(m, n, key)
	return m
}

func fillKeyed[K comparable](m map[K]int, n next, key func(int) K) {
	for i, ok := n(); ok; i, ok = n() {
		m[key(i)]++ // refused: of a type parameter no size of a group is known
	}
}

func boxed(n next) map[int]any {
	m := make(map[int]any)
	fillBoxed(m, n)
	return m
}

func fillBoxed(m map[int]any, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i] = make([]int, i) // refused: the line allocates more than the map
	}
}

func local(n next) (total int) {
	m := make(map[int]int)
	for i, ok := n(); ok; i, ok = n() {
		m[i%50]++ // refused: the first group is on the stack, and nobody knows how many maps need no more
	}
	for _, i := range m {
		total += i
	}
	return total
}

func given(m map[int]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i]++ // refused: only tests make it
	}
}

func dozens(n next) map[int]int {
	m := make(map[int]int)
	fillDozens(m, n)
	return m
}

func fillDozens(m map[int]int, n next) {
	for i, ok := n(); ok; i, ok = n() {
		m[i]++ // refused: so they would here
	}
}

// A digest has small entries.
type digest map[uint16]bool

func digested(n next) digest {
	d := make(digest)
	d.fill(n)
	return d
}

func (d digest) fill(n next) {
	for i, ok := n(); ok; i, ok = n() {
		d[uint16(i)] = true // rewritten
	}
}
