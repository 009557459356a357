package xml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	xhtml "golang.org/x/net/html"

	"lessgc/arena"
	"lessgc/internal/alloctest"
	"lessgc/workloads/documents/html"
)

// document is an input.
type document struct {
	name string
	src  []byte
}

// inputs returns the two documents of the benchmarks, see the package comment.
func inputs(t testing.TB) []document {
	t.Helper()
	loaded, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

var load = sync.OnceValues(func() ([]document, error) {
	book, err := Workbook()
	if err != nil {
		return nil, err
	}
	sheet, err := Sheet(book)
	if err != nil {
		return nil, err
	}
	notes, err := releaseNotes()
	return []document{{"sheet", sheet}, {"notes", notes}}, err
})

// releaseNotes returns the release notes of Go 1 as XHTML. The page is HTML,
// which is not XML: it is parsed and written again by encoding/xml.
func releaseNotes() ([]byte, error) {
	dir, err := html.Testdata()
	if err != nil {
		return nil, err
	}
	page, err := os.ReadFile(filepath.Join(dir, "go1.html"))
	if err != nil {
		return nil, err
	}
	doc, err := xhtml.Parse(bytes.NewReader(page))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	err = errors.Join(encode(enc, doc), enc.Close()) // Close writes the rest
	return b.Bytes(), err
}

func encode(enc *xml.Encoder, n *xhtml.Node) error {
	switch n.Type {
	case xhtml.TextNode:
		return enc.EncodeToken(xml.CharData(n.Data))
	case xhtml.CommentNode:
		return enc.EncodeToken(xml.Comment(n.Data))
	case xhtml.DoctypeNode:
		return enc.EncodeToken(xml.Directive("DOCTYPE " + n.Data))
	}
	start := xml.StartElement{Name: xml.Name{Local: n.Data}}
	for _, a := range n.Attr {
		start.Attr = append(start.Attr, xml.Attr{Name: xml.Name{Local: a.Key}, Value: a.Val})
	}
	if n.Type == xhtml.ElementNode {
		if err := enc.EncodeToken(start); err != nil {
			return err
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if err := encode(enc, c); err != nil {
			return err
		}
	}
	if n.Type == xhtml.ElementNode {
		return enc.EncodeToken(start.End())
	}
	return nil
}

// reference returns the tree of encoding/xml. It lives on the heap, so it may
// be kept.
func reference(t testing.TB, src []byte) *Node {
	t.Helper()
	var doc *Node
	if err := encodingXML(src, func(n *Node) { doc = n }); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestStrategies checks that all strategies build the tree of encoding/xml.
// The sheet is a short one, with all that the long one has.
func TestStrategies(t *testing.T) {
	book, err := workbook(200)
	if err != nil {
		t.Fatal(err)
	}
	short, err := Sheet(book)
	if err != nil {
		t.Fatal(err)
	}
	all := []document{{"sheet", short}, inputs(t)[1]}
	for _, c := range valid {
		all = append(all, document{fmt.Sprintf("%.40q", c.src), []byte(c.src)})
	}
	for _, in := range all {
		strategies := Strategies
		var want *Node
		if src := string(in.src); src == spacesInValue || src == instInDoctype {
			strategies = Strategies[1:]
			want, _ = decode(src)
		} else {
			want = reference(t, in.src)
		}
		for _, s := range strategies {
			// From the second input on, in memory that has been used.
			called := false
			err := s.Do(in.src, func(doc *Node) {
				called = true
				if err := errors.Join(consistent(doc), equal(doc, want)); err != nil {
					t.Errorf("strategy=%s doc=%s: %v", s.Name, in.name, err)
				}
			})
			if err != nil || !called {
				t.Errorf("strategy=%s doc=%s: error %v", s.Name, in.name, err)
			}
		}
	}
}

// TestErrors checks that all strategies refuse what the parser refuses, and
// call nothing then.
func TestErrors(t *testing.T) {
	for _, s := range Strategies {
		for _, c := range invalid {
			if s.Name == "encodingxml" && stricter[c.Msg] != "" {
				continue
			}
			err := s.Do([]byte(c.src), func(*Node) { t.Errorf("strategy=%s: %.40q has a tree", s.Name, c.src) })
			if err == nil {
				t.Errorf("strategy=%s: %.40q is accepted", s.Name, c.src)
			}
		}
	}
}

// TestInputReusable checks that a tree holds nothing of the input.
func TestInputReusable(t *testing.T) {
	for _, in := range inputs(t)[1:] {
		want := reference(t, in.src)
		for _, s := range Strategies {
			src := bytes.Clone(in.src)
			err := s.Do(src, func(doc *Node) {
				for i := range src {
					src[i] = 'x'
				}
				if err := equal(doc, want); err != nil {
					t.Errorf("strategy=%s doc=%s: %v", s.Name, in.name, err)
				}
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// TestCollected checks that a tree survives collections while it is in use,
// in several goroutines at once.
func TestCollected(t *testing.T) {
	in := inputs(t)[1]
	want := reference(t, in.src)
	for _, s := range Strategies {
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				err := s.Do(in.src, func(doc *Node) {
					runtime.GC()
					garbage := make([]*Node, 10_000)
					for i := range garbage {
						garbage[i] = &Node{Data: string(in.src[i : i+8])}
					}
					runtime.GC()
					if err := equal(doc, want); err != nil {
						t.Errorf("strategy=%s: %v", s.Name, err)
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

// TestAllocs pins what a strategy leaves to the heap for the notes: with heap
// every object of the tree and a few names, with an arena a chunk now and then,
// or only the arena.
func TestAllocs(t *testing.T) {
	if arena.NewArena() == nil {
		t.Skip("arenas are switched off")
	}
	src := inputs(t)[1].src
	n := objects(reference(t, src))
	want := map[string]struct{ least, most int }{
		"encodingxml":   {n + n/2, 3 * n},
		"heap":          {n, n + 100},
		"stdarena":      {1, 20},
		"arena-safe":    {1, n / 10},
		"arena-typed":   {1, n / 20}, // for strings
		"arena-recycle": {1, 1},
		"handle":        {1, 1},
	}
	for _, s := range Strategies {
		got := alloctest.PerRun(t, func() {
			if err := s.Do(src, func(*Node) {}); err != nil {
				t.Fatal(err)
			}
		})
		want, ok := want[s.Name]
		if !ok || got < want.least || got > want.most {
			t.Errorf("strategy=%s: %d allocations, want %d to %d", s.Name, got, want.least, want.most)
		}
	}
}

// objects returns how many objects a tree is made of, names left out: nodes,
// slices of attributes, and strings.
func objects(n *Node) int {
	total := 1
	if n.Data != "" {
		total++
	}
	if n.Attrs != nil {
		total++
	}
	for _, a := range n.Attrs {
		if a.Value != "" {
			total++
		}
	}
	for c := n.First; c != nil; c = c.Next {
		total += objects(c)
	}
	return total
}

func BenchmarkXML(b *testing.B) {
	for _, s := range Strategies {
		for _, in := range inputs(b) {
			b.Run(fmt.Sprintf("strategy=%s/doc=%s", s.Name, in.name), func(b *testing.B) {
				use := func(doc *Node) {
					if doc.First == nil {
						b.Fatal("empty document")
					}
				}
				// Outside the loop, or the first filling of a pool would show.
				if err := s.Do(in.src, use); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(in.src)))
				b.ReportAllocs()
				for b.Loop() {
					s.Do(in.src, use)
				}
			})
		}
	}
}
