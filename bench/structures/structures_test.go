package structures

import (
	"runtime"
	"slices"
	"sync"
	"testing"

	"lessgc/bench/internal/cputime"
	"lessgc/internal/alloctest"
)

// A maker makes the op of an allocator for an input. An op may be called by
// one goroutine at a time.
type maker[I any] struct {
	alloc string
	make  func(in I) func() uint64
}

// A work is a structure of one size.
type work struct {
	name   string
	allocs []string
	op     func(alloc string) func() uint64
}

// of returns a work whose input is made when an op is. The first op is the
// reference.
func of[I any](name string, input func() I, makers ...[]maker[I]) work {
	w := work{name: name}
	all := slices.Concat(makers...)
	for _, m := range all {
		w.allocs = append(w.allocs, m.alloc)
	}
	input = sync.OnceValue(input)
	w.op = func(alloc string) func() uint64 {
		return all[slices.Index(w.allocs, alloc)].make(input())
	}
	return w
}

func btreeWork(name string, n int) work {
	return of(name, func() *btreeInput { return newBtreeInput(n) }, btreeOps, []maker[*btreeInput]{{"hand", handBtree}})
}

func skiplistWork(name string, n int) work {
	return of(name, func() *skiplistInput { return newSkiplistInput(n) },
		skiplistOps, []maker[*skiplistInput]{
			{"heapjoined", heapJoined}, {"handlejoined", handleJoined}, {"hand", handSkiplist}, {"handsplit", handSkiplistSplit},
		})
}

func matrixWork(name string, n int) work {
	return of(name, func() *matrixInput { return newMatrixInput(n) }, matrixOps, []maker[*matrixInput]{{"hand", handMatrix}})
}

func jsonWork(name string, bytes int) work {
	return of(name, func() *jsonInput { return newJSONInput(bytes) }, jsonOps, []maker[*jsonInput]{{"hand", handJSON}})
}

func regexpWork(name string, n int) work {
	return of(name, func() *regexpInput { return newRegexpInput(n) },
		regexpOps, []maker[*regexpInput]{{"hand", handRegexp}})
}

func internWork(name string, n int) work {
	return of(name, func() *internInput { return newInternInput(n) },
		[]maker[*internInput]{{"heap", heapIntern}}, internOps, []maker[*internInput]{{"hand", handIntern}})
}

func bfsWork(name string, vertices, edges int) work {
	return of(name, func() *bfsInput { return newBfsInput(vertices, edges) }, bfsOps, []maker[*bfsInput]{{"hand", handBfs}})
}

func hashWork(name string, n int) work {
	return of(name, func() *hashInput { return newHashInput(n) },
		[]maker[*hashInput]{{"heap", heapHash}}, hashOps, []maker[*hashInput]{{"hand", handHash}})
}

func radixWork(name string, n int) work {
	return of(name, func() *radixInput { return newRadixInput(n) }, radixOps, []maker[*radixInput]{{"hand", handRadix}})
}

// works lists the workloads of the benchmark.
var works = []work{
	btreeWork("btree100k", 100_000), btreeWork("btree100", 100),
	skiplistWork("skiplist100k", 100_000), skiplistWork("skiplist100", 100),
	matrixWork("matrix1000", 1000), matrixWork("matrix8", 8),
	jsonWork("json300", 300), jsonWork("json20k", 20_000), jsonWork("json1m", 1_000_000),
	regexpWork("regexp", 64),
	internWork("intern100k", 100_000),
	bfsWork("bfs5m", 500_000, 5_000_000),
	hashWork("map1m", 1_000_000), hashWork("map5", 5),
	radixWork("radix50k", 50_000),
}

// TestChecksums compares every allocator with the reference, many ops in a row
// and with collections between them, so that memory is used again.
func TestChecksums(t *testing.T) {
	for _, w := range []work{
		btreeWork("btree", 5000), btreeWork("btree1", 1), btreeWork("btree64", 64),
		skiplistWork("skiplist", 2000), skiplistWork("skiplist1", 1),
		matrixWork("matrix", 50), matrixWork("matrix1", 1), matrixWork("matrix8", 8),
		jsonWork("json300", 300), jsonWork("json20k", 20_000), jsonWork("json200k", 200_000),
		regexpWork("regexp", 64), internWork("intern", 5000),
		bfsWork("bfs", 1000, 10_000), hashWork("map", 10_000), hashWork("map5", 5), hashWork("map6", 6),
		radixWork("radix", 2000), radixWork("radix1", 1),
	} {
		reference := w.op(w.allocs[0])
		want := make([]uint64, 8)
		for i := range want {
			want[i] = reference()
		}
		for _, alloc := range w.allocs[1:] {
			t.Run("work="+w.name+"/alloc="+alloc, func(t *testing.T) {
				op := w.op(alloc)
				for i, want := range want {
					if got := op(); got != want {
						t.Fatalf("op %d: checksum %#x, want %#x", i, got, want)
					}
					if i%3 == 2 {
						runtime.GC()
						runtime.GC()
					}
				}
			})
		}
	}
}

// TestAllocs checks that what is kept between ops is large enough: an op takes
// nothing from the heap, but an arena of ours itself.
func TestAllocs(t *testing.T) {
	keeps := []string{"floor", "nuke", "goarena", "ristretto", "recycle", "handle", "hand"}
	for _, w := range []work{
		btreeWork("btree", 5000), skiplistWork("skiplist", 2000), matrixWork("matrix", 100), jsonWork("json", 20_000),
		regexpWork("regexp", 64), internWork("intern", 20_000), bfsWork("bfs", 1000, 10_000), hashWork("map", 10_000), radixWork("radix", 2000),
	} {
		for _, alloc := range keeps {
			op := w.op(alloc)
			for range 128 { // twice the patterns
				op()
			}
			most := 0
			if alloc == "recycle" || alloc == "handle" {
				most = 1
			}
			if got := alloctest.PerRun(t, func() { op() }); got > most {
				t.Errorf("work=%s/alloc=%s: %d allocations, want %d at most", w.name, alloc, got, most)
			}
		}
	}
}

// BenchmarkStructures reports, besides the usual, the CPU time of the process
// during the loop, collector included.
func BenchmarkStructures(b *testing.B) {
	for _, w := range works {
		for _, alloc := range w.allocs {
			b.Run("work="+w.name+"/alloc="+alloc, func(b *testing.B) {
				op := w.op(alloc)
				for range 3 { // the region gets its size
					op()
				}
				b.ReportAllocs()
				b.ResetTimer()
				start := cputime.Now()
				for b.Loop() {
					op()
				}
				b.ReportMetric(float64(cputime.Now()-start)/float64(b.N), "loop-cpu-ns/op")
			})
		}
	}
}
