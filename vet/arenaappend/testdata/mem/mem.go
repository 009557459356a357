// Package mem hides which arena it is.
package mem

import "lessgc/arena"

// Slice returns a slice in a, or on the heap.
func Slice[T any](a *arena.Arena, len, cap int) []T {
	if a == nil {
		return make([]T, len, cap)
	}
	return arena.MakeSlice[T](a, len, cap)
}
