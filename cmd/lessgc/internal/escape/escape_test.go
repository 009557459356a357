package escape

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/input"
)

// source has a line for each reason.
const source = `package esc

import "fmt"

type node struct{ next *node; v int }

var keep any

func newNode(v int) *node { return &node{v: v} }

func Build(n int) *node {
	var head *node
	for i := range n {
		x := newNode(i) // 14
		x.next = head
		head = x
	}
	return head
}

func Text(n int) string { return fmt.Sprint(n) } // 21

func Bytes(n int) []byte {
	b := make([]byte, n) // 24
	return b
}

func Keep(v int) { keep = v } // 28

func Closure() func() int {
	n := 0 // 31
	return func() int { n++; return n }
}

func Large() byte {
	var b [64 << 20]byte // 36
	for i := range b {
		b[i] = byte(i)
	}
	return b[7]
}

func Local(n int) int { return len(make([]byte, n)) }
`

// TestBuild checks what the compiler of this toolchain says of each line, and that a
// second build, which the go command has no work with, finds the same.
func TestBuild(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir, cache := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/esc\n\ngo 1.26\n", "esc.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "esc.go")
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	formatting := filepath.Join(strings.TrimSpace(string(goroot)), "src", "fmt")
	for range 2 {
		r, err := Build(context.Background(), cache, dir, []string{"."}, []string{dir, formatting}, false)
		if err != nil {
			t.Fatal(err)
		}
		for line, want := range map[int][2]string{
			9:  {"&node{...}", "it is returned|it is stored by"}, // also where it is inlined
			21: {"n", "it is passed to fmt.Sprint"},
			24: {"make([]byte, n)", "it is returned"},
			28: {"v", "it is stored by keep = v"},
			31: {"n", "a function literal uses it"},
			36: {"b", "it is too large for the stack"},
		} {
			found := false
			for _, x := range r.At(Pos{file, line}) {
				for why := range strings.SplitSeq(want[1], "|") {
					found = found || x.What == want[0] && strings.HasPrefix(x.Why(), why)
				}
			}
			if !found {
				t.Errorf("line %d: %+v, want %s", line, r.At(Pos{file, line}), want)
			}
		}
		inlined, own := 0, 0
		for _, x := range r.At(Pos{file, 9}) {
			switch x.Caller {
			case Pos{file, 14}:
				inlined++
			case Pos{}:
				own++
			}
		}
		if inlined != 1 || own != 1 {
			t.Errorf("%d records of an inlined function, %d of its own", inlined, own)
		}
		s := Sources{Files: input.NewSources(dir)}
		for _, c := range []struct {
			line, caller int
			want         string
		}{
			{9, 14, "&node{...}: it is stored by x.next = head"},
			{9, 1000, "&node{...}: it is returned"},
			{24, 0, "make([]byte, n): it is returned"},
			{15, 0, ""},
			{43, 0, string(Make)}, // the compiler says that it does not escape, and it may not fit the stack
		} {
			if got := r.Explain(&s, Pos{file, c.line}, Pos{file, c.caller}); got != c.want {
				t.Errorf("line %d, called at %d: %q, want %q", c.line, c.caller, got, c.want)
			}
		}
		if x := r.At(Pos{file, 14}); len(x) != 0 {
			t.Errorf("the call of an inlined function has records: %+v", x)
		}
		// Package fmt was compiled too.
		std := false
		for p := range r.byPos {
			std = std || filepath.Base(p.File) == "print.go"
		}
		if !std || r.Files < 10 {
			t.Errorf("records of %d files", r.Files)
		}
	}
}

// TestRead checks records that are not.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"{\"version\":1}\n": "version 1 of its records",
		"no\n":              "invalid character",
		"{\"version\":0,\"file\":\"a.go\"}\n{\"code\":\"escape\",\"message\":\"x esc": "unexpected end",
		"": "",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that is not there was read")
	}
}

// TestInterrupted checks that the records of a build that did not end are not used.
func TestInterrupted(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "key")
	first, err := generation(parent)
	if err != nil {
		t.Fatal(err)
	}
	second, err := generation(parent)
	if err != nil || second == first {
		t.Fatalf("%s, %v: the same folder again", second, err)
	}
	if err := os.WriteFile(filepath.Join(parent, complete), []byte(filepath.Base(second)), 0o666); err != nil {
		t.Fatal(err)
	}
	if third, err := generation(parent); err != nil || third != second {
		t.Fatalf("%s, %v: want %s", third, err, second)
	}
}

// TestBuildTests checks that tests are compiled in the folder that is named.
func TestBuildTests(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module example.com/esc\n\ngo 1.26\n",
		"below/esc.go":      "package below\n",
		"below/esc_test.go": "package below\n\nfunc escapes() *int { return new(int) }\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Build(t.Context(), t.TempDir(), dir, []string{"./below"}, []string{filepath.Join(dir, "below")}, true)
	if err != nil {
		t.Fatal(err)
	}
	if all := r.At(Pos{filepath.Join(dir, "below", "esc_test.go"), 3}); len(all) != 1 || all[0].What != "new(int)" {
		t.Errorf("the record is missing: %v", all)
	}
}

// TestBuildTestsAlike checks that the tests of packages in folders of the same name are compiled together.
func TestBuildTestsAlike(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          "module example.com/esc\n\ngo 1.26\n",
		"esc/esc_test.go": "package esc\n\nfunc escapes() *int { return new(int) }\n",
		"esc_test.go":     "package esc\n\nfunc escapes() *int { return new(int) }\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Build(t.Context(), t.TempDir(), dir, []string{".", "./esc"}, []string{dir, filepath.Join(dir, "esc")}, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{dir, filepath.Join(dir, "esc")} {
		if all := r.At(Pos{filepath.Join(folder, "esc_test.go"), 3}); len(all) != 1 || all[0].What != "new(int)" {
			t.Errorf("%s: the record is missing: %v", folder, all)
		}
	}
}

// TestWhy checks that names of the compiler's own do not get into what is said.
func TestWhy(t *testing.T) {
	for last, want := range map[string]string{
		"x.next = head":        "it is stored by x.next = head",
		"rctx.RoutePath = ~r0": "it is stored in rctx.RoutePath",
		"pool := ~r0":          "it is stored in pool",
		"~r1 = b":              "it is returned",
	} {
		if got := (Record{Reason: "assign", Last: last}).Why(); got != want {
			t.Errorf("%s: %q, want %q", last, got, want)
		}
	}
}

// TestExplainInlined checks that they do not in expressions, either.
func TestExplainInlined(t *testing.T) {
	r := &Records{byPos: map[Pos][]Record{{"x.go", 3}: {{What: "append(hash[:], ~r0...)", Reason: "assign", Last: "n.hash = append(hash[:], ~r12...)"}}}}
	want := "append(hash[:], result...): it is stored by n.hash = append(hash[:], result...)"
	if got := r.Explain(nil, Pos{"x.go", 3}, Pos{}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCall checks that arguments do not get into it either.
func TestCall(t *testing.T) {
	for text, want := range map[string]string{
		"fmt.Sprint(x, f(y))": "fmt.Sprint",
		"(*ast.BaseNode).AppendChild(node.BaseInline.BaseNode, node, ~r0)": "(*ast.BaseNode).AppendChild",
		"(f(x)).m(y)":           "(f(x)).m",
		"parent.AppendChild(x)": "parent.AppendChild",
		"(func(a int))(x)":      "(func(a int))",
		"(":                     "(",
		"":                      "",
	} {
		if got := call(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
