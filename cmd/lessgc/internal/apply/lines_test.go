package apply

import (
	"slices"
	"strings"
	"testing"
)

// TestMapLines checks which line becomes which; texts are words for lines.
func TestMapLines(t *testing.T) {
	for _, c := range []struct {
		old, now string
		want     []int
	}{
		{"a b c", "a b c", []int{1, 2, 3}},
		{"a b c", "a x b c", []int{1, 3, 4}},
		{"a b c", "a x c", []int{1, 2, 3}},      // b was replaced
		{"a b c", "a x y c", []int{1, 2, 4}},    // by two
		{"a b c d", "a x d", []int{1, 2, 2, 3}}, // two by one
		{"a b c", "a c", []int{1, 0, 2}},
		{"a b c", "x a b c y", []int{2, 3, 4}},
		{"a b", "", []int{1, 1}},
		{"a b c d e", "x b y d z", []int{1, 2, 3, 4, 5}},
		{"a a a", "a a", []int{1, 2, 0}},
	} {
		m := mapLines(strings.ReplaceAll(c.old, " ", "\n"), strings.ReplaceAll(c.now, " ", "\n"))
		if !slices.Equal(m[1:], c.want) {
			t.Errorf("%q to %q: %v, want %v", c.old, c.now, m[1:], c.want)
		}
		for line, now := range m {
			if now > 0 && m.before(now) > line {
				t.Errorf("%q to %q: line %d comes from %d", c.old, c.now, now, m.before(now))
			}
		}
		if m.at(0) != 0 || m.at(100) != 0 || m.before(0) != 0 || m.before(100) != 0 {
			t.Errorf("%q: lines that are not there are somewhere", c.old)
		}
	}
}
