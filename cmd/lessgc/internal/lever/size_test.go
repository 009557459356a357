package lever

import (
	"slices"
	"testing"

	"lessgc/internal/alloctest"
)

//go:noinline
func lengthOf(s []int) int { return len(s) }

//go:noinline
func appendedTo(n int) int {
	var all []int
	for i := range n {
		all = append(all, i)
	}
	return lengthOf(all)
}

//go:noinline
func madeFor(n int) int {
	all := make([]int, 0, n)
	for i := range n {
		all = append(all, i)
	}
	return lengthOf(all)
}

//go:noinline
func grownFor(n int) int {
	var all []int
	all = slices.Grow(all, n)
	for i := range n {
		all = append(all, i)
	}
	return lengthOf(all)
}

//go:noinline
func appendedAndReturned(n int) []int {
	var all []int
	for i := range n {
		all = append(all, i)
	}
	return all
}

//go:noinline
func grownAndReturned(n int) []int {
	var all []int
	all = slices.Grow(all, n)
	for i := range n {
		all = append(all, i)
	}
	return all
}

// TestPresizedAllocs pins what the edits of preallocate and grow-once rely on. As of Go 1.26 the first
// 32 bytes that append makes are on the stack if the slice does not leave its function, and so
// are those of make with any size. slices.Grow takes them from the heap: it is only used for a slice that is
// returned, which append, too, puts there in the end.
func TestPresizedAllocs(t *testing.T) {
	for n := range 100 {
		allocs := func(f func(int) int) int { return alloctest.PerRun(t, func() { f(n) }) }
		appended, made, grown := allocs(appendedTo), allocs(madeFor), allocs(grownFor)
		if made > appended {
			t.Errorf("%d elements: make allocates %v times, append %v times", n, made, appended)
		}
		if n > 0 && n <= 4 && grown <= appended {
			t.Errorf("%d elements: slices.Grow allocates %v times and append %v times: it could be used for slices that stay, too", n, grown, appended)
		}
		appended = alloctest.PerRun(t, func() { kept = appendedAndReturned(n) })
		grown = alloctest.PerRun(t, func() { kept = grownAndReturned(n) })
		if grown > appended {
			t.Errorf("%d elements that are returned: slices.Grow allocates %v times, append %v times", n, grown, appended)
		}
	}
}

var kept []int

// TestOlderThan compares versions of the language.
func TestOlderThan(t *testing.T) {
	for version, want := range map[string]bool{"1.13": true, "1.20.3": true, "1.21": false, "1.21rc2": false, "1.26.0": false, "1": true, "2.0": false} {
		if got := olderThan(version, 21); got != want {
			t.Errorf("%s is older than 1.21: %t", version, got)
		}
	}
}
