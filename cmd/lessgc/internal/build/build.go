// Package build turns packages and modes into test binaries and programs, with
// the go command that the user has.
package build

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
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

	"lessgc/cmd/lessgc/internal/group"
	"lessgc/cmd/lessgc/internal/mode"
)

// An Error is what the go command, the compiler or git said when it failed.
type Error struct {
	Doing  string // such as "go test -c ./x"
	Output string // its standard error, without download messages; never empty
}

// Error is the first line of the output that says something, with the next one
// if it ends in a colon.
func (e *Error) Error() string {
	said := ""
	for line := range strings.Lines(e.Output) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		said = strings.TrimSpace(said + " " + line)
		if !strings.HasSuffix(line, ":") {
			return said
		}
	}
	return cmp.Or(said, e.Doing+" failed: "+strings.TrimSpace(e.Output))
}

// Go runs the go command of a mode in dir and returns its standard output.
func Go(ctx context.Context, dir string, m mode.Mode, args ...string) ([]byte, error) {
	env := environ()
	if tmp, ok := ctx.Value(tempKey{}).(string); ok {
		env = append(env, "GOTMPDIR="+tmp)
	}
	return run(ctx, dir, m.BuildEnviron(env), "go", args...)
}

type tempKey struct{}

// WithTemp has the go commands of ctx keep their temporary files in dir. An
// interrupted go build leaves them behind, so the caller removes dir.
func WithTemp(ctx context.Context, dir string) context.Context {
	return context.WithValue(ctx, tempKey{}, dir)
}

// gitLocal are the variables with which git tells a hook which repository and
// index it is about. A git command for another checkout must not see them: it
// would overwrite the index of this one.
var gitLocal = []string{"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS",
	"GIT_DIR", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE",
	"GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE"}

// environ is the environment without gitLocal: the go command runs git too.
func environ() []string {
	return slices.DeleteFunc(os.Environ(), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(gitLocal, name)
	})
}

func run(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	group.Command(cmd)
	cmd.Cancel = func() error { return group.Interrupt(cmd) } // the go command then removes its temporary files
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		if cmd.Process != nil {
			group.Kill(cmd)
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
		return "", fmt.Errorf("toolchain %s cannot be had: %s", m.Toolchain, strings.TrimPrefix(e.Error(), "go: "))
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
// nothing and about files that cannot be read.
func Packages(ctx context.Context, dir string, m mode.Mode, patterns []string) ([]Package, error) {
	args := append([]string{"list", "-e", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Error"}, m.BuildFlags()...)
	out, err := Go(ctx, dir, m, append(append(args, "--"), patterns...)...)
	if err != nil {
		return nil, err
	}
	var pkgs []Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir           string
			TestGoFiles, XTestGoFiles []string
			Error                     *struct{ Err string }
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		// A package that exists but does not compile is for the compiler to
		// report; one that is not there has no folder.
		if p.Error != nil && len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 && !strings.Contains(p.Error.Err, "no Go files") &&
			!strings.Contains(p.Error.Err, "build constraints exclude all Go files") {
			return nil, &Error{Doing: "go list", Output: p.Error.Err}
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

// Test builds the test binary of an import path into the file out.
func Test(ctx context.Context, dir string, m mode.Mode, importPath, out string) error {
	args := append([]string{"test", "-c", "-o", out}, m.BuildFlags()...)
	_, err := Go(ctx, dir, m, append(args, importPath)...)
	return err
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

// Info is what a binary says of itself.
type Info struct {
	GoVersion  string `json:"goVersion"`            // such as go1.26.8
	Experiment string `json:"experiment,omitempty"` // differences from the toolchain's default, such as nogreenteagc
	SHA256     string `json:"sha256"`
}

// Inspect reads the Info of a Go binary, so that a result can name the mode
// that was really built.
func Inspect(file string) (Info, error) {
	var info Info
	f, err := os.Open(file)
	if err != nil {
		return info, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return info, err
	}
	info.SHA256 = hex.EncodeToString(sum.Sum(nil))
	bi, err := buildinfo.Read(f)
	if err != nil {
		return info, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	// "go1.26.8 X:nogreenteagc", or with "-X:" since Go 1.26.
	version, experiment, _ := strings.Cut(bi.GoVersion, "X:")
	info.GoVersion = strings.TrimRight(version, " -")
	info.Experiment = experiment
	return info, nil
}

// Stale counts the packages that a build of the test binaries of importPaths
// would compile because the build cache does not hold them. It is for telling
// how long a build will take.
func Stale(ctx context.Context, dir string, m mode.Mode, test bool, importPaths ...string) (int, error) {
	args := append([]string{"list", "-e", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, m.BuildFlags()...)
	if test {
		args = append(args, "-test")
	}
	out, err := Go(ctx, dir, m, append(append(args, "--"), importPaths...)...)
	return len(bytes.Fields(out)), err
}
