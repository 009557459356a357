package arena

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"
	"weak"

	"lessgc/internal/alloctest"
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

// needsReuse skips a test where freed memory is not sure to be used again.
func needsReuse(t *testing.T) {
	if checked.Strict || checked.Race {
		t.Skip("the checked build uses no memory twice, a sync.Pool under the race detector not always")
	}
}

// TestFreeReleases checks that what only objects of a freed arena point to is
// collected at once, although the pool has their memory.
func TestFreeReleases(t *testing.T) {
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
			if len(collected) != 0 && policy != Safe { // whose first objects are by themselves
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

// TestFreeAfterRelease checks that the state of a freed safe arena does not hold a chunk that
// was full when the arena was released to a mark before it.
func TestFreeAfterRelease(t *testing.T) {
	a := new(Pool).Get()
	for range few + 1 {
		New[int](a)
	}
	st, m := a.st, a.Mark()
	gone := weak.Make(New[[4096]*int](a))
	a.Release(m)
	a.Free()
	eventually(t, "chunk collected", func() bool { return gone.Value() == nil })
	runtime.KeepAlive(st)
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
		k := kept{New[node](a), a.String(fmt.Sprintf("text %d", i)), MakeSlice[int](a, 10, 10)}
		k.node.value, k.list[9] = i, i
		all = append(all, k)
		a.Free()
		if i%100 == 0 {
			runtime.GC()
		}
	}
	for i, k := range all {
		if k.node.value != i || k.text != fmt.Sprintf("text %d", i) || k.list[9] != i {
			t.Fatalf("%d: %v %q %v", i, k.node.value, k.text, k.list)
		}
	}
}

// TestStringsStay checks that with policy RecycleTyped a string never changes.
func TestStringsStay(t *testing.T) {
	pool := Pool{Policy: RecycleTyped}
	var all []string
	for i := range 2000 {
		a := pool.Get()
		all = append(all, a.String(fmt.Sprintf("text %d", i)), a.String("a"), a.String("b"+"c"))
		a.Free()
	}
	for i := range 2000 {
		got, want := all[3*i:3*i+3], []string{fmt.Sprintf("text %d", i), "a", "bc"}
		if err := same(got, want); err != nil {
			t.Fatal(err)
		}
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
		moved := Append(a, grown, make([]int, cap(grown)+1)...)
		if &moved[0] == &grown[0] {
			t.Error("a slice with another one behind it was not copied")
		}
		a.Free()
	}
}

// TestStats checks the figures against what was allocated.
func TestStats(t *testing.T) {
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
			if policy == Safe && !checked.Strict { // the first are not known one by one
				if got.Bytes != want.Bytes || got.Objects > want.Objects || a.Len() != int(want.Bytes) {
					t.Errorf("%v, life %d: %+v, want %+v", policy, life, got, want)
				}
				a.Free()
				continue
			}
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

// TestShed checks that an arena works as ever after its pool let go of what the one
// before had.
func TestShed(t *testing.T) {
	pool := &Pool{Policy: RecycleTyped, MaxKept: -1}
	for range 3 {
		a := pool.Get()
		for i := range 1000 {
			n := New[node](a)
			n.value, n.list = i, New[int](a)
		}
		if s := a.Stats(); !checked.Strict && s.Chunks > 20 {
			t.Errorf("%d chunks for 2000 objects", s.Chunks)
		}
		a.Free()
	}
}

// TestBudgetCountsOpenArenas checks that what open arenas have counts against MaxKept:
// an arena that is freed meanwhile keeps nothing.
func TestBudgetCountsOpenArenas(t *testing.T) {
	needsReuse(t)
	pool := &Pool{Policy: RecycleAll, MaxKept: 3 << 19}
	a, b := pool.Get(), pool.Get()
	MakeSlice[byte](a, 1<<20, 1<<20)
	MakeSlice[byte](b, 1<<20, 1<<20)
	if s := pool.Stats(); s.Kept < 2<<20 {
		t.Errorf("two open arenas of 1 MiB: %+v", s)
	}
	b.Free()
	if s := pool.Stats(); s.Kept < 1<<20 || s.Kept > 3<<19 || s.Shed != 1 {
		t.Errorf("one was freed: %+v", s)
	}
	a.Free()
	if s := pool.Stats(); s.Kept < 1<<20 || s.Shed != 1 {
		t.Errorf("both were freed: %+v", s)
	}
}

// TestKeptTextIsSmall checks what one string keeps alive that is kept of each request of
// some 4 KB of text and objects: not the request.
func TestKeptTextIsSmall(t *testing.T) {
	if checked.Enabled {
		t.Skip("each string is by itself")
	}
	const requests = 4000
	word := strings.Repeat("x", 40)
	for _, policy := range []Policy{Safe, RecycleTyped} {
		pool := &Pool{Policy: policy}
		kept := make([]string, 0, requests)
		before := liveHeap()
		for i := range requests {
			a := pool.Get()
			for j := range 50 {
				n := New[node](a)
				n.value = a.String(word)
				if j == i%50 {
					kept = append(kept, n.value.(string))
				}
			}
			a.Free()
		}
		if each := (liveHeap() - before) / requests; each > 700 {
			t.Errorf("%v: a kept string of %d bytes keeps %d", policy, len(word), each)
		}
		runtime.KeepAlive(kept)
	}
}

// liveHeap returns the bytes of the heap that survive a collection.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestNested checks that a large arena, in which small ones of the same pool open and close,
// finds the memory of the one before.
func TestNested(t *testing.T) {
	if checked.Strict || sanitized {
		t.Skip("memory is not used again")
	}
	p := &Pool{Policy: RecycleAll}
	op := func() {
		a := p.Get()
		defer a.Free()
		for range 100 {
			inner, child := p.Get(), a.Child()
			New[node](inner)
			New[node](child)
			inner.Free()
			child.Free()
			Of[[1 << 10]byte](a).Make(10, 10)
		}
	}
	for range 5 {
		op()
	}
	want := 101 + 100*escapes // the arenas themselves, of which children escape
	if got := alloctest.PerRun(t, op); got > want+10 {
		t.Errorf("%d allocations, want %d and a few", got, want)
	}
}

// TestIdleTypes checks that memory of types which are not used any more is let go, and that of a type which
// is used now and then is not made anew each time.
func TestIdleTypes(t *testing.T) {
	type other struct{ _ *int }
	p := &Pool{Policy: RecycleAll}
	a := p.Get()
	if a == nil {
		t.Skip("arenas are the heap")
	}
	defer a.Free()
	life := func(large bool) {
		if large {
			for range 20_000 {
				New[node](a)
			}
		}
		New[other](a)
		a.Reset()
	}
	life(true)
	before := a.Stats().Kept
	for i := range 40 {
		life(i%8 == 0)
		if kept := a.Stats().Kept; kept < before/2 && !checked.Strict {
			t.Fatalf("%d of %d bytes are kept of what is used in each eighth life", kept, before)
		}
	}
	for range 10 * lookEvery {
		life(false)
	}
	if kept := a.Stats().Kept; kept > maxChunk+4*firstChunk {
		t.Errorf("%d bytes are kept for types that are not used, %d when they were", kept, before)
	}
}
