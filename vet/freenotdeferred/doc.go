// Package freenotdeferred finds arenas that are freed at the end of a function without defer.
//
// If something in between panics, and a server such as net/http recovers, or if the function
// returns early, the arena is not freed: its memory is not recycled, and the next request
// allocates new memory. Deferring a call costs about a nanosecond.
//
// Bad:
//
//	func sum(numbers []int, weigh func(int) int) int {
//		a := arena.NewArena()
//		weights := arena.MakeSlice[int](a, 0, len(numbers))
//		for _, n := range numbers {
//			weights = append(weights, weigh(n))
//		}
//		total := 0
//		for i, n := range numbers {
//			total += n * weights[i]
//		}
//		a.Free()
//		return total
//	}
//
// Good:
//
//	func sum(numbers []int, weigh func(int) int) int {
//		a := arena.NewArena()
//		defer a.Free()
//		weights := arena.MakeSlice[int](a, 0, len(numbers))
//		for _, n := range numbers {
//			weights = append(weights, weigh(n))
//		}
//		total := 0
//		for i, n := range numbers {
//			total += n * weights[i]
//		}
//		return total
//	}
//
// Functions with the directives lessgc:acquire arena, lessgc:acquire recycled and lessgc:releases count as
// making and freeing arenas.
//
// The rule is silent where nothing is called in between but functions of arenas and
// others that do not panic, where the arena is freed before other work, in a loop or by
// another function, and in tests and func main: when they panic, the program ends.
//
// Fix: the Free is deferred where the arena is taken.
//
// It is advisory, off by default. Severity: note.
package freenotdeferred
