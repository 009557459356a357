// Package arenaappend finds append to a slice of an arena that has no room left.
//
// The built-in append knows nothing of arenas: when the capacity is used up, it copies the
// slice to the heap and continues there, silently. The arena keeps the old copy until
// it is freed, the collector gets the new one, and each further doubling is one more
// allocation: the arena costs memory and saves nothing.
//
// Bad:
//
//	func squares(a *arena.Arena, numbers []int) []int {
//		all := arena.MakeSlice[int](a, len(numbers), len(numbers))
//		for _, n := range numbers {
//			all = append(all, n*n)
//		}
//		return all
//	}
//
// Good:
//
//	func squares(a *arena.Arena, numbers []int) []int {
//		all := arena.MakeSlice[int](a, 0, len(numbers))
//		for _, n := range numbers {
//			all = append(all, n*n)
//		}
//		return all
//	}
//
// Where the number of elements is not known, arena.Append grows a slice in its arena.
//
// The rule computes with lengths and capacities: constants, and numbers plus constants. A slice field
// of a struct that arena.New has made has no capacity until something is assigned to it, which counts
// for the methods that are called on the struct, too. A test that makes a larger slice of the arena while
// there is room, and none when there is not, is the wrong way round, wherever the slice comes from. It
// is silent about slices of unknown origin, about appends that fit, about copies that
// are made on purpose (append([]T(nil), s...), s[:n:n]), and about a nil arena.
//
// Fix: arena.Append replaces append, if the arena is one of lessgc and its variable
// is in scope.
//
// Severity: warning where append surely moves the slice, its length, or that with what is to come, is compared with
// more than its capacity before, or a test of the appended length lets more through. Where it may, because nothing
// keeps a loop within the capacity, it is a note, in note mode only.
package arenaappend
