package audit_test

import (
	"fmt"

	"lessgc/arena"
	"lessgc/arena/audit"
)

type user struct{ id int64 }

// One arena in AuditEvery looks at what became of its memory. Here the program
// keeps a pointer.
func ExampleOf() {
	requests := arena.Pool{AuditEvery: 1}
	var kept *user
	for range 3 {
		a := requests.Get()
		kept = arena.New[user](a)
		a.Free()
	}
	audit.Verify() // waits for the collector; a service asks now and then
	for _, e := range audit.Of(&requests).Escapes {
		fmt.Println(e.Count, e.Type)
	}
	fmt.Println(kept.id)
	// Output:
	// 1 audit_test.user
	// 0
}
