package arenas

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/dgraph-io/ristretto/v2/z"
	"github.com/jokruger/slab"
	"github.com/ortuman/nuke"
	goarena "github.com/wundergraph/go-arena"
	offheap "github.com/xDarkicex/memory"
	malloc "modernc.org/memory"
)

func newNuke(n need) func() nuke.Arena {
	return func() nuke.Arena { return nuke.NewMonotonicArena(n.roomy(), 1) }
}

func newGoArena(n need) func() goarena.Arena {
	return func() goarena.Arena { return goarena.NewMonotonicArena(goarena.WithMinBufferSize(n.roomy())) }
}

// slabs are the slabs of one op. Those that it does not use are empty.
type slabs struct {
	elementSlab       slab.Slab[element]
	valueSlab         slab.Slab[value]
	treeSlab          slab.Slab[tree]
	objectSlab        slab.Slab[object]
	nodeSlab          slab.Slab[node]
	objectPointerSlab slab.SliceSlab[*object]
	nameSlab          slab.SliceSlab[byte]
	bufferSlab        slab.SliceSlab[byte]
}

func newSlabs(n need) func() *slabs {
	return func() *slabs {
		return &slabs{
			elementSlab:       slab.NewSlab[element](n.elements, nil),
			valueSlab:         slab.NewSlab[value](n.values, nil),
			treeSlab:          slab.NewSlab[tree](n.trees, nil),
			objectSlab:        slab.NewSlab[object](n.objects, nil),
			nodeSlab:          slab.NewSlab[node](n.nodes, nil),
			objectPointerSlab: slab.NewSliceSlab[*object](min(n.pointers, 1), n.pointers),
			nameSlab:          slab.NewSliceSlab[byte](n.strings, n.stringCap),
			bufferSlab:        slab.NewSliceSlab[byte](n.buffers, n.bufferCap),
		}
	}
}

func (s *slabs) reset() {
	s.elementSlab.Reset()
	s.valueSlab.Reset()
	s.treeSlab.Reset()
	s.objectSlab.Reset()
	s.nodeSlab.Reset()
	s.objectPointerSlab.Reset()
	s.nameSlab.Reset()
	s.bufferSlab.Reset()
}

// newRistretto makes ristretto's own pool of allocators, and says how large they
// have to be. An allocator that is not released stays in a map of the library.
func newRistretto(tb testing.TB, n need) (*z.AllocatorPool, int) {
	pool := z.NewAllocatorPool(runtime.GOMAXPROCS(0) + 8)
	tb.Cleanup(pool.Release)
	return pool, n.roomy() + n.bytes/2
}

func zNew[T any](a *z.Allocator) *T {
	var t T
	return (*T)(unsafe.Pointer(&a.AllocateAligned(int(unsafe.Sizeof(t)))[0]))
}

func zMake[T any](a *z.Allocator, n int) []T {
	var t T
	return unsafe.Slice((*T)(unsafe.Pointer(&a.AllocateAligned(n * int(unsafe.Sizeof(t)))[0])), n)[:0]
}

func zAppend[T any](a *z.Allocator, s []T, v T) []T {
	if len(s) == cap(s) {
		s = append(zMake[T](a, max(1, 2*cap(s))), s...)
	}
	return append(s, v)
}

// newOffHeap makes an arena that is unmapped when the collector drops it.
func newOffHeap(n need) func() *offheap.Arena {
	return func() *offheap.Arena {
		a, err := offheap.NewArena(uint64(n.roomy()), 8)
		check(err)
		runtime.SetFinalizer(a, func(a *offheap.Arena) { check(a.Free()) })
		return a
	}
}

func offHeapNew[T any](a *offheap.Arena) *T {
	p := offheap.MustArenaAlloc[T](a)
	*p = *new(T)
	return p
}

func offHeapAppend[T any](a *offheap.Arena, s []T, v T) []T {
	if len(s) == cap(s) {
		s = append(offheap.MustArenaSlice[T](a, max(1, 2*cap(s))), s...)
	}
	return append(s, v)
}

func mallocNew[T any](a *malloc.Allocator) *T {
	var t T
	p, err := a.UnsafeCalloc(int(unsafe.Sizeof(t)))
	check(err)
	return (*T)(p)
}

func mallocMake[T any](a *malloc.Allocator, n int) []T {
	var t T
	p, err := a.UnsafeCalloc(n * int(unsafe.Sizeof(t)))
	check(err)
	return unsafe.Slice((*T)(p), n)[:0]
}

func mallocAppend[T any](a *malloc.Allocator, s []T, v T) []T {
	if len(s) == cap(s) {
		s = append(mallocMake[T](a, max(1, 2*cap(s))), s...)
	}
	return append(s, v)
}

// check stops the benchmark if an allocator could not do what it was made for.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
