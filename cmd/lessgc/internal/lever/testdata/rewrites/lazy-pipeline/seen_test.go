package lazypipeline

import "testing"

func TestSeen(t *testing.T) {
	in := []int{1, 2, 4, 7, 10, 12, 30, 34}
	left, sum := named(in, 20)
	if len(left) != len(chainedValues(in, 20)) || sum != chained(in, 20) {
		t.Error(left, sum)
	}
	if left, sum := named2(in); len(left) != 2 || sum != 6 {
		t.Error(left, sum)
	}
	if n := lateEntry([]string{"a", "bc"}); n != 3 {
		t.Error(n)
	}
	if n := sharedEntry([]string{"a", "b", "c"}); n != 9 {
		t.Error(n)
	}
}

func chainedValues(in []int, n int) (all []int) {
	for _, v := range in {
		kept := true
		for _, keep := range newConditions(n) {
			kept = kept && keep(v)
		}
		if kept {
			all = append(all, v)
		}
	}
	return all
}
