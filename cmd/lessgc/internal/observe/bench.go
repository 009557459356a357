package observe

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/compare"
	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/timed"
	"lessgc/cmd/lessgc/internal/trial"
)

// probeSource is the file that is compiled into a program.
//
//go:embed probe/probe.go
var probeSource string

// The names of the probe among the files of a package.
const (
	probeFile     = "lessgc_cycles.go"
	probeTestFile = "lessgc_cycles_test.go"
)

// addProbe writes the probe for a package of that name into a new folder below tmp, and adds to replace what compiles it into
// the package in the folder pkg, as the file name.
func addProbe(replace map[string]string, tmp, name, pkg, file string) error {
	dir, err := os.MkdirTemp(tmp, "probe-")
	if err != nil {
		return err
	}
	source := filepath.Join(dir, file)
	replace[filepath.Join(pkg, file)] = source
	text := strings.Replace(probeSource, "\npackage main\n", "\npackage "+name+"\n", 1)
	return os.WriteFile(source, []byte(text), 0o666)
}

// Benches observes benchmarks.
type Benches struct {
	Dir      string   // the folder to be in
	Packages []string // patterns
	Bench    string   // regular expression as of go test -bench
	Mode     mode.Mode
	Procs    int           // GOMAXPROCS; 0 for that of this process
	Time     time.Duration // that each benchmark runs, about; 0 for until there are enough collections
	Timeout  time.Duration // of one process
	Step     func(string)  // shows what is being done

	timed overlay // see prepare
}

// An overlay has test binaries tell their timed regions.
type overlay struct {
	root    string // GOROOT; for build.NewOverlay
	replace map[string]string
}

// Run builds the test binaries and runs each benchmark once, alone in its process. tmp is a folder for temporary
// files.
func (b *Benches) Run(ctx context.Context, tmp string) ([]Subject, error) {
	pkgs, err := build.Packages(ctx, b.Dir, b.Mode, b.Packages)
	if err != nil {
		return nil, err
	}
	if pkgs, err = build.Match(pkgs, b.Bench); err != nil {
		return nil, err
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("no benchmark of %s matches %q", strings.Join(b.Packages, " "), b.Bench)
	}
	b.Procs = cmp.Or(b.Procs, runtime.GOMAXPROCS(0))
	if err := b.prepare(ctx, tmp); err != nil {
		return nil, err
	}
	var all []Subject
	for i, pkg := range pkgs {
		b.Step("building " + pkg.ImportPath)
		binary := filepath.Join(tmp, fmt.Sprintf("observe%d.test", i))
		isTimed, err := b.build(ctx, tmp, binary, pkg)
		if err != nil {
			return nil, err
		}
		names, err := b.list(ctx, tmp, binary, pkg)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pkg.ImportPath, err)
		}
		for _, name := range names {
			label := strings.TrimPrefix(name, "Benchmark")
			if len(pkgs) > 1 {
				label = pkg.ImportPath + " " + label
			}
			b.Step("observing " + label)
			s, err := b.observe(ctx, tmp, binary, pkg, name, isTimed)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			s.Name, s.Err = label, err
			all = append(all, s)
		}
	}
	return all, nil
}

// How long a benchmark runs without Time: first for a while, then for as long as it takes to have enough collections for the
// mean of what they cost to be known.
const (
	firstTime   = 3 * time.Second
	longestTime = 30 * time.Second
	enough      = 80 // collections
)

// observe runs one benchmark, named with "Benchmark".
func (b *Benches) observe(ctx context.Context, tmp, binary string, pkg build.Package, name string, isTimed bool) (Subject, error) {
	d := b.Time
	if d == 0 {
		d = firstTime
	}
	s, err := b.once(ctx, tmp, binary, pkg, name, isTimed, d)
	if err != nil || b.Time > 0 {
		return s, err
	}
	points := s.Run.Points
	cycles := points[len(points)-1].Cycles - points[s.Run.Start].Cycles
	if cycles < 1 || cycles >= enough {
		return s, nil
	}
	longer := min(longestTime, time.Duration(float64(d)*1.1*enough/cycles))
	return b.once(ctx, tmp, binary, pkg, name, isTimed, longer)
}

func (b *Benches) once(ctx context.Context, tmp, binary string, pkg build.Package, name string, isTimed bool, d time.Duration) (Subject, error) {
	args := build.Only(name, d.String())
	regions := filepath.Join(tmp, fmt.Sprintf("regions-%d", time.Now().UnixNano()))
	if isTimed {
		args = append(args, timed.Flag+"="+regions)
	}
	var s Subject
	err := b.within(ctx, func(ctx context.Context) (err error) {
		s, err = observed(ctx, tmp, b.command(binary, pkg, args))
		return err
	})
	if err == nil {
		s.window(regions, name, session.ParseOutput(s.Out, b.Procs)[strings.TrimPrefix(name, "Benchmark")].N)
	}
	return s, err
}

// within runs a process for at most Timeout.
func (b *Benches) within(ctx context.Context, run func(context.Context) error) error {
	ctx, stop := context.WithTimeout(ctx, b.Timeout)
	defer stop()
	err := run(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("it took longer than %v; raise -timeout, or leave it out by -bench", b.Timeout)
	}
	return err
}

// prepare finds out how test binaries tell their timed regions. Those that cannot are seen as whole processes.
func (b *Benches) prepare(ctx context.Context, tmp string) error {
	flags, err := build.Go(ctx, b.Dir, b.Mode, "env", "GOFLAGS")
	if err != nil {
		return err
	}
	if strings.Contains(string(flags), "-overlay") {
		return errors.New("GOFLAGS has an -overlay, and go build takes only one: take it out of GOFLAGS")
	}
	if root, replace, err := compare.TimedOverlay(ctx, tmp, b.Dir, b.Mode); err == nil {
		b.timed = overlay{root, replace}
	}
	return nil
}

// build builds the test binary of a package with the probe in its external test, and so that it tells its timed
// regions if it can be.
func (b *Benches) build(ctx context.Context, tmp, binary string, pkg build.Package) (timed bool, err error) {
	args := slices.Concat([]string{"list", "-f", "{{.Name}}"}, b.Mode.BuildFlags(), []string{"--", pkg.ImportPath})
	name, err := build.Go(ctx, b.Dir, b.Mode, args...)
	if err != nil {
		return false, err
	}
	build := func(o overlay) error {
		replace := maps.Clone(o.replace)
		if replace == nil {
			replace = map[string]string{}
		}
		if err := addProbe(replace, tmp, strings.TrimSpace(string(name))+"_test", pkg.Dir, probeTestFile); err != nil {
			return err
		}
		with, err := build.NewOverlay(tmp, o.root, replace)
		if err != nil {
			return err
		}
		return build.Test(ctx, b.Dir, b.Mode, pkg.ImportPath, binary, with, 0)
	}
	if b.timed.replace != nil && build(b.timed) == nil {
		return true, nil
	}
	return false, build(overlay{})
}

func (b *Benches) command(binary string, pkg build.Package, args []string) trial.Command {
	args = append([]string{"-test.run=^$", "-test.timeout=0", "-test.paniconexit0"}, args...)
	env := append(b.Mode.RunEnviron(os.Environ()), fmt.Sprintf("GOMAXPROCS=%d", b.Procs))
	return trial.Command{Path: binary, Args: args, Dir: pkg.Dir, Env: env}
}

// list runs each benchmark for one iteration to find those within benchmarks.
func (b *Benches) list(ctx context.Context, tmp, binary string, pkg build.Package) ([]string, error) {
	var o trial.Outcome
	err := b.within(ctx, func(ctx context.Context) (err error) {
		o, err = trial.Run(ctx, tmp, b.command(binary, pkg, []string{"-test.bench=" + b.Bench, "-test.benchtime=1x"}))
		return err
	})
	if err != nil {
		return nil, err
	}
	if o.Failed() {
		return nil, fmt.Errorf("its benchmarks fail: %s", o.LongReason())
	}
	names := inOrder(o.Stdout, b.Procs)
	if len(names) == 0 {
		return nil, errors.New("its benchmarks print no results")
	}
	return names, nil
}

// inOrder returns the names of the results of a test binary, with "Benchmark", as they came.
func inOrder(out []byte, procs int) (names []string) {
	results := session.ParseOutput(out, procs)
	for line := range bytes.Lines(out) {
		first, _, _ := bytes.Cut(line, []byte("\t"))
		name := session.TrimProcs(strings.TrimPrefix(strings.TrimSpace(string(first)), "Benchmark"), procs)
		if _, ok := results[name]; ok && bytes.HasPrefix(line, []byte("Benchmark")) {
			names = append(names, "Benchmark"+name)
			delete(results, name)
		}
	}
	return names
}

// window makes the window of a benchmark its timed region: the collections of the n iterations that count, without
// set-up. Where that is not known it starts where package testing had the heap collected before these iterations.
func (s *Subject) window(regions, name string, n int) {
	points := s.Run.Points
	if region, err := timed.Read(regions, name, n); err == nil {
		in := func(p curve.Point) bool { return region.Has(int(p.Cycles + p.Forced)) }
		first := slices.IndexFunc(points, in)
		for i := len(points) - 1; i > first && first > 0; i-- {
			if in(points[i]) {
				s.Run.Start, s.Run.Points = first-1, points[:i+1]
				return
			}
		}
	}
	for i := len(points) - 1; i > 0; i-- {
		if points[i].Forced > points[i-1].Forced {
			s.Run.Start = i
			return
		}
	}
}
