package arena

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
	"unsafe"

	"lessgc/internal/checked"
)

// eventually collects garbage until done or a minute is over.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not after a minute of collections: %s", what)
		}
		runtime.GC()
	}
}

// needsArenas skips a test that makes no sense on the heap.
func needsArenas(t *testing.T) {
	if heapOnly {
		t.Skip("arenas are the heap")
	}
}

// needsReuse skips a test where freed memory is not sure to be used again.
func needsReuse(t *testing.T) {
	needsArenas(t)
	if checked.Strict || checked.Race {
		t.Skip("the checked build uses no memory twice, a sync.Pool under the race detector not always")
	}
}

// TestFreeReleases checks that what only objects of a freed arena point to is
// collected at once, although the pool has their memory.
func TestFreeReleases(t *testing.T) {
	needsArenas(t)
	for _, policy := range policies {
		t.Run(policy.String(), func(t *testing.T) {
			pool := &Pool{Policy: policy}
			collected := make(chan bool, 1)
			a := pool.Get()
			n := New[node](a)
			n.list = &new([8]int)[0] // alone in its memory, unlike a small one
			runtime.AddCleanup(n.list, func(int) { collected <- true }, 0)
			n = nil
			runtime.GC()
			runtime.GC()
			if len(collected) != 0 {
				t.Fatal("collected while the arena was alive")
			}
			a.Free()
			b := pool.Get() // the memory is in use again
			New[int](b)
			eventually(t, "object collected", func() bool { return len(collected) == 1 })
			b.Free()
		})
	}
}

// TestForgotten checks that an arena that nobody frees is collected.
func TestForgotten(t *testing.T) {
	collected := make(chan bool, 1)
	func() {
		n := New[node](NewArena())
		n.list = &new([8]int)[0] // alone in its memory, unlike a small one
		runtime.AddCleanup(n.list, func(int) { collected <- true }, 0)
	}()
	eventually(t, "object collected", func() bool { return len(collected) == 1 })
}

// TestSafeKeeps checks that with policy Safe a pointer stays valid after Free,
// whatever is allocated later.
func TestSafeKeeps(t *testing.T) {
	pool := &Pool{Policy: Safe}
	type kept struct {
		node *node
		text string
		list []int
	}
	var all []kept
	for i := range 500 {
		a := pool.Get()
		k := kept{New[node](a), a.Sprintf("text %d", i), MakeSlice[int](a, 10, 10)}
		k.node.value, k.list[9] = i, i
		all = append(all, k)
		a.Free()
		if i%100 == 0 {
			runtime.GC()
		}
	}
	for i, k := range all {
		if k.node.value != i || k.text != (*Arena)(nil).Sprintf("text %d", i) || k.list[9] != i {
			t.Fatalf("%d: %v %q %v", i, k.node.value, k.text, k.list)
		}
	}
}

// TestStringsStay checks that with policy RecycleTyped a string never changes.
func TestStringsStay(t *testing.T) {
	var pool Pool
	var all []string
	for i := range 2000 {
		a := pool.Get()
		all = append(all, a.Sprintf("text %d", i), a.String("a"), a.Concat("b", "c"))
		a.Free()
	}
	for i := range 2000 {
		got, want := all[3*i:3*i+3], []string{(*Arena)(nil).Sprintf("text %d", i), "a", "bc"}
		if err := same(got, want); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTail checks that small safe arenas share a chunk, and that the memory
// which one of them had is never handed out again.
func TestTail(t *testing.T) {
	needsReuse(t)
	pool := &Pool{Policy: Safe}
	for range 50 { // to the largest chunks
		a := pool.Get()
		MakeSlice[*int](a, 1000, 1000)
		a.Free()
	}
	seen := map[*node]bool{}
	chunks := map[uintptr]bool{}
	for range 100 {
		a := pool.Get()
		n := New[node](a)
		if seen[n] {
			t.Fatalf("%p handed out twice", n)
		}
		seen[n] = true
		chunks[uintptr(unsafe.Pointer(n))/maxChunk] = true
		a.Free()
	}
	if len(chunks) > 40 {
		t.Errorf("100 arenas of one object are in %d places", len(chunks))
	}
}

// kept returns how many bytes a life of f leaves in the pool.
func kept(pool *Pool, f func(*Arena)) int64 {
	a := pool.Get()
	f(a)
	a.Free()
	return pool.Stats().Kept
}

// TestRetention checks that a pool does not keep what it needed once.
func TestRetention(t *testing.T) {
	needsReuse(t)
	huge := func(a *Arena) { MakeSlice[byte](a, 64<<20, 64<<20) }
	many := func(a *Arena) {
		for range 1 << 20 {
			New[node](a)
		}
	}
	for name, large := range map[string]func(*Arena){"slice": huge, "objects": many} {
		pool := &Pool{Policy: RecycleAll, MaxKept: 1 << 30}
		before := kept(pool, large)
		if before < 16<<20 {
			t.Errorf("%s: %d bytes are kept for the next arena, want nearly all", name, before)
		}
		for range 100 {
			kept(pool, func(a *Arena) { New[node](a); MakeSlice[byte](a, 10, 10) })
		}
		if after := pool.Stats().Kept; after > 4*maxChunk {
			t.Errorf("%s: %d bytes are kept after 100 small arenas, of %d", name, after, before)
		}
	}
}

// TestMerge checks that a life of many small chunks is followed by one of few.
func TestMerge(t *testing.T) {
	needsReuse(t)
	pool := &Pool{Policy: RecycleAll}
	chunks := func() int {
		a := pool.Get()
		defer a.Free()
		for range 1000 {
			New[pair](a)
		}
		return a.Stats().Chunks
	}
	first, second := chunks(), chunks()
	if first < 4 || second != 1 {
		t.Errorf("%d chunks in the first life and %d in the second, want several and 1", first, second)
	}
}

// TestMaxKept checks the bound, also with arenas that are open at once.
func TestMaxKept(t *testing.T) {
	needsReuse(t)
	check := func(maxKept int, want func(s PoolStats) bool) {
		t.Helper()
		pool := &Pool{Policy: RecycleAll, MaxKept: maxKept}
		var open []*Arena
		for range 10 {
			a := pool.Get()
			MakeSlice[byte](a, 100_000, 100_000)
			open = append(open, a)
		}
		for _, a := range open {
			a.Free()
		}
		if s := pool.Stats(); !want(s) {
			t.Errorf("MaxKept %d: %+v", maxKept, s)
		}
	}
	check(-1, func(s PoolStats) bool { return s.Kept == 0 && s.Shed == 10 })
	check(350_000, func(s PoolStats) bool { return s.Kept >= 300_000 && s.Kept <= 350_000 && s.Shed >= 6 })
	check(0, func(s PoolStats) bool { return s.Kept >= 1_000_000 && s.Shed == 0 && s.Made == 10 })
}

// TestPoolEmpties checks that an idle pool gives its memory back, and that its
// statistics say so.
func TestPoolEmpties(t *testing.T) {
	needsReuse(t)
	pool := &Pool{Policy: RecycleAll}
	if kept(pool, func(a *Arena) { MakeSlice[byte](a, 1<<20, 1<<20) }) < 1<<20 {
		t.Error("nothing is kept for the next arena")
	}
	eventually(t, "memory given back", func() bool { return pool.Stats().Kept == 0 })
}

// TestGrowsInPlace checks that the last slice of its type grows without a copy,
// and that another does not.
func TestGrowsInPlace(t *testing.T) {
	needsReuse(t)
	pool := &Pool{Policy: RecycleAll}
	for life := range 3 {
		a := pool.Get()
		first := Append(a, nil, 1)
		grown := first
		for i := range 100 {
			grown = Append(a, grown, i)
		}
		if life > 0 && &first[0] != &grown[0] { // the first chunks are too small
			t.Errorf("life %d: the last slice was copied", life)
		}
		MakeSlice[int](a, 1, 1)
		moved := Grow(a, grown, cap(grown)+1)
		if &moved[0] == &grown[0] {
			t.Error("a slice with another one behind it was not copied")
		}
		a.Free()
	}
}

// TestStats checks the figures against what was allocated.
func TestStats(t *testing.T) {
	needsArenas(t)
	for _, policy := range policies {
		pool := &Pool{Policy: policy}
		for life := range 3 {
			a := pool.Get()
			for range 100 {
				New[node](a)
			}
			MakeSlice[int32](a, 10, 20)
			a.String("four")
			a.Bytes([]byte("four"))
			got := a.Stats()
			want := Stats{Bytes: 100*int64(unsafe.Sizeof(node{})) + 80 + 8, Objects: 100, Chunks: got.Chunks, Kept: got.Kept}
			if got.Bytes != want.Bytes || got.Objects != want.Objects || got.Chunks < 3 || got.Kept < got.Bytes {
				t.Errorf("%v, life %d: %+v, want %+v", policy, life, got, want)
			}
			if len(got.Types) < 3 || got.Types[0] != (TypeStats{"arena.node", 100 * int64(unsafe.Sizeof(node{})), 100}) {
				t.Errorf("%v, life %d: types %+v", policy, life, got.Types)
			}
			a.Reset()
			if got := a.Stats(); got.Bytes != 0 || got.Objects != 0 || len(got.Types) != 0 {
				t.Errorf("%v, life %d: after Reset: %+v", policy, life, got)
			}
			a.Free()
		}
	}
}

// TestLivesDoNotChain checks that an arena keeps nothing of those before it
// alive, although they may have had the same memory: not even through objects
// of theirs.
func TestLivesDoNotChain(t *testing.T) {
	for _, policy := range policies {
		pool := &Pool{Policy: policy}
		collected := make(chan bool, 100)
		for range cap(collected) {
			a := pool.Get()
			first := New[node](a)
			first.list = &new([8]int)[0]
			runtime.AddCleanup(first.list, func(int) { collected <- true }, 0)
			for last, i := first, 0; i < 99; i++ {
				n := New[node](a)
				n.prev, last.next = last, n
				last = n
			}
			a.Free()
		}
		open := pool.Get()
		n := New[node](open)
		eventually(t, "objects of freed arenas collected", func() bool { return len(collected) == cap(collected) })
		n.value = 1
		open.Free()
	}
}

// TestFit checks how much of its memory a safe arena wastes. Lives that use the
// same need one chunk of that size; if they differ, less than a third is wasted.
func TestFit(t *testing.T) {
	needsReuse(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // keeps what was learned
	pool := &Pool{Policy: Safe}
	life := func(n int) (chunks int, made, used uintptr) {
		a := pool.Get()
		defer a.Free()
		for range n {
			New[node](a)
		}
		s := a.st.slab((*node)(nil))
		return len(s.chunks), s.made, uintptr(n) * s.size
	}
	for _, n := range []int{1, 5, 10, 100, 1000, 1} {
		for range 40 {
			life(n)
		}
		if chunks, made, used := life(n); chunks != 1 || made > used+used/5+16 {
			t.Errorf("the same %d bytes in each life: %d chunks, %d bytes", used, chunks, made)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	var made, used uintptr
	for range 500 {
		_, m, u := life(1 + rnd.IntN(1000))
		made, used = made+m, used+u
	}
	if waste := float64(made-used) / float64(used); waste > 1./3 {
		t.Errorf("%.0f %% of memory is wasted, want at most a third", 100*waste)
	}
}

// TestSafeRest checks that what is left of the memory of a large slice is not kept
// for the next arena: all of the slice's memory would be.
func TestSafeRest(t *testing.T) {
	needsReuse(t)
	for _, f := range []func(a *Arena){
		func(a *Arena) { a.Bytes(make([]byte, 1<<20+1)) },
		func(a *Arena) { MakeSlice[uint32](a, 1<<20+1, 1<<20+1) },
		func(a *Arena) { New[[1<<20 + 1]byte](a) },
	} {
		pool := &Pool{Policy: Safe}
		a := pool.Get()
		f(a)
		a.Free()
		if kept := pool.Stats().Kept; kept > maxChunk {
			t.Errorf("%d bytes are kept", kept)
		}
	}
}
