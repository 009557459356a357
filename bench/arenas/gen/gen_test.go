package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGenerated checks that the files in the package are what gen writes, and
// that there are no others.
func TestGenerated(t *testing.T) {
	files, err := filepath.Glob("../*_gen_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(allocators) {
		t.Errorf("%d generated files for %d allocators", len(files), len(allocators))
	}
	for _, a := range allocators {
		want, err := generate(a)
		if err != nil {
			t.Fatalf("%s: %v", a.Name, err)
		}
		got, err := os.ReadFile("../" + strings.ToLower(a.Name) + "_gen_test.go")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go generate ./bench/arenas", a.Name)
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
	a := allocator{
		Slab: "$s := of[$T]()", Param: "$s *slab[$T]", NewExpr: "$s.New()",
		MakeExpr: "make[$T]($n)", AppendExpr: "add($x, $v)", BytesExpr: "clone($x)", Setup: "keep($n)",
	}
	check(a.Source("tree", "*object"), "treeSlab := of[tree]()\nobjectPointerSlab := of[*object]()\n")
	check(a.TreeParam(), "treeSlab *slab[tree], ")
	check(a.TreeArg(), "treeSlab, ")
	check(a.New("node"), "nodeSlab.New()")
	check(a.Make("*object", "n"), "make[*object](n)")
	check(a.Append("*node", "n.children", "child"), "add(n.children, child)")
	check(a.Bytes("payload"), "clone(payload)")
	check(a.Prepare("listNeed(n)"), "keep(listNeed(n))")
	check(allocator{}.TreeArg()+allocator{}.TreeParam()+allocator{}.Source("tree"), "")
}
