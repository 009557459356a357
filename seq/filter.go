package seq

import "iter"

// Filter returns the values of s that keep reports true for, in their order.
//
// A filter around another one is correct and allocates nothing, but keeps the
// compiler from inlining the chain: join the conditions with [And2], [And3] or
// [And4] instead.
func Filter[T any](s iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		s(func(v T) bool { return !keep(v) || yield(v) })
	}
}

// TakeWhile returns the values of s before the first that keep reports false
// for. That one is taken from s and lost.
func TakeWhile[T any](s iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		s(func(v T) bool { return keep(v) && yield(v) })
	}
}

// Take returns the first n values of s, or none if n is negative. It stops s
// with the last of them: nothing before Take in the chain is called for a value
// that nobody takes.
func Take[T any](s iter.Seq[T], n int) iter.Seq[T] {
	return func(yield func(T) bool) {
		left := n
		if left <= 0 {
			return
		}
		s(func(v T) bool {
			left--
			return yield(v) && left > 0
		})
	}
}

// Drop returns the values of s without the first n, or all if n is negative.
func Drop[T any](s iter.Seq[T], n int) iter.Seq[T] {
	return func(yield func(T) bool) {
		left := n
		s(func(v T) bool {
			if left > 0 {
				left--
				return true
			}
			return yield(v)
		})
	}
}

// And2 returns a filter that keeps what both filters keep. They are called in
// order, and b only if a keeps the value. No filter may be nil.
//
// The compiler inlines And2, And3 and And4 together with filters that it sees
// where they are called, so that a chain with four filters is one condition.
func And2[T any](a, b func(T) bool) func(T) bool {
	return func(v T) bool { return a(v) && b(v) }
}

// And3 is [And2] for three filters.
func And3[T any](a, b, c func(T) bool) func(T) bool {
	return func(v T) bool { return a(v) && b(v) && c(v) }
}

// And4 is [And2] for four filters.
func And4[T any](a, b, c, d func(T) bool) func(T) bool {
	return func(v T) bool { return a(v) && b(v) && c(v) && d(v) }
}

// And is [And2] for any number of filters, which are called and never inlined.
// Without filters it keeps everything. A slice that is passed is not copied and
// must not change while the result is in use.
func And[T any](keep ...func(T) bool) func(T) bool {
	return func(v T) bool {
		for _, k := range keep {
			if !k(v) {
				return false
			}
		}
		return true
	}
}

// What else was measured before Filter with And4 was kept, for the filters and
// the 5,000 values of workloads/filterchain, and the time as a percentage of that
// with a slice after each filter. And4 takes 5 to 14 with filters that are
// inlined, and 30 to 40 with filters of an array, next to all of it for the calls.
//
//   - A struct with a slice and a small array of filters, one loop over both: 60.
//     Nothing is inlined through an array, and the inner loop costs as much as the
//     calls.
//   - The same, block by block: each filter goes over a whole block and marks what
//     it keeps in a bitmap (55) or a selection vector (61), or copies it (59), all
//     without branches that depend on the values. A call in a loop makes the
//     compiler keep every variable in memory, which costs more than the branches
//     would; and filters are called for values behind the stop.
//   - Filter around Filter, or a method that returns a chain with one filter more:
//     46 to 50. The compiler inlines one of them. With another function for each
//     filter of the chain it inlines all (8), which takes four functions, or four
//     types with a method each, for what And4 says in one line.
//   - Filter with a slice of filters: 60, or 34 with a case for four of them.
