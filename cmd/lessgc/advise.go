package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/escape"
	"lessgc/cmd/lessgc/internal/flame"
	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/repeats"
	"lessgc/cmd/lessgc/internal/site"
	"lessgc/cmd/lessgc/internal/take"
)

const adviseHelp = `usage: lessgc advise [flags] PROFILE... | FOLDER | ADDRESS | PACKAGE...

Advise says what part of a program's CPU time goes to allocation and garbage
collection, which no lever can save more than, and which lines of your own code
cause it; why the compiler puts it on the heap; and which lever would save how much.
It reads CPU profiles and profiles of allocations (heap or allocs), also all of a
folder that it has written, or takes them: of a service that serves net/http/pprof,
without what it spends on being asked, of a fleet whose profiles Parca or Grafana
Pyroscope keep, or of benchmarks, without what they set up.
ADDRESS is host:port, or the URL of the service or of its page of pprof. LESSGC_STORE_TOKEN and
LESSGC_STORE_TENANT are the bearer token and the tenant for a store.

  lessgc advise cpu.pb.gz allocs.pb.gz
  lessgc advise -for 30s localhost:6060
  lessgc advise -bench Decode ./codec
  lessgc advise -bench Decode -frontier 1m ./codec    what collecting costs, at each GOGC
  lessgc advise -load load.json -limit 512MiB         the same of a server under load
  lessgc advise -parca http://localhost:7070 -query '{job="checkout"}' -range -1h
  lessgc advise -paths -n 5 cpu.pb.gz heap.pb.gz     with what the lines call
  lessgc advise -explain presize-map                 what a lever is, and when it is wrong

Exit status: 0 done; 2 something could not be read or taken.
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
	fs.DurationVar(&f.frontier, "frontier", 0, "with -bench, -exec or -load: measure for this `duration` what collecting costs,\nand what each GOGC saves and takes (default 1m with -exec, 3m with -load)")
	fs.StringVar(&f.exec, "exec", "", "the whole program that -frontier runs: a `COMMAND` line that starts with a Go package; its profiles are the arguments")
	fs.StringVar(&f.load, "load", "", "the server that -frontier puts under load, as a `FILE` of lessgc compare says, which also takes its profiles")
	fs.StringVar(&f.limit, "limit", "", "with -frontier: say what GOGC=off saves with a memory limit of this `SIZE`, such as 512MiB")
	f.sourceFlags.register(fs)
	fs.StringVar(&f.span, "range", "-1h", "with -parca or -pyroscope: the `RANGE` of time, such as -2h..-1h, or two times of RFC 3339")
	fs.Var(&f.modules, "module", "count packages below this import `path` as yours, repeatable (default the module of the current folder)")
	fs.IntVar(&f.n, "n", 15, "show `n` lines of code")
	fs.BoolVar(&f.paths, "paths", false, "show what each line calls, down to what allocates")
	fs.BoolVar(&f.reasons, "reasons", true, "say why each line allocates; the first time this compiles the packages of those lines once more")
	fs.BoolVar(&f.levers, "levers", true, "say what would help, from the source around each line")
	fs.StringVar(&f.explain, "explain", "", "print what the rule of lever `NAME` looks for, and when it is wrong; list prints all names")
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
		f.modules = currentModules(ctx)
	}
	own := site.Module(f.modules...)
	f.count(ctx, printer, got, own)
	dir, err := f.keep(got)
	if err != nil {
		return e.fail(err)
	}
	if err := f.isMine(got.Set, own); err != nil {
		return e.fail(fmt.Errorf("%w; what was taken is in %s", err, dir))
	}
	locate(ctx, got.Set, own)
	files := input.FindSources(ctx)
	if err := f.repeats(ctx, printer, got, own, dir, fs.Args()); err != nil {
		return e.fail(err)
	}
	code := f.code(ctx, printer, got, own, files, fs.Args())
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

// The files of a result folder of advise, besides the profiles.
const (
	adviceFile = "advice.json"
	pageFile   = "report.html"
)

// count counts how often statements are executed, if benchmarks were run: rules ask for it.
func (f *adviseFlags) count(ctx context.Context, printer *progress.Printer, got *sampled, own site.Own) {
	if f.bench == "" || !f.levers || got.Allocs == nil {
		return
	}
	var err error
	if got.Coverage, err = got.runs.Count(ctx, ownPackages(got.Allocs, own), printer.Step); err != nil {
		got.Notes = append(got.Notes, fmt.Sprintf("how often statements are executed could not be counted: %v", err))
	}
	printer.Step("")
}

// ownPackages are the user's packages that a profile names, but for those of tests.
func ownPackages(p *prof.Profile, own site.Own) (all []string) {
	for _, f := range p.Function {
		pkg := prof.Frame{Func: f.Name}.Package()
		if own(pkg) && pkg != "main" && !strings.HasSuffix(pkg, "_test") && !slices.Contains(all, pkg) {
			all = append(all, pkg)
		}
	}
	slices.Sort(all)
	return all
}

// keep makes the result folder, which diff reads, and writes what was taken into it.
func (f *adviseFlags) keep(got *sampled) (string, error) {
	dir, err := resultFolder(f.out)
	if err != nil {
		return "", err
	}
	return dir, errors.Join(take.Write(dir, got.Set), got.record(dir))
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

// title says what was profiled.
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

// create writes a file.
func create(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// explain prints the page of a rule.
func (e *env) explain(name string) int {
	if name == "list" {
		for _, r := range lever.Rules {
			fmt.Fprintf(e.stdout, "%-16s %s\n", r.Name, r.Title)
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
		p, runs, err := take.Benchmarks(ctx, args, f.bench, f.benchtime, printer.Step)
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
	return profiles(take.Files(args))
}

// sampledFolder reads the profiles in a folder, such as one that advise has written, and what
// the runtime said while they were taken.
func sampledFolder(dir string) (*sampled, error) {
	p, err := take.Folder(dir)
	if errors.Is(err, take.ErrNoProfiles) {
		return nil, fmt.Errorf("%w; -bench . runs the benchmarks of its package", err)
	}
	if err != nil {
		return nil, err
	}
	runtime, _, err := recorded(dir)
	if err != nil {
		return nil, err
	}
	again, err := repeats.Read(dir)
	return &sampled{Set: p, recorded: runtime, repeats: again}, err
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

// locate finds the files of a program that was built elsewhere, or with -trimpath, by the packages of
// the current folder's module and what they need.
func locate(ctx context.Context, p *prof.Set, own site.Own) {
	var all []*prof.Profile
	missing := false
	for _, x := range []*prof.Profile{p.CPU, p.Allocs, p.Live} {
		if x != nil {
			all = append(all, x)
			missing = missing || x.Missing(own)
		}
	}
	if !missing {
		return
	}
	out, err := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-test", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{.Name}}", "./...").Output()
	if err != nil {
		return // noSource says why
	}
	folders := prof.Folders{ByPath: map[string]string{}}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 || fields[1] == "" {
			continue
		}
		folders.ByPath[fields[0]] = fields[1]
		if fields[2] == "main" && !strings.HasSuffix(fields[0], ".test") {
			folders.Main = append(folders.Main, fields[1])
		}
	}
	for _, x := range all {
		x.Locate(folders)
	}
}

// noSource says why the source of a profile's functions is not found.
func noSource(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD", "GOWORK").Output()
	if where := strings.Fields(strings.TrimSuffix(strings.TrimSpace(string(out)), "off")); err == nil && (len(where) == 0 || len(where) == 1 && where[0] == os.DevNull) {
		return "the current folder is in no module: go to that of the program's source, and run it again there"
	}
	return "the program's source is not here: neither where the profile says, nor in the packages of this module and what it needs; go to the module that has it, or check it out"
}

// code builds what says why lines allocate and what would help, if the source of the
// user's own is here. What goes wrong with it becomes a note: the rest is of use without.
func (f *adviseFlags) code(ctx context.Context, printer *progress.Printer, got *sampled, own site.Own, files *input.Sources, args []string) (out advice.Code) {
	p := got.Set
	if !f.reasons && !f.levers || p.Allocs == nil {
		return out
	}
	note := func(format string, args ...any) { p.Notes = append(p.Notes, fmt.Sprintf(format, args...)) }
	sources := &escape.Sources{Files: files}
	folders := ownFolders(p.Allocs, own, sources)
	if len(folders) == 0 {
		note("%s, so there are no reasons and no levers", noSource(ctx))
		return out
	}
	out.Text = func(file string, line int) string {
		if lines := advice.Source(files, file, line, 0); len(lines) == 1 {
			return strings.TrimSpace(lines[0].Text)
		}
		return ""
	}
	patterns := []string{"./..."}
	if f.bench != "" && len(args) > 0 {
		patterns = args
	}
	dir, err := os.Getwd()
	if err != nil {
		note("there are no reasons and no levers: %v", err)
		return out
	}
	records := new(escape.Records)
	if f.reasons {
		printer.Line("asking the compiler why; the first time it compiles the packages of those lines once more")
		if known, err := f.records(ctx, dir, patterns, leafFolders(p.Allocs, own)); err == nil {
			records = known
		} else {
			note("the compiler could not be asked why lines allocate: %v", err)
		}
		pos := func(f prof.Frame) escape.Pos { return escape.Pos{File: f.File, Line: f.Line} }
		out.Explain = func(at, caller prof.Frame) string { return records.Explain(sources, pos(at), pos(caller)) }
	}
	if f.levers {
		printer.Line("reading the source around the lines")
		program, err := lever.Load(ctx, dir, append(patterns, folders...), f.bench != "" || ofBenchmark(p.Allocs))
		if err != nil {
			note("the source could not be read, so there are no levers: %v", err)
			return out
		}
		if share := staleShare(p.Allocs, own, program); share > mostStale {
			note("%.0f %% of the bytes are of lines that belong to other functions in the source that is here: the program was built of another version; build it again, or check that version out", 100*share)
			return advice.Code{}
		}
		program.Ops, program.OpsOf = p.Allocs.Ops(), p.Allocs.OpsOf()
		if p.Coverage != nil {
			program.Executed = p.Coverage.At
		}
		program.Repeats, program.Texts = repeated(got.repeats), texts(got.repeats)
		program.Reasons = func(file string, line int) (all []string) {
			for _, r := range records.At(escape.Pos{File: file, Line: line}) {
				all = append(all, r.Reason)
			}
			return all
		}
		out.Change = func(edits []lever.Edit) []advice.ChangedLine { return advice.Change(files, edits) }
		out.Levers = func(s *site.Site) []lever.Match {
			found := program.Find(s)
			if strings.HasSuffix(s.File, "_test.go") { // nobody runs it but here
				found = slices.DeleteFunc(found, func(m lever.Match) bool { return !m.OfCallee() })
			}
			return found
		}
	}
	return out
}

// isMine finds out whether any function of the profiles is the user's own.
func (f *adviseFlags) isMine(p *prof.Set, own site.Own) error {
	if len(f.modules) == 0 {
		return nil // own is whatever is not of the standard library
	}
	for _, p := range []*prof.Profile{p.CPU, p.Allocs} {
		if p != nil && slices.ContainsFunc(p.Function, func(x *profile.Function) bool {
			pkg := prof.Frame{Func: x.Name}.Package()
			return own(pkg) && (pkg != "main" || mayBeMine(x.Filename))
		}) {
			return nil
		}
	}
	return fmt.Errorf("no function of the profiles is of %s: they are of another program; go to its source, or name its module by -module", strings.Join(f.modules, " or "))
}

// mayBeMine says whether a file of a package main may be of the module that the current
// folder is in: every program has such a package, and every test. What is not here was
// built elsewhere.
func mayBeMine(file string) bool {
	dir, err := os.Getwd()
	if err != nil || filepath.Base(file) == "_testmain.go" {
		return false
	}
	if _, err := os.Stat(file); err != nil {
		return true
	}
	return strings.HasPrefix(file, dir+string(filepath.Separator))
}

// mostStale is the share of bytes from which on the source is not that of the profile.
const mostStale = 0.05

// ofBenchmark reports whether a profile is of the tests of a package.
func ofBenchmark(p *prof.Profile) bool {
	return slices.ContainsFunc(p.Sample, func(s *profile.Sample) bool {
		return slices.ContainsFunc(prof.Stack(s), func(f prof.Frame) bool { return strings.HasSuffix(f.File, "_test.go") })
	})
}

// staleShare is the share of the bytes whose lines are not what they were.
func staleShare(p *prof.Profile, own site.Own, program *lever.Program) float64 {
	var stale, all int64
	bytes := p.Value("alloc_space")
	for _, s := range p.Sample {
		stack := prof.Stack(s)
		i := slices.IndexFunc(stack, func(f prof.Frame) bool { return own(f.Package()) })
		all += s.Value[bytes]
		if i >= 0 && program.Stale(stack[i]) {
			stale += s.Value[bytes]
		}
	}
	return float64(stale) / float64(max(all, 1))
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

// texts are the strings that functions return, as levers want them.
func texts(all []repeats.Function) map[string]lever.TextCount {
	out := map[string]lever.TextCount{}
	for _, f := range all {
		if f.Texts > 0 {
			out[f.Func] = lever.TextCount{Made: f.Texts, Distinct: f.Distinct}
		}
	}
	return out
}

// repeated is what was found, as levers want it.
func repeated(all []repeats.Function) (out []lever.Repeat) {
	lines := func(all []repeats.Line) (out []lever.RepeatLine) {
		for _, l := range all {
			out = append(out, lever.RepeatLine{Frame: prof.Frame{Func: l.Func, File: l.File, Line: l.Line}, Calls: l.Calls, Again: l.Again, Entered: l.Entered})
		}
		return out
	}
	for _, f := range all {
		if f.Inputs == 0 {
			continue // only what it returns is known
		}
		out = append(out, lever.Repeat{Func: f.Func, Calls: f.Calls, Inputs: f.Inputs, Across: f.Across, Places: lines(f.Places), Lines: lines(f.Lines)})
	}
	return out
}

// records are what the compiler says of the packages in folders.
func (f *adviseFlags) records(ctx context.Context, dir string, patterns, folders []string) (*escape.Records, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return escape.Build(ctx, filepath.Join(cache, "lessgc", "escape"), dir, patterns, folders, f.bench != "")
}

// leastAsked are the shares of the bytes below which the compiler is not asked about a package of
// the user's, and of a module that it needs. It is not asked about the standard library: that
// takes longer than most modules, and the source shows what there is to know.
const (
	leastAskedOwn  = 0.001
	leastAskedElse = 0.01
)

// leafFolders are the folders of the packages whose lines allocate, and of their callers, into which
// they may be inlined.
func leafFolders(p *prof.Profile, own site.Own) (folders []string) {
	var all int64
	type folder struct {
		bytes int64
		least float64
	}
	sums := map[string]folder{}
	known := site.Module() // all but the standard library
	for _, s := range site.Find(p, nil, own) {
		for _, l := range s.Leaves {
			all += l.Bytes
			at, caller := s.Allocates(l)
			for _, f := range []prof.Frame{at, caller} {
				dir := filepath.Dir(f.File)
				if !known(f.Package()) || !filepath.IsAbs(dir) || f == caller && dir == filepath.Dir(at.File) {
					continue
				}
				sum := folder{sums[dir].bytes + l.Bytes, leastAskedElse}
				if own(f.Package()) {
					sum.least = leastAskedOwn
				}
				sums[dir] = sum
			}
		}
	}
	maps.DeleteFunc(sums, func(_ string, f folder) bool { return float64(f.bytes) < f.least*float64(all) })
	return slices.Sorted(maps.Keys(sums))
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
