// Package build turns packages and modes into test binaries and programs, with
// the go command that the user has.
package build

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/procgroup"
)

// An Error holds the output of the go command, the compiler or git when it failed.
type Error struct {
	Doing  string // such as "go test -c ./x"
	Output string // its standard error, without download messages; never empty
}

// Error is the first line of the output with a message, and the next one
// if it ends in a colon, and with those of the go command that are indented.
func (e *Error) Error() string {
	said, ended := "", false
	for raw := range strings.Lines(e.Output) {
		line := strings.TrimSpace(raw)
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		if ended && !(strings.HasPrefix(raw, "\t") && strings.HasPrefix(said, "go: ")) {
			return said
		}
		said = strings.TrimSpace(said + " " + line)
		ended = !strings.HasSuffix(line, ":")
	}
	if ended {
		return said
	}
	return cmp.Or(said, e.Doing+" failed: "+strings.TrimSpace(e.Output))
}

// Go runs the go command of a mode in dir and returns its standard output.
func Go(ctx context.Context, dir string, m mode.Mode, args ...string) ([]byte, error) {
	return goIn(ctx, "", dir, m, args...)
}

// goIn is Go with the go command of a GOROOT; "" is for that in PATH.
func goIn(ctx context.Context, root, dir string, m mode.Mode, args ...string) ([]byte, error) {
	env := environ()
	if tmp, ok := ctx.Value(tempKey{}).(string); ok {
		env = append(env, "GOTMPDIR="+tmp)
	}
	env = m.BuildEnviron(env)
	if root == "" {
		return run(ctx, dir, env, "go", args...)
	}
	return run(ctx, dir, append(env, "GOROOT="+root, "GOTOOLCHAIN=local"), filepath.Join(root, "bin", "go"), args...)
}

type tempKey struct{}

// WithTemp has the go commands of ctx keep their temporary files in dir. An
// interrupted go build leaves them behind, so the caller removes dir.
func WithTemp(ctx context.Context, dir string) context.Context {
	return context.WithValue(ctx, tempKey{}, dir)
}

// NewTemp makes a folder for temporary files, which the go commands of the context that it returns use, too. The caller
// calls remove.
func NewTemp(ctx context.Context) (_ context.Context, dir string, remove func(), err error) {
	dir, err = os.MkdirTemp(os.Getenv("GOTMPDIR"), "lessgc-")
	return WithTemp(ctx, dir), dir, func() { os.RemoveAll(dir) }, err
}

// gitLocal are the variables with which git tells a hook which repository and
// index it is about. A git command for another checkout must not see them: it
// would overwrite the index of this one.
var gitLocal = []string{"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS",
	"GIT_DIR", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE",
	"GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE"}

// environ is the environment without gitLocal and with what keeps git quiet: the go
// command runs git too.
func environ() []string {
	env := slices.DeleteFunc(os.Environ(), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(gitLocal, name)
	})
	return append(env, quietEnviron()...)
}

func run(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	procgroup.Command(cmd)
	cmd.Cancel = func() error { return procgroup.Interrupt(cmd) } // the go command then removes its temporary files
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		if cmd.Process != nil {
			procgroup.Kill(cmd)
		}
		return nil, ctx.Err()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, fmt.Errorf("the %s command is not in PATH; install it or add its folder to PATH", name)
	}
	if err != nil {
		text := withoutDownloads(stderr.String() + stdout.String())
		if strings.TrimSpace(text) == "" {
			text = err.Error()
		}
		return nil, &Error{Doing: name + " " + strings.Join(args, " "), Output: text}
	}
	return stdout.Bytes(), nil
}

func withoutDownloads(s string) string {
	var kept strings.Builder
	for line := range strings.Lines(s) {
		if !strings.HasPrefix(line, "go: downloading ") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// Toolchain has the go command fetch the mode's toolchain if need be, and
// returns its version, such as go1.27.3.
func Toolchain(ctx context.Context, dir string, m mode.Mode) (string, error) {
	out, err := Go(ctx, dir, m, "env", "GOVERSION")
	if err == nil {
		return strings.TrimSpace(string(out)), nil
	}
	if e := new(Error); errors.As(err, &e) && m.Toolchain != "" && strings.Contains(e.Output, m.Toolchain) &&
		!strings.Contains(e.Output, "requires go") {
		return "", fmt.Errorf("toolchain %s is not available: %s", m.Toolchain, strings.TrimPrefix(e.Error(), "go: "))
	}
	return "", err
}

// A Package is one that has test files.
type Package struct {
	ImportPath string
	Dir        string
	Benchmarks []string // names of the Benchmark functions in its test files, with "Benchmark"
}

// Packages resolves patterns in dir as a mode sees them and returns the
// packages with benchmark functions. The error is about patterns that match
// nothing, about files that cannot be read, and, if no package has benchmarks, about the first one that
// cannot be loaded.
func Packages(ctx context.Context, dir string, m mode.Mode, patterns []string) ([]Package, error) {
	args := append([]string{"list", "-e", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Error"}, m.BuildFlags()...)
	out, err := Go(ctx, dir, m, append(append(args, "--"), patterns...)...)
	if err != nil {
		return nil, err
	}
	var pkgs []Package
	var broken error
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir           string
			TestGoFiles, XTestGoFiles []string
			Error                     *struct{ Err string }
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			if pkgs != nil {
				broken = nil
			}
			return pkgs, broken
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		// A package that exists but does not compile is for the compiler to
		// report; one that is not there has no folder.
		if p.Error != nil && len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 && !strings.Contains(p.Error.Err, "no Go files") &&
			!strings.Contains(p.Error.Err, "build constraints exclude all Go files") {
			err := &Error{Doing: "go list", Output: p.Error.Err}
			if _, missing := os.Stat(p.Dir); p.Dir == "" || missing != nil {
				return nil, err
			}
			broken = cmp.Or[error](broken, err)
			continue
		}
		names, err := benchmarks(p.Dir, slices.Concat(p.TestGoFiles, p.XTestGoFiles))
		if err != nil {
			return nil, err
		}
		if len(names) > 0 {
			pkgs = append(pkgs, Package{p.ImportPath, p.Dir, names})
		}
	}
}

// A Constrained file has benchmarks that a build constraint keeps out.
type Constrained struct {
	File       string // name
	Constraint string // such as integration && !race; "" if its name is one
	Benchmarks []string
}

// ConstrainedBenchmarks lists the test files of packages that a mode leaves out.
func ConstrainedBenchmarks(ctx context.Context, dir string, m mode.Mode, patterns []string) ([]Constrained, error) {
	args := append([]string{"list", "-e", "-f", "{{$d := .Dir}}{{range .IgnoredGoFiles}}{{$d}}\t{{.}}\n{{end}}"}, m.BuildFlags()...)
	out, err := Go(ctx, dir, m, append(append(args, "--"), patterns...)...)
	if err != nil {
		return nil, err
	}
	var all []Constrained
	for line := range strings.Lines(string(out)) {
		folder, name, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		names, err := benchmarks(folder, []string{name})
		if err != nil || len(names) == 0 {
			continue
		}
		c := Constrained{File: name, Benchmarks: names}
		if data, err := os.ReadFile(filepath.Join(folder, name)); err == nil {
			for line := range strings.Lines(string(data)) {
				if expr, ok := strings.CutPrefix(strings.TrimSpace(line), "//go:build "); ok {
					c.Constraint = expr
					break
				}
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// benchmarks finds the functions that package testing would take for
// benchmarks.
func benchmarks(dir string, files []string) ([]string, error) {
	var names []string
	for _, name := range files {
		// A file with syntax errors is parsed as far as that goes: the
		// compiler has the better words for it.
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if f == nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && isBenchmark(fn.Name.Name) {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names, nil
}

// isBenchmark follows the rule of go test: "Benchmark" and then no lower-case
// letter.
func isBenchmark(name string) bool {
	rest, ok := strings.CutPrefix(name, "Benchmark")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(r)
}

// Match keeps the packages that have a benchmark whose top-level name matches
// the first element of pattern, a -bench pattern.
func Match(pkgs []Package, pattern string) ([]Package, error) {
	// An alternation at the top level may hide another first element, so
	// there everything is kept.
	first, _, _ := strings.Cut(pattern, "/")
	if strings.Contains(pattern, "/") && strings.ContainsAny(pattern, "|()[]\\") {
		first = "."
	}
	re, err := regexp.Compile(first)
	if err != nil {
		return nil, fmt.Errorf("-bench %q is not a regular expression: %w", pattern, err)
	}
	return slices.DeleteFunc(slices.Clone(pkgs), func(p Package) bool {
		return !slices.ContainsFunc(p.Benchmarks, re.MatchString)
	}), nil
}

// BenchPattern is the -test.bench pattern that matches a function and its sub-benchmark only, but
// for what lies below that.
func BenchPattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// Only are the flags of a test binary to run one benchmark, by its name with "Benchmark", and
// nothing else. A pattern alone would also run what lies below it: Sub/deep/er with Sub/deep.
func Only(name, benchtime string) []string {
	pattern := BenchPattern(name)
	return []string{"-test.bench=" + pattern, "-test.skip=" + pattern + "/.", "-test.benchtime=" + benchtime}
}

// An Overlay replaces source files in a build. The zero Overlay replaces none.
type Overlay struct {
	File string // the value of go build's -overlay
	Root string // GOROOT of the go command that takes it; "" for that in PATH
}

// NewOverlay writes the file of an Overlay into dir. replace has the files that are
// read for others; "" is for one that is not there.
func NewOverlay(dir, root string, replace map[string]string) (o Overlay, err error) {
	data, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return o, err
	}
	f, err := os.CreateTemp(dir, "overlay-*.json")
	if err != nil {
		return o, err
	}
	_, err = f.Write(data)
	return Overlay{f.Name(), root}, cmp.Or(err, f.Close())
}

func (o Overlay) flags() []string {
	if o.File == "" {
		return nil
	}
	return []string{"-overlay=" + o.File}
}

// Test builds the test binary of an import path into the file out. Its functions are in
// an order that the linker finds by the seed order; 0 is for the linker's own. One that
// is linked in an order has no tables for debuggers, a quarter of the linker's time: they
// are not part of what is loaded.
func Test(ctx context.Context, dir string, m mode.Mode, importPath, out string, o Overlay, order uint64) error {
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-o", out}, m.BuildFlags(), o.flags())
	if order > 0 {
		args = append(args, fmt.Sprintf("-ldflags=-w -randlayout=%d", order))
	}
	_, err := goIn(ctx, o.Root, dir, m, append(args, importPath)...)
	return err
}

// Covered builds the test binary of an import path with counters in some packages, as Test does
// without.
func Covered(ctx context.Context, dir string, m mode.Mode, importPath, out string, packages []string) error {
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-o", out, "-cover", "-covermode=atomic", "-coverpkg=" + strings.Join(packages, ",")}, m.BuildFlags())
	_, err := Go(ctx, dir, m, append(args, importPath)...)
	return err
}

// A Source lists the files of one package of a test binary.
type Source struct {
	Name     string   // import path, with that of the package it is compiled for in brackets
	Settings string   // what else than the files decides: the module's version, the go command's
	Files    []string // full paths; none for packages that Settings names
}

// Sources lists the packages of the test binaries of import paths, in the order in
// which the go command names them.
func Sources(ctx context.Context, dir string, m mode.Mode, o Overlay, importPaths ...string) ([]Source, error) {
	version, err := goIn(ctx, o.Root, dir, m, "env", "GOVERSION", "GOEXPERIMENT", "GOARCH", "CGO_ENABLED")
	if err != nil {
		return nil, err
	}
	kinds := []string{"GoFiles", "CgoFiles", "CFiles", "CXXFiles", "MFiles", "HFiles", "FFiles", "SFiles", "SwigFiles", "SwigCXXFiles", "SysoFiles", "EmbedFiles"}
	args := slices.Concat([]string{"list", "-deps", "-test", "-json=ImportPath,Dir,Standard,Module,DefaultGODEBUG," + strings.Join(kinds, ",")},
		m.BuildFlags(), o.flags(), []string{"--"}, importPaths)
	out, err := goIn(ctx, o.Root, dir, m, args...)
	if err != nil {
		return nil, err
	}
	type module struct {
		Path, Version, GoVersion string
		Main                     bool
		Replace                  *struct{ Version string }
	}
	all := []Source{{Name: "go", Settings: string(version)}}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p map[string]json.RawMessage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		var (
			s        Source
			folder   string
			standard bool
			mod      *module
		)
		for name, to := range map[string]any{"ImportPath": &s.Name, "Dir": &folder, "Standard": &standard, "Module": &mod, "DefaultGODEBUG": &s.Settings} {
			if raw, ok := p[name]; ok {
				if err := json.Unmarshal(raw, to); err != nil {
					return nil, fmt.Errorf("go list: %w", err)
				}
			}
		}
		if mod != nil {
			s.Settings += " go " + mod.GoVersion
		}
		switch {
		case standard: // the version of the go command names it
		case mod != nil && !mod.Main && mod.Version != "" && mod.Replace == nil:
			s.Settings += " " + mod.Path + "@" + mod.Version
		case strings.HasSuffix(s.Name, ".test"): // its one file is made by the go command
		default:
			for _, kind := range kinds {
				var names []string
				if raw, ok := p[kind]; ok {
					if err := json.Unmarshal(raw, &names); err != nil {
						return nil, fmt.Errorf("go list: %w", err)
					}
				}
				for _, name := range names {
					if !filepath.IsAbs(name) {
						name = filepath.Join(folder, name)
					}
					s.Files = append(s.Files, name)
				}
			}
		}
		all = append(all, s)
	}
}

// Program builds a main package into the file out. flags are further flags of
// go build.
func Program(ctx context.Context, dir string, m mode.Mode, flags []string, pkg, out string) error {
	args := slices.Concat([]string{"build", "-o", out}, m.BuildFlags(), flags, []string{"--", pkg})
	if _, err := Go(ctx, dir, m, args...); err != nil {
		return err
	}
	name, err := Go(ctx, dir, m, slices.Concat([]string{"list", "-f", "{{.Name}}"}, m.BuildFlags(), flags, []string{"--", pkg})...)
	if err == nil && strings.TrimSpace(string(name)) != "main" {
		return fmt.Errorf("%s is package %s, not main: there is no program to run", pkg, strings.TrimSpace(string(name)))
	}
	return err
}

// Stale counts the packages that a build of the test binaries of importPaths
// would compile because the build cache does not hold them. It is for telling
// how long a build will take.
func Stale(ctx context.Context, dir string, m mode.Mode, o Overlay, test bool, importPaths ...string) (int, error) {
	args := slices.Concat([]string{"list", "-e", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, m.BuildFlags(), o.flags())
	if test {
		args = append(args, "-test")
	}
	out, err := goIn(ctx, o.Root, dir, m, append(append(args, "--"), importPaths...)...)
	return len(bytes.Fields(out)), err
}
