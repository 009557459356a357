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
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/apply"
	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/collect"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/scratch"
	"lessgc/cmd/lessgc/internal/site"
	"lessgc/cmd/lessgc/internal/source"
	"lessgc/cmd/lessgc/internal/version"
)

const applyHelp = `usage: lessgc apply [flags] [FOLDER | PACKAGE...]

Apply carries the advice of lessgc advise out: it makes each change that can be proved from
the source in a scratch checkout, builds, vets and tests it together with all packages of
the module that import it, and measures it in pairs. It keeps what takes less CPU time, or
allocates less with CPU time no worse, and takes back the rest. What it keeps are commits on a
new branch, one per change (one for the same change of functions that are alike), with the
line, the prediction, the measurement and the tests. Your files and your branches stay as
they are.

  lessgc apply -bench . ./...                     the module's benchmarks (default: of .)
  lessgc apply -bench Decode -dry-run ./codec     the changes, without trying them
  lessgc apply -bench Decode -w ./codec           also write what is kept into your files
  lessgc apply lessgc-results/20261128-101500     with the profiles of lessgc advise
  lessgc apply -load load.json                    a server under load, as for lessgc compare
  lessgc apply -resume DIR                        go on after an interrupt
  git log -p lessgc/apply-20261128-101500         what was kept

It runs your tests and benchmarks, as go test does. Exit status: 0 done, whether or not a
change was kept; 2 something could not be done.
`

// applyFlags are the flags of apply.
type applyFlags struct {
	attempt.Options
	benchtime time.Duration
	levers    string
	out       string
	branch    string
	patch     string
	resume    string
	dry       bool
	write     bool
	json      bool

	mostSet bool // -n was given
}

func (f *applyFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.Bench, "bench", "", "benchmarks to profile and measure: those that match `REGEXP`, as go test -bench does (default all)")
	fs.DurationVar(&f.benchtime, "benchtime", 3*time.Second, "`duration` of the profile of each benchmark")
	fs.StringVar(&f.Load, "load", "", "profile and measure a server under load: a load `FILE`, as for lessgc compare")
	fs.StringVar(&f.Exec, "exec", "", "measure a whole program: a `COMMAND` line that starts with a Go package; its profiles are in FOLDER")
	fs.StringVar(&f.Tags, "tags", "", "comma-separated build `tags`")
	fs.BoolVar(&f.Short, "short", false, "run the tests with -short")
	fs.StringVar(&f.levers, "levers", "", "only the changes of these levers: `NAME,NAME`; lessgc advise -explain list has the names")
	fs.IntVar(&f.Most, "n", 20, "try at most `n` changes")
	fs.DurationVar(&f.Time, "time", 90*time.Second, "maximum `duration` of each comparison; it ends as soon as CPU time is clear")
	fs.DurationVar(&f.Test, "test-timeout", 10*time.Minute, "maximum `duration` of each run of the tests")
	fs.DurationVar(&f.Differ, "differ", 3*time.Second, "call each changed function, old and new, with generated inputs for this `duration`; 0 to leave it out")
	fs.StringVar(&f.branch, "branch", "", "`name` of the new branch (default lessgc/apply-DATE)")
	fs.StringVar(&f.patch, "patch", "", "also write what is kept to `FILE`, for git am")
	fs.BoolVar(&f.write, "w", false, "also write what is kept into your files")
	fs.BoolVar(&f.dry, "dry-run", false, "print the changes with what they are predicted to save, and try none")
	fs.StringVar(&f.out, "o", "", "`folder` for the results (default a new one in lessgc-results)")
	fs.StringVar(&f.resume, "resume", "", "go on with the run in `folder`. It builds and runs what the folder holds, so resume only a\nfolder you trust as you trust code")
	fs.BoolVar(&f.json, "json", false, "print everything as JSON instead of text")
}

func runApply(ctx context.Context, e *env, args []string) int {
	var f applyFlags
	fs := flag.NewFlagSet("apply", flag.ContinueOnError)
	f.register(fs)
	whole := args
	if status, done := e.parse(fs, applyHelp, args); done {
		return status
	}
	if err := f.check(fs); err != nil {
		return e.fail(err)
	}
	tmp, err := scratch.New(os.Getenv("GOTMPDIR"), build.ForgetWorktrees)
	if err != nil {
		return e.fail(err)
	}
	defer tmp.Remove()
	wd, err := os.Getwd()
	if err != nil {
		return e.fail(err)
	}
	defer os.Chdir(wd) // what runs in the checkout moves there
	// The runner's own collections must not fall into a comparison.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	report, results, err := f.run(ctx, e, tmp.Path, wd, fs.Args(), mode.HideArgs(append([]string{"apply"}, whole...)))
	if ctx.Err() != nil {
		err = errors.New("interrupted")
		if results != "" && !f.dry {
			err = fmt.Errorf("interrupted; go on with: lessgc apply -resume %s", results)
		}
	}
	if err != nil {
		return e.fail(err)
	}
	if err := f.show(e, report, results); err != nil {
		return e.fail(err)
	}
	return exitClean
}

// check finds what cannot be.
func (f *applyFlags) check(fs *flag.FlagSet) error {
	switch {
	case f.Most < 1:
		return errors.New("-n is at least 1")
	case f.Time < 10*time.Second, f.Test <= 0, f.benchtime <= 0, f.Differ < 0:
		return errors.New("-time is at least 10s, -test-timeout and -benchtime are positive durations, and -differ is not negative")
	case f.Load != "" && f.Exec != "", f.Bench != "" && f.Exec != "":
		return errors.New("one kind of measurement at a time: -bench, -load or -exec")
	case f.dry && f.write:
		return errors.New("-dry-run changes nothing; leave out -w")
	case f.Exec != "" && f.resume == "" && fs.NArg() == 0:
		return errors.New("-exec needs a folder with profiles of the program as the argument; lessgc advise -h has the ways to take them")
	}
	for name := range strings.SplitSeq(f.levers, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		r := lever.ByName(name)
		if r == nil {
			return fmt.Errorf("-levers: there is no lever %q; lessgc advise -explain list has the names", name)
		}
		if r.Rewrite == "" {
			return fmt.Errorf("-levers: the change of %s is for a person to make; lessgc advise -explain %[1]s says more", name)
		}
		f.Levers = append(f.Levers, name)
	}
	var wrong error
	fs.Visit(func(g *flag.Flag) {
		f.mostSet = f.mostSet || g.Name == "n"
		if f.resume != "" && !slices.Contains([]string{"resume", "n", "w", "patch", "json"}, g.Name) {
			wrong = fmt.Errorf("-resume goes on with the settings of %s: -%s cannot be given as well", f.resume, g.Name)
		}
	})
	if wrong == nil && f.resume != "" && fs.NArg() > 0 {
		wrong = fmt.Errorf("-resume goes on with the packages of %s: none can be named", f.resume)
	}
	return cmp.Or(wrong, checkFolder(f.out, attempt.StateFile, pageFile, adviceFile))
}

// run does all but to show it. results is the folder, once there is something in it.
func (f *applyFlags) run(ctx context.Context, e *env, tmp, wd string, args, command []string) (report *attempt.Report, results string, err error) {
	printer := e.progress()
	defer printer.Step("")
	r, got, err := f.begin(ctx, printer, tmp, wd, args, command)
	if r != nil {
		results = f.out
		defer r.Close()
	}
	if err != nil {
		return nil, results, err
	}
	if err := r.Use(ctx, got.Set); err != nil {
		return nil, results, err
	}
	if f.dry {
		tried, person, err := r.Diffs(ctx)
		if err != nil {
			return nil, results, err
		}
		return &attempt.Report{State: *r.State, Attempts: tried, Person: person, DryRun: true, Notes: got.Notes}, results, nil
	}
	r.Done = func(a *attempt.Attempt) error { return score(r.State, a) }
	person, err := r.Run(ctx)
	if err != nil {
		return nil, results, err
	}
	report, err = r.Finish(ctx, person)
	if err != nil {
		return nil, results, err
	}
	report.Notes = got.Notes
	if err := f.hand(ctx, r, report); err != nil {
		return nil, results, err
	}
	return report, results, nil
}

// hand gives the user what was asked for besides the branch.
func (f *applyFlags) hand(ctx context.Context, r *apply.Runner, report *attempt.Report) error {
	if f.patch != "" && report.Count(attempt.Kept) > 0 {
		data, err := os.ReadFile(filepath.Join(r.Results(), attempt.PatchFile))
		if err != nil {
			return err
		}
		if err := os.WriteFile(f.patch, data, 0o666); err != nil {
			return err
		}
	}
	if !f.write {
		return nil
	}
	return r.WriteBack(ctx)
}

// begin makes the checkout, and takes the profiles or reads them.
func (f *applyFlags) begin(ctx context.Context, printer *progress.Printer, tmp, wd string, args, command []string) (*apply.Runner, *sampled, error) {
	if f.resume != "" {
		return f.goOn(ctx, printer, tmp)
	}
	got, err := f.given(args)
	if err != nil {
		return nil, nil, err
	}
	if got != nil {
		args = nil
	}
	if f.dry && f.out == "" {
		f.out = filepath.Join(tmp, "results") // nothing is left
	}
	if f.out, err = resultFolder(f.out); err == nil {
		f.out, err = filepath.Abs(f.out)
	}
	if err == nil && f.patch != "" {
		f.patch, err = filepath.Abs(f.patch)
	}
	if err != nil {
		return nil, nil, err
	}
	if f.Load == "" && f.Exec == "" {
		f.Bench = cmp.Or(f.Bench, ".")
		if len(args) == 0 {
			args = []string{"."}
		}
	}
	s := &attempt.State{Tool: version.Tool(), Command: command, Created: time.Now().Truncate(time.Second), Dir: wd, Packages: args, Options: f.Options,
		Branch: cmp.Or(f.branch, "lessgc/apply-"+time.Now().Format("20060102-150405"))}
	if s.Go, err = build.Toolchain(ctx, wd, mode.Default()); err != nil {
		return nil, nil, err
	}
	printer.Line("making a scratch checkout")
	r, err := apply.Start(ctx, s, wd, f.out, tmp, printer)
	if err != nil {
		return nil, nil, err
	}
	if got == nil {
		got, err = f.profiles(ctx, printer, r)
	}
	if err == nil {
		err = f.keep(ctx, r, got)
	}
	if err == nil {
		err = r.Save()
	}
	if err != nil {
		return nil, nil, errors.Join(err, r.Close()) // there is nothing to go on with
	}
	return r, got, nil
}

// given reads the profiles of a folder that the arguments name; nil if they name packages.
func (f *applyFlags) given(args []string) (*sampled, error) {
	if len(args) == 1 {
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			got, err := sampledFolder(args[0])
			if !errors.Is(err, collect.ErrNoProfiles) {
				return got, err
			}
		}
	}
	if f.Exec != "" {
		return nil, fmt.Errorf("%s holds no profiles; -exec needs a folder with profiles of the program", strings.Join(args, " "))
	}
	return nil, nil
}

// goOn opens the run of -resume.
func (f *applyFlags) goOn(ctx context.Context, printer *progress.Printer, tmp string) (*apply.Runner, *sampled, error) {
	var err error
	if f.out, err = filepath.Abs(f.resume); err != nil {
		return nil, nil, err
	}
	s, err := attempt.ReadState(f.out)
	if err != nil {
		return nil, nil, err
	}
	if f.mostSet {
		s.Most = f.Most
	}
	r, err := apply.Resume(ctx, s, f.out, tmp, printer)
	if err != nil {
		return nil, nil, err
	}
	got, err := sampledFolder(filepath.Join(f.out, attempt.AdviceFolder))
	return r, got, err
}

// profiles takes the profiles in the checkout.
func (f *applyFlags) profiles(ctx context.Context, printer *progress.Printer, r *apply.Runner) (*sampled, error) {
	if f.Load != "" {
		a := adviseFlags{load: f.Load, frontier: time.Minute, out: filepath.Join(f.out, attempt.AdviceFolder)}
		if _, err := a.measureFrontier(ctx, &env{io.Discard, printer.W}, nil); err != nil {
			return nil, err
		}
		return a.take(ctx, printer, nil)
	}
	a := adviseFlags{bench: f.Bench, benchtime: f.benchtime, levers: true}
	printer.Line("profiling the benchmarks")
	got, err := a.take(ctx, printer, r.State.Packages)
	if err == nil {
		a.count(ctx, printer, got, site.Module(source.Modules(ctx)...))
	}
	return got, err
}

// keep writes the profiles into the result folder, for -resume and for later runs.
func (f *applyFlags) keep(ctx context.Context, r *apply.Runner, got *sampled) error {
	source.Locate(ctx, got.Set, site.Module(source.Modules(ctx)...))
	r.Original(got.Set)
	dir := filepath.Join(f.out, attempt.AdviceFolder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return collect.Write(dir, got.Set)
}

// show prints the report, and writes it into the result folder.
func (f *applyFlags) show(e *env, report *attempt.Report, results string) error {
	if !f.dry {
		if err := create(filepath.Join(results, attempt.ReportFile), func(w io.Writer) error { return render.ApplyJSON(w, report) }); err != nil {
			return err
		}
		if err := create(filepath.Join(results, pageFile), func(w io.Writer) error { return render.ApplyHTML(w, report) }); err != nil {
			return err
		}
	}
	var err error
	if f.json {
		err = render.ApplyJSON(e.stdout, report)
	} else {
		err = e.text().Apply(e.stdout, report)
	}
	if err == nil && !f.dry {
		fmt.Fprintf(e.stderr, "report: %s\n", filepath.Join(results, pageFile))
	}
	return err
}
