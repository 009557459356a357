package seq

import (
	"cmp"
	"iter"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lessgc/arena"
	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
)

type item struct {
	name   string
	price  int
	labels []string
}

func (i *item) cheap() bool { return i.price < 300 }

var (
	numbers = make([]int, 1000)
	items   = make([]*item, 1000)
	prices  = map[string]int{"a": 100, "b": 200, "c": 300}
	sink    int
)

func init() {
	for i := range items {
		numbers[i] = i * 7919 % len(numbers)
		items[i] = &item{strings.Repeat("x", i%10), i, []string{"a", "b"}}
	}
}

func multipleOf(m int) func(int) bool { return func(v int) bool { return v%m == 0 } }
func add(sum, v int) int              { return sum + v }
func double(v int) int                { return 2 * v }

//go:noinline
func hidden[T any](s iter.Seq[T]) iter.Seq[T] { return s }

//go:noinline
func filters() [4]func(int) bool {
	return [4]func(int) bool{multipleOf(2), multipleOf(3), multipleOf(5), multipleOf(7)}
}

// TestAllocs pins what the package comment and those of the stages say about
// allocation.
func TestAllocs(t *testing.T) {
	check := func(name string, want int, f func()) {
		t.Helper()
		if got := alloctest.PerRun(t, f); got != want {
			t.Errorf("%s: %d allocations, want %d", name, got, want)
		}
	}
	array := filters()
	buf := make([]int, 16)
	even, name := multipleOf(2), func(i *item) string { return i.name }

	check("four filters", 0, func() {
		sink += Reduce(Filter(slices.Values(numbers), And4(multipleOf(2), multipleOf(3), multipleOf(5), multipleOf(7))), 0, add)
	})
	check("four filters of an array", 0, func() {
		for v := range Filter(slices.Values(numbers), And4(array[0], array[1], array[2], array[3])) {
			sink += v
		}
	})
	check("a slice of filters", 0, func() {
		for v := range Filter(slices.Values(numbers), And(array[:]...)) {
			sink += v
		}
	})
	check("filter around filter", 0, func() {
		sink += Reduce(Filter(Filter(Filter(Filter(slices.Values(numbers), multipleOf(2)), multipleOf(3)), multipleOf(5)), multipleOf(7)), 0, add)
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
	check("Pairs and Split", 0, func() {
		for k, v := range Split(Filter(Pairs(maps.All(prices)), func(p Pair[string, int]) bool { return p.Value > 100 })) {
			sink += v + len(k)
		}
	})
	check("Chunk", 0, func() {
		for c := range Chunk(Filter(slices.Values(numbers), even), buf) {
			sink += len(c)
		}
	})
	check("Least", 0, func() {
		for v := range Least(Filter(slices.Values(numbers), even), buf, cmp.Compare) {
			sink += v
		}
	})
	check("into a slice", 0, func() {
		buf = slices.AppendSeq(buf[:0], Take(Filter(slices.Values(numbers), even), 16))
	})
	collected := alloctest.PerRun(t, func() { sink += len(slices.Collect(slices.Values(numbers))) })
	check("Sort", collected, func() {
		for v := range Sort(slices.Values(numbers), cmp.Compare) {
			sink += v
		}
	})
}

// TestCollectAllocs collects into an arena that is used again.
func TestCollectAllocs(t *testing.T) {
	if checked.Enabled || arena.NewArena() == nil {
		t.Skip("arenas of this build do not use memory again")
	}
	var pool arena.Pool
	got := alloctest.PerRun(t, func() {
		a := pool.Get()
		sink += len(Collect(a, Filter(slices.Values(items), (*item).cheap)))
		a.Free()
	})
	if got != 0 {
		t.Errorf("%d allocations, want 0", got)
	}
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
	check("Zip", 12, func(s iter.Seq[int]) {
		for v, w := range Zip(s, s) {
			sink += v + w
		}
	})
	each := func(v int) iter.Seq[int] { return hidden(slices.Values(numbers[:3])) }
	if got := alloctest.PerRun(t, func() { sink += Reduce(FlatMap(slices.Values(numbers), each), 0, add) }); got > len(numbers)+3 {
		t.Errorf("FlatMap: %d allocations, want one for each of %d values and 3", got, len(numbers))
	}
	seen := func(v int) iter.Seq[int] { return slices.Values(numbers[:3]) }
	if got := alloctest.PerRun(t, func() { sink += Reduce(FlatMap(hidden(slices.Values(numbers)), seen), 0, add) }); got > len(numbers)+6 {
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
	check("And4", true, func(d *int) int {
		for range Filter(slices.Values(items[:9]), And4(at[*item](d), at[*item](d), at[*item](d), at[*item](d))) {
			at[int](d)(0)
		}
		return depth()
	})
	check("And3, And2", true, func(d *int) int {
		for range TakeWhile(Filter(slices.Values(items[:9]), And3(at[*item](d), at[*item](d), at[*item](d))), And2(at[*item](d), at[*item](d))) {
			at[int](d)(0)
		}
		return depth()
	})
	check("Reduce", true, func(d *int) int {
		sink += Reduce(Filter(slices.Values(numbers[:9]), at[int](d)), 0, func(sum, v int) int { at[int](d)(0); return sum + v })
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
	check("Pairs, Split", true, func(d *int) int {
		for range Split(Filter(Pairs(slices.All(items[:9])), at[Pair[int, *item]](d))) {
			at[int](d)(0)
		}
		return depth()
	})
	check("Chunk", true, func(d *int) int {
		for range Chunk(Filter(slices.Values(numbers[:9]), at[int](d)), make([]int, 7)) {
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
