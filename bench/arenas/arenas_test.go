package arenas

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"lessgc/bench/internal/cputime"
	"lessgc/internal/alloctest"
)

// An allocator makes the ops. What a func here returns is one op, which
// returns a checksum; it may be called from one goroutine at a time, that of
// req from many. A nil func means that the allocator cannot do the workload.
type allocator struct {
	name   string
	list   func(tb testing.TB, n int) func() uint64
	tree   func(tb testing.TB, depth int) func() uint64
	req    func(tb testing.TB, objects int) func() uint64
	trie   func(tb testing.TB, stacks [][]string) func() uint64
	clones func(tb testing.TB, payload []byte, n int) func() uint64
}

// allocators are all allocators of this build. The first is the reference.
//
// Left out: steveyen/go-slab, which counts references to byte slices and has no
// end of an op; and what the module proxy does not serve, which
// docs/arenas-compared.md lists.
var allocators = slices.Concat([]allocator{
	{"heap", heapList, heapTree, heapReq, heapTrie, heapClones},
	{"syncpool", syncPoolList, syncPoolTree, syncPoolReq, nil, syncPoolClones},
}, experimental, []allocator{
	{"nuke", nukeList, nukeTree, nukeReq, nukeTrie, nukeClones},
	{"goarena", goArenaList, goArenaTree, goArenaReq, goArenaTrie, goArenaClones},
	{"slab", slabList, slabTree, slabReq, slabTrie, slabClones},
	{"ristretto", ristrettoList, ristrettoTree, ristrettoReq, ristrettoTrie, ristrettoClones},
	{"offheap", offHeapList, offHeapTree, offHeapReq, offHeapTrie, offHeapClones},
	{"malloc", mallocList, mallocTree, mallocReq, mallocTrie, mallocClones},
	{name: "bytearena", clones: byteArenaClones},
	{"safe", safeList, safeTree, safeReq, safeTrie, safeClones},
	{"typed", typedList, typedTree, typedReq, typedTrie, typedClones},
	{"recycle", recycleList, recycleTree, recycleReq, recycleTrie, recycleClones},
	{"handle", handleList, handleTree, handleReq, handleTrie, handleClones},
})

// A work is a workload of one size.
type work struct {
	name     string
	parallel bool
	can      func(a allocator) bool
	op       func(tb testing.TB, a allocator) func() uint64 // if can(a)
}

func listWork(name string, n int) work {
	return work{
		name: name,
		can:  func(a allocator) bool { return a.list != nil },
		op:   func(tb testing.TB, a allocator) func() uint64 { return a.list(tb, n) },
	}
}

func treeWork(name string, depth int) work {
	return work{
		name: name,
		can:  func(a allocator) bool { return a.tree != nil },
		op:   func(tb testing.TB, a allocator) func() uint64 { return a.tree(tb, depth) },
	}
}

func reqWork(name string, n int) work {
	return work{
		name: name, parallel: true,
		can: func(a allocator) bool { return a.req != nil },
		op:  func(tb testing.TB, a allocator) func() uint64 { return a.req(tb, n) },
	}
}

func trieWork(name string, n int) work {
	stacks := makeStacks(n)
	return work{
		name: name,
		can:  func(a allocator) bool { return a.trie != nil },
		op:   func(tb testing.TB, a allocator) func() uint64 { return a.trie(tb, stacks) },
	}
}

func clonesWork(size, n int) work {
	payload := bytes.Repeat([]byte{7}, size)
	return work{
		name: fmt.Sprintf("clones%dx%d", size, n),
		can:  func(a allocator) bool { return a.clones != nil },
		op:   func(tb testing.TB, a allocator) func() uint64 { return a.clones(tb, payload, n) },
	}
}

// headline are the workloads of the benchmark.
func headline() []work {
	works := []work{
		listWork("list10k", 10_000), listWork("list100k", 100_000), listWork("list1m", 1_000_000),
		treeWork("tree18", 18), reqWork("req", 1000), trieWork("trie", 2000),
	}
	for _, size := range []int{256, 1024, 4096} {
		for _, n := range []int{1, 8, 32} {
			works = append(works, clonesWork(size, n))
		}
	}
	return works
}

// TestChecksums compares every allocator with the heap, several ops in a row
// and with collections between them, so that memory is used again.
func TestChecksums(t *testing.T) {
	works := []work{
		listWork("list", 5000), listWork("list0", 0), listWork("list1", 1),
		treeWork("tree", 11), treeWork("tree0", 0), reqWork("req", 1000), reqWork("req1", 1), trieWork("trie", 300),
		clonesWork(256, 1), clonesWork(256, 8), clonesWork(4096, 32),
	}
	for _, w := range works {
		want := w.op(t, allocators[0])()
		for _, a := range allocators {
			if !w.can(a) {
				continue
			}
			t.Run("work="+w.name+"/alloc="+a.name, func(t *testing.T) {
				op := w.op(t, a)
				for i := range 6 {
					if got := op(); got != want {
						t.Fatalf("op %d: checksum %#x, want %#x", i, got, want)
					}
					if i == 3 {
						runtime.GC()
						runtime.GC()
					}
				}
			})
		}
	}
}

// TestParallel runs the ops of req on several goroutines at once.
func TestParallel(t *testing.T) {
	w := reqWork("req", 300)
	want := w.op(t, allocators[0])()
	for _, a := range allocators {
		if !w.can(a) {
			continue
		}
		t.Run("alloc="+a.name, func(t *testing.T) {
			op := w.op(t, a)
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					for i := range 20 {
						if got := op(); got != want {
							t.Errorf("op %d: checksum %#x, want %#x", i, got, want)
							return
						}
					}
				})
			}
			wg.Wait()
		})
	}
}

// TestAllocs checks that regions that are kept between ops are large enough: an
// op takes nothing from the heap. Only the list itself is always there.
func TestAllocs(t *testing.T) {
	keeps := []string{"nuke", "goarena", "ristretto", "offheap", "recycle", "handle"}
	check := func(w work, want int, names ...string) {
		t.Helper()
		for _, a := range allocators {
			if !slices.Contains(names, a.name) {
				continue
			}
			if got := alloctest.PerRun(t, discard(w.op(t, a))); got != want {
				t.Errorf("work=%s/alloc=%s: %d allocations, want %d", w.name, a.name, got, want)
			}
		}
	}
	check(listWork("list", 5000), 1, append(keeps, "slab")...)
	check(treeWork("tree", 12), 0, append(keeps, "slab")...)
	check(reqWork("req", 1000), 0, append(keeps, "slab", "syncpool")...)
	check(trieWork("trie", 2000), 0, keeps...)
	check(clonesWork(4096, 32), 0, append(keeps, "slab", "syncpool", "bytearena")...)
	check(clonesWork(256, 8), 8, "heap")
}

func discard(op func() uint64) func() { return func() { op() } }

// TestTrieSize checks what the package comment says of the prefix tree, which
// is that the stacks share their beginnings.
func TestTrieSize(t *testing.T) {
	paths := map[string]bool{"": true}
	for _, stack := range makeStacks(2000) {
		for i := range stack {
			paths[strings.Join(stack[:i+1], ";")] = true
		}
	}
	if n := len(paths); n < 33_000 || n > 35_000 {
		t.Errorf("%d nodes, want about 34,000", n)
	}
}

// BenchmarkArenas reports, besides the usual, the CPU time of the process during
// the loop: without the first op, which has to get the memory, and with what
// the collector does beside the loop.
func BenchmarkArenas(b *testing.B) {
	for _, w := range headline() {
		for _, a := range allocators {
			if !w.can(a) {
				continue
			}
			b.Run("work="+w.name+"/alloc="+a.name, func(b *testing.B) {
				op := w.op(b, a)
				op() // fills the region, or learns its size
				b.ReportAllocs()
				b.ResetTimer()
				start := cputime.Now()
				if w.parallel {
					b.RunParallel(func(p *testing.PB) {
						for p.Next() {
							op()
						}
					})
				} else {
					for b.Loop() {
						op()
					}
				}
				b.ReportMetric(float64(cputime.Now()-start)/float64(b.N), "loop-cpu-ns/op")
			})
		}
	}
}
