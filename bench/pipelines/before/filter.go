// Package before holds package seq as it was before pipelines went over pointers,
// for the benchmarks to compare with.
package before

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
