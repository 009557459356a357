package list

import (
	stdlist "container/list"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"lessgc/internal/alloctest"
)

// TestShape checks that an element has the fields of container/list's, in the
// same order and of the same kinds.
func TestShape(t *testing.T) {
	got, want := reflect.TypeFor[element](), reflect.TypeFor[stdlist.Element]()
	if got.NumField() != want.NumField() || got.Size() != want.Size() {
		t.Fatalf("element has %d fields in %d bytes, want %d in %d", got.NumField(), got.Size(), want.NumField(), want.Size())
	}
	for i := range want.NumField() {
		if g, w := got.Field(i).Type.Kind(), want.Field(i).Type.Kind(); g != w {
			t.Errorf("field %s is a %v, want a %v", want.Field(i).Name, g, w)
		}
	}
}

// TestStrategies compares with container/list, in both directions.
func TestStrategies(t *testing.T) {
	sizes := []int{0, 1, 2, 3, 10_000}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		sizes = append(sizes, rnd.IntN(2000))
	}
	for _, s := range Strategies {
		t.Run("strategy="+s.Name, func(t *testing.T) {
			for _, n := range sizes {
				want := stdlist.New()
				for i := range n {
					want.PushBack(i)
				}
				s.Do(n, func(l *List) {
					if err := equal(l, want); err != nil {
						t.Fatalf("n=%d: %v", n, err)
					}
				})
			}
		})
	}
}

// TestCollected checks that a list survives collections while it is in use:
// the collector finds every element and value.
func TestCollected(t *testing.T) {
	const n = 10_000
	for _, s := range Strategies {
		s.Do(n, func(l *List) {
			runtime.GC()
			garbage := make([]*element, n)
			for i := range garbage {
				garbage[i] = &element{value: new(int)}
			}
			runtime.GC()
			want := 0
			for v := range l.Values() {
				if v != want {
					t.Fatalf("strategy=%s: value %d, want %d", s.Name, v, want)
				}
				want++
			}
			if want != n {
				t.Errorf("strategy=%s: %d values, want %d", s.Name, want, n)
			}
			runtime.KeepAlive(garbage)
		})
	}
}

func equal(l *List, want *stdlist.List) error {
	if l.Len() != want.Len() {
		return fmt.Errorf("length %d, want %d", l.Len(), want.Len())
	}
	var values []int
	for e := want.Front(); e != nil; e = e.Next() {
		values = append(values, e.Value.(int))
	}
	if got := slices.Collect(l.Values()); !slices.Equal(got, values) {
		return fmt.Errorf("forward: %v, want %v", got, values)
	}
	var got []int
	for e := l.root.prev; e != &l.root; e = e.prev {
		if e.list != l {
			return fmt.Errorf("element %v belongs to another list", e.value)
		}
		got = append(got, *e.value.(*int))
	}
	slices.Reverse(got)
	if !slices.Equal(got, values) {
		return fmt.Errorf("backward: %v, want %v", got, values)
	}
	return nil
}

// TestAllocs checks what a strategy leaves to the heap. The list itself is
// always one object.
func TestAllocs(t *testing.T) {
	const n = 10_000
	want := map[string]int{
		"heap":              1 + 2*n,
		"stdarena-elements": 1 + n + 2, // two for the arena
		"stdarena":          1 + 2,
		"pool":              1,
		"arena-typed":       1,
		"arena-recycle":     1,
		"handle":            1,
	}
	for _, s := range Strategies {
		want, ok := want[s.Name]
		if !ok {
			continue
		}
		if got := alloctest.PerRun(t, func() { s.Do(n, func(*List) {}) }); got != want {
			t.Errorf("strategy=%s: %d allocations for %d values, want %d", s.Name, got, n, want)
		}
	}
}

func BenchmarkList(b *testing.B) {
	for _, s := range Strategies {
		for _, n := range []int{10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("strategy=%s/n=%d", s.Name, n), func(b *testing.B) {
				use := func(l *List) {
					if l.Len() != n {
						b.Fatalf("%d values, want %d", l.Len(), n)
					}
				}
				// Outside the loop, or the few ops of a large n would show the
				// first filling of a pool more than its use.
				s.Do(n, use)
				b.ReportAllocs()
				for b.Loop() {
					s.Do(n, use)
				}
			})
		}
	}
}
