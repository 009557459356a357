package seq

import (
	"iter"
	"math"
	"slices"
	"testing"
)

// A source hands out values and counts them.
type source[T any] struct {
	values []T
	taken  int // by the last loop
}

func (s *source[T]) all(t *testing.T) iter.Seq[T] {
	return func(yield func(T) bool) {
		s.taken = 0
		for _, v := range s.values {
			s.taken++
			if !yield(v) {
				return
			}
		}
	}
}

// checkStops loops over s, which takes its values from src, and stops after
// each number of values. taken says how many values of src that takes: entry k
// for k+1 values, and one more for a loop to the end.
func checkStops[T comparable, U any](t *testing.T, name string, s iter.Seq[T], src *source[U], want []T, taken []int) {
	t.Helper()
	if len(taken) != len(want)+1 {
		t.Fatalf("%s: %d values and %d stops", name, len(want), len(taken))
	}
	for k, n := range taken {
		var got []T
		for v := range s {
			if got = append(got, v); len(got) == k+1 {
				break
			}
		}
		if w := want[:min(k+1, len(want))]; !slices.Equal(got, w) {
			t.Errorf("%s: the first %d are %v, want %v", name, k+1, got, w)
		}
		if src.taken != n {
			t.Errorf("%s: the first %d take %d values of the source, want %d", name, k+1, src.taken, n)
		}
	}
}

func TestStops(t *testing.T) {
	src := &source[int]{values: []int{4, 1, 3, 2, 5}}
	s := src.all(t)
	even := func(v int) bool { return v%2 == 0 }
	check := func(name string, s iter.Seq[int], want []int, taken ...int) {
		t.Helper()
		checkStops(t, name, s, src, want, taken)
	}
	check("Filter", Filter(s, even), []int{4, 2}, 1, 4, 5)
	check("TakeWhile", TakeWhile(s, func(v int) bool { return v != 2 }), []int{4, 1, 3}, 1, 2, 3, 4)
	check("Take", Take(s, 2), []int{4, 1}, 1, 2, 2)
	check("Take too many", Take(s, math.MaxInt), src.values, 1, 2, 3, 4, 5, 5)
	check("Drop", Drop(s, 3), []int{2, 5}, 4, 5, 5)
	check("Drop too many", Drop(s, math.MaxInt), nil, 5)
	check("Drop a negative number", Drop(s, math.MinInt), src.values, 1, 2, 3, 4, 5, 5)
	check("Map", Map(s, func(v int) int { return -v }), []int{-4, -1, -3, -2, -5}, 1, 2, 3, 4, 5, 5)

	upTo := func(v int) iter.Seq[int] { return slices.Values([]int{0, 1, 2, 3}[max(v, 2)-2:]) }
	check("FlatMap", FlatMap(Take(s, 3), upTo), []int{2, 3, 0, 1, 2, 3, 1, 2, 3}, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3)
	none := func(int) iter.Seq[int] { return slices.Values([]int(nil)) }
	check("FlatMap to nothing", FlatMap(s, none), nil, 5)

	half := func(v int) (int, bool) { return v / 2, v%2 == 0 }
	check("FilterMap", FilterMap(s, half), []int{2, 1}, 1, 4, 5)
	check("Distinct", Distinct(s, func(v int) bool { return v%2 == 0 }), []int{4, 1}, 1, 2, 5)
	check("Distinct, all", Distinct(s, func(v int) int { return v }), src.values, 1, 2, 3, 4, 5, 5)

	src.taken = 0
	for _, s := range []iter.Seq[int]{Take(s, 0), Take(s, -1)} {
		for v := range s {
			t.Errorf("a value out of none: %d", v)
		}
	}
	if src.taken != 0 {
		t.Errorf("no values take %d of the source", src.taken)
	}
}

// TestPointers checks that the pointers are those of the slice's elements, and
// that Pointers reads the slice no further than a loop goes.
func TestPointers(t *testing.T) {
	type large struct{ words [7]int }
	check := func(n, stop int) {
		t.Helper()
		v := make([]large, n, n+3)
		seen := 0
		for p := range Pointers(v) {
			if p != &v[seen] {
				t.Errorf("pointer %d of %d is not that of the element", seen, n)
			}
			p.words[6] = 1
			if seen++; seen == stop {
				break
			}
		}
		if want := min(n, stop); seen != want {
			t.Errorf("%d pointers of %d, stopped after %d", seen, n, stop)
		}
		for i := range v[:cap(v)] {
			if got, want := v[:cap(v)][i].words[6] == 1, i < seen; got != want {
				t.Errorf("element %d of %d was written: %v, want %v", i, n, got, want)
			}
		}
	}
	for n := range 4 {
		for stop := 1; stop < 6; stop++ {
			check(n, stop)
		}
	}
	for p := range Pointers[large](nil) {
		t.Errorf("%p out of nil", p)
	}
}
