package vet_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"lessgc/vet"
)

func rules() []*analysis.Analyzer { return append(vet.Analyzers(), vet.Advice()...) }

// TestSuite checks that the rules go together, and that none of the folders is forgotten.
func TestSuite(t *testing.T) {
	if err := analysis.Validate(rules()); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, a := range rules() {
		if names[a.Name] {
			t.Errorf("%s is there twice", a.Name)
		}
		names[a.Name] = true
	}
	folders, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	others := []string{"cmd", "golangci", "internal", "testdata"}
	for _, f := range folders {
		if f.IsDir() && !slices.Contains(others, f.Name()) && !names[f.Name()] {
			t.Errorf("the rule %s is not in the suite", f.Name())
		}
	}
}

// TestNoCopies checks that no file of the rules' cases is there twice: what several need is
// in the testdata of package ruletest.
func TestNoCopies(t *testing.T) {
	names, err := filepath.Glob("*/testdata")
	if err != nil {
		t.Fatal(err)
	}
	first := map[string]string{}
	for _, top := range append(names, "internal/ruletest/testdata") {
		err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(name) != ".go" {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if other, ok := first[string(data)]; ok {
				t.Errorf("%s is a copy of %s", name, other)
			}
			first[string(data)] = name
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(first) < 100 {
		t.Errorf("%d files of cases", len(first))
	}
}

// TestSettings checks which rules the settings choose, and what those then report: of a
// mistake, of advice, and of what is correct and worth knowing.
func TestSettings(t *testing.T) {
	t.Cleanup(func() { vet.Settings{}.Apply() })
	dir := t.TempDir()
	const source = `package settings

import (
	"sync"

	"lessgc/arena"
)

var kept *int

func remark() {
	a := arena.NewArena()
	defer a.Free()
	kept = arena.New[int](a)
}

var pool = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func mistake() int {
	b := pool.Get().([]byte)
	pool.Put(b)
	return len(b[:1]) + int(b[0])
}
`
	if err := os.WriteFile(filepath.Join(dir, "settings.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	pkgs := load(t, dir, rules())
	const (
		mistake = "pooluseafterput"
		advice  = "poolnonpointer"
		remark  = "arenaescape"
	)
	check := func(s vet.Settings, want ...string) {
		t.Helper()
		got, err := s.Apply()
		if err != nil {
			t.Errorf("%+v: %v", s, err)
		}
		var left []string
		for _, a := range rules() {
			if !slices.Contains(s.Disable, a.Name) {
				left = append(left, a.Name)
			}
		}
		var on []string
		for _, a := range got {
			on = append(on, a.Name)
		}
		slices.Sort(on)
		slices.Sort(left)
		if !slices.Equal(on, left) {
			t.Errorf("%+v: the rules are %q, want %q", s, on, left)
		}
		var reported []string
		for _, f := range run(t, pkgs, got)["cases"] {
			reported = append(reported, f.rule.Name)
		}
		slices.Sort(reported)
		if reported = slices.Compact(reported); !slices.Equal(reported, want) {
			t.Errorf("%+v: findings of %q, want %q", s, reported, want)
		}
	}
	check(vet.Settings{}, mistake)
	check(vet.Settings{Advice: true, Notes: true}, remark, advice, mistake)
	check(vet.Settings{Disable: []string{mistake, "lessgcdirective"}, Notes: true}, remark)
	check(vet.Settings{Disable: []string{remark}, Advice: true}, advice, mistake)
	check(vet.Settings{Enable: []string{advice}}, advice, mistake)
	if _, err := (vet.Settings{Enable: []string{"x"}}).Apply(); err == nil || err.Error() != `there is no rule "x"` {
		t.Errorf("a rule that does not exist: %v", err)
	}
}

// TestSeverity checks the words that drivers understand.
func TestSeverity(t *testing.T) {
	for category, want := range map[string]string{"corruption": "error", "lost-memory": "error", "removed": "error", "leak": "warning", "directive": "warning", "performance": "note", "remark": "note", "": "note"} {
		if got := vet.Severity(category); got != want {
			t.Errorf("%s: %s, want %s", category, got, want)
		}
	}
}

// TestDocs compiles the examples of every rule's page and runs all rules over them: the rule
// reports the code below "Bad:", and no rule that is on by default reports the code below
// "Good:".
func TestDocs(t *testing.T) {
	t.Setenv("LESSGC_VET_PANIC", "1")
	t.Cleanup(func() { vet.Settings{}.Apply() })
	all, err := vet.Settings{Advice: true}.Apply()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, a := range all {
		for _, kind := range []string{"Bad", "Good"} {
			writeExample(t, dir, a, kind)
		}
	}
	found := run(t, load(t, dir, all), all)
	for _, a := range all {
		bad := found["cases/"+a.Name+"/bad"]
		if !slices.ContainsFunc(bad, func(f finding) bool { return f.rule == a }) {
			t.Errorf("%s: the bad example is not reported; %v", a.Name, bad)
		}
		for _, f := range found["cases/"+a.Name+"/good"] {
			if f.rule == a || !slices.Contains(vet.Advice(), f.rule) {
				t.Errorf("%s: the good example is reported: %v", a.Name, f)
			}
		}
	}
}

// writeExample makes a package of a block of a page.
func writeExample(t *testing.T, dir string, a *analysis.Analyzer, kind string) {
	t.Helper()
	code, err := block(a.Doc, kind)
	if err != nil {
		t.Errorf("%s: %v", a.Name, err)
		return
	}
	imports, err := imported(code)
	if err != nil {
		t.Errorf("%s: %s: %v", a.Name, kind, err)
		return
	}
	folder := filepath.Join(dir, a.Name, strings.ToLower(kind))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	file := "package " + strings.ToLower(kind) + "\n\n" + imports + "\n" + code
	if err := os.WriteFile(filepath.Join(folder, "example.go"), []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
}

// block is the indented text below the line "Bad:" or "Good:" of a page. There is one.
func block(doc, kind string) (string, error) {
	_, after, ok := strings.Cut(doc, "\n"+kind+":\n\n\t")
	if !ok || strings.Contains(after, "\n"+kind+":\n") {
		return "", fmt.Errorf("there is not one block %s", kind)
	}
	var b strings.Builder
	for line := range strings.Lines("\t" + after) {
		code, indented := strings.CutPrefix(line, "\t")
		if !indented && line != "\n" {
			break
		}
		b.WriteString(code)
	}
	return b.String(), nil
}

// known are the packages that examples use, by the name they have there.
var known = map[string]string{
	"arena": "lessgc/arena", "audit": "lessgc/arena/audit", "deep": "lessgc/arena/deep", "pool": "lessgc/pool",
	"bytes": "bytes", "context": "context", "errors": "errors", "fmt": "fmt", "http": "net/http", "io": "io", "json": "encoding/json", "log": "log",
	"os": "os", "runtime": "runtime", "strconv": "strconv", "strings": "strings", "sync": "sync", "template": "text/template", "time": "time", "unsafe": "unsafe",
}

// imported are the import declarations that a piece of code needs.
func imported(code string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+code, 0)
	if err != nil {
		return "", err
	}
	names := map[string]bool{}
	for n := range ast.Preorder(f) {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Obj == nil && slices.Contains(f.Unresolved, id) {
				names[id.Name] = true
			}
		}
	}
	var b strings.Builder
	for name, path := range known {
		if names[name] {
			fmt.Fprintf(&b, "import %q\n", path)
		}
	}
	return b.String(), nil
}

type finding struct {
	rule *analysis.Analyzer
	text string
}

func (f finding) String() string { return f.rule.Name + ": " + f.text }

// load loads all packages of a folder for rules. They compile, but the bad example of a rule
// about what does not.
func load(t *testing.T, dir string, rules []*analysis.Analyzer) []*packages.Package {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod := "module cases\n\ngo 1.26.0\n\nrequire lessgc v0.0.0\n\nreplace lessgc => " + filepath.ToSlash(root) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666); err != nil {
		t.Fatal(err)
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	var wrong bytes.Buffer
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if broken(rules, p.PkgPath) {
			return
		}
		for _, err := range p.Errors {
			fmt.Fprintln(&wrong, err)
		}
	})
	if wrong.Len() > 0 {
		t.Fatalf("the examples do not compile:\n%s", &wrong)
	}
	return pkgs
}

// broken reports whether a package is the bad example of a rule about what does not compile.
func broken(rules []*analysis.Analyzer, path string) bool {
	return slices.ContainsFunc(rules, func(a *analysis.Analyzer) bool { return a.RunDespiteErrors && path == "cases/"+a.Name+"/bad" })
}

// run runs rules over packages and returns what they find, by package.
func run(t *testing.T, pkgs []*packages.Package, rules []*analysis.Analyzer) map[string][]finding {
	t.Helper()
	graph, err := checker.Analyze(rules, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]finding{}
	for _, act := range graph.Roots {
		if act.Err != nil && !broken(rules, act.Package.PkgPath) {
			t.Errorf("%s of %s: %v", act.Analyzer.Name, act.Package.PkgPath, act.Err)
		}
		for _, d := range act.Diagnostics {
			text := act.Package.Fset.Position(d.Pos).String() + ": " + d.Message
			found[act.Package.PkgPath] = append(found[act.Package.PkgPath], finding{act.Analyzer, text})
		}
	}
	return found
}
