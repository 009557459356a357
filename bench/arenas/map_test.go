package arenas

import (
	"fmt"
	"testing"

	"lessgc/arena"
	"lessgc/arena/amap"
	"lessgc/bench/internal/cputime"
)

// One op makes one map, sets n keys, looks all of them up and drops it. In an arena it is the only thing there. The map outlives the
// function that makes it, or the built-in one would be on the stack.

//go:noinline
func builtinMap[K comparable](keys []K) map[K]int {
	m := make(map[K]int)
	for i, k := range keys {
		m[k] = i
	}
	return m
}

//go:noinline
func mapIn[K comparable](a *arena.Arena, keys []K) *amap.Map[K, int] {
	m := amap.New[K, int](a, 0)
	for i, k := range keys {
		m.Set(k, i)
	}
	return m
}

// mapOps returns one op for each allocator, by name.
func mapOps[K comparable](keys []K) (names []string, ops []func() int) {
	read := func(a *arena.Arena) int {
		m, sum := mapIn(a, keys), 0
		for _, k := range keys {
			v, _ := m.Get(k)
			sum += v
		}
		return sum
	}
	recycled := &arena.Pool{Policy: arena.RecycleAll}
	return []string{"heap", "safe", "recycle"}, []func() int{
		func() int {
			m, sum := builtinMap(keys), 0
			for _, k := range keys {
				sum += m[k]
			}
			return sum
		},
		func() int {
			a := arena.NewArena()
			defer a.Free()
			return read(a)
		},
		func() int {
			a := recycled.Get()
			defer a.Free()
			return read(a)
		},
	}
}

var mapSizes = []int{1, 5, 8, 20}

func mapKeys(n int) (numbers []int, words []string) {
	for i := range n {
		numbers = append(numbers, i*7919)
		words = append(words, fmt.Sprint("key-", i*7919))
	}
	return numbers, words
}

func TestSmallMap(t *testing.T) {
	for _, n := range append(mapSizes, 100) {
		numbers, words := mapKeys(n)
		testMapOps(t, numbers)
		testMapOps(t, words)
	}
}

func testMapOps[K comparable](t *testing.T, keys []K) {
	n := len(keys)
	names, ops := mapOps(keys)
	for i, op := range ops {
		if got, want := op(), n*(n-1)/2; got != want {
			t.Errorf("%s, %d keys %T: %d, want %d", names[i], n, keys[0], got, want)
		}
	}
}

func BenchmarkSmallMap(b *testing.B) {
	for _, n := range mapSizes {
		numbers, words := mapKeys(n)
		benchmarkMapOps(b, "int", numbers)
		benchmarkMapOps(b, "string", words)
	}
}

func benchmarkMapOps[K comparable](b *testing.B, key string, keys []K) {
	names, ops := mapOps(keys)
	for i, op := range ops {
		b.Run(fmt.Sprintf("key=%s/entries=%d/alloc=%s", key, len(keys), names[i]), func(b *testing.B) {
			b.ReportAllocs()
			start := cputime.Now()
			for b.Loop() {
				op()
			}
			b.ReportMetric(float64(cputime.Now()-start)/float64(b.N), "loop-cpu-ns/op")
		})
	}
}
