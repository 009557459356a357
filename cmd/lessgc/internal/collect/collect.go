// Package collect gets the profiles that advice rests on: from files, from a service that
// runs, and by running benchmarks.
package collect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/perf/benchfmt"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/endpoint"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/secret"
	"lessgc/cmd/lessgc/internal/trial"
	"lessgc/cmd/lessgc/internal/visible"
)

// Files reads profiles of files, of any kind and in any order, and adds up those of a
// kind.
func Files(names []string) (*prof.Set, error) {
	var all []*prof.Profile
	var r prof.Reader
	for _, name := range names {
		p, err := r.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	out, err := sum(all)
	if err == nil {
		warn(out)
	}
	return out, err
}

// sum adds up the profiles of each kind.
func sum(all []*prof.Profile) (*prof.Set, error) {
	byKind := map[prof.Kind][]*prof.Profile{}
	for _, p := range all {
		byKind[p.Kind] = append(byKind[p.Kind], p)
	}
	out := new(prof.Set)
	var err error
	if out.CPU, err = prof.Add(byKind[prof.CPU]); err != nil {
		return nil, err
	}
	if out.Allocs, err = prof.Add(byKind[prof.Allocs]); err != nil {
		return nil, err
	}
	return out, nil
}

// warn adds the notes of the profiles.
func warn(p *prof.Set) {
	for _, x := range []*prof.Profile{p.CPU, p.Allocs} {
		if x != nil {
			p.Notes = append(p.Notes, slices.DeleteFunc(slices.Clone(x.Notes), func(note string) bool { return p.Live != nil && note == prof.NoLive })...)
		}
	}
}

// URL samples a running service for so long. The address is host:port, or a URL of the
// service or of one of its pages under /debug; any other path is taken for that of
// net/http/pprof. What the service did only to answer is left out, with a note.
func URL(ctx context.Context, address string, d time.Duration) (*prof.Set, error) {
	u, own, err := endpoint.Parse(address)
	if err != nil {
		return nil, err
	}
	if own == "" {
		u.Path += "/debug/pprof"
	}
	ctx, cancel := context.WithTimeout(ctx, d+30*time.Second)
	defer cancel()
	out := new(prof.Set)
	var all sync.WaitGroup
	errs := make([]error, 2)
	var r prof.Reader
	seconds := fmt.Sprintf("seconds=%d", max(1, int(d.Round(time.Second).Seconds())))
	all.Go(func() { out.CPU, errs[0] = get(ctx, &r, *u, "profile", seconds, prof.CPU) })
	all.Go(func() { out.Allocs, errs[1] = get(ctx, &r, *u, "allocs", seconds, prof.Allocs) })
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if out.Live, err = get(ctx, &r, *u, "heap", "", prof.Allocs); err != nil {
		return nil, err
	}
	warn(out)
	if err := leaveOutRequests(out); err != nil {
		return nil, err
	}
	return out, nil
}

func get(ctx context.Context, r *prof.Reader, u url.URL, name, query string, want prof.Kind) (*prof.Profile, error) {
	u.Path += "/" + name
	shown, secrets := u, secret.Values(&u)
	shown.RawQuery = ""
	if u.User != nil {
		shown.User = url.User(secret.Hidden)
	}
	where := shown.String()
	u.RawQuery = strings.Trim(u.RawQuery+"&"+query, "&") // a token may be in it: it is sent, and shown nowhere
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := secret.Client.Do(q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, errors.Unwrap(err))
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
		first, _, _ := strings.Cut(strings.TrimSpace(secret.Blank(string(text), secrets...)), "\n")
		return nil, fmt.Errorf("%s: %s: %s; does the service import net/http/pprof?", where, secret.Blank(answer.Status, secrets...), visible.Short(first, visible.Terminal))
	}
	p, err := r.Read(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	if p.Kind != want {
		return nil, fmt.Errorf("%s: it is a profile of kind %s, and should be of %s", where, p.Kind, want)
	}
	return p, nil
}

// memProfileRate is fine enough to see every kind of allocation of a benchmark, and
// coarse enough not to change what it does.
const memProfileRate = "4096"

// pilotTime is the -test.benchtime of the first run, which finds the benchmarks and their speed, and
// the shortest one of later runs.
const pilotTime = 200 * time.Millisecond

// A Kind is a kind of profile that a test binary takes, in a run of its own.
type Kind struct {
	Name string
	File string // in a result folder
	Part int    // of the time, or of the iterations: the run takes the quotient
	args []string
	flag string
}

// Kinds are the kinds that a benchmark is run for. CPU time comes from a run without the
// fine sampling of allocations, which takes time itself; each sample of those says
// something, so they need less time.
var Kinds = []Kind{
	{"CPU time", cpuFile, 1, nil, "-test.cpuprofile="},
	{"allocations", allocsFile, 5, []string{"-test.memprofilerate=" + memProfileRate}, "-test.memprofile="},
}

// Args are the flags that have a test binary write the profile to a file.
func (k Kind) Args(file string) []string { return append(slices.Clone(k.args), k.flag+file) }

// Benchmarks runs the benchmarks that match, in the packages below the current folder
// that the patterns name: once for CPU time and once for allocations, because
// counting those finely takes time itself. What their set-up costs is taken off, and what they do while their timers are stopped. Tests that do not build and benchmarks that fail are left out, with a note, if
// others do not. If it is one benchmark, the profiles say how many operations they are of. step is called at each step.
// The Runs are for Count.
func Benchmarks(ctx context.Context, patterns []string, bench string, benchtime time.Duration, step func(string, ...any)) (*prof.Set, Runs, error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	ctx, tmp, remove, err := build.NewTemp(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer remove()
	step("looking for benchmarks")
	pkgs, err := build.Packages(ctx, wd, mode.Default(), patterns)
	if err != nil {
		return nil, nil, err
	}
	if pkgs, err = build.Match(pkgs, bench); err != nil {
		return nil, nil, err
	}
	if len(pkgs) == 0 {
		return nil, nil, fmt.Errorf("no benchmark in %s matches -bench '%s'", strings.Join(patterns, " "), bench)
	}
	runs, failing, err := pilots(ctx, wd, tmp, pkgs, bench, step)
	if err != nil {
		return nil, nil, err
	}
	var all []*prof.Profile
	var notes []string
	var first error
	ran := runs[:0:0]
	for _, r := range runs {
		profiles, whole, failed, err := r.profiles(ctx, benchtime, len(runs) == 1, step)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range failed {
			failing = append(failing, fmt.Sprintf("benchmarks of %s fail in a longer run, and are left out: %s", f.pkg, f.reason))
			first = cmp.Or(first, error(f))
		}
		if len(profiles) == 0 {
			continue
		}
		ran, all = append(ran, r), append(all, profiles...)
		if whole != "" {
			notes = append(notes, whole)
		}
	}
	if runs = ran; len(runs) == 0 {
		return nil, nil, first
	}
	out, err := sum(all)
	if err != nil {
		return nil, nil, err
	}
	warn(out)
	out.Whole = true
	which := fmt.Sprintf("profiles are of %s matching %s", names(pkgs), bench)
	if len(notes) == 0 {
		which += ", without what they set up"
		if slices.ContainsFunc(runs, func(r *benchmarks) bool { return len(r.stopped) > 0 }) {
			which += " or do while their timers are stopped"
		}
	}
	out.Notes = append(out.Notes, which)
	out.Notes = append(append(out.Notes, notes...), failing...)
	return out, runs, nil
}

// errBenchmarks says that benchmarks have failed.
type errBenchmarks struct{ pkg, reason string }

func (e errBenchmarks) Error() string {
	return fmt.Sprintf("the benchmarks of %s failed: %s", e.pkg, e.reason)
}

// pilots builds the tests of packages, and finds the benchmarks and their speed. Tests that do not build and benchmarks that fail are left out, with a note, if there are others.
func pilots(ctx context.Context, wd, tmp string, pkgs []build.Package, bench string, step func(string, ...any)) (runs Runs, notes []string, err error) {
	var first error
	reader := new(prof.Reader)
	for i, p := range pkgs {
		step("building the tests of %s", p.ImportPath)
		r := &benchmarks{pkg: p, binary: filepath.Join(tmp, fmt.Sprintf("%d.test", i)), tmp: tmp, bench: bench, reader: reader, stopped: stoppedLines(p.Dir)}
		if err := build.Test(ctx, wd, mode.Default(), p.ImportPath, r.binary, build.Overlay{}, 0); err != nil {
			if failed := new(build.Error); !errors.As(err, &failed) {
				return nil, nil, err
			}
			notes = append(notes, fmt.Sprintf("the tests of %s do not build, and are left out: %v", p.ImportPath, err))
			first = cmp.Or(first, err)
			continue
		}
		step("trying the benchmarks of %s", p.ImportPath)
		err := r.run(ctx, "-test.bench="+bench, "-test.benchtime="+pilotTime.String())
		var failed errBenchmarks
		if errors.As(err, &failed) {
			notes = append(notes, fmt.Sprintf("benchmarks of %s fail, and are left out: %s", failed.pkg, failed.reason))
			first = cmp.Or(first, err)
		} else if err != nil {
			return nil, nil, err
		}
		if err == nil || len(r.seconds()) > 0 {
			runs = append(runs, r)
		}
	}
	if len(runs) == 0 {
		return nil, nil, first
	}
	return runs, notes, nil
}

// Runs are the benchmarks that profiles were taken of, by package.
type Runs []*benchmarks

// benchmarks runs the benchmarks of a package.
type benchmarks struct {
	pkg         build.Package
	binary, tmp string
	bench       string
	reader      *prof.Reader        // of all packages
	results     []benchfmt.Result   // of the last run
	perOp       map[string]float64  // that seconds returned first
	stopped     map[prof.Frame]bool // see stoppedLines
}

// mostAlone is the largest number of benchmarks of a package that run in processes of their own, each
// with its own number of iterations. If there are more, all run in one.
const mostAlone = 100

// mostWhole is the largest number of benchmarks of a package that have the whole duration each. If there are more, they
// share that of so many.
const mostWhole = 30

// setUp is the number of iterations of the runs whose profiles are taken off. Package testing runs
// a benchmark once, and again if it is to run more often, unless it uses B.Loop: from two
// iterations on, a run has as many set-ups as any longer one, and as many more
// iterations as it is told.
const setUp = 2

// profiles takes the profiles of each kind, less what the set-up of each benchmark costs. If that
// cannot be told apart, whole says why. Benchmarks that fail now, and did not when they were tried, are left out, and Count does not run them
// either. alone says that no other package has benchmarks that match.
func (r *benchmarks) profiles(ctx context.Context, benchtime time.Duration, alone bool, step func(string, ...any)) (all []*prof.Profile, whole string, failed []errBenchmarks, err error) {
	counts := r.seconds()
	r.perOp = counts
	of := make(map[string][]*prof.Profile) // by benchmark
	for _, kind := range Kinds {
		step("running the benchmarks of %s, for %s", r.pkg.ImportPath, kind.Name)
		long := max(pilotTime, benchtime/time.Duration(kind.Part)*mostWhole/time.Duration(max(mostWhole, len(counts))))
		if counts == nil {
			p, err := r.profile(ctx, kind, "-test.bench="+r.bench, "-test.benchtime="+long.String())
			if f := (errBenchmarks{}); errors.As(err, &f) {
				return nil, "", []errBenchmarks{f}, nil
			}
			if err != nil {
				return nil, "", nil, err
			}
			all = append(all, p)
			whole = fmt.Sprintf("what benchmarks set up is in the profiles of %s: there are more than %d, or two have one name", r.pkg.ImportPath, mostAlone)
			continue
		}
		missing := fmt.Errorf("no benchmark of %s that matches -bench '%s' has run", r.pkg.ImportPath, r.bench)
		found := false
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			p, less, err := r.iterations(ctx, kind, name, max(2*setUp, int64(long.Seconds()/counts[name])))
			if errors.Is(err, prof.ErrNoSamples) {
				missing = err // it waits; others may not
				continue
			}
			if f := (errBenchmarks{}); errors.As(err, &f) {
				failed = append(failed, f)
				delete(counts, name)
				delete(of, name)
				continue
			}
			if err != nil {
				return nil, "", nil, err
			}
			if !less {
				whole = fmt.Sprintf("no %s of %s can be told from that of its set-up, which is in the profile", kind.Name, name)
			}
			p.Mark(r.pkg.ImportPath + "." + name)
			if !alone || len(counts) > 1 {
				p.MoveOps(r.pkg.ImportPath + "." + name) // operations of one benchmark are none of another
			}
			of[name], found = append(of[name], p), true
		}
		if !found && len(failed) == 0 {
			return nil, "", nil, missing
		}
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		all = append(all, of[name]...)
	}
	return all, whole, failed, nil
}

// iterations takes the profile of a number of iterations of a benchmark, less those of its set-up; less
// is false if nothing else is left.
func (r *benchmarks) iterations(ctx context.Context, kind Kind, name string, n int64) (p *prof.Profile, less bool, err error) {
	all, err := r.profile(ctx, kind, build.Only(name, fmt.Sprintf("%dx", n))...)
	if err != nil {
		return nil, false, err
	}
	before, err := r.profile(ctx, kind, build.Only(name, fmt.Sprintf("%dx", setUp))...)
	if errors.Is(err, prof.ErrNoSamples) { // it was over before the first one
		all.SetOps(n + 1)
		return all, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	p, err = all.Less(before)
	if errors.Is(err, prof.ErrNoSamples) {
		return all, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	p.SetOps(n - setUp)
	return p, true, nil
}

// profile runs benchmarks for a profile.
func (r *benchmarks) profile(ctx context.Context, kind Kind, flags ...string) (*prof.Profile, error) {
	name := filepath.Join(r.tmp, kind.File)
	if err := r.run(ctx, append(flags, kind.Args(name)...)...); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := r.reader.Read(f)
	if err != nil { // the file is about to go, and has no name that says anything
		return nil, fmt.Errorf("the profile of the benchmarks: %w", err)
	}
	leaveOutStopped(p, r.stopped)
	return p, nil
}

// run runs benchmarks.
func (r *benchmarks) run(ctx context.Context, flags ...string) error {
	args := append([]string{"-test.run=^$", "-test.paniconexit0"}, flags...)
	o, err := trial.Run(ctx, r.tmp, trial.Command{Path: r.binary, Args: args, Dir: r.pkg.Dir, Env: os.Environ()})
	if err != nil {
		return err
	}
	r.results = nil
	for lines := benchfmt.NewReader(bytes.NewReader(o.Stdout), ""); lines.Scan(); {
		if x, ok := lines.Result().(*benchfmt.Result); ok {
			r.results = append(r.results, *x.Clone())
		}
	}
	if o.Failed() {
		return errBenchmarks{r.pkg.ImportPath, o.BenchmarkReason()}
	}
	return nil
}

// seconds returns the seconds of an operation of each benchmark, by its name with "Benchmark"; nil
// if they are too many to run alone, or their names do not tell them apart.
func (r *benchmarks) seconds() map[string]float64 {
	all := map[string]float64{}
	for _, x := range r.results {
		_, parts := x.Name.Parts()
		name := "Benchmark" + string(x.Name)
		if n := len(parts); n > 0 && parts[n-1][0] == '-' { // GOMAXPROCS
			name = strings.TrimSuffix(name, string(parts[n-1]))
		}
		if all[name] > 0 {
			return nil
		}
		perOp, _ := x.Value("sec/op")
		all[name] = max(perOp, 1e-9)
	}
	if len(all) > mostAlone {
		return nil
	}
	return all
}

// NoteOps writes into the profile of a benchmark how many iterations it was told to run.
func NoteOps(file string, iterations int64) error {
	p, err := new(prof.Reader).ReadFile(file)
	if err != nil {
		return nil // whoever reads it next says so
	}
	p.SetOps(iterations + 1) // package testing runs one by itself first
	return write(file, p)
}

func names(pkgs []build.Package) string {
	var all []string
	for _, p := range pkgs {
		all = append(all, p.ImportPath)
	}
	slices.Sort(all)
	if len(all) > 3 {
		return fmt.Sprintf("benchmarks of %d packages", len(all))
	}
	return "benchmarks of " + strings.Join(all, ", ")
}
