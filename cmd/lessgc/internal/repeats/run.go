package repeats

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
	"lessgc/cmd/lessgc/internal/trial"
)

//go:embed record/*.go
var record embed.FS

// folder is the path of folder record, as the build sees it, in the user's module.
const folder = "internal/lessgcrecord"

// longest bounds the run of the benchmarks of a package; what it has found until then counts.
const longest = time.Minute

// Benchmarks runs some operations of the benchmarks that match, and returns the functions that repeat
// work. step is called at each step.
func Benchmarks(ctx context.Context, patterns []string, bench string, own site.Own, allocs, cpu *prof.Profile, step func(string, ...any)) ([]Function, error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	ctx, tmp, remove, err := build.NewTemp(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	r := &run{dir: wd, tmp: tmp, bench: bench, wanted: candidates(own, allocs, cpu), step: step}
	if r.modules, err = modules(ctx, wd); err != nil {
		return nil, err
	}
	pkgs, err := build.Packages(ctx, wd, mode.Default(), patterns)
	if err != nil {
		return nil, err
	}
	if pkgs, err = build.Match(pkgs, bench); err != nil {
		return nil, err
	}
	all := map[string]*Function{}
	for _, p := range pkgs {
		counts, err := r.counts(ctx, p)
		if err != nil {
			return nil, err
		}
		entered := map[string]float64{}
		for _, c := range counts {
			entered[c.Func] = float64(c.Calls) / float64(max(c.Ops, 1))
		}
		for _, c := range counts {
			if f, ok := c.function(own, entered); ok && (all[f.Func] == nil || f.Across+f.Within > all[f.Func].Across+all[f.Func].Within) {
				all[f.Func] = &f
			}
		}
	}
	var out []Function
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, *all[name])
	}
	return out, nil
}

type run struct {
	dir, tmp, bench string
	wanted          map[string]candidate
	modules         map[string]string // folders, by path
	step            func(string, ...any)
	files           int
}

// modules are the main modules.
func modules(ctx context.Context, dir string) (map[string]string, error) {
	out, err := build.Go(ctx, dir, mode.Default(), "list", "-m", "-f", "{{.Path}}\t{{.Dir}}")
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if name, folder, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && folder != "" {
			all[name] = folder
		}
	}
	return all, nil
}

// moduleOf is the module that has an import path.
func (r *run) moduleOf(pkg string) (name string) {
	for m := range r.modules {
		if (pkg == m || strings.HasPrefix(pkg, m+"/")) && len(m) > len(name) {
			name = m
		}
	}
	return name
}

// counts runs the benchmarks of a package.
func (r *run) counts(ctx context.Context, p build.Package) ([]count, error) {
	module := r.moduleOf(p.ImportPath)
	if module == "" {
		return nil, nil
	}
	replace, err := r.overlay(module, p)
	if err != nil || replace == nil {
		return nil, err
	}
	o, err := build.NewOverlay(r.tmp, "", replace)
	if err != nil {
		return nil, err
	}
	r.step("building the tests of %s to look for repeated work", p.ImportPath)
	binary := filepath.Join(r.tmp, "repeats.test")
	args := []string{"test", "-c", "-vet=off", "-o", binary, "-overlay=" + o.File, p.ImportPath} // vet looks for folders that are only in the overlay
	if _, err := build.Go(ctx, r.dir, mode.Default(), args...); err != nil {
		return nil, err
	}
	r.step("looking for repeated work in the benchmarks of %s", p.ImportPath)
	return r.run(ctx, p, binary)
}

func (r *run) run(ctx context.Context, p build.Package, binary string) ([]count, error) {
	results := filepath.Join(r.tmp, "repeats.out")
	os.Remove(results)
	bounded, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	args := []string{"-test.run=^$", "-test.paniconexit0", "-test.cpu=1", "-test.benchtime=2x", "-test.bench=" + r.bench}
	o, err := trial.Run(bounded, r.tmp, trial.Command{Path: binary, Args: args, Dir: p.Dir, Env: append(os.Environ(), "LESSGC_REPEATS="+results)})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && bounded.Err() == nil {
		return nil, err
	}
	if err == nil && o.Failed() && bounded.Err() == nil {
		return nil, fmt.Errorf("the benchmarks of %s failed: %s", p.ImportPath, o.BenchmarkReason())
	}
	data, err := input.ReadFile(results, 64<<20)
	if err != nil && bounded.Err() != nil {
		return nil, fmt.Errorf("no benchmark of %s was over in %v", p.ImportPath, longest)
	}
	if err != nil {
		return nil, nil // no loop was seen, or no operation was over
	}
	var all []count
	return all, json.Unmarshal(data, &all)
}

// overlay writes the files that stand in for some of a module; nil if there is nothing to see.
func (r *run) overlay(module string, p build.Package) (map[string]string, error) {
	root, helper := r.modules[module], module+"/"+folder
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(folder))); err == nil {
		return nil, errors.New(folder + " is there already")
	}
	replace := map[string]string{}
	tests, err := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	loops, functions := 0, 0
	for _, name := range tests {
		if err := r.edit(name, helper, replace, func(e *edited) { loops += e.operations() }); err != nil {
			return nil, err
		}
	}
	for name, all := range r.byFile(module) {
		if err := r.edit(name, helper, replace, func(e *edited) { functions += e.functions(all) }); err != nil {
			return nil, err
		}
	}
	if loops == 0 || functions == 0 {
		return nil, nil
	}
	return replace, r.helper(filepath.Join(root, filepath.FromSlash(folder)), replace)
}

// packageOf is the import path of a file's package.
func (r *run) packageOf(module, file string) string {
	rel, err := filepath.Rel(r.modules[module], filepath.Dir(file))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	return path.Join(module, filepath.ToSlash(rel))
}

// byFile are the functions to instrument, by file and by their names without the package.
func (r *run) byFile(module string) map[string]map[string]wanted {
	all := map[string]map[string]wanted{}
	for i, name := range slices.Sorted(maps.Keys(r.wanted)) {
		c := r.wanted[name]
		if pkg := r.packageOf(module, c.File); pkg == "" || pkg != c.Package() && c.Package() != "main" {
			continue
		}
		if all[c.File] == nil {
			all[c.File] = map[string]wanted{}
		}
		_, short, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
		all[c.File][short] = wanted{i, name}
	}
	return all
}

// edit writes a changed copy of a file. One that cannot be instrumented is left as it is.
func (r *run) edit(name, helper string, replace map[string]string, change func(*edited)) error {
	source, err := os.ReadFile(name)
	if err != nil {
		return nil // it is not here
	}
	e := parse(name, source)
	if e == nil {
		return nil
	}
	change(e)
	data := e.result(source, helper)
	if data == nil {
		return nil
	}
	return r.replace(name, data, replace)
}

func (r *run) replace(name string, data []byte, replace map[string]string) error {
	r.files++
	to := filepath.Join(r.tmp, fmt.Sprintf("%d-%s", r.files, filepath.Base(name)))
	replace[name] = to
	return os.WriteFile(to, data, 0o600)
}

// helper puts folder record into the user's module.
func (r *run) helper(dir string, replace map[string]string) error {
	files, err := record.ReadDir("record")
	if err != nil {
		return err
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		data, err := record.ReadFile("record/" + f.Name())
		if err != nil {
			return err
		}
		if err := r.replace(filepath.Join(dir, f.Name()), data, replace); err != nil {
			return err
		}
	}
	return nil
}

// A count holds the counts that folder record writes of a function.
type count struct {
	Func                                               string
	Ops, Calls, Inputs, Cross, Same, Unknown, Unsteady int64
	Texts, Distinct, Probed, Costly                    int64
	Paths                                              []callPath
}

type callPath struct {
	Stack              []prof.Frame
	Calls, Cross, Same int64
}

// leastTexts is the smallest number of strings that a function returns in an operation for them to be
// counted.
const leastTexts = 16

// mostUnknown is the share of a function's calls from which on nothing is said of it.
const mostUnknown = 0.2

// function sums up a count; ok is false if it says nothing.
func (c *count) function(own site.Own, entered map[string]float64) (f Function, ok bool) {
	if c.Ops == 0 {
		return f, false
	}
	f, ok = c.repeats(own, entered)
	if !ok {
		f = Function{Func: c.Func, Calls: c.mean(c.Calls)}
	}
	if c.mean(c.Texts) < leastTexts {
		return f, ok
	}
	f.Texts, f.Distinct = c.mean(c.Texts), c.mean(c.Distinct)
	return f, true
}

// mean is a number for each operation that calls the function.
func (c *count) mean(n int64) float64 { return float64(n) / float64(c.Ops) }

// repeats sums up what is known of calls with the same input; ok is false if that is nothing.
func (c *count) repeats(own site.Own, entered map[string]float64) (f Function, ok bool) {
	if c.Cross+c.Same == 0 || float64(c.Unknown) > mostUnknown*float64(c.Calls) || 2*c.Costly < c.Probed {
		return f, false // or the repeats allocate nothing: the function keeps its result already
	}
	mean := c.mean
	f = Function{Func: c.Func, Calls: mean(c.Calls), Inputs: mean(c.Inputs), Across: mean(c.Cross), Within: mean(c.Same)}
	var across []callPath
	lines := map[prof.Frame]*Line{}
	for _, p := range c.Paths {
		if len(p.Stack) == 0 || !own(p.Stack[0].Package()) {
			continue
		}
		if strings.HasSuffix(p.Stack[0].File, "_test.go") {
			return f, false // a benchmark calls it
		}
		if p.Cross > 0 {
			across = append(across, p)
		}
		addLine(lines, p.Stack[0], mean(p.Calls), mean(p.Same))
	}
	f.Places, f.Lines = parting(across, mean), sorted(lines)
	for i := range f.Lines {
		f.Lines[i].Entered = entered[f.Lines[i].Func]
	}
	return f, len(f.Lines) > 0
}

// parting are the lines at which ways to a function part: the innermost at which they are not all the same.
func parting(all []callPath, mean func(int64) float64) []Line {
	if len(all) < 2 {
		return nil
	}
	for depth := 0; ; depth++ {
		lines := map[prof.Frame]*Line{}
		for _, p := range all {
			if depth >= len(p.Stack) {
				return nil
			}
			addLine(lines, p.Stack[depth], mean(p.Calls), mean(p.Cross))
		}
		if len(lines) > 1 {
			return sorted(lines)
		}
	}
}

func addLine(lines map[prof.Frame]*Line, at prof.Frame, calls, again float64) {
	if lines[at] == nil {
		lines[at] = &Line{Func: at.Func, File: at.File, Line: at.Line}
	}
	lines[at].Calls += calls
	lines[at].Again += again
}

// sorted returns the lines, most calls first.
func sorted(lines map[prof.Frame]*Line) (all []Line) {
	for _, l := range lines {
		all = append(all, *l)
	}
	slices.SortFunc(all, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return all[:min(len(all), maxLines)]
}
