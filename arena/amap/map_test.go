package amap

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"lessgc/arena"
	"lessgc/arena/audit"
	"lessgc/arena/deep"
	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
	"lessgc/internal/panictest"
)

// eachArena runs f with an arena of every policy, which was used before, with a zero one,
// and with the nil arena.
func eachArena(t *testing.T, f func(t *testing.T, a *arena.Arena)) {
	for _, policy := range []arena.Policy{arena.Safe, arena.RecycleTyped, arena.RecycleAll} {
		t.Run(policy.String(), func(t *testing.T) {
			p := &arena.Pool{Policy: policy}
			for range 2 {
				a := p.Get()
				f(t, a)
				a.Free()
			}
		})
	}
	t.Run("zero", func(t *testing.T) { f(t, new(arena.Arena)) })
	t.Run("heap", func(t *testing.T) { f(t, nil) })
}

// A mapModel is a Map and the built-in map that it must agree with.
type mapModel[K comparable] struct {
	m    *Map[K, int]
	want map[K]int
}

func (m mapModel[K]) do(op, n int, k K) error {
	switch op % 8 {
	default:
		m.m.Set(k, n)
		m.want[k] = n
	case 4:
		*m.m.Ref(k) += n
		m.want[k] += n
	case 5, 6:
		m.m.Delete(k)
		delete(m.want, k)
	case 7:
		if n%500 == 0 {
			m.m.Clear()
			clear(m.want)
		}
	}
	if got, ok := m.m.Get(k); got != m.want[k] {
		return fmt.Errorf("value of %v is %d, %v; want %d", k, got, ok, m.want[k])
	}
	if m.m.Len() != len(m.want) {
		return fmt.Errorf("%d entries, want %d", m.m.Len(), len(m.want))
	}
	return nil
}

func (m mapModel[K]) same() error {
	n := 0
	for k, v := range m.m.All() {
		if want, ok := m.want[k]; !ok || v != want {
			return fmt.Errorf("%v: %d, want %d, %v", k, v, want, ok)
		}
		n++
	}
	if n != len(m.want) {
		return fmt.Errorf("%d entries, want %d", n, len(m.want))
	}
	for k := range m.want {
		if _, ok := m.m.Get(k); !ok {
			return fmt.Errorf("%v is missing", k)
		}
	}
	return nil
}

func runMapModel[K comparable](t *testing.T, a *arena.Arena, rnd *rand.Rand, key func(int) K) {
	t.Helper()
	for _, space := range []int{3, 8, 9, 30, 3000} {
		m := mapModel[K]{New[K, int](a, rnd.IntN(2)*space), map[K]int{}}
		if space == 9 {
			m.m = new(Map[K, int]) // the zero Map
		}
		for range min(6*space, 3000) {
			if err := m.do(rnd.IntN(8), rnd.IntN(1000), key(rnd.IntN(space))); err != nil {
				t.Fatalf("key %T, %d keys: %v", key(0), space, err)
			}
		}
		if err := m.same(); err != nil {
			t.Fatalf("key %T, %d keys: %v", key(0), space, err)
		}
	}
}

func TestMapModel(t *testing.T) {
	type word string
	type point struct {
		x int8
		s string
	}
	var at [3000]int
	rnd := rand.New(rand.NewPCG(1, 2))
	eachArena(t, func(t *testing.T, a *arena.Arena) {
		runMapModel(t, a, rnd, func(i int) int { return i })
		runMapModel(t, a, rnd, func(i int) uint64 { return uint64(i) << 40 })
		runMapModel(t, a, rnd, func(i int) int32 { return int32(-i) })
		runMapModel(t, a, rnd, func(i int) uint16 { return uint16(i) })
		runMapModel(t, a, rnd, func(i int) int8 { return int8(i) })
		runMapModel(t, a, rnd, func(i int) bool { return i%2 == 0 })
		runMapModel(t, a, rnd, func(i int) string { return fmt.Sprint(i) })
		runMapModel(t, a, rnd, func(i int) word { return word(strings.Repeat("x", i%40)) })
		runMapModel(t, a, rnd, func(i int) float64 { return float64(i) / 3 })
		runMapModel(t, a, rnd, func(i int) point { return point{int8(i), fmt.Sprint(i % 7)} })
		runMapModel(t, a, rnd, func(i int) *int { return &at[i] })
		runMapModel(t, a, rnd, func(i int) any { return []any{i, fmt.Sprint(i), &at[i], nil, point{s: "p"}}[i%5] })
		runMapModel(t, a, rnd, func(i int) struct{} { return struct{}{} })
		runMapModel(t, a, rnd, func(i int) [40]int { return [40]int{i % 100} })
	})
}

func FuzzMap(f *testing.F) {
	f.Add([]byte("\x00\x01\x05\x01\x00\x01\x07\x00"))
	f.Add([]byte(strings.Repeat("\x00\x21\x01\x84\x04\x13\x05\x21", 40)))
	f.Fuzz(func(t *testing.T, ops []byte) {
		a := arena.NewArena()
		defer a.Free()
		m := mapModel[byte]{New[byte, int](a, 0), map[byte]int{}}
		s := mapModel[string]{New[string, int](a, len(ops)), map[string]int{}}
		for i := 0; i+1 < len(ops); i += 2 {
			if err := m.do(int(ops[i]), i, ops[i+1]); err != nil {
				t.Fatal(err)
			}
			if err := s.do(int(ops[i]), i, string(ops[i:i+2])); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.same(); err != nil {
			t.Fatal(err)
		}
		if err := s.same(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestMapZero calls every method on a zero Map.
func TestMapZero(t *testing.T) {
	var m Map[string, int]
	if v, ok := m.Get("a"); v != 0 || ok || m.Len() != 0 {
		t.Errorf("%d, %v, %d entries", v, ok, m.Len())
	}
	m.Delete("a")
	m.Clear()
	for k := range m.All() {
		t.Errorf("key %q", k)
	}
	m.Set("a", 1)
	*m.Ref("b") = 2
	if got := maps.Collect(m.All()); !maps.Equal(got, map[string]int{"a": 1, "b": 2}) {
		t.Errorf("%v", got)
	}
}

func TestMapKeys(t *testing.T) {
	eachArena(t, func(t *testing.T, a *arena.Arena) {
		nan := New[float64, int](a, 0)
		for i := range 20 {
			nan.Set(math.NaN(), i)
		}
		nan.Delete(math.NaN())
		if _, ok := nan.Get(math.NaN()); ok || nan.Len() != 20 {
			t.Errorf("NaN: found %v, %d entries, want 20", ok, nan.Len())
		}
		nan.Set(0, 1)
		if v, _ := nan.Get(math.Copysign(0, -1)); v != 1 {
			t.Error("-0 is not found as 0")
		}
		nan.Clear()
		if nan.Len() != 0 {
			t.Error("Clear left something")
		}
		fails := func(f func()) {
			t.Helper()
			defer func() {
				if err, ok := recover().(runtime.Error); !ok || !strings.Contains(err.Error(), "unhashable") {
					t.Errorf("panic %v, want one about a key that cannot be hashed", err)
				}
			}()
			f()
		}
		var none Map[any, int]
		fails(func() { none.Get([]int{}) })
		fails(func() { none.Set([]int{}, 1) })
		m := New[any, int](a, 0)
		fails(func() { m.Get([]int{}) })
		fails(func() { m.Delete([]int{}) })
		fails(func() { m.Set([]int{}, 1) })
		m.Set(1, 1)
		fails(func() { m.Get(func() {}) })
		if m.Len() != 1 {
			t.Errorf("%d entries, want 1", m.Len())
		}
	})
}

// TestMapMemory pins that entries do not move, that slots of deleted ones are
// used again, and that a hint suffices.
func TestMapMemory(t *testing.T) {
	eachArena(t, func(t *testing.T, a *arena.Arena) {
		m := New[int, [3]*int](a, 100)
		if len(m.large.index) > 256 || len(m.large.more) > 0 {
			t.Errorf("hint of 100: index of %d, %d segments", len(m.large.index), len(m.large.more))
		}
		index := unsafe.SliceData(m.large.index)
		first := m.Ref(0)
		for i := range 128 {
			m.Set(i, [3]*int{})
		}
		if unsafe.SliceData(m.large.index) != index || len(m.large.more) > 0 {
			t.Error("the map grew")
		}
		for i := range 10_000 {
			m.Set(i, [3]*int{})
		}
		if m.Ref(0) != first {
			t.Error("an entry moved")
		}
		used := m.large.used
		for i := range 100_000 {
			m.Delete(i)
			m.Set(i+10_000, [3]*int{})
		}
		for i := range 1000 {
			m.Delete(100_000 + i)
		}
		for i := range 1000 {
			m.Set(i, [3]*int{})
		}
		if m.large.used != used || m.Len() != 10_000 {
			t.Errorf("%d entries were used for %d, want %d", m.large.used, m.Len(), used)
		}
		m.Clear()
		m.Set(1, [3]*int{})
		if m.large.used != 1 {
			t.Errorf("%d entries used for one after Clear", m.large.used)
		}
	})
	if math.MaxInt > maxEntries {
		panictest.Must(t, "at most 3<<30", func() { New[int, int](nil, math.MaxInt) })
	}
	full := table[int, int]{limit: maxEntries}
	panictest.Must(t, "at most 3<<30", full.growIndex)
}

// TestMapDeleted checks that a deleted entry, and a cleared map, keep nothing
// alive.
func TestMapDeleted(t *testing.T) {
	eachArena(t, func(t *testing.T, a *arena.Arena) {
		m := New[*[100]int, *[100]int](a, 0)
		gone := make(chan int, 3)
		for i := range 3 {
			k := new([100]int)
			runtime.AddCleanup(k, func(i int) { gone <- i }, i)
			if m.Set(k, k); i == 0 {
				m.Delete(k)
			}
		}
		runtime.GC()
		if i := <-gone; i != 0 {
			t.Errorf("value %d was collected, want the one deleted", i)
		}
		m.Clear()
		runtime.GC()
		<-gone
		<-gone
		runtime.KeepAlive(m)
	})
}

func TestMapAll(t *testing.T) {
	eachArena(t, func(t *testing.T, a *arena.Arena) {
		m := New[int, int](a, 0)
		var want []int
		for i := range 1000 {
			m.Set(i*7, i)
			want = append(want, i*7)
		}
		keys := func() (keys []int) {
			for k := range m.All() {
				keys = append(keys, k)
			}
			return keys
		}
		if !slices.Equal(keys(), want) {
			t.Error("not in order of insertion")
		}
		seen := map[int]int{}
		for k := range m.All() { // deletes what comes next, adds other keys
			if seen[k]++; seen[k] > 1 || k < 7000 && k%14 != 0 {
				t.Fatalf("key %d, seen %d times: deleted before it was reached, or seen twice", k, seen[k])
			}
			if k < 7000 {
				m.Delete(k + 7)
				m.Set(k+10_001, 1)
			}
		}
		if m.Len() != 1000 {
			t.Errorf("%d entries, want 1000", m.Len())
		}
		n := 0
		for k := range m.All() { // ends
			m.Set(-k-1, 0)
			if n++; n == 5 {
				m.Clear()
				m.Set(1, 1)
			}
		}
		if n > 5 || m.Len() != 1 {
			t.Errorf("%d rounds, %d entries left", n, m.Len())
		}
		for range m.All() {
			break
		}
	})
}

// TestMapCollected stores the only pointers to heap objects in a Map and collects all
// the time.
func TestMapCollected(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	eachArena(t, func(t *testing.T, a *arena.Arena) {
		m := New[string, *int](a, 0)
		for i := range 5000 {
			s := strings.Repeat("x", 10) + fmt.Sprint(i)
			m.Set(s, new(int))
			v, _ := m.Get(s)
			*v = i
			if i%3 == 0 {
				m.Delete(s)
			}
		}
		garbage := make([]*int, 1000)
		for i := range garbage {
			garbage[i] = new(int)
			*garbage[i] = -1
		}
		runtime.GC()
		for k, v := range m.All() {
			if want := fmt.Sprintf("xxxxxxxxxx%d", *v); k != want {
				t.Fatalf("%q: %d", k, *v)
			}
		}
		runtime.KeepAlive(garbage)
	})
}

// TestMapAllocs pins that a map in a recycled arena does not allocate, whatever
// the key, and that changes do not on the heap either.
func TestMapAllocs(t *testing.T) {
	if checked.Enabled {
		t.Skip("this build allocates more")
	}
	p := &arena.Pool{Policy: arena.RecycleAll}
	checkMapAllocs(t, p, func(i int) int { return i })
	names := strings.Fields(strings.Repeat("a bc d efg ", 250))
	checkMapAllocs(t, p, func(i int) string { return names[i] })
	checkMapAllocs(t, p, func(i int) *string { return &names[i] })
	checkMapAllocs(t, p, func(i int) any { return &names[i] })
	checkMapAllocs(t, p, func(i int) struct {
		f float64
		s string
		p *string
	} {
		return struct {
			f float64
			s string
			p *string
		}{1, names[i], &names[i]}
	})
}

func checkMapAllocs[K comparable](t *testing.T, p *arena.Pool, key func(int) K) {
	t.Helper()
	sum := 0
	got := alloctest.PerRun(t, func() {
		a := p.Get()
		m := New[K, int](a, 0)
		for i := range 1000 {
			m.Set(key(i), i)
		}
		for _, v := range m.All() {
			sum += v
		}
		a.Free()
	})
	if got > 1 {
		t.Errorf("key %T: %d allocations in a recycled arena, want 1, the arena itself", key(0), got)
	}
	m := New[K, int](nil, 1000)
	got = alloctest.PerRun(t, func() {
		for i := range 1000 {
			*m.Ref(key(i)) += i
			v, _ := m.Get(key(i))
			sum += v
		}
		for i := range 1000 {
			m.Delete(key(i))
		}
		m.Clear()
	})
	if got != 0 {
		t.Errorf("key %T: %d allocations on the heap, want 0", key(0), got)
	}
}

// TestMapSmall checks maps of up to 8 entries, and what becomes of pointers and a loop
// when there are more.
func TestMapSmall(t *testing.T) {
	if got := unsafe.Sizeof(Map[string, [4]int]{}); got != 6*unsafe.Sizeof(uintptr(0)) {
		t.Errorf("a Map has %d bytes, want 6 words", got)
	}
	eachArena(t, func(t *testing.T, a *arena.Arena) {
		for _, hint := range []int{-1, 0, 8} {
			m := New[int, *int](a, hint)
			for i := range 8 {
				m.Set(i, &i)
			}
			m.Delete(5)
			m.Set(15, nil)
			if m.large != nil || m.Len() != 8 {
				t.Errorf("hint %d: a table for %d entries", hint, m.Len())
			}
			p := m.Ref(7)
			var keys []int
			for k := range m.All() {
				keys = append(keys, k)
				if k == 3 {
					for i := range 8 {
						m.Set(100+i, nil)
					}
				}
			}
			if want := []int{0, 1, 2, 3, 4, 15, 6, 7, 100, 101, 102, 103, 104, 105, 106, 107}; !slices.Equal(keys, want) {
				t.Errorf("keys %v, want %v", keys, want)
			}
			if m.large == nil || m.Ref(7) != p || m.Len() != 16 {
				t.Errorf("%d entries, table %v, or an entry moved", m.Len(), m.large != nil)
			}
		}
		if m := New[[40]int, int](a, 8); len(m.few) != 8 {
			t.Errorf("no room for the hint of large entries")
		}
	})
}

// TestMapSmallAllocs pins what a small map costs on the heap: itself.
func TestMapSmallAllocs(t *testing.T) {
	if checked.Enabled {
		t.Skip("this build allocates more")
	}
	var sink *Map[string, int]
	got := alloctest.PerRun(t, func() {
		m := New[string, int](nil, 0)
		for _, k := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			m.Set(k, 1)
		}
		m.Delete("c")
		m.Set("i", 1)
		m.Clear()
		sink = m
	})
	if got != 1 {
		t.Errorf("%d allocations for a map of 8 entries, want 1", got)
	}
	runtime.KeepAlive(sink)
}

// A chain is a key by its address.
type chain struct{ next *chain }

// TestDeep checks that copies of a map by value of its arena work on the heap.
func TestDeep(t *testing.T) {
	for _, n := range []int{6, 100} {
		testDeep(t, n)
	}
}

func testDeep(t *testing.T, n int) {
	type all struct {
		byRef  *Map[*chain, int]
		byAny  *Map[any, *chain]
		text   *Map[string, string]
		chains []*chain
	}
	fill := func(a *arena.Arena, format string) *all {
		v := arena.New[all](a)
		v.byRef, v.byAny, v.text = New[*chain, int](a, 0), New[any, *chain](a, 0), New[string, string](a, 0)
		for i := range n {
			c := arena.New[chain](a)
			c.next = c
			v.chains = arena.Append(a, v.chains, c)
			v.byRef.Set(c, i)
			v.byAny.Set(c, c)
			v.text.Set(a.String(fmt.Sprintf("%d", i)), a.String(fmt.Sprintf(format, i)))
		}
		v.byRef.Delete(v.chains[3])
		return v
	}
	check := func(v *all) {
		t.Helper()
		for i, c := range v.chains {
			if n, ok := v.byRef.Get(c); i != 3 && n != i || ok != (i != 3) {
				t.Fatalf("%d: %d, %v", i, n, ok)
			}
			if got, _ := v.byAny.Get(c); got != c || c.next != c {
				t.Fatalf("%d: another chain", i)
			}
		}
		if s, _ := v.text.Get("5"); s != "v5" {
			t.Errorf("%q, want v5", s)
		}
		for i := range 1000 {
			v.byRef.Set(&chain{}, i)
		}
		if got := v.byRef.Len(); got != n+999 {
			t.Errorf("%d entries, want %d", got, n+999)
		}
	}
	p := arena.Pool{Policy: arena.RecycleAll}
	a := p.Get()
	v := fill(a, "v%d")
	clone, moved := deep.Clone(v), deep.Detach(a, v)
	a.Free()
	next := p.Get()
	fill(next, "w%d")
	check(clone)
	check(moved)
	next.Free()
}

// TestDeepEmbedded clones a struct with a nil Map in it, whose methods it has.
func TestDeepEmbedded(t *testing.T) {
	type user struct {
		*Map[string, int]
		n int
	}
	if u := deep.Clone(&user{n: 1}); u.n != 1 || u.Map != nil {
		t.Errorf("%+v", u)
	}
}

// TestMapFreed checks that a map which needs memory after Free panics.
func TestMapFreed(t *testing.T) {
	for _, policy := range []arena.Policy{arena.Safe, arena.RecycleTyped, arena.RecycleAll} {
		a := (&arena.Pool{Policy: policy}).Get()
		m := Map[int, int]{a: a}
		for i := range 8 {
			m.Set(i, i)
		}
		a.Free()
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("policy %v: no panic", policy)
				}
			}()
			m.large = newTable[int, int](a, hashInteger, 1<<16)
		}()
	}
}

// TestMapEscapes checks that an audit names the call that used a map, not one in
// this package.
func TestMapEscapes(t *testing.T) {
	if checked.Race {
		t.Skip("sanitizers have audits of their own")
	}
	p := arena.Pool{AuditEvery: 1}
	a := p.Get()
	m := New[string, int](a, 100)
	a.Free()
	audit.Verify()
	escapes := audit.Of(&p).Escapes
	if len(escapes) == 0 {
		t.Error("the map was kept, and the audit found nothing")
	}
	for _, e := range escapes {
		if !strings.Contains(e.Site, "map_test.go") {
			t.Errorf("%s, allocated at %s", e.Type, e.Site)
		}
	}
	runtime.KeepAlive(m)
}

func BenchmarkMap(b *testing.B) {
	for _, n := range []int{10, 1000, 100_000} {
		benchmarkMap(b, n, "int", func(i int) int { return i * 7919 })
		benchmarkMap(b, n, "string", func(i int) string { return fmt.Sprint("key-", i*7919) })
	}
}

func benchmarkMap[K comparable](b *testing.B, n int, name string, key func(int) K) {
	keys := make([]K, n)
	for i := range keys {
		keys[i] = key(i)
	}
	run := func(op, impl string, f func()) {
		b.Run(fmt.Sprintf("op=%s/key=%s/n=%d/impl=%s", op, name, n, impl), func(b *testing.B) {
			f()
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
	p := &arena.Pool{Policy: arena.RecycleAll}
	builtin, ours, sum := map[K]int{}, New[K, int](nil, 0), 0
	for i, k := range keys {
		builtin[k] = i
		ours.Set(k, i)
	}
	run("build", "builtin", func() {
		m := map[K]int{}
		for i, k := range keys {
			m[k] = i
		}
	})
	run("build", "arena", func() {
		a := p.Get()
		m := New[K, int](a, 0)
		for i, k := range keys {
			m.Set(k, i)
		}
		a.Free()
	})
	run("get", "builtin", func() {
		for _, k := range keys {
			sum += builtin[k]
		}
	})
	run("get", "arena", func() {
		for _, k := range keys {
			v, _ := ours.Get(k)
			sum += v
		}
	})
}
