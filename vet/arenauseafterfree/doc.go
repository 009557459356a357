// Package arenauseafterfree finds uses of an arena, or of its memory, after it was freed.
//
// An arena that was freed panics when it is used. If it came from a pool that has handed
// it out again meanwhile it does not: then it allocates in the arena of another owner. The
// memory of a recycled arena is zeroed and another owner's next, so what is read is zero or
// their data, and what is written ends up in it. Memory of the standard library's arenas
// faults. Reset ends the memory, but not the arena; Release what came after its mark.
//
// Bad:
//
//	var arenas = arena.Pool{Policy: arena.RecycleTyped}
//
//	type user struct{ visits int }
//
//	func visits(n int) int {
//		a := arenas.Get()
//		u := arena.New[user](a)
//		u.visits += n
//		a.Free()
//		return u.visits
//	}
//
// Good:
//
//	var arenas = arena.Pool{Policy: arena.RecycleTyped}
//
//	type user struct{ visits int }
//
//	func visits(n int) int {
//		a := arenas.Get()
//		defer a.Free()
//		u := arena.New[user](a)
//		u.visits += n
//		return u.visits
//	}
//
// The rule is silent where it is not proved that the arena was freed: on some paths only,
// by another goroutine, by a function behind an interface. Memory with policy Safe, or after
// Keep, is left to the collector and may be used indefinitely; so may strings, unless
// the policy is RecycleAll. The length of a slice is not in the arena, nor what arena.Clone,
// deep.Clone or deep.Detach returned before, and a nil arena is the heap.
//
// Severity: error.
package arenauseafterfree
