package html

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"
)

// A page is an input.
type page struct {
	name string
	src  []byte
}

// corpus returns go1.html, then the inputs of all tests of tree construction,
// the same input once.
func corpus(t testing.TB) []page {
	t.Helper()
	pages, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

var load = sync.OnceValues(func() ([]page, error) {
	dir, err := Testdata()
	if err != nil {
		return nil, err
	}
	src, err := os.ReadFile(filepath.Join(dir, "go1.html"))
	if err != nil {
		return nil, err
	}
	pages := []page{{"go1", src}}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*", "*.dat"))
	if err != nil {
		return nil, err
	}
	more, err := filepath.Glob(filepath.Join(dir, "go", "*.dat"))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, file := range slices.Concat(files, more) {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for i, src := range inputs(data) {
			if !seen[src] {
				seen[src] = true
				pages = append(pages, page{fmt.Sprintf("%s/%d", filepath.Base(file), i), []byte(src)})
			}
		}
	}
	return pages, nil
})

// inputs returns the inputs in a file of tests: what is between a line #data
// and a line #errors.
func inputs(file []byte) []string {
	var all []string
	for _, part := range bytes.Split(append([]byte("\n"), file...), []byte("\n#data\n"))[1:] {
		src, _, _ := bytes.Cut(append([]byte("\n"), part...), []byte("\n#errors"))
		all = append(all, strings.TrimPrefix(string(src), "\n"))
	}
	return all
}

// dump writes a tree, indented. The attributes are sorted, because html.Parse
// sorts those of formatting elements, and ours keeps them as they are.
func dump(n *html.Node) string {
	var b strings.Builder
	write(&b, n, 0)
	return b.String()
}

func write(b *strings.Builder, n *html.Node, depth int) {
	fmt.Fprintf(b, "%*s%v %v %q %q", 2*depth, "", n.Type, n.DataAtom, n.Namespace, n.Data)
	attrs := slices.Clone(n.Attr)
	slices.SortStableFunc(attrs, func(x, y html.Attribute) int {
		return cmp.Or(cmp.Compare(x.Namespace, y.Namespace), cmp.Compare(x.Key, y.Key), cmp.Compare(x.Val, y.Val))
	})
	for _, a := range attrs {
		fmt.Fprintf(b, " %s:%s=%q", a.Namespace, a.Key, a.Val)
	}
	b.WriteString("\n")
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		write(b, c, depth+1)
	}
}

// consistent checks the links of a tree.
func consistent(n *html.Node) error {
	var last *html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Parent != n || c.PrevSibling != last {
			return fmt.Errorf("a child of <%s> is linked wrongly", n.Data)
		}
		if c.Type == html.TextNode && (c.Data == "" || last != nil && last.Type == html.TextNode) {
			return fmt.Errorf("<%s> has text that is empty or beside text", n.Data)
		}
		if err := consistent(c); err != nil {
			return err
		}
		last = c
	}
	if n.LastChild != last {
		return fmt.Errorf("the last child of <%s> is another", n.Data)
	}
	return nil
}
