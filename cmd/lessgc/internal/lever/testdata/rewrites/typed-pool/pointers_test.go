package pooled

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
	"weak"
)

func TestPointers(t *testing.T) {
	is := func(name string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, not %v", name, got, want)
		}
	}
	leaf := &note{text: "leaf"}
	tree := []*note{{text: "a", notes: []*note{{text: "b", notes: []*note{leaf}}}}}
	var kept []*string
	for _, name := range []string{"one", "two", "three"} {
		var w strings.Builder
		is("References", []int{References(3), References(1), References(4)}, []int{3 + 3, 1, 6 + 4})
		is("Rehydrated", Rehydrated([]string{"a", "b"}, []int{0, 1, 1}), "abb")
		is("Rehydrated", Rehydrated([]string{"a", "b"}, []int{1}), "b")
		is("First", First(tree), leaf)
		is("First", First(nil), (*note)(nil))
		Listed(&w, tree)
		Listed(&w, nil)
		is("Listed", w.String(), "a\n\n")
		w.Reset()
		Slots(&w, [][]string{{"a", "bc"}, {}, {"def"}})
		is("Slots", w.String(), ".a.bc.............16...............16...def............16")
		is("Roomy", []int{Roomy(words), Roomy(words[:2]), Roomy(words)}, []int{10, 4, 10})
		kept = append(kept, RefusedKeptElement([]string{name}))
		is("row", RefusedRow([]string{name}), [][]string{{name}})
		is("owner", RefusedOwner(tree).notes, tree)
		is("less", RefusedLess([]*note{{text: "b"}, {text: "a"}}), "a")
		is("tail", RefusedTail([]string{"x", name}), []string{name})
		is("args", RefusedArgs([]string{name}), []any{name})
		is("chunks", RefusedChunks(words), len(words))
		is("itself", len(RefusedItself(2).([]any)), 2)
		is("interface", RefusedInterface(named(tree)), 1)
		w.Reset()
		RefusedDeferred(&w, words)
		is("deferred", w.String(), "5")
	}
	is("kept", []string{*kept[0], *kept[1], *kept[2]}, []string{"one", "two", "three"})
	is("panic", panicOf(func() { References(-1) }), "runtime error: makeslice: len out of range")
	is("panic", panicOf(func() { Rehydrated(nil, []int{1}) }), "runtime error: index out of range [1] with length 0")
}

// TestNotKept checks that a slice which has been used keeps nothing alive, also after a panic.
func TestNotKept(t *testing.T) {
	pointers := func() (all []weak.Pointer[note]) {
		var notes []*note
		for range 5 {
			n := &note{text: strings.Repeat("x", 100), notes: []*note{{text: "leaf"}}}
			notes, all = append(notes, n), append(all, weak.Make(n))
		}
		First(notes)
		panicOf(func() { First(append(notes, nil)) })
		Listed(&strings.Builder{}, notes)
		return all
	}()
	runtime.GC() // one collection leaves what is in pools
	for i, p := range pointers {
		if p.Value() != nil {
			t.Errorf("note %d is alive", i)
		}
	}
}

func TestNested(t *testing.T) {
	if n := nested("ab", 2); n != 3*('a'+'b') {
		t.Error(n)
	}
}
