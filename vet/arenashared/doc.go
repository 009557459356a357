// Package arenashared finds arenas that several goroutines use at the same time.
//
// An arena hands out memory by moving an index, without a lock. Two goroutines that do so
// at once get the same memory: the writes of one appear in the objects of the other, in few
// runs and only under load. The same happens when the arena is freed while a goroutine
// still allocates from it.
//
// Bad:
//
//	type square struct{ n int }
//
//	func squares(a *arena.Arena, numbers []int) []*square {
//		all := make([]*square, len(numbers))
//		var wg sync.WaitGroup
//		for i, n := range numbers {
//			wg.Go(func() {
//				all[i] = arena.New[square](a)
//				all[i].n = n * n
//			})
//		}
//		wg.Wait()
//		return all
//	}
//
// Good:
//
//	type square struct{ n int }
//
//	func squares(a *arena.Arena, numbers []int) []*square {
//		all := make([]*square, len(numbers))
//		var wg sync.WaitGroup
//		for i, n := range numbers {
//			a := a.Child()
//			wg.Go(func() {
//				all[i] = arena.New[square](a)
//				all[i].n = n * n
//			})
//		}
//		wg.Wait()
//		return all
//	}
//
// Reported are goroutines that a loop starts, two that are started one after the other, and
// one whose starter goes on using the arena, if nothing waits in between. Calls of functions
// of the package are followed. The rule is silent where a lock is held, where the arena was
// made by the goroutine, is a Child, was adopted or shared, and about arenas for several
// goroutines.
//
// Fix: each goroutine gets a Child of the arena, if nothing that follows uses the arena.
//
// Severity: error.
package arenashared
