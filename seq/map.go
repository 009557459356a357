package seq

import "iter"

// Map returns f of every value of s.
func Map[T, U any](s iter.Seq[T], f func(T) U) iter.Seq[U] {
	return func(yield func(U) bool) {
		s(func(v T) bool { return yield(f(v)) })
	}
}

// FilterMap returns the first result of f for every value of s for which the
// second is true.
func FilterMap[T, U any](s iter.Seq[T], f func(T) (U, bool)) iter.Seq[U] {
	return func(yield func(U) bool) {
		s(func(v T) bool {
			u, ok := f(v)
			return !ok || yield(u)
		})
	}
}

// FlatMap returns the values of f of the first value of s, then those of f of
// the second, and so on. f does not return nil.
//
// What f returns may be an object on the heap for each value of s, unless the
// compiler sees s and f: func(v T) iter.Seq[U] { return slices.Values(v.items) },
// for example, then allocates nothing. For a chain without calls its source must
// not be the one of s: slices.Values in [Pointers], or Pointers in slices.Values.
func FlatMap[T, U any](s iter.Seq[T], f func(T) iter.Seq[U]) iter.Seq[U] {
	return func(yield func(U) bool) {
		more := true
		each := func(u U) bool {
			more = yield(u)
			return more
		}
		s(func(v T) bool {
			f(v)(each)
			return more
		})
	}
}
