package observe

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/compare"
	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/mode"
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
	Args     []string // further ones for the test binaries
	Mode     mode.Mode
	Time     time.Duration // that each benchmark runs, about; 0 for until there are enough collections
	Timeout  time.Duration // of one process
	Step     func(string)  // is told what is being done
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

// How long a benchmark runs where nobody says: first for a while, then for as long as it takes to have enough collections for the
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
	ctx, stop := context.WithTimeout(ctx, b.Timeout)
	defer stop()
	s, err := observed(ctx, tmp, b.command(binary, pkg, args))
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it took longer than %v; raise -timeout, or leave it out by -bench", b.Timeout)
	}
	if err == nil {
		s.window(regions, name)
	}
	return s, err
}

// build builds the test binary of a package with the probe in its external test, and so that it tells its timed
// regions if it can be.
func (b *Benches) build(ctx context.Context, tmp, binary string, pkg build.Package) (timed bool, err error) {
	args := slices.Concat([]string{"list", "-f", "{{.Name}}"}, b.Mode.BuildFlags(), []string{"--", pkg.ImportPath})
	name, err := build.Go(ctx, b.Dir, b.Mode, args...)
	if err != nil {
		return false, err
	}
	flags, err := build.Go(ctx, b.Dir, b.Mode, "env", "GOFLAGS")
	if err != nil {
		return false, err
	}
	if strings.Contains(string(flags), "-overlay") {
		return false, errors.New("GOFLAGS has an -overlay, and go build takes only one: take it out of GOFLAGS")
	}
	build := func(root string, replace map[string]string) error {
		if err := addProbe(replace, tmp, strings.TrimSpace(string(name))+"_test", pkg.Dir, probeTestFile); err != nil {
			return err
		}
		o, err := build.NewOverlay(tmp, root, replace)
		if err != nil {
			return err
		}
		return build.Test(ctx, b.Dir, b.Mode, pkg.ImportPath, binary, o, 0)
	}
	if root, replace, err := compare.TimedOverlay(ctx, tmp, b.Dir, b.Mode); err == nil && build(root, replace) == nil {
		return true, nil
	}
	return false, build("", map[string]string{})
}

func (b *Benches) command(binary string, pkg build.Package, args []string) trial.Command {
	args = append([]string{"-test.run=^$", "-test.timeout=0", "-test.paniconexit0"}, args...)
	return trial.Command{Path: binary, Args: append(args, b.Args...), Dir: pkg.Dir, Env: b.Mode.RunEnviron(os.Environ())}
}

// resultLine is that of a benchmark; its name may end with GOMAXPROCS, and is followed by the iterations.
var resultLine = regexp.MustCompile(`(?m)^(Benchmark\S*?)(-\d+)?\s+(\d+)\s+[0-9.]+ ns/op`)

// list runs each benchmark for one iteration to find those within benchmarks.
func (b *Benches) list(ctx context.Context, tmp, binary string, pkg build.Package) ([]string, error) {
	o, err := trial.Run(ctx, tmp, b.command(binary, pkg, []string{"-test.bench=" + b.Bench, "-test.benchtime=1x"}))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range resultLine.FindAllSubmatch(o.Stdout, -1) {
		if name := string(m[1]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if o.Failed() {
		return nil, fmt.Errorf("its benchmarks fail: %s", lastLine(o.Stderr, o.Stdout))
	}
	if len(names) == 0 {
		return nil, errors.New("its benchmarks print no results")
	}
	return names, nil
}

// window makes the window of a benchmark its timed region: the collections of the iterations that count, without set-up. Where
// that is not known it starts where package testing had the heap collected before these iterations.
func (s *Subject) window(regions, name string) {
	points := s.Run.Points
	if m := resultLine.FindSubmatch(s.Out); m != nil {
		n, _ := strconv.Atoi(string(m[3]))
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
	}
	for i := len(points) - 1; i > 0; i-- {
		if points[i].Forced > points[i-1].Forced {
			s.Run.Start = i
			return
		}
	}
}
