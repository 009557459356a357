package catalog

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
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestParse checks what each verb says.
func TestParse(t *testing.T) {
	check := func(text string, want any) {
		t.Helper()
		c, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			return
		}
		var got any
		switch want := want.(type) {
		case Function:
			want.name = "p.F"
			got = fmt.Sprintf("%+v", *c.function("p.F"))
			if w := fmt.Sprintf("%+v", want); got != w {
				t.Errorf("%q:\n%s, want\n%s", text, got, w)
			}
		case Type:
			want.name = "p.T"
			if got := *c.typeOf("p.T"); !reflect.DeepEqual(got, want) {
				t.Errorf("%q:\n%+v, want\n%+v", text, got, want)
			}
		}
		if n := len(c.functions) + len(c.types); n != 1 {
			t.Errorf("%q is about %d functions and types", text, n)
		}
	}
	param := func(p Param) Function { return Function{Flows: true, Params: []Param{p}} }
	second := func(p Param) Function { return Function{Flows: true, Params: []Param{{}, p}} }
	for word, kind := range kinds {
		check("acquire "+word+" p.F", Function{Flows: true, Acquires: kind})
		if kind.Arena() {
			check("arena "+word+" p.T", Type{Arena: kind})
		}
	}
	check("borrow p.F", Function{Flows: true})
	check("once p.F 0", param(Param{Hold: true, Once: true}))
	check("nonnil p.F", Function{NonNil: true})
	check("calm p.F", Function{Calm: true})
	check("concurrent p.F", Function{Concurrent: true})
	check("fresh p.F", Function{Fresh: true})
	check("fill p.F 1\nfill p.F 1\nfill p.F 0", Function{Fills: []int{1, 0}})
	check("limit p.F", Function{Limits: true})
	check("few p.F", Function{Few: true})
	for word, l := range locks {
		check("nolock "+word+" p.F", Function{Locks: l})
	}
	check("infallible p.T Write,WriteString", Type{Infallible: map[string]bool{"Write": true, "WriteString": true}})
	check("release p.F 0", param(Param{Release: true}))
	check("release p.F 1", second(Param{Release: true}))
	check("reset p.F 0", param(Param{Reset: true}))
	check("alloc p.F 0", param(Param{Alloc: true}))
	check("text p.F 0", param(Param{Text: true}))
	check("alias p.F 0", param(Param{Alias: true}))
	check("same p.F 0", param(Param{Same: true}))
	check("hold p.F 0", param(Param{Hold: true}))
	check("keep p.F 0", param(Param{Keep: true}))
	check("own p.F 0", param(Param{Own: true}))
	check("scope p.F 1", second(Param{Scope: true}))
	check("spawn p.F 0", param(Param{Spawn: true}))
	check("go p.F 0\ngo p.F 0", Function{Flows: true, Params: []Param{{Spawn: true}}, Goroutine: []int{0}})
	check("store p.F 1 0", second(Param{Stored: 1}))
	check("store p.F 0 63", param(Param{Stored: 1 << 63}))
	check("pair p.F (*p.T).Free", Function{FreedBy: "(*p.T).Free"})
	check("makes p.F", Function{Makes: true})
	check("unscanned typed p.F", Function{Memory: UnscannedType})
	check("unscanned bytes p.F\nappend p.F", Function{Memory: UnscannedRaw, Appends: true})
	check("unscanned text p.F", Function{Memory: UnscannedText})
	check("part p.F", Function{Part: true})
	check("single always p.F", Function{Single: true})
	check("single plain p.F", Function{Single: true, Plain: true})
	check("handle p.T", Type{Handle: true})
	check("buffer p.T", Type{Buffer: true})
	check("lent p.T", Type{Lent: true})
	check("confined always p.T", Type{Confined: true})
	check("confined single p.T", Type{Confined: true, Depends: true})
	check("nocopy p.T", Type{NoCopy: true})
	for word, pool := range pools {
		check("pool "+word+" p.T", Type{Pool: pool})
	}
	check("job p.T Start,String", Type{Job: map[string]bool{"Start": true, "String": true}})
	check("holder p.T Len,Cap", Type{Allocates: true, Idle: map[string]bool{"Len": true, "Cap": true}})
	slice := func(text string, want Slice) {
		t.Helper()
		if c, err := Parse(text); err != nil || *c.function("p.F").Slice != want {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
	slice("slice p.F 1 2", Slice{1, 2})
	slice("slice p.F - -", Slice{-1, -1})
	slice("slice p.F - 1", Slice{-1, 1})

	// Lines about one function belong together, whatever is between them.
	check("\n# a comment\n\talloc p.F 0 # and another\r\n\nalias p.F 0\nborrow p.F\n", param(Param{Alloc: true, Alias: true}))
	check("store p.F 0 1\nstore p.F 0 2\n", param(Param{Stored: 6}))
	check("acquire item p.F\nhold p.F 0", Function{Flows: true, Acquires: Item, Params: []Param{{Hold: true}}})
}

// TestParseFails checks that each mistake is reported in one line that has its line.
func TestParseFails(t *testing.T) {
	check := func(line, want string) {
		t.Helper()
		_, err := Parse("borrow p.F\n\n  " + line + " # wrong\nborrow p.G\n")
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
	check("release p.F -", "parameter - should be a number, 0 for the receiver or the first")
	check("release p.F 0 1", "it should be: release FUNCTION PARAMETER, with the receiver or the first as parameter 0")
	check("alias p.F b", "parameter b should be a number, 0 for the receiver or the first")
	check("alias p.F -1", "parameter -1 should be a number, 0 for the receiver or the first")
	check("alias p.F 64", "parameter 64 should be a number, 0 for the receiver or the first")
	check("slice p.F 1", "it should be: slice FUNCTION LENGTH CAPACITY, which are parameters or -")
	check("pool sync p.T", "it should be: pool any|typed TYPE")
	check("confined Pool", "it should be: confined always|single TYPE")
	check("handle Pool", "type Pool should be named with its package, such as example.com/frames.Pool")
	check("borrow p.*", "borrow is about one function, not about all of a package; it should be: borrow FUNCTION")
	check("calm (*p.T).F 0", "it should be: calm FUNCTION, or PACKAGE.* for all of a package")
	check("nolock pointer p.F", "it should be: nolock element|arguments|type|slice FUNCTION")
	check("pair p.F Free", "function Free should be named with its package, such as example.com/frames.Get or (*example.com/frames.Pool).Get")
	check("free p.F 0", `there is no "free"; it is acquire, release, reset, alloc, text, alias, same, hold, once, store, keep, own, scope, spawn, go, borrow, nonnil, pair, calm, concurrent, makes, slice, unscanned, append, part, fresh, fill, limit, nolock, few, single, arena, handle, buffer, infallible, lent, confined, nocopy, pool, holder or job`)
}

// TestVersions checks which entry is that of a version, and what users say beside it.
func TestVersions(t *testing.T) {
	t.Cleanup(func() { Use(new(Catalog)) })
	get := func(path string) *Function {
		pkg := types.NewPackage(path, "z")
		results := types.NewTuple(types.NewVar(token.NoPos, pkg, "", types.Typ[types.Int]))
		return Func(types.NewFunc(token.NoPos, pkg, "NewAllocator", types.NewSignatureType(nil, nil, nil, nil, results, false)))
	}
	const v1, v2 = "github.com/dgraph-io/ristretto/z", "github.com/dgraph-io/ristretto/v2/z"
	if get(v1).Acquires != OffHeap || get(v2).Acquires != OffHeap || get("example.com/z").Flows {
		t.Error("an entry without a major version is not that of all, and of no other package")
	}
	c, err := Parse("borrow " + v2 + ".NewAllocator")
	if err != nil {
		t.Fatal(err)
	}
	Use(c)
	if got := get(v2); !got.Flows || got.Acquires != None || got.FreedBy == "" {
		t.Errorf("what a user says replaces what is said of the flow, and not the pair: %+v", got)
	}
	if get(v1).Acquires != OffHeap {
		t.Error("what a user says of one version is that of another")
	}
	for _, f := range []*Function{noFunction, Func(nil)} {
		if !reflect.DeepEqual(*f, Function{}) {
			t.Errorf("something is known of no function: %+v", f)
		}
	}
}

// TestSays checks what a statement about a package says of its functions.
func TestSays(t *testing.T) {
	t.Cleanup(func() { Use(new(Catalog)) })
	f := func(path, name string) *types.Func {
		pkg := types.NewPackage(path, "p")
		return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
	}
	calm := func(f *Function) bool { return f.Calm }
	if !Says(f("bytes", "Equal"), calm) || !Says(f("fmt", "Sprint"), calm) || Says(f("fmt", "Fprint"), calm) || Says(f("bytes/other", "F"), calm) || Says(nil, calm) {
		t.Error("what is said of the functions of a package holds for others, or not for all")
	}
	if Func(f("bytes", "Equal")).Calm {
		t.Error("Func has what is said of a package")
	}
	c, err := Parse("calm example.com/p/v2.*\ncalm example.com/q.*")
	if err != nil {
		t.Fatal(err)
	}
	Use(c)
	if !Says(f("example.com/p/v2", "F"), calm) || Says(f("example.com/p", "F"), calm) || !Says(f("example.com/q", "F"), calm) || Says(f("example.com/q/v2", "F"), calm) {
		t.Error("what a user says of a package holds for another version")
	}
}

// TestFits checks that statements which do not fit the function that they name say nothing: rules index
// its arguments by them.
func TestFits(t *testing.T) {
	t.Cleanup(func() { Use(new(Catalog)) })
	pkg := types.NewPackage("example.com/p", "p")
	number := types.NewVar(token.NoPos, pkg, "", types.Typ[types.Int])
	get := func(name string, params, results int) *Function {
		list := func(n int) *types.Tuple { return types.NewTuple(slices.Repeat([]*types.Var{number}, n)...) }
		return Func(types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, list(params), list(results), false)))
	}
	c, err := Parse(`
slice example.com/p.F 1 2
unscanned bytes example.com/p.F
append example.com/p.F
part example.com/p.F
makes example.com/p.F
single plain example.com/p.F
pair example.com/p.F example.com/p.G
acquire item example.com/p.F
release example.com/p.F 2
same example.com/p.F 0
store example.com/p.F 0 2
go example.com/p.F 2
once example.com/p.F 0
nonnil example.com/p.F
fresh example.com/p.F
fill example.com/p.F 2
nolock type example.com/p.F`)
	if err != nil {
		t.Fatal(err)
	}
	Use(c)
	if got := get("F", 3, 1); got.Slice == nil || got.Memory == Scanned || !got.Appends || !got.Part || !got.Makes || !got.Plain || got.FreedBy == "" || got.Acquires == None ||
		len(got.Params) != 3 || got.Params[0].Stored == 0 || !got.Params[0].Once || len(got.Goroutine) != 1 || len(got.Fills) != 1 || got.Locks != LocksType || !got.NonNil || !got.Fresh {
		t.Errorf("something of what fits is left out: %+v", *got)
	}
	got := get("F", 2, 1)
	if got.Slice != nil || got.Appends || len(got.Params) != 2 || got.Params[0].Stored != 0 || len(got.Goroutine) != 0 || len(got.Fills) != 0 {
		t.Errorf("of two parameters: %+v", *got)
	}
	if !got.Part || !got.Plain || !got.Makes || got.FreedBy == "" || !got.Params[0].Same || got.Locks != LocksType {
		t.Errorf("something that fits is left out of two parameters: %+v", *got)
	}
	want := Function{Flows: true, Params: []Param{}, Goroutine: []int{}, Fills: []int{}, name: "example.com/p.F"}
	if got := get("F", 0, 0); !reflect.DeepEqual(*got, want) {
		t.Errorf("of no parameters and results: %+v", *got)
	}
}

// TestMentions checks what is said of packages and types.
func TestMentions(t *testing.T) {
	raw := func(f *Function) bool { return f.Memory == UnscannedRaw }
	confined := func(t *Type) bool { return t.Confined }
	b := types.NewPackage("github.com/limpo1989/arena/v2", "arena")
	user := types.NewPackage("example.com/user", "user")
	if Imports(user, raw, confined) {
		t.Error("a package without imports imports an arena")
	}
	user.SetImports([]*types.Package{b})
	if !Imports(user, raw, nil) || !Imports(b, nil, confined) || Declares(user, raw, confined) || !Declares(b, raw, nil) || Imports(user, nil, nil) {
		t.Error("a package imports what it does not, or does not what it does")
	}
	arena := types.NewNamed(types.NewTypeName(token.NoPos, b, "Arena", nil), types.NewStruct(nil, nil), nil)
	if known := TypeOf(types.NewPointer(arena)); !known.Confined || !known.Depends || !Receives(arena, raw) || Receives(arena, func(f *Function) bool { return f.Single }) {
		t.Errorf("of an arena is known: %+v", known)
	}
	if !reflect.DeepEqual(*TypeOf(types.Typ[types.Int]), Type{}) {
		t.Error("something is known of int")
	}
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
			got[Plain(f.Origin().FullName())] = true
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

// TestText checks that the functions and types of the standard library and of this repository that
// catalog.txt names exist, functions with as many parameters and results as it speaks of. The files
// are only parsed, so that those count, too, that experiments and tags leave out.
func TestText(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	std := filepath.Join(strings.TrimSpace(string(out)), "src")
	home := strings.TrimSuffix(reflect.TypeFor[Function]().PkgPath(), "vet/internal/catalog")
	declared := map[string]map[string]signature{}
	find := func(full string) (have signature, ok bool) {
		path := PackageOf(full)
		dir := filepath.Join(std, filepath.FromSlash(path))
		switch rest, ours := strings.CutPrefix(path, home); {
		case ours:
			dir = filepath.Join("../../..", filepath.FromSlash(rest))
		case strings.Contains(path, "."):
			return signature{}, false
		}
		if declared[path] == nil {
			declared[path] = declarations(t, path, dir)
		}
		have, ok = declared[path][full]
		if isWhole(full) {
			return signature{}, false // it is enough that there is the package
		}
		if !ok {
			t.Errorf("there is no %s", full)
		}
		return have, ok
	}
	for full, f := range builtin().functions {
		if f.FreedBy != "" {
			find(f.FreedBy)
		}
		have, ok := find(full)
		if !ok {
			continue
		}
		fitting(t, full, f, have)
	}
	for full, typ := range builtin().types {
		have, ok := find(full)
		for m := range typ.Idle {
			if _, pointer := declared[PackageOf(full)]["(*"+full+")."+m]; ok && !pointer {
				t.Errorf("%s has no method %s", full, m)
			}
		}
		for m := range typ.Infallible {
			_, pointer := declared[PackageOf(full)]["(*"+full+")."+m]
			if writer := strings.HasPrefix(full, "hash.Hash") && m == "Write"; ok && !pointer && !writer { // they embed io.Writer
				t.Errorf("%s has no method %s", full, m)
			}
		}
		if ok && have != isType {
			t.Errorf("%s is not a type", full)
		}
	}
	if n := len(declared); n < 20 {
		t.Errorf("only %d packages were looked at", n)
	}
}

// fitting reports what a function is said to do with parameters and results that it does not have.
func fitting(t *testing.T, full string, f *Function, have signature) {
	t.Helper()
	for i, p := range f.Params {
		if i >= have.params && p != (Param{}) || have.results == 0 && (p.Same || p.Alias || p.Hold || p.Alloc || p.Text) {
			t.Errorf("%s has %d parameters and %d results: of %d, %+v", full, have.params, have.results, i, p)
		}
		if p.Stored>>have.params != 0 {
			t.Errorf("%s has %d parameters; %d is stored in %b", full, have.params, i, p.Stored)
		}
	}
	for _, i := range f.Fills {
		if i >= have.params {
			t.Errorf("%s has %d parameters; it fills %d", full, have.params, i)
		}
	}
	if f.Locks.operands() > have.params {
		t.Errorf("%s has %d parameters; its lock is in one more", full, have.params)
	}
	if s := f.Slice; s != nil && max(s.Len, s.Cap) >= have.params {
		t.Errorf("%s has %d parameters; its slice has %v", full, have.params, *s)
	}
	if have.results == 0 && (f.Acquires != None || f.Slice != nil || f.Memory != Scanned || f.Part || f.Single || f.FreedBy != "" || f.Makes || f.NonNil || f.Fresh || f.Locks != NoLocks) {
		t.Errorf("%s has no results", full)
	}
}

// isType stands for a type among functions.
var isType = signature{-1, -1}

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

// interfaces adds types, and the methods of interfaces.
func interfaces(path string, decl *ast.GenDecl, all map[string]signature) {
	for _, spec := range decl.Specs {
		typ, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		all[path+"."+typ.Name.Name] = isType
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

// FuzzParse checks that no text makes the reader panic, that what is wrong is said in one line that
// can be printed, and that what is right does not depend on comments, on the ends of lines or on how
// often it is said.
func FuzzParse(f *testing.F) {
	f.Add(catalogText)
	for _, text := range []string{
		"acquire item p.F\nhold p.F 0", "acquire heap p.F", "store p.F 0 63", "store p.F 64 0", "release p.F -1", "release Put 0", "borrow p.F 0",
		"\n# a comment\n\talloc p.F 0 # and another\r\n\nalias p.F 0\nborrow p.F\n", "release p.\x00F 0", "release p.\x1b[31mF 0", "free p.F 0", "@file",
		"release p.\u202eF 0", "own (*p.T).M 9223372036854775808", "release p.F 0 # a; free x", strings.Repeat("x", 1<<17) + " p.F 0",
		"slice p.F - 1", "pool any p.T", "holder p.T ,", "pair p.F p.G", "go p.F 0", "calm p.*", "borrow p.*", "infallible p.T ,", "confined single p.T\nconfined always p.T",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if err != nil {
			if said := err.Error(); !strings.HasPrefix(said, "line ") || len(said) > 2000 || strings.ContainsFunc(said, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("%q", said)
			}
			return
		}
		var plain strings.Builder
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(line, "#")
			plain.WriteString(strings.TrimSpace(line) + "\r\n")
		}
		again, err := Parse(plain.String() + "\n" + text)
		if err != nil || !reflect.DeepEqual(c, again) {
			t.Errorf("without comments, and twice: %v, %v; want %v", again, err, c)
		}
	})
}
