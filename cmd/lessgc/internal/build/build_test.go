package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lessgc/cmd/lessgc/internal/executable"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/internal/longtest"
)

// module writes files, by path, to a new folder. The go command is kept from
// the workspace and settings of whoever runs the test, and from the network.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	for name, value := range map[string]string{"GOWORK": "off", "GOFLAGS": "", "GOPROXY": "off", "GOEXPERIMENT": "", "GOTOOLCHAIN": "local"} {
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	write(t, dir, files)
	return dir
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const benchmark = "package %s\n\nimport \"testing\"\n\nfunc %s(b *testing.B) {}\n"

// tree is a module with packages of every kind.
func tree(t *testing.T) string {
	t.Helper()
	return module(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.25\n",
		"a/a.go": "package a\n\nfunc BenchmarkNot() {}\n",
		"a/a_test.go": `package a

import "testing"

type T struct{}

func (T) BenchmarkMethod(b *testing.B)  {}
func Benchmarkfoo()                     {}
func Benchmarkär()                      {}
func BenchmarkIn(b *testing.B)          {}
func Benchmark(b *testing.B)            {}
func Benchmark_x(b *testing.B)          {}
func BenchmarkÄ(b *testing.B)           {}
func Benchmark2(b *testing.B)           {}
func TestBenchmark(t *testing.T)        {}
func benchmarkIn(b *testing.B)          {}
func Bench(b *testing.B)                {}
`,
		"a/x_test.go":          fmt.Sprintf(benchmark, "a_test", "BenchmarkOut"),
		"a/testdata/x_test.go": fmt.Sprintf(benchmark, "x", "BenchmarkTestdata"),
		"external/x_test.go":   fmt.Sprintf(benchmark, "external_test", "BenchmarkExternal"),
		"none/n.go":            "package none\n",
		"none/n_test.go":       "package none\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n",
		"plain/p.go":           "package plain\n",
		"tagged/t.go":          "package tagged\n",
		"tagged/t_test.go":     "//go:build special\n\n" + fmt.Sprintf(benchmark, "tagged", "BenchmarkTagged"),
		"alltagged/t_test.go":  "//go:build special\n\n" + fmt.Sprintf(benchmark, "alltagged", "BenchmarkAllTagged"),
		"prog/main.go":         "package main\n\nfunc main() { println(\"hello\") }\n",
		"empty/README":         "no Go files\n",
	})
}

func TestPackages(t *testing.T) {
	dir := tree(t)
	check := func(in string, m mode.Mode, patterns string, want ...Package) {
		t.Helper()
		got, err := Packages(t.Context(), filepath.Join(dir, in), m, strings.Fields(patterns))
		if err != nil {
			t.Errorf("%s: %v", patterns, err)
			return
		}
		for i := range got {
			if rel, err := filepath.Rel(dir, got[i].Dir); err == nil {
				got[i].Dir = filepath.ToSlash(rel)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", patterns, diff)
		}
	}
	a := Package{"example.com/m/a", "a", []string{"BenchmarkIn", "Benchmark", "Benchmark_x", "BenchmarkÄ", "Benchmark2", "BenchmarkOut"}}
	external := Package{"example.com/m/external", "external", []string{"BenchmarkExternal"}}
	tagged := Package{"example.com/m/tagged", "tagged", []string{"BenchmarkTagged"}}
	allTagged := Package{"example.com/m/alltagged", "alltagged", []string{"BenchmarkAllTagged"}}
	plain, special := mode.Default(), mode.Mode{Tags: []string{"other", "special"}}
	check("", plain, "./...", a, external)
	check("", plain, "./a", a)
	check("a", plain, ".", a)
	check("", plain, "example.com/m/external ./a", external, a)
	check("", plain, "./none ./plain")
	check("", plain, "./tagged")
	check("", plain, "./alltagged")
	check("", special, "./tagged ./alltagged", tagged, allTagged)
	check("", special, "./...", a, allTagged, external, tagged)

	bad := func(pattern string, parts ...string) {
		t.Helper()
		got, err := Packages(t.Context(), dir, plain, []string{pattern})
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, %v; want %q", pattern, got, err, part)
			}
		}
	}
	bad("./nowhere", "nowhere")
	bad("example.org/other", "example.org/other")
	bad("-x", "-x")
}

// A file that does not compile is not a reason to say that there is no benchmark.
func TestPackagesBroken(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod":         "module m\n\ngo 1.25\n",
		"type/t.go":      "package type_\n\nvar x int = \"\"\n",
		"type/t_test.go": fmt.Sprintf(benchmark, "type_", "BenchmarkType"),
		"late/t_test.go": fmt.Sprintf(benchmark, "late", "BenchmarkLate") + "\nfunc {\n",
		"head/t_test.go": "package head\n\nimport \"testing\n\nfunc BenchmarkHead(b *testing.B) {}\n",
	})
	for _, name := range []string{"type", "late", "head"} {
		pkgs, err := Packages(t.Context(), dir, mode.Default(), []string{"./" + name})
		if err == nil && len(pkgs) == 0 {
			t.Errorf("%s: neither a package nor an error", name)
			continue
		}
		if err == nil {
			err = Test(t.Context(), dir, mode.Default(), pkgs[0].ImportPath, filepath.Join(t.TempDir(), "x.test"), Overlay{}, 0)
		}
		if err == nil || !strings.Contains(err.Error(), ".go:") {
			t.Errorf("%s: %v, want the position of the mistake", name, err)
		}
	}
}

func TestMatch(t *testing.T) {
	pkgs := []Package{
		{ImportPath: "get", Benchmarks: []string{"BenchmarkGet", "BenchmarkGetAll"}},
		{ImportPath: "put", Benchmarks: []string{"BenchmarkPut"}},
		{ImportPath: "bare", Benchmarks: []string{"Benchmark"}},
	}
	all := slices.Clone(pkgs)
	check := func(pattern, want string) {
		t.Helper()
		got, err := Match(pkgs, pattern)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			return
		}
		var names []string
		for _, p := range got {
			names = append(names, p.ImportPath)
		}
		if strings.Join(names, " ") != want {
			t.Errorf("%q keeps %q, want %q", pattern, names, want)
		}
	}
	check(".", "get put bare")
	check("", "get put bare")
	check("Get", "get")
	check("^BenchmarkGet$", "get")
	check("^Get", "")
	check("Get|Put", "get put")
	check("(?i)get", "get")
	check("^Benchmark$", "bare")
	check("Nothing", "")
	check("Put/size=1", "put")
	check("/size=1", "get put bare")
	check("^BenchmarkGet$/^a$/^b$", "get")
	// Where a slash and an alternation meet, none may be lost.
	check("Put/a|Get/b", "get put bare")
	check("(Put|Get)/b", "get put bare")
	check("[a/b]", "get put bare")
	if diff := cmp.Diff(all, pkgs); diff != "" {
		t.Errorf("Match changed its argument\n%s", diff)
	}
	for _, pattern := range []string{"(", "Get[", "*", "(/x"} {
		if _, err := Match(pkgs, pattern); pattern != "(/x" && (err == nil || !strings.Contains(err.Error(), fmt.Sprintf("-bench %q", pattern))) {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

func TestError(t *testing.T) {
	check := func(output, want string) {
		t.Helper()
		e := &Error{Doing: "go test -c ./x", Output: output}
		if got := e.Error(); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
	check("# example.com/m/x\n./x.go:3:5: undefined: y\n./x.go:4:5: undefined: z\n", "./x.go:3:5: undefined: y")
	check("\n  \n# x [x.test]\n\tx_test.go:1:1: no\n", "x_test.go:1:1: no")
	check("go: no such tool\n", "go: no such tool")
	check("go: a@v1 requires\n\tb@v2: missing go.sum entry; to add it:\n\tgo mod download b\nmore\n", "go: a@v1 requires b@v2: missing go.sum entry; to add it: go mod download b")
	check("x.go:1:1: no\n\tother\n", "x.go:1:1: no")
	check("exit status 3", "exit status 3")
	check("# only a heading\n", "go test -c ./x failed: # only a heading")
	if got := withoutDownloads("go: downloading a v1\nx\ngo: downloading b v2\ny"); got != "x\ny" {
		t.Errorf("%q", got)
	}
}

func TestGo(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": "module m\n\ngo 1.25\n"})
	if out, err := Go(t.Context(), dir, mode.Mode{BuildEnv: []string{"GOARCH=wasm", "GOOS=js"}}, "env", "GOARCH", "GOOS", "GOMOD"); err != nil ||
		!strings.HasPrefix(string(out), "wasm\njs\n"+dir) {
		t.Errorf("%s, %v", out, err)
	}
	_, err := Go(t.Context(), dir, mode.Default(), "no-such-command")
	if e := new(Error); !errors.As(err, &e) || e.Doing != "go no-such-command" || !strings.Contains(err.Error(), "unknown command") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Go(ctx, dir, mode.Default(), "env"); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Go(t.Context(), dir, mode.Default(), "env"); err == nil || !strings.Contains(err.Error(), "the go command is not in PATH") {
		t.Errorf("without a go command: %v", err)
	}
}

func TestToolchain(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": "module m\n\ngo 1.25\n"})
	local, err := Toolchain(t.Context(), dir, mode.Default())
	if err != nil || !strings.HasPrefix(local, "go1.") && !strings.HasPrefix(local, "devel") {
		t.Errorf("%q, %v", local, err)
	}
	if got, err := Toolchain(t.Context(), dir, mode.Mode{Toolchain: "local"}); err != nil || got != local {
		t.Errorf("%q, %v, want %q", got, err, local)
	}
	_, err = Toolchain(t.Context(), dir, mode.Mode{Toolchain: "go1.99.9"})
	if err == nil || !strings.HasPrefix(err.Error(), "toolchain go1.99.9 is not available: ") {
		t.Errorf("%v", err)
	}
	if _, err := Toolchain(t.Context(), dir, mode.Mode{Toolchain: "nonsense"}); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("%v", err)
	}
	if _, err := Toolchain(t.Context(), dir, mode.Mode{Experiment: "xyz"}); err == nil || !strings.Contains(err.Error(), "xyz") {
		t.Errorf("%v", err)
	}
	// A module may ask for a newer toolchain than the mode's.
	write(t, dir, map[string]string{"go.mod": "module m\n\ngo 1.98\n"})
	m := mode.Mode{Toolchain: "local"}
	_, err = Toolchain(t.Context(), dir, m)
	if err == nil {
		_, err = Packages(t.Context(), dir, m, []string{"./..."})
	}
	if err == nil || !strings.Contains(err.Error(), "requires go >= 1.98") {
		t.Errorf("%v", err)
	}
}

// testBinary builds the tests of a package of the module in dir and returns the
// binary and what it says of itself.
func testBinary(t *testing.T, dir string, m mode.Mode, importPath string) (string, executable.Info) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "x.test")
	if err := Test(t.Context(), dir, m, importPath, out, Overlay{}, 0); err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	info, err := executable.Inspect(out)
	if err != nil {
		t.Fatal(err)
	}
	return out, info
}

// TestTest checks that a run-time mode shares the binary, and that tags change it.
func TestTest(t *testing.T) {
	dir := tree(t)
	out, plain := testBinary(t, dir, mode.Default(), "example.com/m/a")
	list, err := exec.Command(out, "-test.list=.").Output()
	if err != nil || !strings.Contains(string(list), "BenchmarkIn\n") || !strings.Contains(string(list), "BenchmarkOut\n") {
		t.Errorf("%s, %v", list, err)
	}
	_, gogc := testBinary(t, dir, mode.Mode{Name: "gogc", GOGC: "50", RunEnv: []string{"FOO=1"}}, "example.com/m/a")
	if gogc != plain {
		t.Errorf("a run-time mode has another binary: %+v, %+v", gogc, plain)
	}

	special := mode.Mode{Name: "special", Tags: []string{"special"}}
	out, _ = testBinary(t, dir, special, "example.com/m/tagged")
	list, err = exec.Command(out, "-test.list=.").Output()
	if err != nil || string(list) != "BenchmarkTagged\n" {
		t.Errorf("%s, %v", list, err)
	}

	// What go vet says of tests is not about benchmarks.
	vetted := "package none\n\nimport \"testing\"\n\nfunc ExampleNobody() {}\n\nfunc BenchmarkX(b *testing.B) {}\n"
	if err := os.WriteFile(filepath.Join(dir, "none", "v_test.go"), []byte(vetted), 0o666); err != nil {
		t.Fatal(err)
	}
	testBinary(t, dir, mode.Default(), "example.com/m/none")
	if err := Covered(t.Context(), dir, mode.Default(), "example.com/m/none", filepath.Join(t.TempDir(), "covered"), []string{"example.com/m/none"}); err != nil {
		t.Error(err)
	}

	if err := Test(t.Context(), dir, mode.Mode{Experiment: "xyz"}, "example.com/m/a", filepath.Join(t.TempDir(), "x"), Overlay{}, 0); err == nil || !strings.Contains(err.Error(), "xyz") {
		t.Errorf("an experiment that is none: %v", err)
	}
}

// TestTestExperiments checks that the binaries of the published comparison differ.
func TestTestExperiments(t *testing.T) {
	longtest.Skip(t, "builds the standard library with two experiments")
	dir := tree(t)
	build := func(m mode.Mode, want string) executable.Info {
		t.Helper()
		_, info := testBinary(t, dir, m, "example.com/m/a")
		got := strings.Split(info.Experiment, ",")
		slices.Sort(got)
		if strings.Join(got, ",") != want {
			t.Errorf("%s is built as %+v, want %q", m.Name, info, want)
		}
		return info
	}
	plain := build(mode.Default(), "")
	old := build(mode.Published()[0], "nogreenteagc")
	two := build(mode.Mode{Name: "two", Experiment: "arenas,nogreenteagc"}, "arenas,nogreenteagc")
	if old.GoVersion != plain.GoVersion || two.GoVersion != plain.GoVersion {
		t.Errorf("other versions of Go: %+v, %+v, %+v", plain, old, two)
	}
	if old.SHA256 == plain.SHA256 {
		t.Error("another collector gives the same binary")
	}
}

func TestProgram(t *testing.T) {
	dir := tree(t)
	out := filepath.Join(t.TempDir(), "prog")
	if err := Program(t.Context(), dir, mode.Default(), []string{"-buildvcs=false", "-ldflags=-s -w"}, "./prog", out); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(out).CombinedOutput(); err != nil || string(said) != "hello\n" {
		t.Errorf("%q, %v", said, err)
	}
	check := func(pkg string, parts ...string) {
		t.Helper()
		err := Program(t.Context(), dir, mode.Default(), nil, pkg, filepath.Join(t.TempDir(), "x"))
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, want %q", pkg, err, part)
			}
		}
	}
	check("./plain", "./plain", "not main")
	check("./nowhere", "nowhere")
	check("./empty", "no Go files")
}

// What was built is not counted again.
func TestStale(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod":    "module m\n\ngo 1.25\n",
		"x/x.go":    fmt.Sprintf("package x\n\n// %s makes the package one that no cache has.\nfunc F() int { return %d }\n", t.TempDir(), os.Getpid()),
		"y/y.go":    "package y\n\nimport \"m/x\"\n\nvar Y = x.F() + " + fmt.Sprint(os.Getpid()) + "\n",
		"p/main.go": "package main\n\nimport _ \"m/y\"\n\nfunc main() {}\n",
	})
	stale := func() int {
		t.Helper()
		n, err := Stale(t.Context(), dir, mode.Default(), Overlay{}, false, "m/x", "m/y")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := stale()
	if err := Program(t.Context(), dir, mode.Default(), nil, "./p", filepath.Join(t.TempDir(), "p")); err != nil {
		t.Fatal(err)
	}
	if after := stale(); before < 2 || after != 0 {
		t.Errorf("%d packages to compile before the build and %d after it", before, after)
	}
}
