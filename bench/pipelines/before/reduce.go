package before

import "iter"

// Reduce returns acc after acc = f(acc, v) for every value v of s.
func Reduce[T, A any](s iter.Seq[T], acc A, f func(acc A, v T) A) A {
	s(func(v T) bool {
		acc = f(acc, v)
		return true
	})
	return acc
}
