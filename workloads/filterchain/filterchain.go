package filterchain

import (
	"iter"
	"slices"

	"lessgc/seq"
)

// A Filter reports whether a value stays.
type Filter func(int) bool

// A Chain is applied in order: a value stays if every filter keeps it. It is
// an array so that the filters are all it allocates.
type Chain [4]Filter

// NewChain returns a chain that keeps about half of the values 0 to n-1.
func NewChain(n int) Chain {
	return Chain{
		between(n/20, n-n/20), // 9 of 10
		notMultipleOf(7),      // 6 of 7
		notMultipleOf(5),      // 4 of 5
		outside(n/2, n/2+n/10),
	}
}

func between(lo, hi int) Filter  { return func(v int) bool { return lo <= v && v < hi } }
func outside(lo, hi int) Filter  { return func(v int) bool { return v < lo || hi <= v } }
func notMultipleOf(m int) Filter { return func(v int) bool { return v%m != 0 } }

// A Strategy decides what stands between one filter and the next.
type Strategy struct {
	Name string

	// Sum is one op: it makes the filters of NewChain(n) and returns the sum of
	// the values of in that all of them keep.
	Sum func(in []int, n int) int

	// Mutates says that Sum overwrites in.
	Mutates bool
}

// Strategies are all strategies. The first is the reference.
var Strategies = []Strategy{
	{Name: "slices", Sum: sumOf(newSlices)},
	{Name: "inplace", Sum: sumOf(inPlace), Mutates: true},
	{Name: "lazy", Sum: sumOf(lazy)},
	{Name: "seq-array", Sum: sumOf(seqArray)},
	{Name: "seq", Sum: seqInline},
}

// sumOf makes an op of a function that is given any chain.
func sumOf(sum func(in []int, chain Chain) int) func(in []int, n int) int {
	return func(in []int, n int) int { return sum(in, NewChain(n)) }
}

func newSlices(in []int, chain Chain) int {
	for _, keep := range chain {
		out := make([]int, 0, cap(in))
		for _, v := range in {
			if keep(v) {
				out = append(out, v)
			}
		}
		in = out
	}
	return sum(in)
}

// inPlace moves what stays to the front of in.
func inPlace(in []int, chain Chain) int {
	for _, keep := range chain {
		out := in[:0]
		for _, v := range in {
			if keep(v) {
				out = append(out, v)
			}
		}
		in = out
	}
	return sum(in)
}

func sum(in []int) int {
	total := 0
	for _, v := range in {
		total += v
	}
	return total
}

// lazy takes one value at a time through the whole chain. The compiler inlines
// none of the stages, so the function that each of them makes and the one that
// it passes on are on the heap.
func lazy(in []int, chain Chain) int {
	seq := slices.Values(in)
	for _, keep := range chain {
		seq = filter(seq, keep)
	}
	total := 0
	for v := range seq {
		total += v
	}
	return total
}

// filter calls seq instead of ranging over it, which would cost one more object
// in every stage.
func filter(seq iter.Seq[int], keep Filter) iter.Seq[int] {
	return func(yield func(int) bool) {
		seq(func(v int) bool { return !keep(v) || yield(v) })
	}
}

// seqArray is one loop that calls the filters of chain, whatever they are.
func seqArray(in []int, chain Chain) int {
	a, b, c, d := chain[0], chain[1], chain[2], chain[3]
	total := 0
	for v := range seq.Filter(slices.Values(in), func(v int) bool { return a(v) && b(v) && c(v) && d(v) }) {
		total += v
	}
	return total
}

// seqInline has the filters of NewChain where the compiler sees them: it makes
// one loop without calls of all this.
func seqInline(in []int, n int) int {
	a, b, c, d := between(n/20, n-n/20), notMultipleOf(7), notMultipleOf(5), outside(n/2, n/2+n/10)
	total := 0
	for v := range seq.Filter(slices.Values(in), func(v int) bool { return a(v) && b(v) && c(v) && d(v) }) {
		total += v
	}
	return total
}
