package lever

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pooledOnce is a package of which apply has changed the first function, and the second one has a map of the same type.
const pooledOnce = `package m

import "sync"

// seenPool keeps values of type map[*node]bool for getSeen and putSeen.
var seenPool = sync.Pool{New: func() any { return make(map[*node]bool) }}

// getSeen returns an empty map. It is given to putSeen when nothing uses it any more.
func getSeen() map[*node]bool { return seenPool.Get().(map[*node]bool) }

// putSeen takes back what getSeen has returned.
func putSeen(m map[*node]bool) {
	// A map that one large call has grown is dropped: the pool would keep it.
	if len(m) <= 256 {
		clear(m)
		seenPool.Put(m)
	}
}

// Nodes counts different nodes.
func Nodes(all []*node) int {
	seen := getSeen()
	defer putSeen(seen)
	for _, n := range all {
		seen[n] = true
	}
	return len(seen)
}
`

const pooledNext = `package m

type node struct{ next *node }

// Next counts nodes that come after others.
func Next(all []*node) int {
	set := make(map[*node]bool)
	for _, n := range all {
		set[n.next] = true
	}
	return len(set)
}
`

// TestPoolShared checks that a pool that an earlier change has made is used again, as long as it is the same word for word, and that
// its functions are there and are meant.
func TestPoolShared(t *testing.T) {
	t.Setenv("GOWORK", "off")
	for _, c := range []struct {
		why         string
		first, next func(string) string // change a file
		file        string              // of the first
		shared      bool
	}{
		{why: "the same", shared: true},
		{why: "another limit", first: replacing("256", "512")},
		{why: "another type", first: replacing("map[*node]bool", "map[*node]int8", "= true", "= 1")},
		{why: "another new one", first: replacing("return make(map[*node]bool)", "return make(map[*node]bool, 8)")},
		{why: "not cleared", first: replacing("\t\tclear(m)\n", "")},
		{why: "another function between", first: replacing("// putSeen takes", "func other() {}\n\n// putSeen takes")},
		{why: "a person has written the comment", first: replacing("keeps values of", "has values of")},
		{why: "something else takes it", first: replacing("return len(seen)", "seenPool.Put(make(map[*node]bool))\n\treturn len(seen)")},
		{why: "another package sync", first: replacing("import \"sync\"", "var sync syncs\n\ntype syncs struct{}\n\ntype Pool struct{ New func() any }\n\nfunc (*Pool) Get() any { return nil }\nfunc (*Pool) Put(any) {}", "= sync.Pool{", "= Pool{")},
		{why: "the name means something else", next: replacing("	for _, n := range all {", "	getSeen := len(all)\n	for _, n := range all[:getSeen] {")},
		{why: "a type of that name in the function", next: replacing("	set :=", "	type node = int\n	set :=", "for _, n := range", "for range", "set[n.next]", "set[new(node)]")},
		{why: "some systems only", file: "first_linux.go"},
		{why: "some builds only", first: func(s string) string { return "//go:build go1.21\n\n" + s }},
	} {
		dir := t.TempDir()
		if c.file == "" {
			c.file = "first.go"
		}
		texts := map[string]string{c.file: pooledOnce, "next.go": pooledNext, "go.mod": "module example.com/m\n\ngo 1.26\n"}
		if c.first != nil {
			texts[c.file] = c.first(pooledOnce)
		}
		if c.next != nil {
			texts["next.go"] = c.next(pooledNext)
		}
		for name, text := range texts {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		program, err := Load(t.Context(), dir, []string{"."}, false)
		if err != nil {
			t.Fatalf("%s: %v", c.why, err)
		}
		file, text := filepath.Join(dir, "next.go"), texts["next.go"]
		got := string(allEdits(program, file, []byte(text), map[string]bool{}))
		if shared := strings.Contains(got, "\tset := getSeen()\n\tdefer putSeen(set)\n"); shared != c.shared {
			t.Errorf("%s: shared is %t: %s", c.why, shared, got)
		}
		if c.shared && strings.Contains(got, "sync") {
			t.Errorf("%s: %s", c.why, got)
		}
		if want := c.why != "a type of that name in the function" && c.why != "another package sync"; !c.shared && want != strings.Contains(got, "var setPool = sync.Pool") {
			t.Errorf("%s: it has a pool of its own: %s", c.why, got)
		}
		if c.shared {
			poolAll(t, dir)
		}
	}
}

// replacing is a function that replaces texts.
func replacing(oldnew ...string) func(string) string { return strings.NewReplacer(oldnew...).Replace }
