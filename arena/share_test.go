package arena

import (
	"reflect"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"lessgc/internal/checked"
	"lessgc/internal/untyped"
)

// TestShare checks that goroutines may use a shared arena at once, by each of its
// functions: what they get is theirs, and ends with the arena.
func TestShare(t *testing.T) {
	for _, policy := range pooled {
		p := poolOf(policy)
		for range 5 {
			a := p.Get()
			before := New[int](a)
			*before = 1
			a.Share()
			a.Share()
			var wg sync.WaitGroup
			for g := range 8 {
				wg.Go(func() {
					users := Of[node](a)
					var last *node
					var all []int
					texts := map[string]int{}
					for i := range 300 {
						n := New[node](a)
						if i%2 == 0 {
							n = users.New()
						}
						if *n != (node{}) {
							t.Errorf("%v: a node is not zero", policy)
						}
						n.prev, n.value = last, g*1000+i
						last = n
						all = Append(a, all, i, -i)
						texts[a.String(string(rune('a'+i%26)))+string(a.Bytes([]byte("x")))+a.StringFrom([]byte("long enough to be text of its own"))]++
						NewValue(a, reflect.TypeFor[int]()).Elem().SetInt(int64(i))
						if s := MakeSlice[int](a, 3, 5); s[2] != 0 {
							t.Errorf("%v: a slice is not zero", policy)
						} else {
							s[2] = g
						}
						if v := MakeSliceValue(a, reflect.TypeFor[[]string](), 1, 1); v.Index(0).String() != "" {
							t.Errorf("%v: a slice is not zero", policy)
						}
					}
					for i := 299; i >= 0; i-- {
						if last.value != g*1000+i {
							t.Fatalf("%v: a node of goroutine %d is %v, want %d", policy, g, last.value, g*1000+i)
						}
						last = last.prev
					}
					for i := range 300 {
						if all[2*i] != i || all[2*i+1] != -i {
							t.Fatalf("%v: %d and %d in a slice, want %d", policy, all[2*i], all[2*i+1], i)
						}
					}
					if len(texts) != 26 {
						t.Errorf("%v: %d texts", policy, len(texts))
					}
					c := a.Child()
					New[node](c)
					if a.Len() == 0 || a.Stats().Bytes == 0 {
						t.Errorf("%v: nothing was handed out", policy)
					}
				})
			}
			wg.Wait()
			if *before != 1 {
				t.Errorf("%v: what was there before is %d", policy, *before)
			}
			refused(t, "Mark", "Child", func() { a.Mark() })
			refused(t, "Reset", "Child", func() { a.Reset() })
			a.Free()
			if !checked.Strict {
				refused(t, "New", "fter Free", func() { New[int](a) })
				refused(t, "Free", "fter Free", func() { a.Free() })
			}
		}
	}
	(*Arena)(nil).Share()
}

// TestShareKeep checks that Keep and what package deep asks for reach what a shared arena
// has.
func TestShareKeep(t *testing.T) {
	p := &Pool{Policy: RecycleAll}
	for i := range 50 {
		a := p.Get()
		a.Share()
		n := New[node](a)
		n.value = i
		if i%2 == 0 {
			a.Keep()
		} else {
			if !inSpans(a, unsafe.Pointer(n)) {
				t.Fatal("an object is not in the arena's spans")
			}
			a.Keep()
		}
		a.Free()
		b := p.Get()
		New[node](b).value = -1
		if n.value != i {
			t.Fatalf("%v, want %d", n.value, i)
		}
		b.Free()
	}
}

// inSpans reports whether p is in memory that a hands out again.
func inSpans(a *Arena, p unsafe.Pointer) bool {
	spans, _ := untyped.Spans(unsafe.Pointer(a))
	return slices.ContainsFunc(spans, func(s untyped.Span) bool { return uintptr(p)-s.Base < s.Size })
}
