package arena

import (
	"runtime"
	"testing"

	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
)

// The tests of this file count what correct use costs, at two sizes: operations or
// bytes, never time.

// allocated returns the bytes that f allocates on the heap.
func allocated(t *testing.T, f func()) uint64 {
	t.Helper()
	alloctest.PerRun(t, func() {}) // skips where sanitizers allocate as well
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestReleaseCost checks that Release looks at the chunks since the mark, not at
// all of the arena.
func TestReleaseCost(t *testing.T) {
	if checked.Enabled {
		t.Skip("each object has a chunk, or there are none")
	}
	for _, policy := range []Policy{RecycleTyped, RecycleAll} {
		for _, chunks := range []int{4, 4000} {
			a := (&Pool{Policy: policy, MaxKept: 1 << 30}).Get()
			s := a.state().slabOf((*typed[[512]*int])(nil))
			for s.cur < chunks {
				New[[512]*int](a)
			}
			m := a.Mark()
			New[[512]*int](a)
			MakeSlice[[512]*int](a, 1, 1)
			p := a.st.marked[m.from]
			for i, t := range a.state().all {
				if t == s {
					p = a.st.marked[m.from+i]
				}
			}
			if looked := s.rewind(p, a.st.reuses(s)); looked > 3 {
				t.Errorf("policy %s, %d chunks: Release looked at %d", policy, chunks, looked)
			}
			a.Free()
		}
	}
}

// TestReleaseLoopBytes checks that a loop of Mark, New and Release does not need
// new memory each time.
func TestReleaseLoopBytes(t *testing.T) {
	if checked.Enabled {
		t.Skip("no memory is used twice")
	}
	for _, policy := range policies {
		for _, loops := range []int{1000, 30_000} {
			a := (&Pool{Policy: policy}).Get()
			for range 1000 {
				New[node](a)
			}
			bytes := allocated(t, func() {
				for range loops {
					m := a.Mark()
					New[node](a)
					a.String("some text")
					a.Release(m)
				}
			})
			if most := uint64(64*loops + 256<<10); bytes > most {
				t.Errorf("policy %s: %d loops allocated %d bytes, want at most %d", policy, loops, bytes, most)
			}
			if n := len(a.st.marked); n > 16 {
				t.Errorf("policy %s: %d entries after %d loops", policy, n, loops)
			}
			a.Free()
		}
	}
}

// TestBytesCapacity checks that the capacity of what Bytes returns is its length,
// also on the heap, where memory comes in classes of size.
func TestBytesCapacity(t *testing.T) {
	for _, a := range []*Arena{nil, NewArena()} {
		for _, n := range []int{1, 7, 100, 1000, 100_000} {
			if b := a.Bytes(make([]byte, n)); len(b) != n || cap(b) != n {
				t.Errorf("Bytes of length %d, arena %v: length %d, capacity %d", n, a != nil, len(b), cap(b))
			}
		}
		a.Free()
	}
}
