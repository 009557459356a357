package importrules

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// unsafeFiles names the files of the libraries that may use package unsafe: that import
// it, or convert from or to an unsafe.Pointer, for which an alias is enough. Most packages
// have one, unsafe.go, whose functions the others call; what else is here has its reason.
var unsafeFiles = map[string][]string{
	"arena": {
		"slab.go", "slice.go", // generic, and at the limit of the inliner's budget
		"unsafe.go",
		"untyped.go", // lends slabs to other packages
	},
	"arena/abytes":     {"buffer.go"},
	"arena/amap":       {"hash.go"},
	"arena/audit":      {"audit.go"},
	"arena/deep":       {"unsafe.go"},
	"internal/untyped": {"untyped.go"},
	"pool": {
		"pool.go", // Get, at the limit of the inliner's budget
		"unsafe.go",
	},
	"rpc/arenagrpc": {"unsafe.go"},
	"rpc/arenapb":   {"unsafe.go"},
}

// TestUnsafe checks that the files of the libraries that use package unsafe are those of
// unsafeFiles. Imports are checked for every platform and build tag, conversions in the
// build of this one, in the modules that this Go release builds.
func TestUnsafe(t *testing.T) {
	users := map[string][]string{} // files by folder
	add := func(dir, file string) {
		if !slices.Contains(users[dir], file) {
			users[dir] = append(users[dir], file)
		}
	}
	folders := map[string]bool{}
	for _, top := range []string{"arena", "pool", "seq", "rpc", "live", "pace", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly|parser.ParseComments)
			if err != nil || ast.IsGenerated(file) {
				return err
			}
			rel, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			dir, base := path.Split(filepath.ToSlash(rel))
			folders[path.Clean(dir)] = true
			if slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"unsafe"` }) {
				add(path.Clean(dir), base)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, module := range []string{".", "rpc"} {
		if builds(t, module) {
			converting(t, module, folders, add)
		}
	}
	for dir, want := range unsafeFiles {
		for _, file := range want {
			if !slices.Contains(users[dir], file) {
				t.Errorf("%s/%s no longer uses package unsafe: take it out of unsafeFiles", dir, file)
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(users)) {
		for _, file := range users[dir] {
			if !slices.Contains(unsafeFiles[dir], file) {
				t.Errorf("%s/%s uses package unsafe: let it call functions of unsafe.go", dir, file)
			}
		}
	}
}

// builds reports whether the Go release that runs the test is new enough for a module of
// this repository: rpc needs a newer one than the libraries.
func builds(t *testing.T, module string) bool {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(root, module, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(mod)
	if line == nil {
		t.Fatalf("%s/go.mod has no go line", module)
	}
	release, _, _ := strings.Cut(runtime.Version(), " ") // what follows are experiments
	return version.Compare(release, "go"+string(line[1])) >= 0
}

// converting calls add for the files of a module's packages in folders that convert
// from or to an unsafe.Pointer.
func converting(t *testing.T, module string, folders map[string]bool, add func(dir, file string)) {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{range .GoFiles}}{{.}} {{end}}{{range .CgoFiles}}{{.}} {{end}}", "./...")
	cmd.Dir = filepath.Join(root, module)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	exports, files := map[string]string{}, map[string][]string{}
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		exports[f[0]] = f[1]
		if rel, err := filepath.Rel(top, f[2]); err == nil && folders[filepath.ToSlash(rel)] {
			for _, name := range strings.Fields(f[3]) {
				files[filepath.ToSlash(rel)] = append(files[filepath.ToSlash(rel)], filepath.Join(f[2], name))
			}
		}
	}
	if len(files) == 0 {
		t.Fatalf("no package was found in module %s", module)
	}
	lookup := func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("%s is not imported", path)
		}
		return os.Open(exports[path])
	}
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		fset := token.NewFileSet()
		var parsed []*ast.File
		for _, name := range files[dir] {
			file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		found, err := conversions(fset, parsed, importer.ForCompiler(fset, "gc", lookup))
		if err != nil {
			t.Fatal(err)
		}
		for _, pos := range found {
			add(dir, filepath.Base(pos.Filename))
		}
	}
}

// conversions returns where a package converts an unsafe.Pointer to something else than
// an address, or something to an unsafe.Pointer.
func conversions(fset *token.FileSet, files []*ast.File, from types.Importer) (found []token.Position, err error) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: from, FakeImportC: true}
	if _, err := conf.Check("p", fset, files, info); err != nil {
		return nil, err
	}
	is := func(t types.Type, kinds ...types.BasicKind) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && slices.Contains(kinds, b.Kind())
	}
	for _, file := range files {
		if ast.IsGenerated(file) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || !info.Types[call.Fun].IsType() {
				return true
			}
			to, arg := info.Types[call.Fun].Type, info.Types[call.Args[0]].Type
			if is(to, types.UnsafePointer) && !is(arg, types.UnsafePointer, types.UntypedNil) ||
				is(arg, types.UnsafePointer) && !is(to, types.UnsafePointer, types.Uintptr) {
				found = append(found, fset.Position(call.Pos()))
			}
			return true
		})
	}
	return found, nil
}

// TestConversions checks that a conversion is found by its types, whatever an
// unsafe.Pointer is called.
func TestConversions(t *testing.T) {
	fset := token.NewFileSet()
	var files []*ast.File
	for name, src := range map[string]string{
		"unsafe.go": "package p; import \"unsafe\"; type pointer = unsafe.Pointer",
		"good.go":   "package p; type box struct{ p pointer }; func good(b box) (uintptr, pointer) { return uintptr(b.p), pointer(nil) }",
		"bad.go": `package p

type named pointer

func out[T any](b box) *T { return (*T)(b.p) }
func in(x *int) pointer   { return pointer(x) }
func back(x uintptr) named { return named(x) }
`,
	} {
		file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	found, err := conversions(fset, files, importer.Default())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, pos := range found {
		got = append(got, fmt.Sprintf("%s:%d", pos.Filename, pos.Line))
	}
	if want := []string{"bad.go:5", "bad.go:6", "bad.go:7"}; !slices.Equal(got, want) {
		t.Errorf("conversions at %v, want %v", got, want)
	}
}

// TestHelpersInlined checks that calls of the functions of unsafe.go cost nothing: the
// compiler inlines those that only use package unsafe, and those of arenapb that are there
// because their budget allows no call.
func TestHelpersInlined(t *testing.T) {
	more := map[string][]string{"rpc/arenapb": {"(*encoder).varint", "(*encoder).key", "putIn"}}
	for _, dir := range slices.Sorted(maps.Keys(unsafeFiles)) {
		if !slices.Contains(unsafeFiles[dir], "unsafe.go") || strings.HasPrefix(dir, "rpc/") && !builds(t, "rpc") {
			continue
		}
		folder := filepath.Join(root, dir)
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, "unsafe.go"), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		names := more[dir]
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && len(f.Body.List) == 1 && !callsOthers(f.Body) {
				names = append(names, f.Name.Name)
			}
		}
		cmd := exec.Command("go", "build", "-gcflags=-m=2", ".")
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		inlined := 0 // not all: a generic one may have no instance in its own package
		for _, name := range names {
			name = regexp.QuoteMeta(name)
			if what := regexp.MustCompile(`(?m)^.*cannot inline ` + name + `[\[:].*$`).Find(out); what != nil {
				t.Errorf("%s: %s", dir, what)
			}
			if regexp.MustCompile(`can inline ` + name + `[\[ ]`).Match(out) {
				inlined++
			}
		}
		if inlined == 0 || inlined < len(names)-3 {
			t.Errorf("%s: %d of %d functions of unsafe.go are inlined: %q", dir, inlined, len(names), names)
		}
	}
}

// callsOthers reports whether a function calls one of another package, unsafe apart.
func callsOthers(body *ast.BlockStmt) (others bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				x, ok := sel.X.(*ast.Ident)
				others = others || !ok || x.Name != "unsafe"
			}
		}
		return true
	})
	return others
}
