package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/compare"
	"lessgc/cmd/lessgc/internal/load"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/secret"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/trial"
	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/version"
)

const compareHelp = `usage: lessgc compare [flags] [packages] [-args arguments of the test binaries]

Compare builds Go benchmarks in several modes (toolchains, GOGC values, build tags,
git revisions), runs them interleaved, in random order, and reports for each mode
whether it is better, worse, the same, or unclear, with a 95 % interval. Without
-mode it compares oldgc, greentea, arenas and arenas+greentea.

  lessgc compare ./...                                 the four modes
  lessgc compare -mode gogc=50,100,200,400 ./codec     a GOGC curve
  lessgc compare -mode toolchain=go1.26.8,go1.27.3 .   two toolchains
  lessgc compare -upgrade go1.27.3 ./...               the next toolchain, and which change of it causes what
  lessgc compare -mode oldgc -mode 'big: GOGC=400 GOMEMLIMIT=1GiB' .
  lessgc compare -base main -bench Decode ./codec      code against revision main
  lessgc compare -col /strategy ./workloads/filterchain
  lessgc compare -exec './cmd/import -n 1000'          a whole program
  lessgc compare -load ./examples/users/load.json      a gRPC server under load
  lessgc compare -base main -fail-on 'cpu worse' .     a gate for CI
  lessgc compare -base main -history perf.jsonl .      keep the result for lessgc report -history perf.jsonl
  lessgc compare -base main -profiles -bench Decode .  then lessgc diff DIR says why
  lessgc compare -resume DIR -rounds 30                more rounds for DIR
  lessgc compare -base main -shard 3/8 -o part3 .      one of eight machines; lessgc report part* takes them together

Exit status: 0 done; 1 a condition of -fail-on holds; 2 something could not be
measured (the rest is reported).
`

// goTestFlags are flags of go test, and what does the same here.
var goTestFlags = map[string]string{
	"benchmem":     "allocations are always counted",
	"benchtime":    "-trial 200ms is the least length of a trial",
	"count":        "-rounds N is how often each benchmark runs in each mode",
	"cpu":          "-procs N sets GOMAXPROCS for all, -mode gomaxprocs=1,2 compares several",
	"cpuprofile":   "-profiles takes them after the rounds",
	"memprofile":   "-profiles takes them after the rounds",
	"trace":        "lessgc advise takes profiles",
	"run":          "only benchmarks are run, no tests; -bench REGEXP chooses them",
	"short":        "it can be given to the test binaries: -args -test.short after the packages",
	"v":            "it says what it does anyway",
	"race":         buildFlag,
	"msan":         buildFlag,
	"asan":         buildFlag,
	"ldflags":      buildFlag,
	"gcflags":      buildFlag,
	"asmflags":     buildFlag,
	"mod":          buildFlag,
	"modfile":      buildFlag,
	"trimpath":     buildFlag,
	"cover":        buildFlag,
	"coverprofile": "coverage would change what is measured",
	"pgo":          "-mode pgo=FILE compares with and without a profile",
}

const buildFlag = "a flag of go build holds in all modes by GOFLAGS=-%s=... in the environment, in one by -mode 'name: GOFLAGS=-%[1]s=...'"

// foreignFlag returns the advice for a flag of go test: what to use instead.
func foreignFlag(subcommand string, err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	hint := goTestFlags[strings.TrimPrefix(name, "test.")]
	if !unknown || subcommand != "compare" || hint == "" {
		return ""
	}
	if hint == buildFlag {
		hint = fmt.Sprintf(buildFlag, name)
	}
	return fmt.Sprintf("-%s is a flag of go test: %s", name, hint)
}

// percent is a flag that takes 3 or 3%, and holds 0.03.
type percent float64

func (p *percent) String() string { return strconv.FormatFloat(100*float64(*p), 'g', -1, 64) + "%" }
func (p *percent) Set(s string) error {
	f, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(s, "%")), 64)
	if err != nil || !(f > 0 && f < 100) {
		return errors.New("it is a percentage between 0 and 100, such as 3%")
	}
	*p = percent(f / 100)
	return nil
}

// compareFlags are the flags of compare as given.
type compareFlags struct {
	modes    list
	baseline string
	bench    string
	exec     string
	load     string
	base     string
	upgrade  string
	tests    string
	tags     string
	args     []string // behind -args, for the test binaries
	column   string
	duet     bool
	relink   bool
	turns    bool
	rounds   int
	budget   time.Duration
	trial    time.Duration
	timeout  time.Duration
	seed     uint64
	procs    int
	margin   percent
	decide   string
	out      string
	resume   string
	shard    string
	profiles bool
	show     showFlags

	trialSet   bool // -trial was given
	upgradeSet bool // -upgrade was given
}

func (f *compareFlags) register(fs *flag.FlagSet) {
	fs.Var(&f.modes, "mode", "a `MODE` to compare, repeatable: a preset (default, oldgc, greentea, arenas, arenas+greentea),\n"+
		"gogc=50,100,..., memlimit=..., toolchain=..., pgo=FILE, gomaxprocs=..., goamd64=...,\n"+
		"or 'name: GOEXPERIMENT=x GOGC=200 tags=y ANY_VARIABLE=z'")
	fs.StringVar(&f.baseline, "baseline", "", "`name` of the mode that the others are compared with (default the first; of gogc=..., 100)")
	fs.StringVar(&f.bench, "bench", ".", "run the benchmarks that match `REGEXP`, as go test -bench does; with -load the requests whose names match")
	fs.StringVar(&f.tags, "tags", "", "comma-separated build `tags` of all modes")
	fs.StringVar(&f.exec, "exec", "", "compare a whole program: a `COMMAND` line that starts with a Go package")
	fs.StringVar(&f.load, "load", "", "compare a gRPC or HTTP server under load, described by `FILE`; see docs/measuring.md")
	fs.StringVar(&f.base, "base", "", "compare git revision `REV` with the working tree")
	fs.StringVar(&f.upgrade, "upgrade", "", "compare the toolchain in use here with a newer `TOOLCHAIN`, such as go1.27.3, and with that without each change of\n"+
		"its defaults that GOEXPERIMENT can take back, to say which change causes which difference")
	fs.StringVar(&f.tests, "tests", "", "with -base: `WHICH` test files both versions run: new, base or own (default: the new ones if they build\n"+
		"with the old code, else those of the base revision if they build with the new code, else their own)")
	fs.StringVar(&f.column, "col", "", "also compare by a `/key` of the benchmark names: with /impl, each benchmark's first impl is the baseline of its others")
	fs.BoolVar(&f.duet, "duet", false, "with -base: run both versions at once, each on one CPU")
	fs.BoolVar(&f.turns, "turns", true, "on Linux, let the processes of a round take turns of 10ms on one CPU, if they only compute")
	fs.BoolVar(&f.relink, "relink", true, "relink differing binaries repeatedly, in another function order each time, to average out code layout")
	fs.IntVar(&f.rounds, "rounds", 0, "`n` rounds after the warm-up, at least 6 (default: until CPU time is clear in each row, or -time is over)")
	fs.DurationVar(&f.budget, "time", 0, "maximum total `duration` (default 5m for the rounds, builds and calibration not counted)")
	fs.DurationVar(&f.trial, "trial", 200*time.Millisecond, "minimum `duration` of one trial; with -load, of each loop (default: as in FILE)")
	fs.DurationVar(&f.timeout, "timeout", 10*time.Minute, "maximum `duration` of one trial")
	fs.Uint64Var(&f.seed, "seed", 0, "`seed` of the random order (default: a new one)")
	fs.IntVar(&f.procs, "procs", 0, "GOMAXPROCS of every trial (default: all CPUs)")
	f.margin = 0.03
	fs.Var(&f.margin, "margin", "differences up to this `percentage` count as the same")
	fs.StringVar(&f.decide, "decide", "", "decide by a CPU time `UNIT` that the benchmarks report, such as server-cpu-ns/op, instead of the process's:\n"+
		"of a server that they start, or of their loop without what is before it")
	fs.BoolVar(&f.profiles, "profiles", false, "after the rounds, take CPU and allocation profiles of each benchmark, for lessgc diff (-load always takes some)")
	fs.StringVar(&f.shard, "shard", "", "measure `PART` of a comparison that is spread over machines, such as 3/8, with 12 rounds unless -rounds says;\n"+
		"auto takes it from LESSGC_SHARD, GitLab's CI_NODE_INDEX and CI_NODE_TOTAL, or, as auto/8, Kubernetes' JOB_COMPLETION_INDEX")
	fs.StringVar(&f.out, "o", "", "`folder` for the results (default a new one in lessgc-results)")
	fs.StringVar(&f.resume, "resume", "", "continue the run in `folder`; with -rounds, up to that many.\n"+
		"It builds and runs what the folder names, so resume only a folder you trust as you trust code")
	f.show.register(fs)
}

func runCompare(ctx context.Context, e *env, args []string) int {
	began := time.Now()
	var f compareFlags
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	f.register(fs)
	whole := args
	if i := slices.IndexFunc(args, func(a string) bool { return a == "-args" || a == "--args" }); i >= 0 {
		args, f.args = args[:i], slices.Clone(args[i+1:])
	}
	if status, done := e.parse(fs, compareHelp, args); done {
		return status
	}
	if err := f.show.check(); err != nil {
		return e.fail(err)
	}
	dir, done, err := f.open(ctx, fs, whole)
	if err != nil {
		return e.fail(err)
	}
	defer dir.Close()
	r := &compare.Run{Dir: dir, Done: done, Progress: e.progress()}
	if f.budget > 0 {
		r.Start = began
	}
	// The runner's own collections must not fall into a trial.
	defer debug.SetGCPercent(debug.SetGCPercent(1000))
	err = r.Measure(ctx)
	r.Progress.Step("")
	good := slices.ContainsFunc(r.Done, func(t session.Trial) bool { return t.Err == "" })
	if errors.Is(err, compare.ErrSameCode) && !good && f.resume == "" {
		dir.Discard()
		to := e.stdout
		if f.show.json {
			to = e.stderr
		}
		fmt.Fprintf(to, "%v: there is nothing to measure; -tests own compares what the test files do, too\n", err)
		return 0
	}
	if err != nil {
		if !good && f.resume == "" {
			dir.Discard()
			r.Done = nil
		}
		return e.fail(kept(ctx, dir, r.Done, err))
	}
	return e.show(f.show, verdict.New(dir.Session, r.Done), dir)
}

// kept adds to an error what has become of the trials.
func kept(ctx context.Context, dir *session.Dir, done []session.Trial, err error) error {
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	if len(done) == 0 {
		return err
	}
	return fmt.Errorf("%w; %d trials are kept, go on with: lessgc compare -resume %s", err, len(done), dir.Path)
}

// open makes the result folder, or opens the one to go on with.
func (f *compareFlags) open(ctx context.Context, fs *flag.FlagSet, args []string) (*session.Dir, []session.Trial, error) {
	if f.rounds != 0 && f.rounds < compare.MinRounds {
		return nil, nil, fmt.Errorf("-rounds %d: at least %d rounds are needed for a 95 %% interval", f.rounds, compare.MinRounds)
	}
	if f.budget < 0 || f.trial <= 0 || f.timeout <= 0 {
		return nil, nil, errors.New("-time, -trial and -timeout must be positive durations, such as 90s")
	}
	if f.trial > f.timeout {
		return nil, nil, fmt.Errorf("-trial %v is longer than -timeout %v; raise -timeout", f.trial, f.timeout)
	}
	if err := (session.Config{Rounds: f.rounds, Budget: f.budget, MinTrial: f.trial, Timeout: f.timeout}).CheckBounds(); err != nil {
		return nil, nil, fmt.Errorf("-%w", err)
	}
	if f.resume != "" {
		return f.reopen(fs)
	}
	fs.Visit(func(g *flag.Flag) {
		f.trialSet, f.upgradeSet = f.trialSet || g.Name == "trial", f.upgradeSet || g.Name == "upgrade"
	})
	config, err := f.config(ctx, fs.Args())
	if err != nil {
		return nil, nil, err
	}
	wd, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	s := &session.Session{
		Format: session.Format, Tool: version.Tool(), Command: mode.HideArgs(append([]string{"compare"}, args...)), Dir: wd, Created: time.Now().Truncate(time.Second),
		Commit: build.Revision(ctx, wd), Host: session.NewHost(), Config: config,
	}
	path := f.out
	if path == "" {
		if path, err = defaultFolder(s.Created); err != nil {
			return nil, nil, err
		}
	}
	dir, err := session.Create(path, s)
	return dir, nil, err
}

// reopen opens the folder of -resume.
func (f *compareFlags) reopen(fs *flag.FlagSet) (*session.Dir, []session.Trial, error) {
	allowed := append([]string{"resume", "rounds", "time", "profiles"}, showFlagNames...)
	var wrong error
	fs.Visit(func(g *flag.Flag) {
		if !slices.Contains(allowed, g.Name) {
			wrong = fmt.Errorf("-resume goes on with the settings of %s: -%s cannot be given as well", f.resume, g.Name)
		}
	})
	if wrong == nil && fs.NArg() > 0 {
		wrong = fmt.Errorf("-resume goes on with the packages of %s: none can be named", f.resume)
	}
	if wrong != nil {
		return nil, nil, wrong
	}
	dir, done, err := session.Resume(f.resume)
	if err != nil {
		return nil, nil, err
	}
	if err := f.goOn(dir.Session, done); err != nil {
		dir.Close()
		return nil, nil, err
	}
	return dir, slices.DeleteFunc(done, func(t session.Trial) bool { return t.Err != "" }), nil
}

// goOn makes the settings of a folder those of the run that goes on with it.
func (f *compareFlags) goOn(s *session.Session, done []session.Trial) error {
	if err := restore(s); err != nil {
		return fmt.Errorf("%s cannot be gone on with: %w", f.resume, err)
	}
	last := 0
	for _, t := range done {
		last = max(last, t.Round)
	}
	c := &s.Config
	if c.Column != "" && !compare.IsColumn(c.Column) {
		return fmt.Errorf("%s: column is %.40q, which is not a key of benchmark names; start a new comparison", f.resume, c.Column)
	}
	if f.rounds > 0 && f.rounds < last {
		return fmt.Errorf("%s already holds %d rounds; -rounds %d would be fewer", f.resume, last, f.rounds)
	}
	if err := f.profilesFit(c); err != nil {
		return err
	}
	c.Profiles = c.Profiles || f.profiles
	if f.rounds == 0 && f.budget == 0 { // what was planned is finished
		if !c.Adaptive {
			c.Budget = 0
		}
		return nil
	}
	if last >= compare.MinRounds && (f.rounds == 0 || f.rounds != c.Rounds) {
		c.Looks++ // the result so far may have been seen
	}
	if c.Shard == nil {
		c.Rounds, c.Adaptive = f.rounds, f.rounds == 0
	} else if f.rounds > 0 {
		c.Rounds = f.rounds
	}
	c.Budget = f.budget
	s.Looked, s.Settled, s.Ended = nil, false, false
	return nil
}

// restore finds the secrets again that results do not hold.
func restore(s *session.Session) (err error) {
	if strings.Contains(s.Config.Exec, "://"+secret.Hidden+"@") {
		return errors.New("its command held a user or a password in an address, and secrets are not kept; start a new comparison, and let the program read it from its environment")
	}
	if slices.ContainsFunc(s.Config.Args, func(a string) bool { return strings.Contains(a, secret.Hidden) }) {
		return errors.New("its -args held a secret, and secrets are not kept; start a new comparison, and let the benchmarks read it from their environment")
	}
	s.Config.Modes, err = mode.Restore(s.Config.Modes, os.LookupEnv)
	return err
}

// byTheClock are metrics that the collector takes from the clock: trials that take turns do
// not have them, and those that do not are few.
var byTheClock = []string{"any", "stw", "stw-sec", "pause", "max-pause-sec", "gc-cpu", "gc-cpu-fraction"}

// config checks the flags and makes the plan's configuration of them.
func (f *compareFlags) config(ctx context.Context, packages []string) (session.Config, error) {
	c := session.Config{
		Packages: packages, Bench: f.bench, Exec: f.exec, Column: strings.TrimPrefix(f.column, "/"), Duet: f.duet, Rounds: f.rounds,
		Budget: f.budget, Adaptive: f.rounds == 0, OneLink: !f.relink, NoTurns: !f.turns, MinTrial: f.trial, Timeout: f.timeout, Seed: f.seed, Procs: f.procs, Margin: float64(f.margin), Looks: 1,
	}
	if f.decide != "" {
		if c.Decide = f.decide; strings.HasSuffix(c.Decide, "ns/op") { // as benchmark results are read
			c.Decide = strings.TrimSuffix(c.Decide, "ns/op") + "sec/op"
		}
		if f.exec != "" || f.load != "" {
			return c, errors.New("-decide is about a unit that benchmarks report: it goes with neither -exec nor -load")
		}
		if !strings.HasSuffix(c.Decide, "sec/op") {
			return c, fmt.Errorf("-decide %.40q: not a time per operation, such as loop-cpu-ns/op", f.decide)
		}
	}
	for _, condition := range f.show.conditions {
		if slices.Contains(byTheClock, condition.Metric) {
			c.NoTurns = true
		}
		if condition.Metric != "any" && !slices.Contains(c.Clear, condition.Metric) {
			c.Clear = append(c.Clear, condition.Metric)
		}
	}
	if c.Adaptive && c.Budget == 0 {
		c.Budget = compare.DefaultTime
	}
	if len(packages) == 0 {
		c.Packages = []string{"."}
	}
	if i := slices.IndexFunc(packages, func(p string) bool { return strings.HasPrefix(p, "-") }); i >= 0 {
		return c, fmt.Errorf("flags go before packages: move %s to the front", packages[i])
	}
	if f.exec != "" && len(packages) > 0 {
		return c, fmt.Errorf("-exec compares a program, so %s can be no package to benchmark; quote the whole command line", packages[0])
	}
	if f.load != "" {
		if err := f.setLoad(&c, packages); err != nil {
			return c, err
		}
	}
	if len(f.args) > 0 && (f.exec != "" || f.load != "") {
		return c, errors.New("-args is for test binaries; arguments of a program stand in the command line of -exec, those of a server in the file of -load")
	}
	c.Args, c.Profiles = f.args, f.profiles
	if err := f.profilesFit(&c); err != nil {
		return c, err
	}
	if f.exec != "" && f.column != "" {
		return c, errors.New("-col is about benchmark names; a program of -exec has none")
	}
	if c.Column != "" && !compare.IsColumn(c.Column) {
		return c, fmt.Errorf("-col %s is not a key of benchmark names, such as /strategy", f.column)
	}
	if err := f.setShard(&c); err != nil {
		return c, err
	}
	if c.Procs == 0 {
		c.Procs = compare.Procs(f.duet)
	}
	if c.Procs < 1 {
		return c, fmt.Errorf("-procs %d: GOMAXPROCS is at least 1", f.procs)
	}
	if c.Procs > session.MaxProcs {
		return c, fmt.Errorf("-procs %d: GOMAXPROCS is at most %d", f.procs, session.MaxProcs)
	}
	if err := f.duetFits(); err != nil {
		return c, err
	}
	setModes := func() error { return f.setModes(&c) }
	if f.upgradeSet {
		setModes = func() error { return f.setUpgrade(ctx, &c) }
	}
	if err := setModes(); err != nil {
		return c, err
	}
	if !slices.Contains([]string{"", "new", "base", "own"}, f.tests) {
		return c, fmt.Errorf("invalid -tests %s; want new, base or own", f.tests)
	}
	if f.tests != "" && (f.base == "" || f.exec != "" || f.load != "") {
		return c, errors.New("-tests is about the benchmarks of two code versions: it needs -base, and neither -exec nor -load")
	}
	if c.Tests = f.tests; f.base != "" {
		commit, err := build.Commit(ctx, ".", f.base)
		if err != nil {
			return c, err
		}
		c.Base = commit
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64N(1e9)
		if c.Shard != nil {
			c.Seed = sharedSeed(c)
		}
	}
	return c, nil
}

// profilesFit refuses profiles of programs, which need not be able to take any.
func (f *compareFlags) profilesFit(c *session.Config) error {
	if f.profiles && c.Exec != "" {
		return errors.New("-profiles is about benchmarks; a program of -exec has to take its own")
	}
	return nil
}

// setLoad reads the file of -load.
func (f *compareFlags) setLoad(c *session.Config, packages []string) error {
	switch {
	case len(packages) > 0:
		return fmt.Errorf("-load compares a server, so %s can be no package to benchmark", packages[0])
	case f.exec != "":
		return errors.New("-load compares a server and -exec a program: give one of them")
	case f.column != "":
		return errors.New("-col is about benchmark names; the requests of -load have none")
	case f.duet:
		return errors.New("-duet pins each side to one CPU; it does not go with -load, which needs them for requests too")
	case runtime.GOOS == "windows":
		return errors.New("-load needs a Unix system: the server is asked over a socket, and with getrusage")
	}
	spec, err := load.ReadSpec(f.load)
	if err != nil {
		return err
	}
	if c.Load, err = filepath.Abs(f.load); err != nil {
		return err
	}
	if c.Bench == "." {
		c.Bench = "" // as sessions have it since before -bench was about requests too
	}
	if err := spec.Choose(c.Bench); err != nil {
		return err
	}
	c.LoadSum, c.Packages = spec.Sum(), nil
	if !f.trialSet {
		c.MinTrial = spec.PhaseDuration()
	}
	if len(f.modes) == 0 && f.base == "" && !f.upgradeSet {
		f.modes = spec.Modes
	}
	return nil
}

// duetFits refuses duets that would measure something else.
func (f *compareFlags) duetFits() error {
	switch {
	case !f.duet:
		return nil
	case len(f.modes) > 0:
		return errors.New("-duet is refused with -mode: it pins each side to one CPU, where the collector has no idle or parallel workers, " +
			"so it would measure another collector; compare modes without -duet")
	case f.base == "":
		return errors.New("-duet runs two code versions side by side: name the other one with -base REV")
	case f.column != "":
		return errors.New("-duet runs two code versions side by side: it does not go with -col")
	case f.procs > 1:
		return errors.New("-duet pins each side to one CPU: it does not go with -procs")
	case !trial.CanPin:
		return fmt.Errorf("-duet needs Linux to pin processes to CPUs; this is %s", runtime.GOOS)
	case runtime.NumCPU() < 2:
		return errors.New("-duet needs two CPUs; this machine has one")
	}
	return nil
}

// setModes reads -mode and -baseline.
func (f *compareFlags) setModes(c *session.Config) error {
	for _, s := range f.modes {
		modes, err := mode.Parse(s)
		if err != nil {
			return err
		}
		c.Modes = append(c.Modes, modes...)
	}
	defer func() {
		for i := range c.Modes {
			if f.tags != "" {
				c.Modes[i].Tags = append(slices.Clone(c.Modes[i].Tags), strings.Split(f.tags, ",")...)
			}
		}
	}()
	buildable, err := compare.Buildable(f.exec)
	if f.exec != "" && err != nil {
		return err
	}
	if f.exec != "" && f.base != "" && !buildable {
		return errors.New("-base compares two versions of the code, and the program of -exec is built already; name its Go package in -exec")
	}
	switch {
	case len(c.Modes) == 0 && (f.base != "" || f.column != ""):
		c.Modes = []mode.Mode{mode.Default()}
	case len(c.Modes) == 0 && f.exec != "" && !buildable:
		return errors.New("the four published modes are built in, and the program of -exec is built already; name run-time modes such as -mode gogc=100,200,400, or a Go package in -exec")
	case len(c.Modes) == 0:
		c.Modes = mode.Published()
	case len(c.Modes) == 1 && f.base == "" && f.column == "" && c.Modes[0].Name != mode.Default().Name:
		c.Modes = append([]mode.Mode{mode.Default()}, c.Modes...)
	case len(c.Modes) == 1 && f.base == "" && f.column == "":
		return errors.New("one mode is nothing to compare; name another -mode, or a revision with -base")
	}
	if name := mode.Duplicate(c.Modes); name != "" {
		return fmt.Errorf("two modes are called %q; give one of them another name", name)
	}
	for i := range c.Modes {
		if err := absolutePGO(&c.Modes[i]); err != nil {
			return err
		}
	}
	base, ok := mode.Baseline(c.Modes, f.baseline)
	if !ok {
		var names []string
		for _, m := range c.Modes {
			names = append(names, m.Name)
		}
		return fmt.Errorf("-baseline %q is not one of the modes; there are %s", f.baseline, strings.Join(names, ", "))
	}
	c.Baseline = c.Modes[base].Name
	return nil
}

// absolutePGO makes the path of a profile good for any folder, a worktree's
// too.
func absolutePGO(m *mode.Mode) error {
	if m.PGO == "" || m.PGO == "auto" || m.PGO == "off" {
		return nil
	}
	if _, err := os.Stat(m.PGO); err != nil {
		return fmt.Errorf("-mode %s: there is no profile %s; make one with go test -bench . -cpuprofile %s", m.Name, m.PGO, m.PGO)
	}
	path, err := filepath.Abs(m.PGO)
	m.PGO = path
	return err
}
