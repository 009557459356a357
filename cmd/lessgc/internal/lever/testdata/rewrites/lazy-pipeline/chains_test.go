package lazypipeline

import "testing"

func TestChains(t *testing.T) {
	in := func() []int { return []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12} }
	check(t, "chained", chained(in(), 10), 1+2+4+7+8)
	check(t, "chained of none", chained(nil, 10), 0)
	check(t, "nil condition", panics(func() { overArray(in(), conditions{even}) }), "runtime error: invalid memory address or nil pointer dereference")
	check(t, "nil condition", overArray([]int{1}, conditions{even}), 0)
	check(t, "two", two(in(), 3), 4*1000+6*100+10*10+12)
	check(t, "constructed", constructed(in()), 3+5+6)
	check(t, "words", words([]string{"", "#a", "b", "c"}), []string{"b"})
	check(t, "overSlice", overSlice(in(), 2), 4+6+8+10+12)
	check(t, "overSlice", overSlice(in(), 3), 4+8+10+12)
}

func TestRefusedChains(t *testing.T) {
	in := func() []int { return []int{1, 2, 3, 4} }
	check(t, "counts1", counts1(in()), 40)
	check(t, "lengths", lengths(in()), 8)
	_, all := bothKept(in())
	check(t, "bothKept", all, []int{2, 4})
	check(t, "changedInput", changedInput(in()), 6)
	check(t, "setInput", setInput(in()), 6)
	check(t, "limit", limit(in()), 5)
	calls = 0
	check(t, "given", given(in(), func(v int) bool { calls++; return true }), 10)
	check(t, "given", calls, 4)
	check(t, "Exported", Exported(in(), conditions{even, even, even}), 6)
	check(t, "panicking", panics(func() { panicking([]int{2, 8, 0}, 9) }), "runtime error: integer divide by zero")
	check(t, "twoPanics", panics(func() { twoPanics([]int{8, 0}, nil) }), "runtime error: integer divide by zero")
	check(t, "dividing", panics(func() { dividing([]int{3, 4}, 1) }), "<nil>")
	check(t, "early", panics(func() { early([]int{9, 3}, 3) }), "runtime error: integer divide by zero")
	check(t, "laterUsed", laterUsed(in()), 62)
	check(t, "inPlaceFiltered", inPlaceFiltered(in()), 6)
	check(t, "mapped", mapped(in()), 0)
	calls = 0
	check(t, "replacedLater", replacedLater(in()), 40)
	check(t, "perRow", perRow([][]int{{2, 1}, {4}}), 8)
	check(t, "renamed", renamed(in()), 18)
	check(t, "without", without([]string{"a", "b"}, "a"), []string{"b"})
}
