package arena

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

	"lessgc/internal/alloctest"
)

// eachArena runs f with an arena of every policy, which was used before, and
// with the nil arena.
func eachArena(t *testing.T, f func(t *testing.T, a *Arena)) {
	for _, policy := range []Policy{Safe, RecycleTyped, RecycleAll, Heap} {
		t.Run(policy.String(), func(t *testing.T) {
			p := &Pool{Policy: policy}
			for range 2 {
				a := p.Get()
				f(t, a)
				a.Free()
			}
		})
	}
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

func runMapModel[K comparable](t *testing.T, a *Arena, rnd *rand.Rand, key func(int) K) {
	t.Helper()
	for _, space := range []int{3, 30, 3000} {
		m := mapModel[K]{NewMap[K, int](a, rnd.IntN(2)*space), map[K]int{}}
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
	eachArena(t, func(t *testing.T, a *Arena) {
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
		a := NewArena()
		defer a.Free()
		m := mapModel[byte]{NewMap[byte, int](a, 0), map[byte]int{}}
		s := mapModel[string]{NewMap[string, int](a, len(ops)), map[string]int{}}
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
	m.rehash()
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
	eachArena(t, func(t *testing.T, a *Arena) {
		nan := NewMap[float64, int](a, 0)
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
		m := NewMap[any, int](a, 0)
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

// TestMapMemory pins that entries do not move, that places of deleted ones are
// used again, and that a hint suffices.
func TestMapMemory(t *testing.T) {
	eachArena(t, func(t *testing.T, a *Arena) {
		m := NewMap[int, [3]*int](a, 100)
		if len(m.index) > 256 || len(m.more) > 0 {
			t.Errorf("hint of 100: index of %d, %d segments", len(m.index), len(m.more))
		}
		index := unsafe.SliceData(m.index)
		first := m.Ref(0)
		for i := range 128 {
			m.Set(i, [3]*int{})
		}
		if unsafe.SliceData(m.index) != index || len(m.more) > 0 {
			t.Error("the map grew")
		}
		for i := range 10_000 {
			m.Set(i, [3]*int{})
		}
		if m.Ref(0) != first {
			t.Error("an entry moved")
		}
		used := m.used
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
		if m.used != used || m.Len() != 10_000 {
			t.Errorf("%d entries were used for %d, want %d", m.used, m.Len(), used)
		}
		m.Clear()
		m.Set(1, [3]*int{})
		if m.used != 1 {
			t.Errorf("%d entries used for one after Clear", m.used)
		}
	})
	if math.MaxInt > maxEntries {
		mustPanic(t, "at most 3<<30", func() { NewMap[int, int](nil, math.MaxInt) })
	}
	full := Map[int, int]{limit: maxEntries}
	mustPanic(t, "at most 3<<30", full.growIndex)
}

// TestMapDeleted checks that a deleted entry, and a cleared map, keep nothing
// alive.
func TestMapDeleted(t *testing.T) {
	eachArena(t, func(t *testing.T, a *Arena) {
		m := NewMap[*[100]int, *[100]int](a, 0)
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
	eachArena(t, func(t *testing.T, a *Arena) {
		m := NewMap[int, int](a, 0)
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

// TestContainersCollected stores the only pointers to heap objects in a Map and
// a List and collects all the time.
func TestContainersCollected(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	eachArena(t, func(t *testing.T, a *Arena) {
		m, l := NewMap[string, *int](a, 0), NewList[*string](a)
		for i := range 5000 {
			s := strings.Repeat("x", 10) + fmt.Sprint(i)
			m.Set(s, new(int))
			v, _ := m.Get(s)
			*v = i
			if l.PushBack(&s); i%3 == 0 {
				m.Delete(s)
				l.Remove(l.Back())
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
		i := 0
		for e := range l.All() {
			if i++; i%3 == 0 {
				i++
			}
			_ = *e.Value
			if v, ok := m.Get(*e.Value); !ok || "xxxxxxxxxx"+fmt.Sprint(*v) != *e.Value {
				t.Fatalf("%q is not in the map", *e.Value)
			}
		}
		runtime.KeepAlive(garbage)
	})
}

// TestMapAllocs pins that a map in a recycled arena does not allocate, whatever
// the key, and that changes do not on the heap either.
func TestMapAllocs(t *testing.T) {
	skipAllocs(t)
	p := &Pool{Policy: RecycleAll}
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

func checkMapAllocs[K comparable](t *testing.T, p *Pool, key func(int) K) {
	t.Helper()
	sum := 0
	got := alloctest.PerRun(t, func() {
		a := p.Get()
		m := NewMap[K, int](a, 0)
		for i := range 1000 {
			m.Set(key(i), i)
		}
		for _, v := range m.All() {
			sum += v
		}
		a.Free()
	})
	if got != 0 {
		t.Errorf("key %T: %d allocations in a recycled arena, want 0", key(0), got)
	}
	m := NewMap[K, int](nil, 1000)
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
	p := &Pool{Policy: RecycleAll}
	builtin, ours, sum := map[K]int{}, NewMap[K, int](nil, 0), 0
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
		m := NewMap[K, int](a, 0)
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
