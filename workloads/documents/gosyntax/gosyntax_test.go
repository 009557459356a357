package gosyntax

import (
	"go/ast"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lessgc/arena"
	"lessgc/internal/alloctest"
)

// benchmarked are the files of one op: a server, a formatter, a decoder, a
// parser and a collector.
var benchmarked = []string{
	"src/net/http/server.go",
	"src/fmt/print.go",
	"src/encoding/json/decode.go",
	"src/go/parser/parser.go",
	"src/runtime/mgc.go",
}

// benchSources returns the texts of benchmarked and their length together.
func benchSources(t testing.TB) (texts [][]byte, size int) {
	for _, f := range sources(t, false, "src/net/http", "src/fmt", "src/encoding/json", "src/go/parser", "src/runtime") {
		if slices.Contains(benchmarked, f.name) {
			texts = append(texts, f.text)
			size += len(f.text)
		}
	}
	if len(texts) != len(benchmarked) {
		t.Fatalf("%d of %d files found in the release", len(texts), len(benchmarked))
	}
	return texts, size
}

// TestCollected checks that a tree survives collections while it is in use: the
// collector finds every node, list and name.
func TestCollected(t *testing.T) {
	texts, _ := benchSources(t)
	for _, s := range Strategies {
		for i, text := range texts {
			_, want, err := reference(text)
			if err != nil {
				t.Fatal(err)
			}
			err = s.Do(text, func(got *Tree) {
				runtime.GC()
				garbage := make([]*ast.Ident, 10_000)
				for i := range garbage {
					garbage[i] = &ast.Ident{Name: strings.Clone("garbage")}
				}
				runtime.GC()
				if d := diff(got.File, want); d != "" {
					t.Errorf("strategy=%s: %s: File%s", s.Name, benchmarked[i], d)
				}
				runtime.KeepAlive(garbage)
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// TestKept checks what the policies promise for a name that is kept too long:
// with arena-safe and arena-typed it stays what it was, whatever is parsed
// afterwards.
func TestKept(t *testing.T) {
	for _, s := range Strategies {
		if s.Name != "heap" && s.Name != "goparser" && s.Name != "arena-safe" && s.Name != "arena-typed" {
			continue
		}
		var name string
		for _, src := range []string{"package first", "package other", "package third"} {
			err := s.Do([]byte(src), func(t *Tree) {
				if name == "" {
					name = t.File.Name.Name
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if name != "first" {
			t.Errorf("strategy=%s: the name is %q now, want %q", s.Name, name, "first")
		}
	}
}

// TestReleased checks that a parser that waits for the next source keeps
// nothing of the last one alive, whether it was a Go file or not.
func TestReleased(t *testing.T) {
	for _, src := range []string{small, small + "var a = f(b, c"} {
		Strategies[1].Do([]byte(src), func(*Tree) {})
		p := parsers.Get().(*parser)
		check := func(what string, ok bool) {
			t.Helper()
			if !ok {
				t.Errorf("%s: the %s are still there", src[len(src)-5:], what)
			}
		}
		check("source and memory", p.src == "" && p.lit == "" && p.mem == memory{})
		check("file and comments", p.file == nil && p.lead == nil && p.trail == nil)
		check("expressions", cleared(p.exprs))
		check("statements", cleared(p.stmts))
		check("declarations", cleared(p.decls))
		check("specs", cleared(p.specs))
		check("names", cleared(p.names))
		check("fields", cleared(p.fields))
		check("imports", cleared(p.imports))
		check("texts", cleared(p.texts))
		check("groups", cleared(p.groups))
		check("parameters", cleared(p.params))
		check("line directives", cleared(p.directives))
		parsers.Put(p)
	}
}

func cleared[T comparable](stack []T) bool {
	var zero T
	return len(stack) == 0 && !slices.ContainsFunc(stack[:cap(stack)], func(v T) bool { return v != zero })
}

// small has one of most things.
const small = `// Package p is small.
package p

import "fmt"

// T is a pair.
type T[E any] struct { a, b E }

func (t *T[E]) String() string {
	for i, x := range []E{t.a, t.b} {
		if i > 0 && fmt.Sprint(x) != "" {
			return fmt.Sprintf("%v", x) // second
		}
	}
	return "none"
}
`

// TestAllocs checks what a strategy leaves to the heap. For heap that is the
// number of nodes and lists of this source; an arena that recycles nothing would need a
// chunk for each type with pointers, of which a source this small has nearly as
// many as it has nodes: it learns to leave them to the heap.
func TestAllocs(t *testing.T) {
	if a := arena.NewArena(); a == nil {
		t.Skip("arenas are switched off")
	}
	src := []byte(small)
	check := func(strategy string, least, most int) {
		t.Helper()
		for _, s := range Strategies {
			if s.Name != strategy {
				continue
			}
			got := alloctest.PerRun(t, func() {
				if err := s.Do(src, func(*Tree) {}); err != nil {
					t.Fatal(err)
				}
			})
			if got < least || got > most {
				t.Errorf("strategy=%s: %d allocations, want %d to %d", s.Name, got, least, most)
			}
		}
	}
	check("heap", 101, 101)
	check("stdarena", 2, 4)
	check("arena-safe", 60, 102) // itself included; the first life has chunks, and one in 64
	check("arena-typed", 1, 2)   // itself, and text
	check("arena-recycle", 1, 1)
	check("handle", 1, 1)
}

func BenchmarkSyntax(b *testing.B) {
	texts, size := benchSources(b)
	for _, s := range Strategies {
		b.Run("strategy="+s.Name, func(b *testing.B) {
			use := func(t *Tree) {
				if len(t.File.Decls) == 0 {
					b.Fatal("no declarations")
				}
			}
			op := func() {
				for _, text := range texts {
					if err := s.Do(text, use); err != nil {
						b.Fatal(err)
					}
				}
			}
			op()
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				op()
			}
		})
	}
}
