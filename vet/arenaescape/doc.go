// Package arenaescape finds memory of an arena that outlives it.
//
// Memory that a function returns, stores, sends or gives to a goroutine is still referenced after
// the function has freed the arena. If the arena recycles, the memory is zeroed and handed out
// again: the holder reads the data of another owner, and writes into it. Strings are
// recycled by the policy RecycleAll only. Memory of the standard library's arenas faults.
//
// Bad:
//
//	var arenas = arena.Pool{Policy: arena.RecycleTyped}
//
//	type user struct{ id int }
//
//	func find(id int) *user {
//		a := arenas.Get()
//		defer a.Free()
//		u := arena.New[user](a)
//		u.id = id
//		return u
//	}
//
// Good:
//
//	var arenas = arena.Pool{Policy: arena.RecycleTyped}
//
//	type user struct{ id int }
//
//	func find(id int) *user {
//		a := arenas.Get()
//		defer a.Free()
//		u := arena.New[user](a)
//		u.id = id
//		return deep.Clone(u)
//	}
//
// The rule is about arenas that a function frees itself, or releases to a mark: memory that it
// allocates from the arena of its caller may be returned, and so may memory together with
// its arena if that is not freed. It is silent about memory with policy Safe or of an
// arena that ends with Keep, about copies by arena.Clone, deep.Clone, deep.Detach or a conversion,
// about numbers and structs that are copied out, about heap values that arena memory points
// to, about goroutines that are waited for, about references that are cleared before the function
// returns, and about calls through interfaces and function values.
//
// Severity: error.
package arenaescape
