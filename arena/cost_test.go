package arena

import (
	"reflect"
	"runtime"
	"testing"
	"unsafe"

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

// TestDetachNestedInterfaces checks that Detach looks once at each interface value
// that holds another one, however deep they are nested.
func TestDetachNestedInterfaces(t *testing.T) {
	if heapOnly {
		t.Skip("arenas are the heap")
	}
	type box struct{ v any }
	for _, n := range []int{100, 32_000} {
		a := NewArena()
		var root any = New[int](a)
		*root.(*int) = 7
		for range n {
			root = box{root}
		}
		w := &walker{spans: a.st.appendSpans(nil), arenas: a.family(nil)}
		w.sortSpans()
		p := planOf(reflect.TypeFor[any]())
		w.reach(unsafe.Pointer(&root), p)
		if looked := w.spreadMoves(); looked > n {
			t.Errorf("%d interface values in each other: Detach looked at %d", n, looked)
		}
		root = Detach(a, root)
		a.Free()
		for range n {
			root = root.(box).v
		}
		if got := *root.(*int); got != 7 {
			t.Errorf("%d interface values in each other: the innermost is %d", n, got)
		}
	}
}

// TestReleaseCost checks that Release looks at the chunks since the mark, not at
// all of the arena.
func TestReleaseCost(t *testing.T) {
	if checked.Enabled || heapOnly {
		t.Skip("each object has a chunk, or there are none")
	}
	for _, policy := range policies {
		for _, chunks := range []int{4, 4000} {
			a := (&Pool{Policy: policy, MaxKept: 1 << 30}).Get()
			s := a.st.slab((*[512]*int)(nil))
			for s.cur < chunks {
				New[[512]*int](a)
			}
			m := a.Mark()
			New[[512]*int](a)
			MakeSlice[[512]*int](a, 1, 1)
			p := a.st.places[m.from]
			for i, t := range a.st.all {
				if t == s {
					p = a.st.places[m.from+i]
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
	if checked.Enabled || heapOnly {
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
			if n := len(a.st.places); n > 16 {
				t.Errorf("policy %s: %d places after %d loops", policy, n, loops)
			}
			a.Free()
		}
	}
}

// TestTwoBuildersBytes checks that builders that grow in turn cost memory in
// proportion to their text.
func TestTwoBuildersBytes(t *testing.T) {
	if checked.Enabled || heapOnly {
		t.Skip("no memory is used twice")
	}
	check := func(what string, f func(b *Builder)) {
		t.Helper()
		for _, policy := range policies {
			for _, n := range []int{1 << 10, 16 << 10, 64 << 10} {
				a := (&Pool{Policy: policy}).Get()
				x, y := NewBuilder(a), NewBuilder(a)
				for range n {
					f(x)
					f(y)
				}
				if bytes, most := a.Stats().Bytes, int64(12*n+4096); bytes > most {
					t.Errorf("%s, policy %s: two builders of %d bytes took %d, want at most %d", what, policy, n, bytes, most)
				}
				a.Free()
			}
		}
	}
	check("WriteByte", func(b *Builder) { b.WriteByte('x') })
	check("String each time", func(b *Builder) {
		b.WriteByte('x')
		_ = b.String()
	})
}

// TestBytesCapacity checks that the capacity of what Bytes returns is its length,
// also on the heap, where memory comes in classes of size.
func TestBytesCapacity(t *testing.T) {
	for _, a := range []*Arena{nil, NewArena()} {
		for _, n := range []int{1, 7, 100, 1000, 100_000} {
			part := make([]byte, n)
			for _, parts := range [][][]byte{{part}, {part, part[:n/2]}} {
				if b := a.Bytes(parts...); cap(b) != len(b) {
					t.Errorf("Bytes of length %d, arena %v: capacity %d", len(b), a != nil, cap(b))
				}
			}
		}
		a.Free()
	}
}
