package lever

import (
	"slices"
	"strings"
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

// TestPresizedOlder checks that a slice which somebody may see nil is made where there are iterations, if the module's Go has no package slices.
func TestPresizedOlder(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"a map": {
			"func all(by map[string]int) []int {\n\tvar all []int\n\tfor _, n := range by {\n\t\tall = append(all, n)\n\t}\n\treturn all\n}\n",
			"\tvar all []int\n\tif len(by) > 0 {\n\t\tall = make([]int, 0, len(by))\n\t}\n\tfor _",
		},
		"two in each iteration": {
			"func all(names []string) (all []string) {\n\tfor _, s := range names {\n\t\tall = append(all, s, s)\n\t}\n\treturn\n}\n",
			"\tif len(names) > 0 {\n\t\tall = make([]string, 0, 2*len(names))\n\t}\n\tfor _",
		},
		"a label": {
			"func all(names []string) (all []string) {\nagain:\n\tfor _, s := range names {\n\t\tall = append(all, s)\n\t\tif s == \"\" {\n\t\t\tcontinue again\n\t\t}\n\t}\n\treturn\n}\n",
			"\tif len(names) > 0 {\n\t\tall = make([]string, 0, len(names))\n\t}\nagain:\n",
		},
		"a number": {
			"func all(n int) (all []int) {\n\tfor i := 0; i < n; i++ {\n\t\tall = append(all, i)\n\t}\n\treturn\n}\n",
			"func all(n int) (all []int) {\n\tfor",
		},
		"appended to before": {
			"func all(names []string) (all []string) {\n\tall = append(all, \"first\")\n\tfor _, s := range names {\n\t\tall = append(all, s)\n\t}\n\treturn\n}\n",
			"\tall = append(all, \"first\")\n\tfor",
		},
		"it stays": {
			"func all(names []string) int {\n\tvar all []string\n\tfor _, s := range names {\n\t\tall = append(all, s)\n\t}\n\tif all == nil {\n\t\treturn -1\n\t}\n\treturn len(all[0])\n}\n",
			"\tvar all []string\n\tfor",
		},
		"another make": {
			"func all(names []string) (all []string) {\n\tmake := len(names)\n\tfor _, s := range names {\n\t\tall = append(all, s)\n\t}\n\t_ = make\n\treturn\n}\n",
			"\tmake := len(names)\n\tfor",
		},
		"a type without a name here": {
			"type word string\n\nfunc all(names []word) (all []word) {\n\ttype word int\n\tfor _, s := range names {\n\t\tall = append(all, s)\n\t}\n\t_ = word(0)\n\treturn\n}\n",
			"\ttype word int\n\tfor",
		},
	} {
		got := editedAlone(t, "1.19", "package m\n\n"+c.source, "\tfor ", "append(all, ", preallocate)
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: there is no\n%s\nin\n%s", name, c.want, got)
		}
	}
}
