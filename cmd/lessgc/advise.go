package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/compare"
	"lessgc/cmd/lessgc/internal/escape"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/site"
	"lessgc/cmd/lessgc/internal/take"
)

const adviseHelp = `usage: lessgc advise [flags] PROFILE... | URL | PACKAGE...

Advise says what part of a program's CPU time goes to allocation and garbage
collection, which no lever can save more than, and which lines of your own code
cause it; why the compiler puts it on the heap; and which lever would save how much.
It reads CPU profiles and profiles of allocations (heap or allocs), or
takes them: of a service that serves net/http/pprof, or of benchmarks.

  lessgc advise cpu.pb.gz allocs.pb.gz
  lessgc advise -for 30s http://localhost:6060/debug/pprof
  lessgc advise -bench Decode ./codec
  lessgc advise -paths -n 5 cpu.pb.gz heap.pb.gz     with what the lines call
  lessgc advise -explain presize-map                 what a lever is, and when it is wrong

Exit status: 0 done; 2 something could not be read or taken.
`

// adviseFlags are the flags of advise.
type adviseFlags struct {
	bench     string
	benchtime time.Duration
	duration  time.Duration
	modules   list
	n         int
	paths     bool
	reasons   bool
	explain   string
	json      bool
}

func runAdvise(ctx context.Context, e *env, args []string) int {
	var f adviseFlags
	fs := flag.NewFlagSet("advise", flag.ContinueOnError)
	fs.StringVar(&f.bench, "bench", "", "run the benchmarks of the packages that match `REGEXP`, as go test -bench does")
	fs.DurationVar(&f.benchtime, "benchtime", 2*time.Second, "`duration` of each benchmark")
	fs.DurationVar(&f.duration, "for", 30*time.Second, "sample a service for this `duration`")
	fs.Var(&f.modules, "module", "count packages below this import `path` as yours, repeatable (default the module of the current folder)")
	fs.IntVar(&f.n, "n", 15, "show `n` lines of code")
	fs.BoolVar(&f.paths, "paths", false, "show what each line calls, down to what allocates")
	fs.BoolVar(&f.reasons, "reasons", true, "say why each line allocates; the first time this compiles all packages of the module")
	fs.StringVar(&f.explain, "explain", "", "print what the rule of lever `NAME` looks for, and when it is wrong; list prints all names")
	fs.BoolVar(&f.json, "json", false, "print everything as JSON instead")
	if status, done := e.parse(fs, adviseHelp, args); done {
		return status
	}
	if f.explain != "" {
		return e.explain(f.explain)
	}
	if f.n < 1 || f.duration < time.Second || f.benchtime <= 0 {
		return e.fail(errors.New("-n is at least 1, -for at least 1s, and -benchtime positive"))
	}
	progress := e.progress()
	profiles, err := f.take(ctx, progress, fs.Args())
	progress.Step("")
	if err != nil {
		return e.fail(err)
	}
	if len(f.modules) == 0 {
		f.modules = currentModules(ctx)
	}
	own := site.Module(f.modules...)
	code := f.code(ctx, progress, profiles, own, fs.Args())
	if ctx.Err() != nil {
		return e.fail(errors.New("interrupted"))
	}
	r := advice.New(profiles, own, code)
	if f.json {
		err = render.AdviceJSON(e.stdout, r)
	} else {
		err = e.text().Advice(e.stdout, r, f.n, f.paths)
	}
	if err != nil {
		return e.fail(err)
	}
	return exitClean
}

// explain prints the page of a rule.
func (e *env) explain(name string) int {
	if name == "list" {
		for _, r := range lever.Rules {
			fmt.Fprintf(e.stdout, "%-15s %s\n", r.Name, r.Title)
		}
		return exitClean
	}
	rule := lever.ByName(name)
	if rule == nil {
		return e.fail(fmt.Errorf("there is no rule %q; lessgc advise -explain list names them", name))
	}
	if err := e.text().Rule(e.stdout, rule); err != nil {
		return e.fail(err)
	}
	return exitClean
}

// take gets the profiles of whatever the arguments are.
func (f *adviseFlags) take(ctx context.Context, progress *compare.Progress, args []string) (*take.Profiles, error) {
	switch {
	case len(args) == 0 && f.bench == "":
		return nil, errors.New("name profiles, the address of a service, or packages with -bench; lessgc advise -h has examples")
	case f.bench != "":
		if len(args) == 0 {
			args = []string{"."}
		}
		return take.Benchmarks(ctx, args, f.bench, f.benchtime, progress.Step)
	case strings.HasPrefix(args[0], "http://"), strings.HasPrefix(args[0], "https://"):
		if len(args) > 1 {
			return nil, errors.New("one service at a time: give one address")
		}
		progress.Line("sampling %s for %v", args[0], f.duration)
		return take.URL(ctx, args[0], f.duration)
	}
	for _, name := range args {
		if strings.HasPrefix(name, "-") {
			return nil, fmt.Errorf("flags go before profiles: move %s to the front", name)
		}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a folder; -bench . runs the benchmarks of its package", name)
		}
	}
	return take.Files(args)
}

// currentModules are the paths of the modules that the current folder is part of: one,
// or all of a workspace.
func currentModules(ctx context.Context) []string {
	out, err := exec.CommandContext(ctx, "go", "list", "-m").Output()
	if err != nil {
		return nil
	}
	var all []string
	for _, m := range strings.Fields(string(out)) {
		if m != "command-line-arguments" && m != "std" {
			all = append(all, m)
		}
	}
	return all
}

// code builds what says why lines allocate and what would help, if the source of the
// user's own is here. What goes wrong with it becomes a note: the rest is of use without.
func (f *adviseFlags) code(ctx context.Context, progress *compare.Progress, p *take.Profiles, own site.Own, args []string) (out advice.Code) {
	if !f.reasons || p.Allocs == nil {
		return out
	}
	note := func(format string, args ...any) { p.Notes = append(p.Notes, fmt.Sprintf(format, args...)) }
	sources := new(escape.Sources)
	folders := ownFolders(p.Allocs, own, sources)
	if len(folders) == 0 {
		note("the source is not where the profile says, so there are no reasons: run lessgc advise on the machine that built the program, without -trimpath")
		return out
	}
	progress.Line("asking the compiler why; the first time in a module it takes as long as compiling all of it")
	records := new(escape.Records)
	patterns := []string{"./..."}
	if f.bench != "" && len(args) > 0 {
		patterns = args
	}
	dir, _ := os.Getwd()
	cache, err := os.UserCacheDir()
	if err == nil {
		records, err = escape.Build(ctx, filepath.Join(cache, "lessgc", "escape"), dir, patterns, f.bench != "")
	}
	if err != nil {
		note("the compiler could not be asked why lines allocate: %v", err)
		records = new(escape.Records)
	}
	pos := func(f prof.Frame) escape.Pos { return escape.Pos{File: f.File, Line: f.Line} }
	out.Explain = func(at, caller prof.Frame) string { return records.Explain(sources, pos(at), pos(caller)) }

	progress.Line("reading the source around the lines")
	program, err := lever.Load(ctx, dir, append(patterns, folders...), f.bench != "")
	if err != nil {
		note("the source could not be read, so there are no levers: %v", err)
		return out
	}
	out.Levers = program.Find
	return out
}

// ownFolders are the folders of the user's own files that a profile names and that are
// here.
func ownFolders(p *prof.Profile, own site.Own, sources *escape.Sources) []string {
	var all []string
	for _, s := range p.Sample {
		for _, f := range prof.Stack(s) {
			if dir := filepath.Dir(f.File); own(f.Package()) && !slices.Contains(all, dir) && sources.Known(f.File) {
				all = append(all, dir)
			}
		}
	}
	return all
}
