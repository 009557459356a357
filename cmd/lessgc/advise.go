package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/collect"
	"lessgc/cmd/lessgc/internal/flame"
	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/repeats"
	"lessgc/cmd/lessgc/internal/site"
	"lessgc/cmd/lessgc/internal/source"
)

const adviseHelp = `usage: lessgc advise [flags] PROFILE... | FOLDER | ADDRESS | PACKAGE...

Advise reports the share of a program's CPU time that goes to allocation and garbage
collection, an upper bound on any saving; the lines of your own code that cause it;
why the compiler puts their values on the heap; and which lever would save how much.

It reads CPU and allocation profiles (heap or allocs), or a folder that it has
written. Or it takes them: from a service that serves net/http/pprof, from a fleet
whose profiles are in Parca or Grafana Pyroscope, or from benchmarks (their setup and
the cost of profiling are left out). ADDRESS is host:port, or the URL of the service
or of its pprof page. For a store, LESSGC_STORE_TOKEN is the bearer token and
LESSGC_STORE_TENANT the tenant.

  lessgc advise cpu.pb.gz allocs.pb.gz
  lessgc advise -for 30s localhost:6060
  lessgc advise -bench Decode ./codec
  lessgc advise -bench Decode -frontier 1m ./codec    the cost of GC at each GOGC
  lessgc advise -load load.json -limit 512MiB         the same for a server under load
  lessgc advise -parca http://localhost:7070 -query '{job="checkout"}' -range -1h
  lessgc advise -paths -n 5 cpu.pb.gz heap.pb.gz     with the callees of each line
  lessgc advise -explain presize-map                 where a lever applies, and when it is wrong

Exit status: 0 done; 2 a profile could not be read or taken.
`

// adviseFlags are the flags of advise.
type adviseFlags struct {
	sourceFlags
	bench     string
	benchtime time.Duration
	frontier  time.Duration
	exec      string
	load      string
	limit     string
	bytes     int64 // of limit; 0 for none
	span      string
	modules   list
	n         int
	paths     bool
	reasons   bool
	levers    bool
	explain   string
	out       string
	json      bool
	md        bool
}

func (f *adviseFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.bench, "bench", "", "run the benchmarks of the packages that match `REGEXP`, as go test -bench does")
	fs.DurationVar(&f.benchtime, "benchtime", 5*time.Second, "`duration` of each benchmark, for CPU time; a fifth for allocations")
	fs.DurationVar(&f.frontier, "frontier", 0, "with -bench, -exec or -load: measure for this `duration` the cost of GC at each GOGC,\nin CPU time and memory (default 1m with -exec, 3m with -load)")
	fs.StringVar(&f.exec, "exec", "", "program for -frontier: a `COMMAND` line that starts with a Go package; its profiles are the arguments")
	fs.StringVar(&f.load, "load", "", "server to put under load and profile, also for -frontier: a load `FILE`, as for lessgc compare")
	fs.StringVar(&f.limit, "limit", "", "with -frontier: report what GOGC=off saves with a memory limit of this `SIZE`, such as 512MiB")
	f.sourceFlags.register(fs)
	fs.StringVar(&f.span, "range", "-1h", "with -parca or -pyroscope: time `RANGE`, such as -2h..-1h, or two RFC 3339 times")
	fs.Var(&f.modules, "module", "count packages below this import `path` as yours, repeatable (default the module of the current folder)")
	fs.IntVar(&f.n, "n", 15, "show the top `n` lines of code")
	fs.BoolVar(&f.paths, "paths", false, "show the call paths from each line down to the allocation")
	fs.BoolVar(&f.reasons, "reasons", true, "explain why each line allocates; the first run recompiles the packages of those lines")
	fs.BoolVar(&f.levers, "levers", true, "suggest levers, by the source around each line")
	fs.StringVar(&f.explain, "explain", "", "explain lever `NAME`: where it applies, and when it is wrong; list prints all names")
	fs.StringVar(&f.out, "o", "", "`folder` for the results (default a new one in lessgc-results)")
	fs.BoolVar(&f.json, "json", false, "print everything as JSON instead of tables")
	fs.BoolVar(&f.md, "markdown", false, "print Markdown for an issue or a pull request instead of tables")
}

func runAdvise(ctx context.Context, e *env, args []string) int {
	var f adviseFlags
	fs := flag.NewFlagSet("advise", flag.ContinueOnError)
	f.register(fs)
	if status, done := e.parse(fs, adviseHelp, args); done {
		return status
	}
	if f.explain != "" {
		return e.explain(f.explain)
	}
	if f.n < 1 || f.benchtime <= 0 {
		return e.fail(errors.New("-n is at least 1, and -benchtime positive"))
	}
	if f.json && f.md {
		return e.fail(errOneForm)
	}
	if err := cmp.Or(f.checkFrontier(fs.Args()), f.check(), checkFolder(f.out, adviceFile, pageFile)); err != nil {
		return e.fail(err)
	}
	var frontier *collected
	if f.frontier > 0 {
		var err error
		if f.out, err = resultFolder(f.out); err != nil {
			return e.fail(err)
		}
		if frontier, err = f.measureFrontier(ctx, e, fs.Args()); err != nil {
			return e.fail(fmt.Errorf("%w; what was measured is in %s", err, f.out))
		}
	}
	printer := e.progress()
	got, err := f.take(ctx, printer, fs.Args())
	printer.Step("")
	if err != nil {
		return e.fail(err)
	}
	if len(f.modules) == 0 {
		f.modules = source.Modules(ctx)
	}
	own := site.Module(f.modules...)
	f.count(ctx, printer, got, own)
	dir, err := f.keep(got)
	if err != nil {
		return e.fail(err)
	}
	if len(f.modules) > 0 && !source.Owns(got.Set, own) { // without modules, own is whatever is not of the standard library
		return e.fail(fmt.Errorf("no function in the profiles belongs to %s; run it in the program's source, or name its module by -module; the profiles are in %s", strings.Join(f.modules, " or "), dir))
	}
	source.Locate(ctx, got.Set, own)
	files := input.FindSources(ctx)
	if err := f.repeats(ctx, printer, got, own, dir, fs.Args()); err != nil {
		return e.fail(err)
	}
	o := source.Options{Reasons: f.reasons, Levers: f.levers, Tests: f.bench != "", Repeats: got.repeats, Files: files, Line: printer.Line}
	if f.bench != "" {
		o.Patterns = fs.Args()
	}
	code := source.Code(ctx, got.Set, own, o)
	if ctx.Err() != nil {
		return e.fail(errors.New("interrupted"))
	}
	r := advice.New(got.Set, own, code, got.summary())
	if frontier != nil {
		r.SetFrontier(frontier.settings, f.bytes)
		if frontier.note != "" {
			r.Notes = append(r.Notes, frontier.note)
		}
	}
	if err := f.write(dir, got, own, files, r, mode.HideArgs(append([]string{"advise"}, args...))); err != nil {
		return e.fail(err)
	}
	switch text := e.text(); {
	case f.json:
		err = render.AdviceJSON(e.stdout, r)
	case f.md:
		err = render.AdviceMarkdown(e.stdout, r, f.n, text.Dir)
	default:
		err = text.Advice(e.stdout, r, f.n, f.paths)
	}
	if err != nil {
		return e.fail(err)
	}
	fmt.Fprintf(e.stderr, "report: %s\n", filepath.Join(dir, pageFile))
	return exitClean
}

// count counts how often statements are executed, if benchmarks were run: levers ask for it.
func (f *adviseFlags) count(ctx context.Context, printer *progress.Printer, got *sampled, own site.Own) {
	if f.bench == "" || !f.levers || got.Allocs == nil {
		return
	}
	var err error
	if got.Coverage, err = got.runs.Count(ctx, source.Packages(got.Allocs, own), printer.Step); err != nil {
		got.Notes = append(got.Notes, fmt.Sprintf("how often statements are executed could not be counted: %v", err))
	}
	printer.Step("")
}

// keep makes the result folder, which diff reads, and writes what was taken into it.
func (f *adviseFlags) keep(got *sampled) (string, error) {
	dir, err := resultFolder(f.out)
	if err != nil {
		return "", err
	}
	return dir, errors.Join(collect.Write(dir, got.Set), got.record(dir))
}

// write writes what is said of it.
func (f *adviseFlags) write(dir string, got *sampled, own site.Own, files *input.Sources, r *advice.Report, command []string) error {
	err := create(filepath.Join(dir, adviceFile), func(w io.Writer) error { return render.AdviceJSON(w, r) })
	if err != nil {
		return err
	}
	graphs := flame.Profiles{CPU: got.CPU, Allocs: got.Allocs, Own: own}.Graphs()
	return create(filepath.Join(dir, pageFile), func(w io.Writer) error {
		return render.AdviceHTML(w, r, render.AdvicePage{Title: f.title(command), Command: command, Graphs: graphs,
			Source: func(file string, line int) []advice.SourceLine { return advice.Source(files, file, line, 4) }})
	})
}

// title describes what was profiled.
func (f *adviseFlags) title(command []string) string {
	switch last := command[len(command)-1]; {
	case f.bench != "":
		return "Benchmarks matching " + f.bench
	case f.stores():
		return f.query + " " + f.span
	default:
		return last
	}
}

// explain prints the page of a lever.
func (e *env) explain(name string) int {
	if name == "list" {
		for _, r := range lever.All {
			fmt.Fprintf(e.stdout, "%-16s %s\n", r.Name, r.Title)
		}
		return exitClean
	}
	found := lever.ByName(name)
	if found == nil {
		return e.fail(fmt.Errorf("there is no lever %q; lessgc advise -explain list names them", name))
	}
	if err := e.text().Lever(e.stdout, found); err != nil {
		return e.fail(err)
	}
	return exitClean
}

// take gets the profiles of whatever the arguments are.
func (f *adviseFlags) take(ctx context.Context, printer *progress.Printer, args []string) (*sampled, error) {
	profiles := func(p *prof.Set, err error) (*sampled, error) { return &sampled{Set: p}, err }
	switch {
	case f.stores():
		if len(args) > 0 || f.bench != "" {
			return nil, errors.New("one source at a time: a store, -bench, or profiles")
		}
		return profiles(f.fleet(ctx, printer, f.span))
	case len(args) == 0 && f.load != "":
		return profiles(frontierProfiles(f.out))
	case len(args) == 0 && f.bench == "":
		return nil, errors.New("name profiles, the address of a service, or packages with -bench; lessgc advise -h has examples")
	case f.bench != "":
		if len(args) == 0 {
			args = []string{"."}
		}
		p, runs, err := collect.Benchmarks(ctx, args, f.bench, f.benchtime, printer.Step)
		return &sampled{Set: p, runs: runs}, err
	case isService(args[0]):
		if len(args) > 1 {
			return nil, errors.New("one service at a time: give one address")
		}
		return f.service(ctx, printer, args[0])
	}
	for _, name := range args {
		if strings.HasPrefix(name, "-") {
			return nil, fmt.Errorf("flags go before profiles: move %s to the front", name)
		}
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			continue
		}
		if len(args) > 1 {
			return nil, fmt.Errorf("%s is a folder; give one folder of profiles, or files", name)
		}
		return sampledFolder(name)
	}
	return profiles(collect.Files(args))
}

// repeats looks, with -bench, for functions that do the same work more than once in an operation, and
// writes what it finds into the result folder. What goes wrong with it becomes a note.
func (f *adviseFlags) repeats(ctx context.Context, printer *progress.Printer, got *sampled, own site.Own, dir string, args []string) error {
	if f.bench == "" { // of another time, if there are any
		return repeats.Write(dir, got.repeats)
	}
	if !f.levers || got.Allocs == nil {
		return nil
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	var err error
	got.repeats, err = repeats.Benchmarks(ctx, args, f.bench, own, got.Allocs, got.CPU, printer.Step)
	printer.Step("")
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	if err != nil {
		got.Notes = append(got.Notes, fmt.Sprintf("repeated work could not be looked for: %v", err))
		return nil
	}
	return repeats.Write(dir, got.repeats)
}
