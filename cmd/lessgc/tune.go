package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	goversion "go/version"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/observe"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/version"
	"lessgc/cmd/lessgc/internal/watch"
)

const tuneHelp = `usage: lessgc tune [flags] ADDRESS | FILE | PACKAGE...

Tune observes a program once, at its present setting, and predicts others: GC CPU
time, total CPU time, peak memory and number of collections for GOGC from 25 to 1600
and for memory limits, each with a 90 % prediction interval; the memory limit below
which the collector spirals; and a recommended setting.

It observes a service that serves lessgc/live, benchmarks, a program, or a server
under load. Or it reads a recording of lessgc watch, the output of
GODEBUG=gctrace=1, or the tune.json of an earlier run. docs/tuning.md describes
the model and where it fails.

  lessgc tune -for 60s localhost:6060                    a running service
  lessgc tune -bench Decode ./codec                      a benchmark
  lessgc tune -bench Decode -prove ./codec               and check the prediction
  lessgc tune -exec './cmd/import -n 1000'               a whole program
  lessgc tune -load load.json -time 20s                  a server under load
  lessgc tune -memory 2GiB -replicas 30 service.jsonl    a recording of lessgc watch -o
  lessgc tune -gogc 200 -limit 512MiB gctrace.txt        output of GODEBUG=gctrace=1
  lessgc tune -memory 4GiB seen/tune.json                an earlier observation, from tune -o seen

Exit status: 0 done; 2 something could not be observed or measured.
`

// tuneFlags are the flags of tune.
type tuneFlags struct {
	duration time.Duration
	interval time.Duration
	bench    string
	exec     string
	load     string
	procs    int
	tags     string
	time     time.Duration
	timeout  time.Duration
	memory   string
	limits   list
	weight   string
	replicas int
	gogc     int
	prove    bool
	rounds   int
	out      string
	record   string
	json     bool

	wishes curve.Wishes
	from   string // the source of the memory in wishes
	at     []float64
}

func (f *tuneFlags) register(fs *flag.FlagSet) {
	fs.DurationVar(&f.duration, "for", time.Minute, "observe a service for this `duration`")
	fs.DurationVar(&f.interval, "interval", time.Second, "read its metrics every `duration`")
	fs.StringVar(&f.bench, "bench", "", "observe the benchmarks that match `REGEXP`, as go test -bench does")
	fs.StringVar(&f.exec, "exec", "", "observe a whole program: a `COMMAND` line that starts with a Go package")
	fs.StringVar(&f.load, "load", "", "observe a gRPC or HTTP server under load, described by `FILE`; see docs/measuring.md")
	fs.IntVar(&f.procs, "procs", 0, "GOMAXPROCS of the observed process (default: all CPUs)")
	fs.StringVar(&f.tags, "tags", "", "comma-separated build `tags`")
	fs.DurationVar(&f.time, "time", 0, "run each benchmark, or put each load on a server, for this `duration`\n"+
		"(default: benchmarks until they have some dozens of collections, 3s to 30s; a load as its file says)")
	fs.DurationVar(&f.timeout, "timeout", 10*time.Minute, "maximum `duration` of a program or benchmark")
	fs.StringVar(&f.memory, "memory", "", "memory budget of the process, a `SIZE` such as 2GiB: memory up to it costs nothing\n"+
		"(default: memory costs what -cpu says, up to the limit of the container that tune runs in)")
	fs.Var(&f.limits, "limit", "also predict for this GOMEMLIMIT, a `SIZE` such as 512MiB; repeatable")
	fs.StringVar(&f.weight, "cpu", "4GiB", "memory `SIZE` that costs as much as one CPU")
	fs.IntVar(&f.replicas, "replicas", 1, "`number` of processes, for the savings of the whole fleet")
	fs.IntVar(&f.gogc, "gogc", 100, "with a gctrace file: GOGC of its process, in `percent`; -1 for off")
	fs.BoolVar(&f.prove, "prove", false, "with -bench, -exec and -load: check the prediction with lessgc compare, at the recommended\n"+
		"setting, the default and two more")
	fs.IntVar(&f.rounds, "rounds", 8, "with -prove: `n` rounds, at least 6")
	fs.StringVar(&f.out, "o", "", "`folder` for tune.json and the page (default a new one in lessgc-results with -prove, else none)")
	fs.StringVar(&f.record, "record", "", "`FILE` with the record of predictions and outcomes (default tune-record.jsonl in lessgc's folder of the user's configuration)")
	fs.BoolVar(&f.json, "json", false, "print tune.json instead of tables")
}

func (f *tuneFlags) check(args []string) error {
	switch {
	case f.bench != "" && f.exec != "" || f.load != "" && f.bench+f.exec != "":
		return errors.New("-bench observes benchmarks, -exec a program and -load a server: give one of them")
	case f.exec != "" && len(args) > 0:
		return fmt.Errorf("-exec observes a program, so %s can be no package to benchmark; quote the whole command line", args[0])
	case f.load != "" && len(args) > 0:
		return fmt.Errorf("-load observes the server that its file names, so %s is one too many", args[0])
	case !f.starts() && len(args) == 0:
		return errors.New("name what to observe: the address of a service, a recording of lessgc watch, a file of gctrace, -bench REGEXP, -exec COMMAND or -load FILE")
	case f.bench == "" && len(args) > 1 && strings.HasPrefix(args[1], "-"):
		return fmt.Errorf("flags go before the address: move %s to the front", args[1])
	case f.bench == "" && len(args) > 1:
		return errors.New("one service or file at a time; packages to benchmark need -bench")
	case f.prove && !f.starts():
		return errors.New("-prove measures what tune can start: benchmarks of -bench, a program of -exec or a server of -load")
	case f.procs < 0:
		return fmt.Errorf("-procs %d: GOMAXPROCS is at least 1", f.procs)
	case f.rounds < 6:
		return fmt.Errorf("-rounds %d: at least 6 rounds are needed for a 95 %% interval", f.rounds)
	case f.duration <= 0 || f.interval < 100*time.Millisecond || f.time < 0 || f.timeout <= 0:
		return errors.New("-for and -timeout are positive durations, -time is not negative, and -interval is at least 100ms")
	case f.gogc < -1:
		return fmt.Errorf("-gogc %d: it is a percentage, or -1 for off", f.gogc)
	case f.replicas < 1:
		return fmt.Errorf("-replicas %d: it is at least 1", f.replicas)
	}
	return f.checkSizes()
}

// starts reports whether tune starts what it observes.
func (f *tuneFlags) starts() bool { return f.bench != "" || f.exec != "" || f.load != "" }

// checkSizes reads the flags that are sizes.
func (f *tuneFlags) checkSizes() error {
	size := func(name, text string) (float64, error) {
		n, err := mode.Size(text)
		if err != nil || n == 0 {
			return 0, fmt.Errorf("-%s %.40s is not a size such as 512MiB", name, text)
		}
		return float64(n), nil
	}
	var err error
	if f.wishes.Weight, err = size("cpu", f.weight); err != nil {
		return err
	}
	for _, text := range f.limits {
		n, err := size("limit", text)
		if err != nil {
			return err
		}
		f.at = append(f.at, n)
	}
	if f.memory != "" {
		if f.wishes.Memory, err = size("memory", f.memory); err != nil {
			return err
		}
		f.wishes.Free, f.from = true, "-memory"
	}
	return nil
}

func runTune(ctx context.Context, e *env, args []string) int {
	var f tuneFlags
	fs := flag.NewFlagSet("tune", flag.ContinueOnError)
	f.register(fs)
	if status, done := e.parse(fs, tuneHelp, args); done {
		return status
	}
	if err := f.check(fs.Args()); err != nil {
		return e.fail(err)
	}
	subjects, err := f.observe(ctx, e, fs.Args())
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted before anything could be predicted")
	}
	if err != nil {
		return e.fail(err)
	}
	r := f.report(subjects)
	if f.starts() {
		if newer := newerToolchain(ctx); newer != "" {
			for i := range r.Subjects {
				r.Subjects[i].Notes = append(r.Subjects[i].Notes, fmt.Sprintf("%s is on this machine: lessgc compare -upgrade %s says what it changes", newer, newer))
			}
		}
	}
	var unproved error // what was predicted and measured before is shown and kept
	if f.prove {
		unproved = f.proveAll(ctx, e, r, fs.Args())
	}
	if err := cmp.Or(f.show(e, r), unproved); err != nil {
		return e.fail(err)
	}
	for _, s := range r.Subjects {
		if s.Err != "" {
			return exitFailure
		}
	}
	return exitClean
}

// observe returns what was observed, each with its Run or an error. The error is that of all.
func (f *tuneFlags) observe(ctx context.Context, e *env, args []string) ([]observe.Subject, error) {
	switch {
	case f.starts():
		subjects, err := f.start(ctx, e, args)
		return subjects, cmp.Or(err, ctx.Err())
	case isFile(args[0]):
		return f.read(args[0])
	}
	return f.watch(ctx, e, args[0])
}

// start builds and runs benchmarks or a program.
func (f *tuneFlags) start(ctx context.Context, e *env, args []string) ([]observe.Subject, error) {
	ctx, tmp, remove, err := build.NewTemp(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	m := mode.Default()
	if f.tags != "" {
		m.Tags = strings.Split(f.tags, ",")
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if f.procs > 0 {
		m.GOMAXPROCS = fmt.Sprint(f.procs)
	}
	printer := e.progress()
	defer printer.Step("")
	step := func(text string) { printer.Step("%s", text) }
	if f.exec != "" {
		p := observe.Program{Dir: dir, Command: f.exec, Mode: m, Timeout: f.timeout, Step: step}
		s, err := p.Run(ctx, tmp)
		return []observe.Subject{s}, err
	}
	if f.load != "" {
		v := observe.Server{File: f.load, Mode: m, Procs: cmp.Or(f.procs, runtime.GOMAXPROCS(0)), Time: f.time, Timeout: f.timeout, Progress: printer}
		return v.Run(ctx, tmp)
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	b := observe.Benches{Dir: dir, Packages: args, Bench: f.bench, Mode: m, Procs: f.procs, Time: f.time, Timeout: f.timeout, Step: step}
	return b.Run(ctx, tmp)
}

// isFile reports whether an argument names a file rather than an address.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// read reads a recording, a file of gctrace or what tune kept, which the first lines tell apart.
func (f *tuneFlags) read(name string) ([]observe.Subject, error) {
	file, err := input.Open(name)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 4096)
	n, _ := io.ReadFull(file, head)
	file.Close()
	if bytes.Contains(head[:n], []byte(`"lessgc-tune/`)) {
		return readTune(name)
	}
	s := observe.Subject{Name: filepath.Base(name), Source: "gctrace"}
	if bytes.Contains(head[:n], []byte(`"lessgc-watch/`)) {
		s.Source = "a recording"
		recording, snapshots, err := watch.ReadAll(name)
		if err != nil {
			return nil, err
		}
		s.Name, s.Notes = recording.URL, recording.Notes
		if s.Run, err = observe.Snapshots(snapshots); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return []observe.Subject{s}, nil
	}
	if s.Run, err = observe.ReadTraces(name); err != nil {
		return nil, err
	}
	s.Run.GOGC = float64(f.gogc)
	return []observe.Subject{s}, nil
}

// maxTune limits the size of a tune.json, in bytes. A run of 100,000 collections has 20 MB.
const maxTune = 256 << 20

// readTune reads what another run of tune observed.
func readTune(name string) ([]observe.Subject, error) {
	data, err := input.ReadFile(name, maxTune)
	if err != nil {
		return nil, err
	}
	var head struct{ Format string } // those of other formats may not fit into a Report
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if head.Format != curve.Format {
		return nil, fmt.Errorf("%s: its format is %.40q, and this lessgc reads %q; read it with the lessgc that wrote it", name, head.Format, curve.Format)
	}
	var r curve.Report
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var all []observe.Subject
	for _, s := range r.Subjects {
		o := observe.Subject{Name: s.Name, Source: s.Source, Notes: s.Notes, Run: s.Run}
		if s.Run == nil {
			o.Err = errors.New(cmp.Or(strings.TrimPrefix(s.Err, unpredicted), "the file has no run: it is of an older lessgc"))
		}
		all = append(all, o)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: nothing was observed", name)
	}
	return all, nil
}

// watch asks a service for the time of -for, or until it is interrupted.
func (f *tuneFlags) watch(ctx context.Context, e *env, address string) ([]observe.Subject, error) {
	service, err := watch.Find(ctx, address)
	if err != nil {
		return nil, err
	}
	asking, stop := context.WithTimeout(ctx, f.duration+watch.Patience)
	defer stop()
	printer := e.progress()
	defer printer.Step("")
	var all []*watch.Snapshot
	lost := ""
	err = service.Watch(asking, f.interval, func(w watch.Window) error {
		if w.Snapshot != nil {
			all = append(all, w.Snapshot)
		} else {
			lost = w.Err
		}
		printer.Step("observing %s: %v of %v", service.Address, (time.Duration(w.N) * f.interval).Round(time.Second), f.duration)
		if time.Duration(w.N)*f.interval >= f.duration {
			return errEnough
		}
		return nil
	})
	if err != nil && err != errEnough {
		return nil, err
	}
	s := observe.Subject{Name: service.Address, Source: string(service.Source)}
	if s.Run, err = observe.Snapshots(all); err != nil && lost != "" {
		err = fmt.Errorf("%w (%s)", err, lost)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", service.Address, err)
	}
	if lost != "" {
		s.Notes = append(s.Notes, "the service did not answer every time: "+lost)
	}
	if ctx.Err() != nil {
		s.Notes = append(s.Notes, fmt.Sprintf("interrupted: this is what was observed until then, of %v", f.duration))
	}
	return []observe.Subject{s}, nil
}

// unpredicted is before the reason in a subject's error.
const unpredicted = "nothing can be predicted: "

// report predicts for all that was observed.
func (f *tuneFlags) report(subjects []observe.Subject) *curve.Report {
	if f.memory == "" {
		f.container("")
	}
	r := &curve.Report{Format: curve.Format, Tool: version.Tool(), Created: time.Now().Truncate(time.Second), Replicas: f.replicas, Weight: f.wishes.Weight, Memory: f.wishes.Memory, From: f.from}
	for _, o := range subjects {
		s := &curve.Subject{}
		err := o.Err
		if err == nil {
			var made *curve.Subject
			if made, err = curve.New(o.Run, f.wishes, f.at); err == nil {
				s = made
			}
		}
		s.Name, s.Source, s.Notes, s.Run = o.Name, o.Source, append(o.Notes, s.Notes...), o.Run
		if err != nil {
			s.Err = unpredicted + err.Error()
		}
		r.Subjects = append(r.Subjects, *s)
	}
	return r
}

// newerToolchain returns the newest toolchain in the module cache that is newer than the one in use, or "".
func newerToolchain(ctx context.Context) (newest string) {
	out, err := build.Go(ctx, ".", mode.Default(), "env", "GOVERSION", "GOMODCACHE", "GOOS", "GOARCH")
	words := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(words) != 4 {
		return ""
	}
	used, suffix := words[0], "."+words[2]+"-"+words[3]
	const prefix = "toolchain@v0.0.1-"
	found, _ := filepath.Glob(filepath.Join(words[1], "golang.org", prefix+"*"+suffix))
	for _, dir := range found {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(dir), prefix), suffix)
		if goversion.IsValid(name) && goversion.Compare(name, used) > 0 && (newest == "" || goversion.Compare(name, newest) > 0) {
			newest = name
		}
	}
	return newest
}

// show prints the report, and writes it where -o says.
func (f *tuneFlags) show(e *env, r *curve.Report) error {
	record, err := openRecord(f.record)
	if err != nil {
		return err
	}
	if r.Record, err = record.add(r); err != nil {
		return err
	}
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := f.write(r, append(data, '\n')); err != nil {
			return err
		}
	}
	if f.json {
		_, err = e.stdout.Write(append(data, '\n'))
		return err
	}
	if err := e.text().Tune(e.stdout, r); err != nil {
		return err
	}
	if f.out != "" {
		fmt.Fprintf(e.stdout, "\npage: %s\n", filepath.Join(f.out, tunePage))
	}
	return nil
}

// The files of a folder of -o.
const (
	tunePage = "tune.html"
	tuneFile = "tune.json"
)

func (f *tuneFlags) write(r *curve.Report, data []byte) error {
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(f.out, tuneFile), data, 0o666); err != nil {
		return err
	}
	var page bytes.Buffer
	if err := render.TunePage(&page, r); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(f.out, tunePage), page.Bytes(), 0o666)
}
