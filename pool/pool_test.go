package pool_test

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
	"lessgc/pool"
)

// released skips a test of what the checked build does otherwise: it keeps values
// out of use for a while, and allocates.
func released(t testing.TB) {
	t.Helper()
	if checked.Enabled {
		t.Skip("the checked build reuses values later")
	}
}

// alone makes what is put the next that is got, for the rest of the test.
func alone(t testing.TB) {
	t.Helper()
	uncollected(t)
	procs := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(procs) })
}

// uncollected is released, and leaves all collections to the test.
func uncollected(t testing.TB) {
	t.Helper()
	released(t)
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
}

// panics returns what f panics with, or nil.
func panics(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

type request struct {
	id   int
	name string
	tags []string
}

func TestPool(t *testing.T) {
	alone(t)
	p := pool.Pool[request]{
		New:   func() *request { return &request{tags: make([]string, 0, 4)} },
		Reset: func(r *request) { r.id, r.name, r.tags = 0, "", r.tags[:0] },
	}
	first := p.Get()
	if first.id != 0 || first.name != "" || cap(first.tags) != 4 {
		t.Fatalf("Get returned %+v, want what New made", *first)
	}
	first.id, first.name, first.tags = 7, "seven", append(first.tags, "odd")
	p.Put(first)
	if first.id != 0 || first.name != "" || len(first.tags) != 0 {
		t.Errorf("after Put the value is %+v, want it reset", *first)
	}
	if second := p.Get(); second != first {
		t.Error("Get returned another value than the one that was put")
	}
	want := pool.Stats{Misses: 1, Kept: 1, KeptBytes: int64(unsafe.Sizeof(request{}))}
	if got := p.Stats(); got != want {
		t.Errorf("Stats() = %+v, want %+v", got, want)
	}
}

// TestPoolZero calls every method of a zero Pool.
func TestPoolZero(t *testing.T) {
	var stats, with, get, empty pool.Pool[request]
	if got := stats.Stats(); got != (pool.Stats{}) {
		t.Errorf("Stats() = %+v, want zeros", got)
	}
	called := false
	with.With(func(r *request) { called = r.id == 0 && r.name == "" && r.tags == nil })
	if !called {
		t.Error("With did not hand out a zeroed value")
	}
	v := get.Get()
	v.id = 1
	get.Put(v)
	if got := panics(func() { empty.Put(nil) }); got != "pool: Put of a nil pointer" {
		t.Errorf("Put(nil) panics with %v", got)
	}
}

// TestPoolWithoutReset checks that nobody changes a value that has no Reset.
func TestPoolWithoutReset(t *testing.T) {
	alone(t)
	var p pool.Pool[request]
	p.With(func(r *request) { r.id = 7 })
	p.With(func(r *request) {
		if r.id != 7 {
			t.Errorf("id = %d, want 7 as it was left", r.id)
		}
	})
}

func TestPoolNewNil(t *testing.T) {
	p := pool.Pool[request]{New: func() *request { return nil }}
	if got := panics(func() { p.Get() }); got != "pool: New returned a nil pointer" {
		t.Errorf("Get panics with %v", got)
	}
}

// TestPoolSizes pools types that the runtime places in special ways.
func TestPoolSizes(t *testing.T) {
	var empty pool.Pool[struct{}]
	var tiny pool.Pool[byte]
	var huge pool.Pool[[1 << 20]byte]
	var global pool.Pool[request]
	global.New = func() *request { return &theRequest }
	for range 100 {
		empty.With(func(*struct{}) { tiny.With(func(b *byte) { *b++ }) })
		huge.With(func(h *[1 << 20]byte) { h[len(h)-1]++ })
		runtime.GC()
	}
	global.With(func(r *request) { r.id++ })
	tiny.With(func(b *byte) {
		if s := tiny.Stats(); s.Misses == 0 || s.Misses > 101 {
			t.Errorf("%d of 101 uses allocated, want 1 at least", s.Misses)
		}
	})
}

var theRequest request

// TestPoolPanic checks that a value is not put back whose function did not
// return.
func TestPoolPanic(t *testing.T) {
	resets := 0
	p := pool.Pool[request]{Reset: func(*request) { resets++ }}
	if got := panics(func() { p.With(func(*request) { panic("use") }) }); got != "use" {
		t.Errorf("With panics with %v, want what its function panics with", got)
	}
	var wg sync.WaitGroup
	wg.Go(func() { p.With(func(*request) { runtime.Goexit() }) })
	wg.Wait()
	if resets != 0 {
		t.Errorf("%d values were put back, want none", resets)
	}
	p.With(func(*request) {})
	if resets != 1 {
		t.Errorf("%d values were put back, want 1", resets)
	}
}

// sink keeps the compiler from removing what computes it.
var sink int

func TestPoolAllocs(t *testing.T) {
	released(t)
	check := func(what string, f func()) {
		t.Helper()
		if got := alloctest.PerRun(t, f); got != 0 {
			t.Errorf("%s: %d allocations, want 0", what, got)
		}
	}
	p := pool.Pool[request]{Reset: func(r *request) { *r = request{} }}
	check("Get, Put", func() { p.Put(p.Get()) })
	check("With", func() { p.With(func(r *request) { sink += len(r.name) }) })
	check("Stats", func() { sink += int(p.Stats().Misses) })
}

// collect runs collections until done. What a collection finds is counted by
// goroutines of the runtime, after it.
func collect(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 10_000 {
		if done() {
			return
		}
		runtime.GC()
		runtime.Gosched()
	}
	t.Errorf("after many collections: %s", what)
}

// TestPoolIdle checks that collections empty a pool, and that it notices.
func TestPoolIdle(t *testing.T) {
	uncollected(t)
	var p pool.Pool[request]
	values := make([]*request, 100)
	for i := range values {
		values[i] = p.Get()
	}
	for i, v := range values {
		p.Put(v)
		values[i] = nil
	}
	if got := p.Stats().Kept; got != 100 {
		t.Errorf("%d values kept, want 100", got)
	}
	collect(t, "values kept", func() bool { return p.Stats().Kept == 0 })
	if got, want := p.Stats(), (pool.Stats{Misses: 100, Dropped: 100}); got != want {
		t.Errorf("Stats() = %+v, want %+v", got, want)
	}
}

// TestPoolCollected checks that a pool does not keep alive what it is a field of,
// although one of its values does.
func TestPoolCollected(t *testing.T) {
	type server struct {
		pool    pool.Pool[request]
		buffers pool.Buffers
		current *request
		buffer  *pool.Buffer
		self    *server
	}
	gone := make(chan bool, 1)
	func() {
		s := new(server)
		s.self = s
		s.current = s.pool.Get()
		s.buffers.Put(s.buffers.Get(0))
		s.buffer = s.buffers.Get(0)
		runtime.AddCleanup(s, func(c chan bool) { c <- true }, gone)
	}()
	collect(t, "the owner of a pool is alive", func() bool { return len(gone) == 1 })
}

// TestPoolStress has many goroutines write all of their values and read them
// back, while the collector runs.
func TestPoolStress(t *testing.T) {
	p := pool.Pool[request]{Reset: func(r *request) { r.id, r.name, r.tags = 0, "", r.tags[:0] }}
	stress(t, func(g, i int) {
		p.With(func(r *request) {
			if r.id != 0 || r.name != "" || len(r.tags) != 0 {
				t.Errorf("value is not reset: %+v", *r)
			}
			r.id, r.name = g, strings.Repeat("x", g)
			for range g {
				r.tags = append(r.tags, strings.Repeat("y", i%7))
			}
			runtime.Gosched()
			if r.id != g || len(r.name) != g || len(r.tags) != g {
				t.Errorf("value of goroutine %d was changed: %+v", g, *r)
			}
		})
	})
	if s := p.Stats(); s.Misses == 0 || s.Misses > stressed {
		t.Errorf("%d of %d uses allocated", s.Misses, stressed)
	}
}

const stressed = 16 * 500

// stress calls f from 16 goroutines, 500 times in each.
func stress(t *testing.T, f func(g, i int)) {
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 500 {
				f(g, i)
				if i%250 == g {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
}

// TestZeroSize checks that values without a size, which are all the same one, are
// not counted as kept for ever.
func TestZeroSize(t *testing.T) {
	var p pool.Pool[struct{}]
	for range 100 {
		p.With(func(*struct{}) {})
		p.Get()
	}
	if s := p.Stats(); s.Kept != 0 || s.Misses == 0 || s.Misses > 200 {
		t.Errorf("%+v", s)
	}
}
