package before

import (
	"iter"
	"slices"
)

// Sort returns the values of s in ascending order by cmp; the order of equal
// values is not specified. Every loop over the result collects the values in a
// slice of its own. A loop that stops soon does not pay for the rest: the first
// k of n values, up to a sixteenth, take 2n + 2k log n comparisons at most.
//
// [Least] needs no such slice. [slices.SortedFunc] is faster if all values are
// wanted, but does its work when it is called and not when a loop starts.
func Sort[T any](s iter.Seq[T], cmp func(a, b T) int) iter.Seq[T] {
	return func(yield func(T) bool) { ascend(slices.Collect(s), cmp, yield) }
}

// Least returns the len(buf) smallest values of s in ascending order by cmp; which
// of several equal values, and in what order, is not specified. It is Take(Sort(s,
// cmp), len(buf)) with no memory but buf, and takes 1 + 2 log len(buf) comparisons
// for a value at most, 1 for one that is not among the least so far.
//
// A loop over the result overwrites buf and leaves what it returns there, so two
// loops must not overlap.
func Least[T any](s iter.Seq[T], buf []T, cmp func(a, b T) int) iter.Seq[T] {
	return func(yield func(T) bool) {
		if len(buf) == 0 {
			return
		}
		n := 0
		s(func(v T) bool {
			n = offer(buf, n, v, cmp)
			return true
		})
		slices.SortFunc(buf[:n], cmp)
		for _, v := range buf[:n] {
			if !yield(v) {
				return
			}
		}
	}
}

// offer puts v in buf, which holds n values, and returns how many it holds then.
// A full buf is a heap with the greatest value on top, which makes way for v if
// v is less. buf is not empty.
func offer[T any](buf []T, n int, v T, cmp func(a, b T) int) int {
	greatest := func(a, b T) int { return cmp(b, a) }
	if n < len(buf) {
		buf[n] = v
		if n++; n == len(buf) {
			heapify(buf, greatest)
		}
	} else if cmp(v, buf[0]) < 0 {
		buf[0] = v
		down(buf, 0, greatest)
	}
	return n
}

// ascend calls yield with the values of h in ascending order. It changes h.
//
// It takes the first sixteenth from a heap, which is quick to make, and sorts the
// rest only if yield wants it: to take all from a heap costs three times as much
// as to sort them.
func ascend[T any](h []T, cmp func(a, b T) int, yield func(T) bool) {
	heapify(h, cmp)
	for range len(h) / 16 {
		if !yield(h[0]) {
			return
		}
		last := len(h) - 1
		h[0] = h[last]
		h = h[:last]
		down(h, 0, cmp)
	}
	slices.SortFunc(h, cmp)
	for _, v := range h {
		if !yield(v) {
			return
		}
	}
}

// heapify puts the values of h in an order in which none is less than its
// parent: h[i] is the parent of h[2*i+1] and h[2*i+2].
func heapify[T any](h []T, cmp func(a, b T) int) {
	for i := len(h)/2 - 1; i >= 0; i-- {
		down(h, i, cmp)
	}
}

// down moves h[i] down to where it belongs. The rest below i is a heap.
func down[T any](h []T, i int, cmp func(a, b T) int) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && cmp(h[child+1], h[child]) < 0 {
			child++
		}
		if cmp(h[child], h[i]) >= 0 {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
