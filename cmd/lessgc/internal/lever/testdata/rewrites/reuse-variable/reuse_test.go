package reused

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

type taker struct{ all [][]byte }

func (t *taker) Take(b []byte) { t.all = append(t.all, b) }

var texts = [][]byte{[]byte("ab"), []byte("cdef"), []byte("")}

func check(t *testing.T) {
	var w strings.Builder
	is := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	text := func(what, want string) { t.Helper(); is(what, w.String(), want); w.Reset() }
	NewRenderer(true).Process(&w, []byte(`a"b--c-d`))
	text("Process", "a&quot;b&mdash;c-d.")
	NewRenderer(false).Process(&w, []byte(`-"`))
	text("Process", "&quot;&quot;.")
	is("Lines", Lines(&w, []string{"long", "", "a", "end", "b"}), 9)
	text("Lines", "<long><a>")
	Sized(&w, []string{"a", "", strings.Repeat("b", 20), "c"})
	text("Sized", "a"+strings.Repeat("b", 20)+"c")
	is("Texts", Texts(&w, []string{"ab", "", "c"}), []string{"ab!", "!", "c!"})
	is("Blocks", Blocks(strings.NewReader("\x05\x05\x05\x01\x01"), []int{3, 0, 1, 4, 1}), []int{15000, 1000, 1000})
	Nested(&w, 2)
	text("Nested", "1.0 2.0 1.0 2.1 ")
	Rows(&w, [][]int{{1, 2, 2}, {}, {0}, {1, 1, 1, 1}})
	text("Rows", "[0 1 2 0]\n[0]\n[1 0]\n[0 4 0 0 0]\n")
}

func Test(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { check(t) })
	}
	wg.Wait()
}

// TestPanics checks that a negative size panics, as before.
func TestPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Blocks(strings.NewReader(""), []int{-1})
}

// TestRefused calls what must not be changed: its results would differ.
func TestRefused(t *testing.T) {
	var w strings.Builder
	var kept []*bytes.Buffer
	keep := func(out *bytes.Buffer, text []byte) int { kept = append(kept, out); out.Write(text); return 0 }
	o := &Open{Action: keep, all: []action{keep, keep, keep}}
	o.Set(keep)
	o.Refused(&w, texts)
	o.refusedSet(&w, texts)
	o.refusedElements(&w, texts)
	refusedParameter(&w, texts, keep)
	for i, out := range kept {
		if out.String() != string(texts[i%3]) {
			t.Errorf("%d: %q", i, out)
		}
	}
	o.refusedField(&w, texts)
	var to taker
	refusedInterface(&to, texts)
	for _, all := range [][][]byte{to.all, refusedKept(&w, texts)} {
		if string(slices.Concat(all...)) != "abcdef" {
			t.Errorf("%q", all)
		}
	}
	if b := refusedReturned(&w, texts); string(b) != "cdef" {
		t.Errorf("%q", b)
	}
	refusedDeferred(&w, texts)
	for _, f := range refusedCaptured(&w, texts) {
		f()
	}
	done, sent := make(chan int), make(chan *bytes.Buffer, 3)
	refusedGo(texts, done)
	if n := <-done + <-done + <-done; n != 6 {
		t.Error(n)
	}
	refusedSent(texts, sent)
	if a, b := <-sent, <-sent; a.String() != "ab" || b.String() != "cdef" {
		t.Error(a, b)
	}
	if n := refusedNil(&w, texts); n != 1 {
		t.Error(n)
	}
	refusedRoom(&w, texts)
	refusedCopy(&w, texts)
	refusedName(&w, "", texts)
	refusedConsumed(&w, texts[:2])
	refusedIterator(&w, slices.Values(texts))
	refusedGoto(&w, texts[:2])
	refusedSet(&w, texts, new(bytes.Buffer))
	if n := refusedLast([]int{1, 1, 3}); n != 9 {
		t.Error(n)
	}
	refusedPointers(&w, []int{1, 2})
	if all := refusedElement([]int{1, 2}); *all[0] != 1 || *all[1] != 2 {
		t.Error(all)
	}
	refusedMixed(&w, []int{1})
	refusedComment(&w, texts)
	refusedNever(&w, texts)
}

func BenchmarkProcess(b *testing.B) {
	r := NewRenderer(true)
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		r.Process(&out, []byte(`a"b--c-d""""`))
	}
}

func TestEmptyIsNotNil(t *testing.T) {
	if n := cloned([][]byte{{}, []byte("a"), nil}); n != 0 {
		t.Errorf("%d are nil", n)
	}
}
