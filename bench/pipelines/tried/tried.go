// Package tried holds stages that were measured for package seq and left out;
// docs/decisions/0021-seq.md says why.
package tried

import "iter"

// GroupBy returns the values of s by key, in their order.
func GroupBy[T any, K comparable](s iter.Seq[T], key func(T) K) map[K][]T {
	groups := map[K][]T{}
	s(func(v T) bool {
		k := key(v)
		groups[k] = append(groups[k], v)
		return true
	})
	return groups
}

// Partition returns the values of s that keep reports true for, and the others.
func Partition[T any](s iter.Seq[T], keep func(T) bool) (kept, others []T) {
	s(func(v T) bool {
		if keep(v) {
			kept = append(kept, v)
		} else {
			others = append(others, v)
		}
		return true
	})
	return kept, others
}

// Concat returns the values of each of all, one after the other.
func Concat[T any](all ...iter.Seq[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		more := true
		each := func(v T) bool {
			more = yield(v)
			return more
		}
		for _, s := range all {
			if s(each); !more {
				return
			}
		}
	}
}

// Windows returns the slices of n elements of v, each one element further.
func Windows[E any](v []E, n int) iter.Seq[[]E] {
	return func(yield func([]E) bool) {
		for i := 0; i+n <= len(v); i++ {
			if !yield(v[i : i+n : i+n]) {
				return
			}
		}
	}
}

// Enumerate returns the values of s with their positions.
func Enumerate[T any](s iter.Seq[T]) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		i := -1
		s(func(v T) bool {
			i++
			return yield(i, v)
		})
	}
}

// FilterRange is seq.Filter as a loop over s.
func FilterRange[T any](s iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range s {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
}
