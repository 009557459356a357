package gosyntax

import (
	"strings"
	"testing"
)

// TestDepth checks that sources of a depth that both parsers accept have equal
// trees, and that ours stops before the stack ends. In between they differ: both
// have a limit of 100,000, but of what each counts as a level, and go/parser has
// none for unions.
func TestDepth(t *testing.T) {
	heap := Strategies[1]
	check := func(start, open, middle, end, after string) {
		t.Helper()
		source := func(n int) []byte {
			return []byte("package p; " + start + strings.Repeat(open, n) + middle + strings.Repeat(end, n) + after)
		}
		check(t, heap, open, source(10_000))
		if testing.Short() {
			return
		}
		deep := source(maxDepth + 10)
		if open == "(" || open == "a | " { // the others would only take time
			if _, _, err := reference(deep); (err == nil) != (open == "a | ") {
				t.Errorf("%s: go/parser says %v", open, err)
			}
		}
		err := heap.Do(deep, func(*Tree) {})
		if err == nil || !strings.Contains(err.Error(), "nested deeper") {
			t.Errorf("%s: error %v, want that it is nested too deep", open, err)
		}
	}
	check("var a = ", "(", "b", ")", "")
	check("var a = ", "- ", "b", "", "")
	check("var a = ", "b + ", "c", "", "")
	check("var a = b", ".c", "", "", "")
	check("var a = b[c", "[c", "", "]", "]")
	check("var a = T", "{", "", "}", "")
	check("var a = ", "func() { a := ", "b", "}", "")
	check("var a ", "*", "b", "", "")
	check("var a ", "[]", "b", "", "")
	check("var a ", "func(", "", ")", "")
	check("var a ", "struct{ a ", "b", "}", "")
	check("type T interface{ ", "a | ", "b", "", "}")
	check("func f() ", "{", "", "}", "")
	check("func f() { ", "if a {} else ", "{}", "", "}")
}
