// Package alloctest counts heap allocations in tests.
package alloctest

import "testing"

// rounds is the number of single runs that PerRun compares. One is enough most
// of the time; the others outvote a collection that empties a sync.Pool, an
// arena that needs its next chunk, and a goroutine of the runtime that
// allocates.
const rounds = 5

// PerRun returns the number of heap allocations in one warm call of f. It is
// the minimum over a few calls, so f must do the same work every time.
//
// PerRun skips the test under coverage and in builds with a race, address or
// memory sanitizer. These change what is inlined and how large objects are, and
// the race detector makes sync.Pool drop objects at random.
func PerRun(t testing.TB, f func()) int {
	t.Helper()
	if instrumented {
		t.Skip("sanitizers change allocation counts")
	}
	if testing.CoverMode() != "" {
		t.Skip("coverage changes allocation counts")
	}
	least := testing.AllocsPerRun(1, f)
	for range rounds - 1 {
		least = min(least, testing.AllocsPerRun(1, f))
	}
	return int(least)
}
