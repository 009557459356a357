package arena

import (
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

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
		if n := len(a.st.places); n > 10*len(a.st.all) {
			t.Errorf("%v: %d places are remembered", policy, n)
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

// TestReleaseBeforeShrink releases to a mark behind which a builder gave memory
// back.
func TestReleaseBeforeShrink(t *testing.T) {
	a := (&Pool{Policy: RecycleAll}).Get()
	b := NewBuilder(a)
	b.Grow(400)
	b.WriteString("short")
	m := a.Mark()
	_ = b.String()
	a.Release(m)
	a.Free()
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

// TestDetachLeavesOthers checks that objects of an arena before, in a chunk that
// this arena has now, are not moved.
func TestDetachLeavesOthers(t *testing.T) {
	needsReuse(t)
	type holder struct{ p *int }
	pool := &Pool{Policy: Safe}
	a := pool.Get()
	p := New[int](a)
	a.Free()
	b := pool.Get()
	q := New[int](b)
	if h := Detach(b, &holder{p}); h.p != p {
		t.Error("an object of another arena was moved")
	}
	if h := Detach(b, &holder{q}); h.p == q {
		t.Error("an object of the arena was not moved")
	}
	b.Free()
}

// TestDetachArenas checks that Detach takes away pointers to the arena, and no
// others, and does not look into arenas.
func TestDetachArenas(t *testing.T) {
	needsArenas(t)
	type value struct {
		own, other *Arena
		x          *int
	}
	a, b := NewArena(), NewArena()
	defer b.Free()
	v := Detach(a, value{a, b, New[int](a)})
	if v.own != nil || v.other != b || v.x == nil {
		t.Errorf("%+v", v)
	}
	a.Free()
	type request struct {
		arena Arena
		x     *int
	}
	r := new(request)
	r.x = New[int](&r.arena)
	*r.x = 7
	if Detach(&r.arena, r); staysInChunk(unsafe.Pointer(r.x)) || *r.x != 7 {
		t.Errorf("%d was not moved", *r.x)
	}
	r.arena.Free()
}

// TestDeepCloneOfTheRuntime checks what belongs to the runtime and must stay what
// it is.
func TestDeepCloneOfTheRuntime(t *testing.T) {
	v := reflect.ValueOf(struct{ A, B int }{1, 2})
	if w := DeepClone(&v); w.Type() != v.Type() || w.Type().String() != v.Type().String() || w.Field(1).Int() != 2 {
		t.Errorf("%v", w)
	}
	pc, _, _, _ := runtime.Caller(0)
	f := runtime.FuncForPC(pc)
	type holder struct {
		f *runtime.Func
		n *int
	}
	if h := DeepClone(&holder{f, new(int)}); h.f != f || h.f.Name() != f.Name() {
		t.Errorf("%q, want %q", h.f.Name(), f.Name())
	}
	if g := DeepClone(f); g != f {
		t.Errorf("%p, want %p", g, f)
	}
	// All zero values that are in an interface may be at one address.
	empty := t.Name()[:0]
	zeros := []any{empty, reflect.Zero(reflect.TypeFor[[4]int]()).Interface(), []int(nil)}
	if w := DeepClone(zeros); !reflect.DeepEqual(w, zeros) {
		t.Errorf("%v", w)
	}
}

// TestDeepCloneEmbeddedMap clones a struct with a nil Map in it, whose methods it
// has.
func TestDeepCloneEmbeddedMap(t *testing.T) {
	type user struct {
		*Map[string, int]
		n int
	}
	if u := DeepClone(&user{n: 1}); u.n != 1 || u.Map != nil {
		t.Errorf("%+v", u)
	}
}

// TestDeepCloneLocks checks that locks in maps are refused.
func TestDeepCloneLocks(t *testing.T) {
	defer func() {
		if err, _ := recover().(string); !strings.Contains(err, "sync.Mutex") {
			t.Errorf("panic %q", err)
		}
	}()
	DeepClone(map[int]sync.Mutex{1: {}})
}

// TestTextTooLong checks that the sum of lengths does not overflow.
func TestTextTooLong(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) == 8 {
		t.Skip("no string is that long")
	}
	s := strings.Repeat("s", 1<<26)
	var parts []string
	for range 64 {
		parts = append(parts, s)
	}
	a := (&Pool{}).Get()
	check := func(f func()) {
		t.Helper()
		defer func() {
			if err := recover(); err != "arena: slice too large" {
				t.Errorf("panic %v", err)
			}
		}()
		f()
	}
	check(func() { a.Concat(parts...) })
	check(func() { a.Concat(append(parts, "abcd")...) })
	b := []byte(s)
	check(func() {
		a.Bytes(b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b)
	})
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
