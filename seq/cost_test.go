package seq

import (
	"iter"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lessgc/internal/alloctest"
)

type item struct {
	name   string
	price  int
	labels []string
}

// A large value does not fit in four words.
type large struct {
	item
	_ string // vendor
}

func (i *item) cheap() bool { return i.price < 300 }

var (
	numbers = make([]int, 1000)
	items   = make([]*item, 1000)
	larges  = make([]large, 1000)
	nested  = [][]large{larges[:3], nil, larges[3:9]}
	prices  = map[string]int{"a": 100, "b": 200, "c": 300}
	sink    int

	// conditions are functions that the compiler does not see.
	conditions = []func(int) bool{multipleOf(2), multipleOf(3), multipleOf(5), multipleOf(7)}
)

func init() {
	for i := range items {
		numbers[i] = i * 7919 % len(numbers)
		items[i] = &item{strings.Repeat("x", i%10), i, []string{"a", "b"}}
		larges[i].item = *items[i]
	}
}

func multipleOf(m int) func(int) bool { return func(v int) bool { return v%m == 0 } }
func double(v int) int                { return 2 * v }

func sum(s iter.Seq[int]) (total int) {
	for v := range s {
		total += v
	}
	return total
}

//go:noinline
func hidden[T any](s iter.Seq[T]) iter.Seq[T] { return s }

// TestAllocs pins what the package comment and those of the stages say about
// allocation.
func TestAllocs(t *testing.T) {
	check := func(name string, want int, f func()) {
		t.Helper()
		if got := alloctest.PerRun(t, f); got != want {
			t.Errorf("%s: %d allocations, want %d", name, got, want)
		}
	}
	even, name := multipleOf(2), func(i *item) string { return i.name }
	buf := make([]int, 16)

	check("four conditions", 0, func() {
		keep := func(v int) bool { return v%2 == 0 && v%3 == 0 && v%5 == 0 && v%7 == 0 }
		for v := range Filter(slices.Values(numbers), keep) {
			sink += v
		}
	})
	check("conditions of a slice", 0, func() {
		all := func(v int) bool {
			for _, keep := range conditions {
				if !keep(v) {
					return false
				}
			}
			return true
		}
		for v := range Filter(slices.Values(numbers), all) {
			sink += v
		}
	})
	check("filter around filter", 0, func() {
		for v := range Filter(Filter(Filter(Filter(slices.Values(numbers), multipleOf(2)), multipleOf(3)), multipleOf(5)), multipleOf(7)) {
			sink += v
		}
	})
	check("every stage twice", 0, func() {
		price := func(p *large) *int { return &p.price }
		same := func(p *int) *int { return p }
		cheap := func(p *int) (*int, bool) { return p, *p < 900 }
		positive := func(p *int) bool { return *p >= 0 }
		once := Take(Drop(TakeWhile(Filter(FilterMap(Map(Pointers(larges), price), cheap), positive), positive), 1), 900)
		all := Take(Drop(TakeWhile(Filter(FilterMap(Map(once, same), cheap), positive), positive), 1), 800)
		for p := range all {
			sink += *p
		}
	})
	check("pointers", 0, func() {
		cheap := Filter(Pointers(larges), func(p *large) bool { return p.price < 300 })
		for price := range Map(cheap, func(p *large) int { return p.price }) {
			sink += price
		}
	})
	check("FilterMap", 0, func() {
		for n := range FilterMap(slices.Values(items), func(i *item) (int, bool) { return len(i.name), i.cheap() }) {
			sink += n
		}
	})
	distinct := alloctest.PerRun(t, func() {
		seen := make(map[int]struct{})
		for _, v := range numbers {
			seen[v%64] = struct{}{}
		}
		sink += len(seen)
	})
	check("Distinct", distinct, func() {
		for v := range Distinct(slices.Values(numbers), func(v int) int { return v % 64 }) {
			sink += v
		}
	})
	check("many stages", 0, func() {
		cheap := Filter(slices.Values(items), (*item).cheap)
		names := Map(TakeWhile(Drop(cheap, 3), func(i *item) bool { return i.price < 500 }), name)
		for s := range Take(names, 100) {
			sink += len(s)
		}
	})
	check("FlatMap", 0, func() {
		for s := range FlatMap(slices.Values(items), func(i *item) iter.Seq[string] { return slices.Values(i.labels) }) {
			sink += len(s)
		}
	})
	check("into a slice", 0, func() {
		buf = slices.AppendSeq(buf[:0], Take(Filter(slices.Values(numbers), even), 16))
	})
}

// TestAllocsHidden pins what a source costs that the compiler does not see: a
// constant for each loop, and in FlatMap what f returns.
func TestAllocsHidden(t *testing.T) {
	check := func(name string, most int, f func(s iter.Seq[int])) {
		t.Helper()
		few, many := hidden(slices.Values(numbers[:100])), hidden(slices.Values(numbers))
		got, want := alloctest.PerRun(t, func() { f(many) }), alloctest.PerRun(t, func() { f(few) })
		if got != want || got > most {
			t.Errorf("%s: %d allocations for 100 values, %d for 1000, want %d at most", name, want, got, most)
		}
	}
	even := multipleOf(2)
	check("one stage", 3, func(s iter.Seq[int]) {
		for v := range Filter(s, even) {
			sink += v
		}
	})
	check("three stages", 9, func(s iter.Seq[int]) {
		for v := range Map(Drop(Filter(s, even), 3), double) {
			sink += v
		}
	})
	check("Distinct", 14, func(s iter.Seq[int]) { // 4, and the map of 64 keys, on the heap as a whole
		for v := range Distinct(s, func(v int) int { return v % 64 }) {
			sink += v
		}
	})
	each := func(v int) iter.Seq[int] { return hidden(slices.Values(numbers[:3])) }
	if got := alloctest.PerRun(t, func() { sink += sum(FlatMap(slices.Values(numbers), each)) }); got > len(numbers)+3 {
		t.Errorf("FlatMap: %d allocations, want one for each of %d values and 3", got, len(numbers))
	}
	seen := func(v int) iter.Seq[int] { return slices.Values(numbers[:3]) }
	if got := alloctest.PerRun(t, func() { sink += sum(FlatMap(hidden(slices.Values(numbers)), seen)) }); got > len(numbers)+6 {
		t.Errorf("FlatMap of a hidden source: %d allocations, want one for each of %d values and 6", got, len(numbers))
	}
}

// depth returns the number of functions on the stack that were not inlined.
//
//go:noinline
func depth() int {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	n := 0
	for {
		f, more := frames.Next()
		if f.Func != nil {
			n++
		}
		if !more {
			return n
		}
	}
}

// at returns a filter that keeps everything, and sets deepest if it runs in a
// function of its own.
func at[T any](deepest *int) func(T) bool {
	return func(T) bool {
		*deepest = max(*deepest, depth())
		return true
	}
}

// TestInlined checks for chains that the functions of all stages and the body of
// the loop run in the function that the loop is in: there is no call left. One
// chain is there to show that the test would see it.
func TestInlined(t *testing.T) {
	alloctest.PerRun(t, func() {}) // skips where inlining is not what it is
	check := func(name string, want bool, loop func(deepest *int) (own int)) {
		t.Helper()
		deepest := 0
		own := loop(&deepest)
		if deepest == 0 {
			t.Errorf("%s: no function was called", name)
		}
		if got := deepest == own; got != want {
			t.Errorf("%s: a loop %d deep runs functions %d deep, inlined: want %v", name, own, deepest, want)
		}
	}
	check("Filter", true, func(d *int) int {
		for range Filter(slices.Values(numbers[:9]), at[int](d)) {
			at[int](d)(0)
		}
		return depth()
	})
	check("two conditions", true, func(d *int) int {
		a, b := at[*large](d), at[*large](d)
		for range Filter(Pointers(larges[:9]), func(p *large) bool { return a(p) && b(p) }) {
			at[int](d)(0)
		}
		return depth()
	})
	check("FilterMap, Distinct", true, func(d *int) int {
		prices := FilterMap(Pointers(larges[:9]), func(p *large) (int, bool) { return p.price, at[int](d)(0) })
		for range Distinct(prices, func(v int) int { at[int](d)(0); return v }) {
			at[int](d)(0)
		}
		return depth()
	})
	check("five stages", true, func(d *int) int {
		kept := TakeWhile(Drop(Filter(slices.Values(items[:9]), at[*item](d)), 1), at[*item](d))
		for range Map(Take(kept, 5), func(i *item) int { at[int](d)(0); return i.price }) {
			at[int](d)(0)
		}
		return depth()
	})
	check("a variable for each stage", true, func(d *int) int {
		kept := Filter(slices.Values(items[:9]), at[*item](d))
		names := Map(kept, func(i *item) string { at[int](d)(0); return i.name })
		for range Take(names, 5) {
			at[int](d)(0)
		}
		return depth()
	})
	check("FlatMap", true, func(d *int) int {
		for range FlatMap(maps.Keys(prices), func(string) iter.Seq[*item] { at[int](d)(0); return slices.Values(items[:9]) }) {
			at[int](d)(0)
		}
		return depth()
	})
	check("FlatMap of Pointers", true, func(d *int) int {
		for range FlatMap(slices.Values(nested), func(v []large) iter.Seq[*large] { at[int](d)(0); return Pointers(v) }) {
			at[int](d)(0)
		}
		return depth()
	})
	check("FlatMap of slices.Values", true, func(d *int) int {
		for range FlatMap(Pointers(nested), func(v *[]large) iter.Seq[large] { at[int](d)(0); return slices.Values(*v) }) {
			at[int](d)(0)
		}
		return depth()
	})
	check("every stage", true, func(d *int) int {
		labels := func(p *large) iter.Seq[string] { at[int](d)(0); return slices.Values(p.labels) }
		length := func(s string) (int, bool) { return len(s), at[int](d)(0) }
		double := func(v int) int { at[int](d)(0); return 2 * v }
		key := func(v int) int { at[int](d)(0); return v }
		lengths := FilterMap(FlatMap(Filter(Pointers(larges[:9]), at[*large](d)), labels), length)
		for range Take(Drop(TakeWhile(Map(Distinct(lengths, key), double), at[int](d)), 0), 5) {
			at[int](d)(0)
		}
		return depth()
	})
	check("Pointers in Pointers", false, func(d *int) int {
		for range FlatMap(Pointers(nested), func(v *[]large) iter.Seq[*large] { at[int](d)(0); return Pointers(*v) }) {
			at[int](d)(0)
		}
		return depth()
	})
	check("Filter twice", false, func(d *int) int {
		for range Filter(Filter(slices.Values(numbers[:9]), at[int](d)), at[int](d)) {
			at[int](d)(0)
		}
		return depth()
	})
	check("a variable assigned twice", false, func(d *int) int {
		s := Filter(slices.Values(items[:9]), at[*item](d))
		if len(numbers) > 0 {
			s = TakeWhile(s, at[*item](d))
		}
		for range s {
			at[int](d)(0)
		}
		return depth()
	})
}
