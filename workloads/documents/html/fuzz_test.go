package html

import (
	"bytes"
	"errors"
	"testing"

	"golang.org/x/net/html"
)

func FuzzHTML(f *testing.F) {
	for _, page := range corpus(f)[1:] {
		f.Add(page.src)
	}
	for _, src := range fragments {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if got, want := tokens(string(src)), wantTokens(string(src)); got != want {
			t.Fatalf("tokens:\n%s\nwant\n%s", got, want)
		}
		doc, err := parse(src, memory{})
		if err != nil {
			if !errors.Is(err, ErrDepth) {
				t.Fatal(err)
			}
			return
		}
		if err := consistent(doc); err != nil {
			t.Fatal(err)
		}
		checkRender(t, doc)
		tree := dump(doc)
		if ref, err := html.Parse(bytes.NewReader(src)); err == nil {
			checkRender(t, ref)
			if want := dump(ref); tree != want && !uncovered.Match(src) {
				t.Fatalf("tree:\n%s\nwant\n%s", tree, want)
			}
		}
		page, err := Append(nil, doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range Strategies[1:] {
			got, err := s.Do(nil, src, func(doc *html.Node) {
				if dump(doc) != tree {
					t.Fatalf("strategy=%s:\n%s\nwant\n%s", s.Name, dump(doc), tree)
				}
			})
			if err != nil || !bytes.Equal(got, page) {
				t.Fatalf("strategy=%s: error %v, %s", s.Name, err, got)
			}
		}
	})
}
