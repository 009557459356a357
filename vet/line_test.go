package vet_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"lessgc/vet"
)

// stubs are the parts of the standard library that the sources of these tests use: with
// them a source is judged in milliseconds.
var stubs = map[string]string{
	"sync":  "package sync\ntype Pool struct { New func() any }\nfunc (p *Pool) Get() any { return nil }\nfunc (p *Pool) Put(x any) {}\n",
	"bytes": "package bytes\ntype Buffer struct { buf []byte }\nfunc (b *Buffer) Bytes() []byte { return b.buf }\nfunc (b *Buffer) Reset() { b.buf = b.buf[:0] }\nfunc (b *Buffer) WriteString(s string) (int, error) { b.buf = append(b.buf, s...); return len(s), nil }\nfunc Clone(b []byte) []byte { return append([]byte(nil), b...) }\n",
}

// checked parses and checks files of one package in memory. It fails if they do not
// compile.
func checked(fset *token.FileSet, path string, files map[string]string, imports map[string]*packages.Package) (*packages.Package, error) {
	p := &packages.Package{ID: path, Name: "p", PkgPath: path, Fset: fset, Imports: imports, TypesSizes: types.SizesFor("gc", "amd64"),
		TypesInfo: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{}, Defs: map[*ast.Ident]types.Object{},
			Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
			Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{}}}
	for name, text := range files {
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.Syntax, p.CompiledGoFiles = append(p.Syntax, f), append(p.CompiledGoFiles, name)
	}
	config := types.Config{Sizes: p.TypesSizes, GoVersion: "go1.26", Importer: importer(func(path string) (*types.Package, error) {
		if imports[path] == nil {
			return nil, errors.New("no such package")
		}
		return imports[path].Types, nil
	})}
	var err error
	p.Types, err = config.Check(path, fset, p.Syntax, p.TypesInfo)
	return p, err
}

type importer func(string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

// repairs runs rules over files of one package, and returns the files that their fixes
// change, as drivers name them, with how many findings there are. The files lie in dir: some
// rules read them again.
func repairs(settings vet.Settings, dir string, files map[string]string) (changed map[string]bool, findings int, err error) {
	fset, imports := token.NewFileSet(), map[string]*packages.Package{}
	for path, text := range stubs {
		if imports[path], err = checked(fset, path, map[string]string{path + ".go": text}, nil); err != nil {
			return nil, 0, err
		}
	}
	abs := map[string]string{}
	for name, text := range files {
		abs[filepath.Join(dir, name)] = text
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return nil, 0, err
		}
	}
	p, err := checked(fset, "example.com/p", abs, imports)
	if err != nil {
		return nil, 0, err
	}
	rules, err := settings.Apply()
	if err != nil {
		return nil, 0, err
	}
	graph, err := checker.Analyze(rules, []*packages.Package{p}, nil)
	if err != nil {
		return nil, 0, err
	}
	changed = map[string]bool{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			return nil, 0, act.Err
		}
		findings += len(act.Diagnostics)
		for _, d := range act.Diagnostics {
			for _, fix := range d.SuggestedFixes {
				for _, e := range fix.TextEdits {
					changed[fset.File(e.Pos).Name()] = true
					changed[fset.Position(e.Pos).Filename] = true // what go vet -json says
				}
			}
		}
	}
	return changed, findings, nil
}

var everything = vet.Settings{Advice: true, Notes: true}

// mistakes are sources with mistakes that several rules repair. In each, LINE is a line of
// its own and HERE a position in the middle of a statement.
var mistakes = []string{`LINE
package p

import (
	"bytes"
	"sync"
)
LINE
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func render(name string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
LINE
	b.WriteString(name)
	return HERE b.Bytes()
}
LINE`, `package p

import "sync"

var pool = sync.Pool{New: func() any { return new([64]byte) }}
LINE
func twice(x bool) byte {
	b := pool.Get().(*[64]byte)
	defer pool.Put(b)
	pool.Put(HERE b)
	return 0
}

func never() byte {
	b := pool.Get().(*[64]byte)
LINE
	return b[HERE 0]
}
`, `package p

import "sync"

func local() int {
LINE
	var p = sync.Pool{New: HERE func() any { return new(int) }}
	x := p.Get().(*int)
	defer p.Put(x)
	return *x
}

//lessgc:ignore poolalias there is nothing
LINE
func idle() {} //lessgc:ignore pooldoubleput,poolalias nothing here either
`}

// insert puts a text into a source at the nth of its positions.
func insert(source, text string, nth int) string {
	var b strings.Builder
	for i := 0; ; i++ {
		line, here := strings.Index(source, "LINE"), strings.Index(source, "HERE")
		if line < 0 && here < 0 {
			b.WriteString(source)
			return b.String()
		}
		at := max(line, here)
		if line >= 0 && here >= 0 {
			at = min(line, here)
		}
		b.WriteString(source[:at])
		if i == nth && (at == line || strings.HasPrefix(text, "/*")) {
			b.WriteString(text)
		}
		source = source[at+len("LINE"):]
	}
}

// TestLineDirectives checks that no fix is suggested for a file that holds a line directive,
// wherever it stands and whatever it names: drivers write to the file it names, at the
// positions of the file it stands in. Files beside it are repaired.
func TestLineDirectives(t *testing.T) {
	t.Cleanup(func() { vet.Settings{}.Apply() })
	dir := t.TempDir()
	other := filepath.Join(dir, "other.go")
	for i, source := range mistakes {
		files := map[string]string{"a.go": insert(source, "", -1)}
		changed, findings, err := repairs(everything, dir, files)
		if err != nil || findings == 0 || !changed[filepath.Join(dir, "a.go")] {
			t.Fatalf("source %d: %d findings, changed are %v, %v", i, findings, changed, err)
		}
		for _, text := range []string{"//line other.go:1", "//line " + other + ":1:1", "/*line other.go:7:9*/", "//line :30", "//line a.go:3"} {
			for place := range strings.Count(source, "LINE") + strings.Count(source, "HERE") {
				with := insert(source, text, place)
				if !strings.Contains(with, text) {
					continue
				}
				changed, got, err := repairs(everything, dir, map[string]string{"a.go": with})
				if err != nil || got == 0 {
					t.Errorf("source %d with %s at position %d: %d findings, %v", i, text, place, got, err)
				}
				if len(changed) > 0 {
					t.Errorf("source %d with %s at position %d: fixes of %v", i, text, place, changed)
				}
			}
		}
	}
	beside := strings.NewReplacer("render", "other", "buffers", "others").Replace(insert(mistakes[0], "", -1))
	changed, _, err := repairs(everything, dir, map[string]string{"a.go": insert(mistakes[0], "//line b.go:1", 0), "b.go": beside})
	if err != nil || len(changed) != 1 || !changed[filepath.Join(dir, "b.go")] {
		t.Errorf("beside a file with a directive, %v, %v", changed, err)
	}
	changed, _, err = repairs(everything, dir, map[string]string{"a.go": insert(mistakes[0], "// see //line other.go:1", 0)})
	if err != nil || len(changed) != 1 {
		t.Errorf("a comment about directives: %v, %v", changed, err)
	}
}

// TestCopyAfterPut checks that no rule suggests to copy memory after it was put back: that
// reads what the next owner writes.
func TestCopyAfterPut(t *testing.T) {
	t.Cleanup(func() { vet.Settings{}.Apply() })
	const source = "package p\n\nimport (\n\t\"bytes\"\n\t\"sync\"\n)\n\nvar buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}\n\n" +
		"func render(name string) []byte {\n\tb := buffers.Get().(*bytes.Buffer)\n\tBEFORE\n\tb.WriteString(name)\n\tAFTER\n}\n"
	check := func(before, after string, fixed bool) {
		t.Helper()
		text := strings.NewReplacer("BEFORE", before, "AFTER", after).Replace(source)
		changed, findings, err := repairs(vet.Settings{}, t.TempDir(), map[string]string{"a.go": text})
		if err != nil || findings == 0 || len(changed) > 0 != fixed {
			t.Errorf("%s ... %s: %d findings, fixes of %v, %v", before, after, findings, changed, err)
		}
	}
	check("defer buffers.Put(b)", "return b.Bytes()", true)
	check("", "out := b.Bytes(); buffers.Put(b); return out", false)
	check("", "buffers.Put(b); return b.Bytes()", false)
	check("", "out := b.Bytes(); if len(out) > 9 { buffers.Put(b); return out }; return nil", false)
	check("", "out := b.Bytes(); func() { buffers.Put(b) }(); return out", false)
	check("defer func() { buffers.Put(b) }()", "out := b.Bytes(); return out", true)
}

// TestDeferOfCall checks that no rule suggests to call a function again to find the pool: it
// may return another one.
func TestDeferOfCall(t *testing.T) {
	t.Cleanup(func() { vet.Settings{}.Apply() })
	const source = "package p\n\nimport \"sync\"\n\nvar pools [2]sync.Pool\nvar n int\n\nfunc next() *sync.Pool { n++; return &pools[n%2] }\n\ntype server struct{ pool sync.Pool }\n\n" +
		"func (s *server) handle() int {\n\tb := POOL.Get().(*int)\n\treturn *b\n}\n"
	check := func(pool string, fixed bool) {
		t.Helper()
		changed, _, err := repairs(vet.Settings{}, t.TempDir(), map[string]string{"a.go": strings.ReplaceAll(source, "POOL", pool)})
		if err != nil || len(changed) > 0 != fixed {
			t.Errorf("%s: fixes of %v, %v", pool, changed, err)
		}
	}
	check("s.pool", true)
	check("next()", false)
	check("pools[n%2]", false)
}

// FuzzLineDirective checks that no rule panics, or suggests a fix, where a directive stands in
// the source.
func FuzzLineDirective(f *testing.F) {
	for i := range mistakes {
		for place := range strings.Count(mistakes[i], "LINE") + strings.Count(mistakes[i], "HERE") {
			f.Add("//line other.go:1", i, place)
			f.Add("/*line other.go:7:9*/", i, place)
			f.Add("//line a.go:2147483647", i, place)
			f.Add("/*line :1:1*/", i, place)
			f.Add("//line ../other.go:9\n\n//line C:\\other.go:10:3", i, place)
		}
	}
	f.Add("var _ = 1 //line no.go:1", 1, 2)
	dir := f.TempDir()
	f.Setenv("LESSGC_VET_PANIC", "1")
	f.Fuzz(func(t *testing.T, text string, i, place int) {
		if i < 0 || i >= len(mistakes) {
			return
		}
		source := insert(mistakes[i], text, place)
		changed, _, err := repairs(everything, dir, map[string]string{"a.go": source})
		if err != nil && strings.Contains(err.Error(), "goroutine ") {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "a.go", source, parser.ParseComments)
		if err != nil {
			return
		}
		adjusted := false // something in the file has a position elsewhere
		for n := range ast.Preorder(file) {
			adjusted = adjusted || fset.Position(n.Pos()) != fset.PositionFor(n.Pos(), false) || fset.Position(n.End()) != fset.PositionFor(n.End(), false)
		}
		if adjusted && len(changed) > 0 || len(changed) > 1 {
			t.Errorf("fixes of %v in\n%s", changed, source)
		}
	})
}
