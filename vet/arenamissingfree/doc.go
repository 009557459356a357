// Package arenamissingfree finds arenas that are not freed on some path.
//
// An arena that belongs to a pool and is not freed is lost to it: the collector takes its
// memory, and the pool makes the next arena from nothing, with more work than the heap
// would have had. The memory of other arenas stays in use until a collection finds it
// unreachable, which for the standard library's arenas may be many megabytes later.
// Most often it is an early return that leaves the Free further down out.
//
// Bad:
//
//	var arenas = arena.Pool{Policy: arena.RecycleTyped}
//
//	func digits(n int) (int, error) {
//		a := arenas.Get()
//		seen := arena.MakeSlice[bool](a, n, n)
//		if len(seen) == 0 {
//			return 0, errors.New("no digits")
//		}
//		a.Free()
//		return n, nil
//	}
//
// Good:
//
//	var arenas = arena.Pool{Policy: arena.RecycleTyped}
//
//	func digits(n int) (int, error) {
//		a := arenas.Get()
//		defer a.Free()
//		seen := arena.MakeSlice[bool](a, n, n)
//		if len(seen) == 0 {
//			return 0, errors.New("no digits")
//		}
//		return n, nil
//	}
//
// The rule is silent about an arena that is handed over: returned, stored, sent, given to
// a function that keeps it or may do so, or freed by a function registered with
// runtime.AddCleanup, runtime.SetFinalizer, context.AfterFunc or a test's Cleanup. It is
// silent in func main, about arenas of package-level variables, and about those that Child
// makes, which are freed with their parent. A function that ends the process needs no Free.
//
// Fix: a deferred Free right after the arena is taken, if it is never freed and has a name.
//
// Severity: error if memory is lost that would have been recycled, else warning.
package arenamissingfree
