//go:build !lessgc_heap

package arena_test

import (
	"fmt"

	"lessgc/arena"
)

// One arena in AuditEvery looks at what became of its memory. Here the program
// keeps a pointer.
func ExamplePool_Audit() {
	requests := arena.Pool{Policy: arena.Audit, AuditEvery: 1}
	var kept *user
	for range 3 {
		a := requests.Get()
		kept = arena.New[user](a)
		a.Free()
	}
	arena.Verify() // waits for the collector; a service asks now and then
	for _, e := range requests.Audit().Escapes {
		fmt.Println(e.Count, e.Type)
	}
	fmt.Println(kept.id)
	// Output:
	// 1 arena_test.user
	// 0
}
