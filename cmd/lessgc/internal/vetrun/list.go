package vetrun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// listed holds the fields used of go list's output.
type listed struct {
	ImportPath string
	ForTest    string
	Dir        string
	DepOnly    bool
	Incomplete bool
	Deps       []string
	Error      *loadError
	DepsErrors []loadError

	GoFiles, CgoFiles, TestGoFiles []string

	Standard bool
	Module   *module

	Imports, TestImports, XTestImports []string
	XTestGoFiles                       []string
}

type module struct {
	Path, Dir string
	Main      bool
	Replace   *struct{ Version string }
}

type loadError struct {
	Pos string
	Err string
}

// name is the import path without the test that the package is compiled for.
func (p *listed) name() string { return bare(p.ImportPath) }

func bare(path string) string {
	name, _, _ := strings.Cut(path, " ")
	return name
}

// list asks the go command for packages.
func list(ctx context.Context, env []string, args ...string) ([]*listed, error) {
	out, err := goOutput(ctx, env, append([]string{"list", "-e"}, args...)...)
	if err != nil {
		return nil, err
	}
	var all []*listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("cannot read the output of go list: %w", err)
		}
		all = append(all, p)
	}
}

// A unit is analysed by go vet in one go: a package with its own tests, or the tests in
// the package next to it.
type unit struct {
	name string
	deps []string // names of packages
}

// packages lists the packages that were asked for.
type packages struct {
	paths    []string // import paths of those that can be loaded
	listed   []*listed
	imported []string // import paths of others
	units    []unit   // of paths
	problems []Problem
}

// load lists the packages and sorts out those that cannot be loaded, with which go vet
// would look at none.
func (o *Options) load(ctx context.Context) (*packages, error) {
	args := []string{fmt.Sprintf("-test=%v", o.Tests), "-json=ImportPath,ForTest,Dir,Incomplete,Deps,Error,DepsErrors,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Standard,Module"}
	all, err := list(ctx, nil, slices.Concat(args, o.buildFlags(), []string{"--"}, o.Patterns)...)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(o.Patterns, " "))
	}
	tests := map[string][]*listed{} // by the package they are for
	for _, p := range all {
		if p.ForTest != "" {
			tests[p.ForTest] = append(tests[p.ForTest], p)
		}
	}
	out := new(packages)
	for _, p := range all {
		main := strings.TrimSuffix(p.ImportPath, ".test")
		if p.ForTest == "" && (main == p.ImportPath || tests[main] == nil) && (o.Tests || !p.onlyTests()) {
			out.listed = append(out.listed, p)
			out.add(p, tests[p.ImportPath])
		}
	}
	return out, nil
}

func (out *packages) add(p *listed, tests []*listed) {
	if p.Incomplete {
		out.problems = append(out.problems, Problem{p.ImportPath, "cannot be loaded: " + p.cause()})
		return
	}
	units := []unit{{p.name(), names(p.Deps)}}
	for _, t := range tests {
		if t.Incomplete {
			out.problems = append(out.problems, Problem{p.ImportPath, "was not looked at: its tests cannot be loaded: " + t.cause()})
			return
		}
		if u := (unit{t.name(), names(t.Deps)}); u.name == units[0].name {
			units[0] = u
		} else {
			units = append(units, u)
		}
	}
	out.paths = append(out.paths, p.ImportPath)
	out.units = append(out.units, units...)
}

func names(paths []string) []string {
	all := make([]string, len(paths))
	for i, path := range paths {
		all[i] = bare(path)
	}
	return all
}

// cause returns the reason why a package cannot be loaded, in one line. The go command
// reports what several packages import where it has met it first: a position in the folder of
// another is left out.
func (p *listed) cause() string {
	e := p.Error
	if e == nil && len(p.DepsErrors) > 0 {
		e = &p.DepsErrors[0]
	}
	if e == nil {
		return "the go command does not say why"
	}
	text := strings.TrimPrefix(oneLine(e.Err), "pattern "+p.ImportPath+": ")
	file, _, _ := strings.Cut(e.Pos, ":")
	if abs, err := filepath.Abs(file); e.Pos != "" && err == nil && filepath.Dir(abs) == p.Dir {
		return e.Pos + ": " + text
	}
	return text
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// imported are the packages at home, of this module and others whose source may be changed,
// that those asked for import. Go vet has to be asked for them too: the go command 1.26
// keeps by package what was printed, and that is nothing for one that was only imported.
// Asked for later, it would print that again. (What go vet prints of them now is dropped.)
func (o *Options) imported(ctx context.Context) []string {
	version, err := goOutput(ctx, nil, "env", "GOVERSION")
	if err != nil || !strings.HasPrefix(string(version), "go1.26") {
		return nil
	}
	asked, err := list(ctx, nil, slices.Concat([]string{"-json=ImportPath"}, o.buildFlags(), []string{"--"}, o.Patterns)...)
	if err != nil {
		return nil
	}
	args := slices.Concat([]string{"-deps", "-json=ImportPath,Standard,Module,Incomplete"}, o.buildFlags(), []string{"--"}, o.Patterns)
	all, err := list(ctx, nil, args...)
	if err != nil {
		return nil
	}
	var paths []string
	for _, p := range all {
		known := slices.ContainsFunc(asked, func(q *listed) bool { return q.ImportPath == p.ImportPath })
		if !known && !p.Incomplete && p.home() {
			paths = append(paths, p.ImportPath)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	others := *o
	others.Patterns = paths
	sound, err := others.load(ctx) // without those whose tests cannot be loaded
	if err != nil {
		return nil
	}
	return sound.paths
}

// arenas says how many packages import the standard library's arenas, and so are not seen
// without GOEXPERIMENT=arenas; none if that is set, or unknown to the go command.
func (o *Options) arenas(ctx context.Context) int {
	out, err := goOutput(ctx, nil, "env", "GOEXPERIMENT")
	if err != nil {
		return 0
	}
	experiments := strings.FieldsFunc(strings.TrimSpace(string(out)), func(r rune) bool { return r == ',' })
	if slices.Contains(experiments, "arenas") {
		return 0
	}
	env := []string{"GOEXPERIMENT=" + strings.Join(append(experiments, "arenas"), ",")}
	args := slices.Concat([]string{"-json=ImportPath,Imports,TestImports,XTestImports"}, o.buildFlags(), []string{"--"}, o.Patterns)
	all, err := list(ctx, env, args...)
	if err != nil {
		return 0
	}
	n := 0
	for _, p := range all {
		if slices.Contains(slices.Concat(p.Imports, p.TestImports, p.XTestImports), "arena") {
			n++
		}
	}
	return n
}
