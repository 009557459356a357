package seq

import (
	"iter"

	"lessgc/arena"
)

// Collect returns the values of s in a slice in a, or on the heap if a is nil.
// The slice is nil if there are none, and must not be used after a is freed. It
// grows as [arena.Append] says: in place, if nothing else of its type is allocated
// in a meanwhile.
func Collect[T any](a *arena.Arena, s iter.Seq[T]) []T {
	var all []T
	s(func(v T) bool {
		all = arena.Append(a, all, v)
		return true
	})
	return all
}
