package html

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"

	"lessgc/internal/alloctest"
)

// checkRender compares Append with html.Render.
func checkRender(t testing.TB, n *html.Node) {
	t.Helper()
	var want bytes.Buffer
	wantErr := html.Render(&want, n)
	got, err := Append([]byte("before "), n)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("error %v, html.Render says %v", err, wantErr)
	}
	if err != nil {
		if string(got) != "before " {
			t.Errorf("%v, and the page is %q", err, got)
		}
		return
	}
	if string(got) != "before "+want.String() {
		t.Errorf("got\n%.1000s\nwant\n%.1000s", got, &want)
	}
}

func TestRender(t *testing.T) {
	for _, page := range corpus(t) {
		doc, err := html.Parse(bytes.NewReader(page.src))
		if err != nil {
			t.Fatal(err)
		}
		checkRender(t, doc)
		checkRender(t, heapTree(t, page.src))
	}
	text := func(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }
	with := func(n html.Node, children ...*html.Node) *html.Node {
		for _, c := range children {
			n.AppendChild(c)
		}
		return &n
	}
	attr := func(key, val string) html.Attribute { return html.Attribute{Key: key, Val: val} }
	for _, n := range []*html.Node{
		text("a&b<c>d'e\"f\rg"),
		{Type: html.RawNode, Data: "<&>"},
		{Type: html.ErrorNode},
		with(html.Node{Type: html.DocumentNode}, text("x"), &html.Node{}),
		with(html.Node{Type: html.ElementNode, Data: "br"}, text("x")),
		with(html.Node{Type: html.ElementNode, Data: "pre"}, text("\nx")),
		with(html.Node{Type: html.ElementNode, Data: "script"}, text("<&>"), &html.Node{Type: html.CommentNode, Data: ">a->b!>&"}),
		with(html.Node{Type: html.ElementNode, Data: "div"},
			with(html.Node{Type: html.ElementNode, Data: "plaintext"}, text("<&>")), text("gone")),
		with(html.Node{Type: html.ElementNode, Data: "title", Namespace: "svg"},
			with(html.Node{Type: html.ElementNode, Data: "style"}, text("<&>"))),
		with(html.Node{Type: html.ElementNode, Data: "g", Namespace: "svg"},
			with(html.Node{Type: html.ElementNode, Data: "style"}, text("<&>"))),
		with(html.Node{Type: html.ElementNode, Data: "annotation-xml", Namespace: "math", Attr: []html.Attribute{attr("encoding", "Text/HTML")}},
			with(html.Node{Type: html.ElementNode, Data: "style"}, text("<&>"))),
		{Type: html.ElementNode, Data: "use", Namespace: "svg", Attr: []html.Attribute{{Namespace: "xlink", Key: "href", Val: "#&"}}},
		{Type: html.DoctypeNode, Data: "h<", Attr: []html.Attribute{attr("public", "a'>b>"), attr("system", "c\"d")}},
		{Type: html.DoctypeNode, Data: "html", Attr: []html.Attribute{attr("system", ">")}},
		{Type: html.DoctypeNode, Data: "html", Attr: []html.Attribute{attr("system", "\"'")}},
	} {
		checkRender(t, n)
	}
}

// TestRenderAllocs pins that a page is written without an allocation.
func TestRenderAllocs(t *testing.T) {
	pages := corpus(t)
	doc := heapTree(t, pages[0].src)
	dst := make([]byte, 0, 2*len(pages[0].src))
	got := alloctest.PerRun(t, func() {
		if _, err := Append(dst, doc); err != nil {
			t.Fatal(err)
		}
	})
	if got != 0 {
		t.Errorf("%d allocations", got)
	}
}
