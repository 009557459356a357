package arena

import (
	"runtime"
	"strings"
	"testing"

	"lessgc/internal/checked"
)

// large is a page with a pointer in it.
type large struct {
	_ *int
	_ [4096 - 8]byte
}

// heapAfter returns the bytes on the heap that collections leave.
func heapAfter() uint64 {
	for range 5 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestReleaseLoops checks that an arena does not grow if what a loop allocates is
// released at its end: neither by memory nor by what it remembers of marks.
func TestReleaseLoops(t *testing.T) {
	needsReuse(t)
	for _, policy := range []Policy{Safe, RecycleTyped, RecycleAll} {
		a := (&Pool{Policy: policy}).Get()
		New[large](a)
		for range 1000 {
			m := a.Mark()
			for range 40 {
				New[large](a)
			}
			a.String("text")
			a.Bytes(make([]byte, 5000))
			a.Release(m)
		}
		if s := a.Stats(); s.Kept > 1<<20 {
			t.Errorf("%v: %d bytes in %d chunks are kept", policy, s.Kept, s.Chunks)
		}
		if n := len(a.st.marked); n > 10*len(a.state().all) {
			t.Errorf("%v: %d entries are remembered", policy, n)
		}
		a.Free()
	}
}

// TestMarkAgain checks marks that are set where the last one stands.
func TestMarkAgain(t *testing.T) {
	for _, policy := range policies {
		a := (&Pool{Policy: policy}).Get()
		first := a.Mark()
		*New[int](a) = 1
		for range 3 {
			m, again := a.Mark(), a.Mark()
			p := New[int](a)
			if *p != 0 {
				t.Fatalf("%v: %d is not zero", policy, *p)
			}
			*p = 2
			a.Release(again)
			a.Release(m)
			*New[int](a) = 3
		}
		a.Release(first)
		if p := New[int](a); *p != 0 {
			t.Errorf("%v: %d is not zero", policy, *p)
		}
		a.Free()
	}
}

// TestReleaseThenFree checks that memory of a type which came after a mark counts
// as kept by the pool.
func TestReleaseThenFree(t *testing.T) {
	needsReuse(t)
	pool := &Pool{MaxKept: 1 << 20}
	a := pool.Get()
	m := a.Mark()
	for range 64 << 20 / 4096 {
		New[large](a)
	}
	a.Release(m)
	st := a.st
	a.Free()
	sum := uintptr(0)
	for _, s := range st.all {
		for i := range s.chunks {
			sum += s.chunks[i].size
		}
	}
	if sum > 1<<20 {
		t.Errorf("%d bytes are kept, Stats says %+v", sum, pool.Stats())
	}
}

// TestLargeNotHandedOn checks that a small string keeps no large one of an arena
// before alive.
func TestLargeNotHandedOn(t *testing.T) {
	needsReuse(t)
	before := heapAfter()
	pool := &Pool{Policy: Safe}
	a := pool.Get()
	a.String(strings.Repeat("x", 32<<20+1))
	a.Free()
	b := pool.Get()
	small := b.String("small")
	b.Free()
	a, b, pool = nil, nil, nil
	if heap := heapAfter(); heap > before+16<<20 {
		t.Errorf("%q keeps %d MiB alive", small, (heap-before)>>20)
	}
	runtime.KeepAlive(small)
}

// TestNilSlabLetsGo checks that a slab of a nil arena keeps nothing alive but its
// current chunk.
func TestNilSlabLetsGo(t *testing.T) {
	before := heapAfter()
	s, lists := Of[large](nil), Of[*int](nil)
	for range 64 << 20 / 4096 {
		s.New()
	}
	for range 8 {
		lists.Make(1<<20, 1<<20)
	}
	if heap := heapAfter(); heap > before+16<<20 {
		t.Errorf("%d MiB are kept", (heap-before)>>20)
	}
	runtime.KeepAlive(s)
	runtime.KeepAlive(lists)
}

// TestMeanWithoutSlices checks that a large slice and a mark do not make the next
// arenas take large chunks.
func TestMeanWithoutSlices(t *testing.T) {
	needsReuse(t)
	pool := &Pool{Policy: Safe}
	for range 3 {
		a := pool.Get()
		New[*int](a)
		MakeSlice[*int](a, 1<<20, 1<<20)
		a.Release(a.Mark())
		a.Free()
	}
	a := pool.Get()
	defer a.Free()
	New[*int](a)
	if kept := a.Stats().Kept; kept > 4096 {
		t.Errorf("one pointer takes %d bytes", kept)
	}
}

// TestSiteAfterPanic checks that a call which panicked is not taken for the caller
// of the next one.
func TestSiteAfterPanic(t *testing.T) {
	if !checked.Strict {
		t.Skip("only in the checked build")
	}
	a := (&Pool{AuditEvery: 1}).Get()
	New[int](a)
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { recover() }()
		New[int](a)
	}()
	<-done
	if a.st.watch.from != 0 {
		t.Error("the call of another goroutine is still remembered")
	}
	a.Free()
}
