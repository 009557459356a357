package compare

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/executable"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/verdict"
)

// A variant is code of one version in one mode. Variants whose settings differ
// at run time only share their binaries.
type variant struct {
	mode    mode.Mode
	version string // "", "base" or "work"
	dir     string
	pkgs    []build.Package
	bins    []*binary // one per package
	err     string    // why there is nothing to run
	overlay *overlay  // see timedOverlay; nil until it is asked for
}

// A binary is one executable, or the reason why there is none.
type binary struct {
	pkg     build.Package
	path    string
	info    executable.Info
	timed   bool   // it tells what its timed regions cost
	testsOf string // the folder whose test files it has, and in which it runs; "" for its package's
	err     error
	names   []listed // its benchmarks

	relink func(ctx context.Context, file string, order uint64) error // builds a test binary once more, see orders
	now    string                                                     // the file of the order in use; "" for path
	before string                                                     // that of the order before it
}

// label names the variant in messages.
func (v *variant) label() string {
	if v.version == "" {
		return v.mode.Name
	}
	return v.mode.Name + ", " + v.version
}

// info describes the variant's binaries: the toolchain of the first that was
// built, and one hash for all.
func (v *variant) info() executable.Info {
	var info executable.Info
	sum := sha256.New()
	for _, b := range v.bins {
		if b.err != nil {
			continue
		}
		if info.GoVersion == "" {
			info = b.info
		}
		fmt.Fprintln(sum, b.pkg.ImportPath, b.info.SHA256)
	}
	if len(v.bins) > 1 {
		info.SHA256 = hex.EncodeToString(sum.Sum(nil))
	}
	return info
}

// fail records why a variant cannot be measured.
func (r *Run) fail(v *variant, id string, err error) {
	v.err = err.Error()
	r.problem(id, "", fmt.Sprintf("mode %s could not be built: %v", v.label(), err), err)
}

// buildAll makes the variants and all their binaries.
func (r *Run) buildAll(ctx context.Context) error {
	if err := r.makeVariants(ctx); err != nil {
		return err
	}
	var err error
	if !r.benchmarks() {
		err = r.buildPrograms(ctx)
	} else {
		err = r.buildTests(ctx)
	}
	return err
}

func (r *Run) makeVariants(ctx context.Context) error {
	c := r.config()
	dir := r.dir()
	type version struct{ name, dir string }
	versions := []version{{"", dir}}
	if c.Base != "" {
		w, err := build.NewWorktree(ctx, dir, c.Base, r.tmp)
		if err != nil {
			return err
		}
		r.worktree = w
		versions = []version{{"base", w.Dir}, {"work", dir}}
	}
	base, _ := mode.Baseline(c.Modes, c.Baseline)
	modes := slices.Concat(c.Modes[base:base+1], c.Modes[:base], c.Modes[base+1:])
	for _, m := range modes {
		for _, v := range versions {
			r.variants = append(r.variants, &variant{mode: m, version: v.name, dir: v.dir})
		}
	}
	for _, v := range r.variants {
		r.Progress.Step("looking for the toolchain of mode %s", v.mode.Name)
		if _, err := build.Toolchain(ctx, v.dir, v.mode); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			r.fail(v, v.mode.Name, err)
		}
	}
	return nil
}

// buildTests builds a test binary for every variant and package with a matching
// benchmark.
func (r *Run) buildTests(ctx context.Context) error {
	c := r.config()
	var all, seen []build.Package
	failed := map[*variant]error{}
	for _, v := range r.variants {
		if v.err != "" {
			continue
		}
		r.Progress.Step("listing the packages of mode %s", v.mode.Name)
		pkgs, err := build.Packages(ctx, v.dir, v.mode, c.Packages)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed[v] = err
			continue
		}
		seen = append(seen, pkgs...)
		if v.pkgs, err = build.Match(pkgs, c.Bench); err != nil {
			return err
		}
		all = append(all, v.pkgs...)
	}
	if err := r.reportFailed(failed); err != nil {
		return err
	}
	if len(all) == 0 {
		return r.nothingMatches(ctx, seen)
	}
	var jobs []*job
	byKey := map[string]*job{}
	r.crossPackages()
	for _, v := range r.variants {
		for _, p := range v.pkgs {
			key := v.mode.BuildKey() + "\x00" + v.version + "\x00" + p.ImportPath
			if byKey[key] == nil {
				file := filepath.Join(r.tmp, fmt.Sprintf("%d.test", len(jobs)))
				j := &job{variant: v, bin: &binary{pkg: p, path: file}}
				j.run = func(ctx context.Context) error { return r.buildTest(ctx, v, j.bin) }
				byKey[key] = j
				jobs = append(jobs, j)
			}
			v.bins = append(v.bins, byKey[key].bin)
		}
	}
	r.crossTests()
	if err := r.leaveOutSame(ctx); err != nil {
		return err
	}
	jobs = slices.DeleteFunc(jobs, func(j *job) bool { return !slices.Contains(j.variant.bins, j.bin) })
	if err := r.buildJobs(ctx, jobs, true); err != nil {
		return err
	}
	if err := r.fallBack(ctx); err != nil {
		return err
	}
	return r.reportBuilds()
}

// reportFailed records variants of which nothing can be run. What all of them
// say is not about the modes, and ends the run.
func (r *Run) reportFailed(failed map[*variant]error) error {
	texts := map[string]error{}
	for _, err := range failed {
		texts[err.Error()] = err
	}
	if len(texts) == 1 && len(failed) == len(r.variants) {
		for _, err := range texts {
			return err
		}
	}
	for _, v := range r.variants {
		if err := failed[v]; err != nil {
			r.fail(v, v.mode.Name, err)
		}
	}
	return nil
}

// nothingMatches returns an error that lists the benchmarks there are.
func (r *Run) nothingMatches(ctx context.Context, seen []build.Package) error {
	for _, v := range r.variants {
		if v.err != "" && len(seen) == 0 {
			return errors.New(v.err)
		}
	}
	where := strings.Join(r.config().Packages, " ")
	var names []string
	for _, p := range seen {
		names = append(names, p.Benchmarks...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	hint := r.constrained(ctx)
	if len(names) == 0 && hint != "" {
		return fmt.Errorf("there is no benchmark in %s that is built%s", where, hint)
	}
	if len(names) == 0 {
		return fmt.Errorf("there is no benchmark in %s; name a package whose _test.go files have func BenchmarkXxx(b *testing.B)", where)
	}
	return fmt.Errorf("no benchmark in %s matches -bench '%s'; there are %s%s", where, r.config().Bench, verdict.FirstOf(8, names), hint)
}

// constrained names the benchmarks that would match in files that are not built.
func (r *Run) constrained(ctx context.Context) string {
	v := r.variants[len(r.variants)-1] // the working tree, if there are two versions
	files, err := build.ConstrainedBenchmarks(ctx, v.dir, v.mode, r.config().Packages)
	if err != nil {
		return ""
	}
	for _, f := range files {
		if found, err := build.Match([]build.Package{{Benchmarks: f.Benchmarks}}, r.config().Bench); err != nil || len(found) == 0 {
			continue
		}
		hint := fmt.Sprintf("; %s has %s", f.File, f.Benchmarks[0])
		if f.Constraint == "" {
			return hint + ", and its name keeps it to another system"
		}
		return hint + fmt.Sprintf(", and is built with //go:build %s: add the tags with -tags", f.Constraint)
	}
	return ""
}

// A job is one run of the compiler.
type job struct {
	variant *variant
	bin     *binary
	run     func(context.Context) error
}

// buildJobs announces the builds and does them, one after the other: the go
// command uses all CPUs itself. What fails is left in the binary's err.
func (r *Run) buildJobs(ctx context.Context, jobs []*job, test bool) error {
	r.Progress.Step("looking what has to be compiled")
	stale := 0
	counted := map[string]bool{}
	for _, j := range jobs {
		v := j.variant
		key := v.mode.BuildKey() + "\x00" + v.version
		if counted[key] {
			continue
		}
		counted[key] = true
		var paths []string
		for _, other := range jobs {
			if other.variant == v {
				paths = append(paths, other.bin.pkg.ImportPath)
			}
		}
		var overlay build.Overlay
		if o := r.timedOverlay(ctx, v); test && o.err == nil {
			overlay, _ = build.NewOverlay(r.tmp, o.root, o.replace) // it is for a guess
		}
		n, err := build.Stale(ctx, v.dir, v.mode, overlay, test, paths...)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			stale += n
		}
	}
	r.Progress.Line("building %s, %s to compile: about %s", count(len(jobs), "binary", "binaries"), count(stale, "package", "packages"),
		about(buildTime(len(jobs), stale)))
	start := time.Now()
	for i, j := range jobs {
		left := ""
		if i > 0 {
			left = ", " + about(time.Since(start)/time.Duration(i)*time.Duration(len(jobs)-i)) + " left"
		}
		r.Progress.Step("building %d/%d: %s in mode %s%s", i+1, len(jobs), j.bin.pkg.ImportPath, j.variant.label(), left)
		j.bin.err = finish(j.bin, j.run(ctx))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	r.Progress.Line("built in %s", about(time.Since(start)))
	return nil
}

// finish looks at what was built.
func finish(b *binary, err error) error {
	if err != nil {
		return err
	}
	if _, err := os.Stat(b.path); err != nil {
		return errors.New("the go command built no binary for it")
	}
	b.info, err = executable.Inspect(b.path)
	return err
}

// buildTime is a rough guess: a package takes the compiler about a quarter of
// a CPU second, averaged over the standard library, and a link half a second.
func buildTime(binaries, packages int) time.Duration {
	compile := time.Duration(packages) * 250 * time.Millisecond / time.Duration(runtime.NumCPU())
	return compile + time.Duration(binaries)*500*time.Millisecond
}

// reportBuilds turns failed builds into problems: one for a variant in which
// nothing could be built, one for each package otherwise.
func (r *Run) reportBuilds() error {
	nothing := map[*variant]error{}
	for _, v := range r.variants {
		var failed []*binary
		for _, b := range v.bins {
			if b.err != nil {
				failed = append(failed, b)
			}
		}
		if len(failed) > 0 && len(failed) == len(v.bins) {
			nothing[v] = failed[0].err
			continue
		}
		for _, b := range failed {
			r.problem(v.mode.Name, "", fmt.Sprintf("%s could not be built in mode %s: %v", b.pkg.ImportPath, v.label(), b.err), b.err)
		}
	}
	return r.reportFailed(nothing)
}

// parseProgram reads the command line of -exec or of a load.
func (r *Run) parseProgram() (program, error) {
	if r.load == nil {
		return parseProgram(r.dir(), r.config().Exec)
	}
	p, err := parseProgram(r.dir(), r.load.Server)
	if word := cmp.Or(p.path, p.pkg); err == nil && (p.pkg == "" || strings.HasSuffix(word, ".go")) {
		err = fmt.Errorf("-load %s: the first word of \"server\" has to be a Go main package below %s, which is built in each mode; %s is not",
			r.config().Load, r.dir(), word)
	}
	return p, err
}

// buildPrograms builds the program of -exec, or the server of a load, for every
// variant.
func (r *Run) buildPrograms(ctx context.Context) error {
	p, err := r.parseProgram()
	if err != nil {
		return err
	}
	r.program = p
	if p.pkg == "" {
		return r.findProgram(p)
	}
	var jobs []*job
	byKey := map[string]*job{}
	for _, v := range r.variants {
		if v.err != "" {
			continue
		}
		key := v.mode.BuildKey() + "\x00" + v.version
		if byKey[key] == nil {
			file := filepath.Join(r.tmp, fmt.Sprintf("%d.exe", len(jobs)))
			j := &job{variant: v, bin: &binary{pkg: build.Package{ImportPath: p.pkg, Dir: v.dir}, path: file}}
			j.run = func(ctx context.Context) error {
				flags, err := r.withProbe(ctx, v, p)
				if err != nil {
					return err
				}
				return build.Program(ctx, v.dir, v.mode, flags, p.pkg, file)
			}
			byKey[key] = j
			jobs = append(jobs, j)
		}
		v.bins = []*binary{byKey[key].bin}
	}
	if len(jobs) > 0 {
		if err := r.buildJobs(ctx, jobs, false); err != nil {
			return err
		}
	}
	return r.reportBuilds()
}
