package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestGenerated checks that the files in the package are what gen writes, and
// that there are no others.
func TestGenerated(t *testing.T) {
	files, err := filepath.Glob("../*_gen_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(structures) {
		t.Errorf("%d generated files for %d structures", len(files), len(structures))
	}
	for _, s := range structures {
		want, err := generate(s)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		got, err := os.ReadFile("../" + s.file())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go generate ./bench/structures", s.file())
		}
	}
}

// TestExpand checks the names that expressions can use.
func TestExpand(t *testing.T) {
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	o := op{
		allocator{
			Name: "handle", Setup: "new$SHandle(in)", Open: "a := $handle", NewExpr: "a.$f.New()",
			MakeExpr: "make[$T]($len, $cap)", AppendExpr: "add($x, $v)", TextExpr: "clone($x)",
		},
		structure{Name: "json", Fields: []field{{"items", "*jsonNode", "", ""}}},
	}
	check(o.N(), "handleJSON")
	check(o.Type(), "*jsonHandle")
	check(o.Setup(), "newJSONHandle(in)")
	check(o.Open(), "a := jsonHandle{\nitems: arena.Of[*jsonNode](r),\narena: r,\n}")
	check(o.New("items"), "a.items.New()")
	check(o.Make("items", "1", "2"), "make[*jsonNode](1, 2)")
	check(o.Raw("items", "1", "2"), "make[*jsonNode](1, 2)")
	check(o.Append("items", "n.items", "item"), "add(n.items, item)")
	check(o.Copy("s"), "clone(s)")
	check(o.Bind(), "a := p.a")
	o.a.RawExpr = "raw($cap)"
	check(o.Raw("items", "1", "2"), "raw(2)")
	o.a.Type = "onHeap"
	check(o.Type()+o.Bind(), "onHeap")
}
