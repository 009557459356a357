// Package arenalock finds types with locks that are allocated in recycling arenas.
//
// An arena with policy RecycleTyped or RecycleAll overwrites its memory after Free, while a
// goroutine may still wait for a lock in it. Allocating a type that holds a lock in such an arena
// panics. These are the types that go vet's copylocks reports copies of: sync.Mutex,
// sync.WaitGroup, sync.Once and others, arrays of them, and structs with such a field.
//
// Bad:
//
//	var arenas = arena.Pool{Policy: arena.RecycleTyped}
//
//	type counter struct {
//		mu sync.Mutex
//		n  int
//	}
//
//	func count(words []string) int {
//		a := arenas.Get()
//		defer a.Free()
//		c := arena.New[counter](a)
//		for range words {
//			c.mu.Lock()
//			c.n++
//			c.mu.Unlock()
//		}
//		return c.n
//	}
//
// Good:
//
//	var arenas = arena.Pool{Policy: arena.RecycleTyped}
//
//	type counter struct {
//		mu *sync.Mutex
//		n  int
//	}
//
//	func count(words []string) int {
//		a := arenas.Get()
//		defer a.Free()
//		c := arena.New[counter](a)
//		c.mu = new(sync.Mutex)
//		for range words {
//			c.mu.Lock()
//			c.n++
//			c.mu.Unlock()
//		}
//		return c.n
//	}
//
// A type with methods Lock and Unlock counts as a lock. A struct has these also from an
// embedded *sync.Mutex: give that field a name. The types of sync/atomic do not count, nor
// does [0]sync.Mutex.
//
// The rule follows an arena from the Get of its pool through variables, fields, parameters and
// results of the package. It reports an allocation only if every arena that reaches it recycles.
// Unknown, and not reported, are arenas from another package or a context, and pools whose
// policy is not a constant. Type parameters of a generic function count as types without locks.
//
// Severity: error.
package arenalock
