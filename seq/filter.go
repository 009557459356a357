package seq

import "iter"

// Filter returns the values of s that keep reports true for, in their order.
//
// Write two conditions as one function. A Filter around a Filter is correct and
// allocates nothing, but keeps the compiler from inlining the chain.
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
// that is not wanted.
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

// Distinct returns the values of s whose key no earlier value had. Each loop over
// the result keeps the keys it has seen in a map.
func Distinct[T any, K comparable](s iter.Seq[T], key func(T) K) iter.Seq[T] {
	return func(yield func(T) bool) {
		seen := make(map[K]struct{})
		s(func(v T) bool {
			n := len(seen)
			seen[key(v)] = struct{}{}
			return len(seen) == n || yield(v)
		})
	}
}
