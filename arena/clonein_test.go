package arena

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"lessgc/internal/alloctest"
	"lessgc/internal/panictest"
	"lessgc/internal/untyped"
)

func TestCloneIn(t *testing.T) {
	type ints []int
	type name string
	type chain struct {
		next *chain
		n    *int
	}
	in := func(a *Arena, p unsafe.Pointer) bool {
		if a == nil {
			return true
		}
		spans, _ := a.appendSpans(nil, nil)
		return slices.ContainsFunc(spans, func(s untyped.Span) bool { return uintptr(p)-s.Base < s.Size })
	}
	for _, a := range []*Arena{nil, recycled()} {
		n := new(int)
		c := &chain{n: n}
		if got := CloneIn(a, c); got == c || *got != *c || !in(a, unsafe.Pointer(got)) {
			t.Errorf("pointer: %v", got)
		}
		s := make([]*int, 1, 3)
		s[0] = n
		if got := CloneIn(a, s); cap(got) != 1 || got[0] != n || &got[0] == &s[0] || !in(a, unsafe.Pointer(&got[0])) {
			t.Errorf("slice: %v", got)
		}
		if got := CloneIn(a, ints{1, 2}); !reflect.DeepEqual(got, ints{1, 2}) || !in(a, unsafe.Pointer(&got[0])) {
			t.Errorf("slice: %v", got)
		}
		if got := CloneIn(a, name("name")); got != "name" || !in(a, unsafe.Pointer(unsafe.StringData(string(got)))) {
			t.Errorf("string: %v", got)
		}
		if CloneIn(a, ints(nil)) != nil || CloneIn(a, ints{}) == nil || CloneIn(a, (*int)(nil)) != nil || CloneIn(a, "") != "" {
			t.Error("nil is not nil, or empty is not empty")
		}
		if *CloneIn(a, &struct{}{}) != struct{}{} {
			t.Error("unreachable")
		}
		panictest.Must(t, "CloneIn of a map[int]int", func() { CloneIn(a, map[int]int{}) })
		a.Free()
	}
}

// TestCloneInAllocs pins that a copy in an arena costs the heap nothing.
func TestCloneInAllocs(t *testing.T) {
	skipAllocs(t)
	ints, text, point, p := make([]int, 100), strings.Repeat("x", 100), &[2]*int{}, Pool{Policy: RecycleAll}
	sink := new(struct {
		ints  []int
		text  string
		point *[2]*int
	})
	if got := alloctest.PerRun(t, func() {
		a := p.Get()
		sink.ints, sink.text, sink.point = CloneIn(a, ints), CloneIn(a, text), CloneIn(a, point)
		a.Free()
	}); got > escapes {
		t.Errorf("%d allocations, want none", got)
	}
}
