package seq

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lessgc/arena"
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

	digits := func(c []int) int { return Reduce(slices.Values(c), 0, func(n, v int) int { return 10*n + v }) }
	check("Chunk by 2", Map(Chunk(s, make([]int, 2)), digits), []int{41, 32, 5}, 2, 4, 5, 5)
	check("Chunk by 5", Map(Chunk(s, make([]int, 5)), digits), []int{41325}, 5, 5)
	check("Chunk by 9", Map(Chunk(s, make([]int, 9)), digits), []int{41325}, 5, 5)
	check("Chunk by 1", Map(Chunk(s, make([]int, 1)), digits), src.values, 1, 2, 3, 4, 5, 5)

	check("Sort", Sort(s, cmp.Compare), []int{1, 2, 3, 4, 5}, 5, 5, 5, 5, 5, 5)
	check("Least 2", Least(s, make([]int, 2), cmp.Compare), []int{1, 2}, 5, 5, 5)
	check("Least 9", Least(s, make([]int, 9), cmp.Compare), []int{1, 2, 3, 4, 5}, 5, 5, 5, 5, 5, 5)

	pairs := func(s iter.Seq2[int, int]) iter.Seq[int] {
		return Map(Pairs(s), func(p Pair[int, int]) int { return 10*p.Key + p.Value })
	}
	few := slices.Values([]int{7, 8})
	check("Zip a", pairs(Zip(s, few)), []int{47, 18}, 1, 2, 3)
	check("Zip b", pairs(Zip(few, s)), []int{74, 81}, 1, 2, 2)
	both := Map(s, func(v int) Pair[int, int] { return Pair[int, int]{v, v} })
	check("Split", pairs(Split(both)), []int{44, 11, 33, 22, 55}, 1, 2, 3, 4, 5, 5)

	src.taken = 0
	for _, s := range []iter.Seq[int]{Take(s, 0), Take(s, -1), Least(s, nil, cmp.Compare)} {
		for v := range s {
			t.Errorf("a value out of none: %d", v)
		}
	}
	if src.taken != 0 {
		t.Errorf("no values take %d of the source", src.taken)
	}
}

func TestAnd(t *testing.T) {
	var calls int
	bit := func(i int) func(int) bool {
		return func(v int) bool {
			if calls != i {
				t.Errorf("filter %d is call %d", i, calls)
			}
			calls++
			return v>>i&1 == 1
		}
	}
	check := func(name string, n int, keep func(int) bool) {
		t.Helper()
		for v := range 1 << n {
			calls = 0
			if got, want := keep(v), v == 1<<n-1; got != want {
				t.Errorf("%s keeps %b: %v", name, v, got)
			}
			want := 0 // up to the first 0 bit
			for want < n && v>>want&1 == 1 {
				want++
			}
			if want = min(want+1, n); calls != want {
				t.Errorf("%s calls %d filters for %b, want %d", name, calls, v, want)
			}
		}
	}
	check("And2", 2, And2(bit(0), bit(1)))
	check("And3", 3, And3(bit(0), bit(1), bit(2)))
	check("And4", 4, And4(bit(0), bit(1), bit(2), bit(3)))
	check("And of none", 0, And[int]())
	check("And of five", 5, And(bit(0), bit(1), bit(2), bit(3), bit(4)))
}

// TestSort compares with slices.SortFunc, at every length on both sides of the
// change from heap to sort, and looks at early stops.
func TestSort(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	check := func(in []float64) {
		t.Helper()
		before := slices.Clone(in)
		want := slices.Clone(in)
		slices.SortFunc(want, cmp.Compare)
		equal := func(a, b float64) bool { return cmp.Compare(a, b) == 0 }
		if got := slices.Collect(Sort(slices.Values(in), cmp.Compare)); !slices.EqualFunc(got, want, equal) {
			t.Fatalf("Sort of %v: %v", in, got)
		}
		for k := range len(in) + 2 {
			if got := slices.Collect(Take(Sort(slices.Values(in), cmp.Compare), k)); !slices.EqualFunc(got, want[:min(k, len(in))], equal) {
				t.Fatalf("the first %d of Sort of %v: %v", k, in, got)
			}
			if got := slices.Collect(Least(slices.Values(in), make([]float64, k), cmp.Compare)); !slices.EqualFunc(got, want[:min(k, len(in))], equal) {
				t.Fatalf("Least %d of %v: %v", k, in, got)
			}
		}
		if !slices.EqualFunc(in, before, equal) {
			t.Fatalf("%v changed", before)
		}
	}
	nan, inf := math.NaN(), math.Inf(1)
	check(nil)
	check([]float64{nan})
	check([]float64{3, nan, -inf, 0, nan, inf, math.Copysign(0, -1), 3})
	for n := range 70 {
		in := make([]float64, n)
		for i := range in {
			if in[i] = float64(rnd.IntN(n)); rnd.IntN(10) == 0 {
				in[i] = nan
			}
		}
		check(in)
	}
}

// TestComparisons pins what Sort and Least say about their work.
func TestComparisons(t *testing.T) {
	const n, k, log = 4096, 100, 12
	calls := 0
	count := func(a, b int) int { calls++; return cmp.Compare(a, b) }
	check := func(name string, most int, f func()) {
		t.Helper()
		calls = 0
		if f(); calls > most {
			t.Errorf("%s: %d comparisons, want %d at most", name, calls, most)
		}
	}
	in := rand.New(rand.NewPCG(1, 2)).Perm(n)
	drain := func(s iter.Seq[int]) {
		for range s {
		}
	}
	check("first of Sort", 2*n+2*k*log, func() { drain(Take(Sort(slices.Values(in), count), k)) })

	calls = 0
	slices.SortFunc(slices.Clone(in), count)
	check("all of Sort", calls+2*n+2*n/16*log, func() { drain(Sort(slices.Values(in), count)) })

	buf := make([]int, 16)
	const last = 16 * 4 // to sort buf in the end
	check("Least, all rejected", n+16*8+last, func() { drain(Least(slices.Values(slices.Sorted(slices.Values(in))), buf, count)) })
	slices.SortFunc(in, func(a, b int) int { return b - a })
	check("Least, none rejected", n*(1+2*4)+last, func() { drain(Least(slices.Values(in), buf, count)) })
}

// TestBadOrder sorts by a cmp that is no order: each value comes out once all
// the same.
func TestBadOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	in := rnd.Perm(200)
	random := func(a, b int) int { return rnd.IntN(3) - 1 }
	got := slices.Sorted(Sort(slices.Values(in), random))
	if want := slices.Sorted(slices.Values(in)); !slices.Equal(got, want) {
		t.Errorf("Sort has values %v", got)
	}
	got = slices.Sorted(Least(slices.Values(in), make([]int, 300), random))
	if want := slices.Sorted(slices.Values(in)); !slices.Equal(got, want) {
		t.Errorf("Least has values %v", got)
	}
}

// TestChunkIsClipped checks that appending to a chunk writes nothing into memory
// that Chunk was not given.
func TestChunkIsClipped(t *testing.T) {
	memory := []int{0, 0, 0, 99}
	for c := range Chunk(slices.Values([]int{1, 2, 3, 4}), memory[:3]) {
		if cap(c) != len(c) {
			t.Errorf("%v has a capacity of %d", c, cap(c))
		}
		_ = append(c, 7)
	}
	if memory[3] != 99 {
		t.Errorf("the memory is %v", memory)
	}
}

// TestBuffers checks what Chunk and Least say about their buffers.
func TestBuffers(t *testing.T) {
	in := []int{5, 1, 4, 2, 3}
	buf := make([]int, 2, 10)
	for c := range Chunk(slices.Values(in), buf) {
		if &c[0] != &buf[0] {
			t.Error("a chunk is not in the buffer")
		}
	}
	least := slices.Collect(Least(slices.Values(in), buf, cmp.Compare))
	if !slices.Equal(least, buf) || cap(buf) != 10 || buf[:3][2] != 0 {
		t.Errorf("Least leaves %v, returns %v", buf[:cap(buf)], least)
	}
	defer func() {
		if err := recover(); err != "seq: Chunk with an empty buffer" {
			t.Errorf("panic %v", err)
		}
	}()
	Chunk(slices.Values(in), buf[:0])
}

// TestZipStops checks that the second sequence of Zip ends with the loop,
// whatever ends it.
func TestZipStops(t *testing.T) {
	ended := false
	b := func(yield func(int) bool) {
		defer func() { ended = true }()
		for i := 0; yield(i); i++ {
		}
	}
	check := func(name string, loop func(iter.Seq2[int, int])) {
		t.Helper()
		ended = false
		func() {
			defer func() { _ = recover() }()
			loop(Zip(slices.Values([]int{1, 2, 3}), b))
		}()
		if !ended {
			t.Errorf("%s: still open", name)
		}
	}
	check("end", func(s iter.Seq2[int, int]) {
		for range s {
		}
	})
	check("break", func(s iter.Seq2[int, int]) {
		for range s {
			break
		}
	})
	check("panic", func(s iter.Seq2[int, int]) {
		for range s {
			panic("stop")
		}
	})
}

func TestMaps(t *testing.T) {
	m := map[string]int{"a": 1, "b": 2, "c": 3, "d": 4}
	even := Filter(Pairs(maps.All(m)), func(p Pair[string, int]) bool { return p.Value%2 == 0 })
	if got, want := maps.Collect(Split(even)), map[string]int{"b": 2, "d": 4}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(m) != 4 {
		t.Errorf("the map is %v", m)
	}
	if got := maps.Collect(Split(Pairs(maps.All(map[string]int(nil))))); len(got) != 0 {
		t.Errorf("%v of a nil map", got)
	}
}

// TestCollect collects into an arena, with other objects of the same type
// allocated meanwhile, and on the heap.
func TestCollect(t *testing.T) {
	var pool arena.Pool
	in := rand.New(rand.NewPCG(1, 2)).Perm(1000)
	even := func(v int) bool { return v%2 == 0 }
	want := slices.Collect(Filter(slices.Values(in), even))
	for range 3 {
		a := pool.Get()
		got := Collect(a, Filter(slices.Values(in), even))
		between := Collect(a, Filter(slices.Values(in), func(v int) bool { *arena.New[int](a) = -1; return even(v) }))
		if !slices.Equal(got, want) || !slices.Equal(between, want) {
			t.Errorf("%v and %v, want %v", got, between, want)
		}
		if none := Collect(a, Take(slices.Values(in), 0)); none != nil {
			t.Errorf("no values are %v", none)
		}
		a.Free()
	}
	if got := Collect(nil, Filter(slices.Values(in), even)); !slices.Equal(got, want) {
		t.Errorf("on the heap: %v, want %v", got, want)
	}
}
