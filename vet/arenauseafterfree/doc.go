// Package arenauseafterfree finds uses of an arena, or of its memory, after it was freed.
//
// A freed arena panics when it is used, unless its pool has handed it out again meanwhile:
// then the use allocates in the arena of another owner. The memory of a recycled arena is
// zeroed and handed to another owner, so a read sees zeros or their data, and a write
// corrupts it. Memory of the standard library's arenas faults. Reset ends the memory, but
// not the arena; Release ends the memory allocated after its mark.
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
// the policy is RecycleAll. The length of a slice is not in the arena, nor are copies made before by
// arena.Clone, deep.Clone or deep.Detach, and a nil arena is the heap.
//
// Severity: error.
package arenauseafterfree
