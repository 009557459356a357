package flow

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"lessgc/vet/internal/code"
)

// TestAdd checks what each verb says of a function.
func TestAdd(t *testing.T) {
	param := func(p Param) *Summary { return &Summary{Params: []Param{p}} }
	second := func(p Param) *Summary { return &Summary{Params: []Param{{}, p}} }
	check := func(text string, want *Summary) {
		t.Helper()
		table := Table{}
		if err := table.Add(text); err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := table["p.F"]; len(table) != 1 || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	for word, kind := range kinds {
		check("acquire "+word+" p.F", &Summary{Acquires: []Acquired{{Kind: kind}}})
	}
	check("borrow p.F", &Summary{})
	check("release p.F 0", param(Param{Release: Always}))
	check("release p.F 1", second(Param{Release: Always}))
	check("reset p.F 0", param(Param{Reset: true}))
	check("alloc p.F 0", param(Param{Alloc: 1}))
	check("text p.F 0", param(Param{Text: 1}))
	check("alias p.F 0", param(Param{Alias: 1}))
	check("same p.F 0", param(Param{Same: 1}))
	check("hold p.F 0", param(Param{Hold: 1}))
	check("keep p.F 0", param(Param{Keep: true}))
	check("own p.F 0", param(Param{Unknown: true}))
	check("scope p.F 1", second(Param{Scope: true}))
	check("spawn p.F 0", param(Param{Spawn: true}))
	check("store p.F 1 0", second(Param{KeptIn: 1}))
	check("store p.F 0 63", param(Param{KeptIn: 1 << 63}))

	// Lines about one function belong together, whatever is between them.
	check("\n# a comment\n\talloc p.F 0 # and another\r\n\nalias p.F 0\nborrow p.F\n", param(Param{Alloc: 1, Alias: 1}))
	check("store p.F 0 1\nstore p.F 0 2\n", param(Param{KeptIn: 6}))
	check("acquire item p.F\nhold p.F 0", &Summary{Params: []Param{{Hold: 1}}, Acquires: []Acquired{{Kind: Item}}})
}

// TestAddFails checks that each mistake is told in one line that has its line.
func TestAddFails(t *testing.T) {
	check := func(line, want string) {
		t.Helper()
		err := Table{}.Add("borrow p.F\n\n  " + line + " # wrong\nborrow p.G\n")
		if want = fmt.Sprintf("line 3, %q: %s", line, want); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	const acquire = "it should be: acquire item|safe|std|typed|recycled|offheap FUNCTION"
	check("acquire", acquire)
	check("acquire p.F", acquire)
	check("acquire heap p.F", acquire)
	check("acquire item p.F 0", acquire)
	check("store p.F 1", "it should be: store FUNCTION PARAMETER INTO, with the receiver or the first as parameter 0")
	check("borrow p.F 0", "it should be: borrow FUNCTION")
	check("release Put 0", "function Put should be named with its package, such as example.com/frames.Get or (*example.com/frames.Pool).Get")
	check("store p.F a 0", "parameter a should be a number, 0 for the receiver or the first")
	check("store p.F 0 a", "parameter a should be a number, 0 for the receiver or the first")
	check("store p.F 0 -1", "parameter -1 should be a number, 0 for the receiver or the first")
	check("store p.F 64 0", "parameter 64 should be a number, 0 for the receiver or the first")
	check("release p.F", "it should be: release FUNCTION PARAMETER, with the receiver or the first as parameter 0")
	check("release p.F 0 1", "it should be: release FUNCTION PARAMETER, with the receiver or the first as parameter 0")
	check("alias p.F b", "parameter b should be a number, 0 for the receiver or the first")
	check("alias p.F -1", "parameter -1 should be a number, 0 for the receiver or the first")
	check("alias p.F 64", "parameter 64 should be a number, 0 for the receiver or the first")
	check("free p.F 0", `there is no "free"; it is acquire, release, reset, alloc, text, alias, same, hold, store, keep, own, scope, spawn or borrow`)
}

// TestName checks that functions are named without their type parameters.
func TestName(t *testing.T) {
	const source = `package p

import "sync/atomic"

type Pool[K comparable, V any] struct{ last atomic.Pointer[V] }

func (*Pool[K, V]) Get(K) (v V) { return v }
func (Pool[K, V]) Len() int { return 0 }

type Plain struct{}

func (*Plain) Get() {}

type Getter interface{ Get() }

func Map[T, U any](list []T, f func(T) U) []U { return nil }

var (
	ints   Pool[[4]int, []map[string][]byte]
	_      = ints.Get
	_      = ints.Len
	_      = ints.last.Load
	_      = (*Plain).Get
	_      = Getter.Get
	_      = Map[int, string]
)
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := config.Check("example.com/a.b/p", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, o := range info.Uses {
		if f, ok := o.(*types.Func); ok {
			got[name(f)] = true
		}
	}
	want := map[string]bool{
		"(*example.com/a.b/p.Pool).Get": true, "(example.com/a.b/p.Pool).Len": true, "(*sync/atomic.Pointer).Load": true,
		"(*example.com/a.b/p.Plain).Get": true, "(example.com/a.b/p.Getter).Get": true, "example.com/a.b/p.Map": true,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestPresets checks that the functions of the standard library and of this repository
// that presets.txt names exist, with as many parameters and results as it speaks of. The
// files are only parsed, so that those count, too, that experiments and tags leave out.
func TestPresets(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	std := filepath.Join(strings.TrimSpace(string(out)), "src")
	home := strings.TrimSuffix(reflect.TypeFor[Summary]().PkgPath(), "vet/internal/flow")
	declared := map[string]map[string]signature{}
	for full, sum := range known() {
		path := code.PackageOf(full)
		dir := filepath.Join(std, filepath.FromSlash(path))
		switch rest, ours := strings.CutPrefix(path, home); {
		case ours:
			dir = filepath.Join("../../..", filepath.FromSlash(rest))
		case strings.Contains(path, "."):
			continue
		}
		if declared[path] == nil {
			declared[path] = declarations(t, path, dir)
		}
		have, ok := declared[path][full]
		if !ok {
			t.Errorf("there is no %s", full)
			continue
		}
		for i, p := range sum.Params {
			if results := p.Same | p.Alias | p.Content | p.Hold | p.Alloc | p.Text; i >= have.params && !p.zero() || results>>have.results != 0 {
				t.Errorf("%s has %d parameters and %d results: of %d, %+v", full, have.params, have.results, i, p)
			}
			if p.KeptIn>>have.params != 0 {
				t.Errorf("%s has %d parameters; %d is stored in %b", full, have.params, i, p.KeptIn)
			}
		}
		if len(sum.Acquires) > have.results {
			t.Errorf("%s has no results", full)
		}
	}
	if n := len(declared); n < 20 {
		t.Errorf("only %d packages were looked at", n)
	}
}

// A signature has the receiver among its parameters.
type signature struct{ params, results int }

// declarations are the functions of the files in dir, by their full names.
func declarations(t *testing.T, path, dir string) map[string]signature {
	t.Helper()
	all := map[string]signature{}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Errorf("no package %s: %v", path, err)
	}
	for _, file := range names {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				all[fullName(path, decl)] = signature{decl.Recv.NumFields() + decl.Type.Params.NumFields(), decl.Type.Results.NumFields()}
			case *ast.GenDecl:
				interfaces(path, decl, all)
			}
		}
	}
	return all
}

// interfaces adds the methods of interfaces.
func interfaces(path string, decl *ast.GenDecl, all map[string]signature) {
	for _, spec := range decl.Specs {
		typ, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		list, ok := typ.Type.(*ast.InterfaceType)
		if !ok {
			continue
		}
		for _, m := range list.Methods.List {
			if f, ok := m.Type.(*ast.FuncType); ok {
				all[fmt.Sprintf("(%s.%s).%s", path, typ.Name.Name, m.Names[0].Name)] = signature{1 + f.Params.NumFields(), f.Results.NumFields()}
			}
		}
	}
}

func fullName(path string, fn *ast.FuncDecl) string {
	if fn.Recv.NumFields() == 0 {
		return path + "." + fn.Name.Name
	}
	star, recv := "", fn.Recv.List[0].Type
	if p, ok := recv.(*ast.StarExpr); ok {
		star, recv = "*", p.X
	}
	switch x := recv.(type) {
	case *ast.IndexExpr:
		recv = x.X
	case *ast.IndexListExpr:
		recv = x.X
	}
	return fmt.Sprintf("(%s%s.%s).%s", star, path, types.ExprString(recv), fn.Name.Name)
}

// FuzzAPI checks that no text makes the reader panic, that what is wrong is said in one line
// that can be printed, and that what is right does not depend on comments, on the ends of
// lines or on how often it is said.
func FuzzAPI(f *testing.F) {
	f.Add(presets)
	for _, text := range []string{
		"acquire item p.F\nhold p.F 0", "acquire heap p.F", "store p.F 0 63", "store p.F 64 0", "release p.F -1", "release Put 0", "borrow p.F 0",
		"\n# a comment\n\talloc p.F 0 # and another\r\n\nalias p.F 0\nborrow p.F\n", "release p.\x00F 0", "release p.\x1b[31mF 0", "free p.F 0", "@file",
		"release p.\u202eF 0", "own (*p.T).M 9223372036854775808", "release p.F 0 # a; free x", strings.Repeat("x", 1<<17) + " p.F 0",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table := Table{}
		if err := table.Add(text); err != nil {
			if said := err.Error(); !strings.HasPrefix(said, "line ") || len(said) > 2000 || strings.ContainsFunc(said, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("%q", said)
			}
			return
		}
		table.names()
		var plain strings.Builder
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(line, "#")
			plain.WriteString(strings.TrimSpace(line) + "\r\n")
		}
		again := Table{}
		if err := again.Add(plain.String() + "\n" + text); err != nil || !reflect.DeepEqual(table, again) {
			t.Errorf("without comments, and twice: %v, %v; want %v", again, err, table)
		}
	})
}
