package late

import "testing"

func TestCopies(t *testing.T) {
	equal := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	equal("no copy", noCopy(4).n, 4)
	equal("parentheses", parentheses(4).count, 4)
	equal("older twice", olderTwice(4).name, "first")
}

func BenchmarkCopies(b *testing.B) {
	for range b.N {
		for i := range 40 {
			sink = noCopy(i)
			sink = parentheses(i)
			sink = olderTwice(i)
		}
	}
}
