package html

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"lessgc/arena"
	"lessgc/internal/alloctest"
)

// TestStrategies checks that all strategies of ours make the same tree and the
// same page of every input, and xnethtml too of go1.html.
func TestStrategies(t *testing.T) {
	for _, page := range corpus(t) {
		doc := heapTree(t, page.src)
		wantTree := dump(doc)
		wantPage, err := Append(nil, doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range Strategies {
			if s.Name == "xnethtml" && page.name != "go1" {
				continue
			}
			called := false
			got, err := s.Do([]byte("before "), page.src, func(doc *html.Node) {
				called = true
				if tree := dump(doc); tree != wantTree {
					t.Errorf("strategy=%s %s:\n%.1000s\nwant\n%.1000s", s.Name, page.name, tree, wantTree)
				}
			})
			if err != nil || !called {
				t.Errorf("strategy=%s %s: error %v", s.Name, page.name, err)
			}
			// html.Parse sorts the attributes of formatting elements.
			if s.Name != "xnethtml" && string(got) != "before "+string(wantPage) || len(got) != len("before ")+len(wantPage) {
				t.Errorf("strategy=%s %s:\n%.1000s\nwant\n%.1000s", s.Name, page.name, got, wantPage)
			}
		}
	}
}

// TestInputReusable checks that a tree holds nothing of the input.
func TestInputReusable(t *testing.T) {
	for _, page := range corpus(t) {
		want := dump(heapTree(t, bytes.Clone(page.src)))
		for _, s := range Strategies[1:] {
			src := bytes.Clone(page.src)
			_, err := s.Do(nil, src, func(doc *html.Node) {
				for i := range src {
					src[i] = 'x'
				}
				if got := dump(doc); got != want {
					t.Errorf("strategy=%s %s:\n%.1000s\nwant\n%.1000s", s.Name, page.name, got, want)
				}
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// TestCollected checks that a tree survives collections while it is in use, in
// several goroutines at once.
func TestCollected(t *testing.T) {
	src := corpus(t)[0].src
	want := dump(heapTree(t, src))
	for _, s := range Strategies {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				_, err := s.Do(nil, src, func(doc *html.Node) {
					runtime.GC()
					garbage := make([]*html.Node, 10_000)
					for i := range garbage {
						garbage[i] = &html.Node{Data: string(src[i : i+8])}
					}
					runtime.GC()
					if dump(doc) != want {
						t.Errorf("strategy=%s: the tree has changed", s.Name)
					}
					runtime.KeepAlive(garbage)
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
}

// TestAllocs pins what a strategy leaves to the heap for go1.html: with heap
// every object of the tree, with an arena a chunk now and then, or only the arena.
func TestAllocs(t *testing.T) {
	if arena.NewArena() == nil {
		t.Skip("arenas are switched off")
	}
	src := corpus(t)[0].src
	n := objects(heapTree(t, src))
	want := map[string]struct{ least, most int }{
		"heap":          {n, n},
		"stdarena":      {1, 10},
		"arena-safe":    {1, n / 10},
		"arena-typed":   {1, n / 20}, // for strings
		"arena-recycle": {1, 1},
		"handle":        {1, 1},
	}
	dst := make([]byte, 0, 2*len(src))
	for _, s := range Strategies[1:] {
		got := alloctest.PerRun(t, func() {
			if _, err := s.Do(dst, src, nil); err != nil {
				t.Fatal(err)
			}
		})
		want, ok := want[s.Name]
		if !ok || got < want.least || got > want.most {
			t.Errorf("strategy=%s: %d allocations, want %d to %d", s.Name, got, want.least, want.most)
		}
	}
}

// objects returns how many objects a tree is made of: nodes, slices of
// attributes, and strings that are not constants.
func objects(n *html.Node) int {
	total := 1
	if n.DataAtom == 0 && n.Data != "" {
		total++
	}
	if n.Attr != nil {
		total++
	}
	for _, a := range n.Attr {
		if a.Val != "" {
			total++
		}
		if lookup(a.Key) == 0 {
			total++
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		total += objects(c)
	}
	return total
}

func BenchmarkHTML(b *testing.B) {
	for _, s := range Strategies {
		for _, page := range corpus(b)[:1] {
			b.Run(fmt.Sprintf("strategy=%s/doc=%s", s.Name, page.name), func(b *testing.B) {
				// Outside the loop, or the first filling of a pool would show.
				dst, err := s.Do(nil, page.src, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(page.src)))
				b.ReportAllocs()
				for b.Loop() {
					s.Do(dst[:0], page.src, nil)
				}
			})
		}
	}
}
