package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/runs"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

const reportHelp = `usage: lessgc report [flags] DIR [DIR...]

Report reads the results of an earlier lessgc compare, complete or interrupted, and
evaluates them again. Several folders, up to 8, such as those of two commits, are
shown side by side: how the runs differ, and for each benchmark and metric the verdict
of each run against its own baseline.

  lessgc report lessgc-results/20261121-101500
  lessgc report -html both.html MONDAY TUESDAY     runs side by side, also as a page
  lessgc report -write -plot DIR                 write the files in DIR again, print bar charts
  lessgc report -fail-on 'cpu worse' DIR

Exit status: 0 done; 1 a condition of -fail-on holds; 2 something could not
be read.
`

// showFlags say how to show a report.
type showFlags struct {
	json   bool
	md     bool
	plot   bool
	failOn list

	conditions []verdict.Condition
}

var showFlagNames = []string{"json", "markdown", "plot", "fail-on"}

func (f *showFlags) register(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print report.json instead of tables")
	fs.BoolVar(&f.md, "markdown", false, "print Markdown for a pull request instead of tables")
	fs.BoolVar(&f.plot, "plot", false, "print bar charts as well")
	fs.Var(&f.failOn, "fail-on", "exit with 1 if `CONDITION` holds, repeatable: [geomean] METRIC VERDICT [or VERDICT] [> N%], as 'cpu worse or unclear',\n"+
		"'allocs worse > 5%', 'geomean cpu worse', 'any worse'. METRIC is cpu, wall, instructions, allocs, bytes, rss, gc, gc-cpu,\n"+
		"stw, pause, goal, throughput, with -load p50 to p99.9, max, rate, full-cpu, any unit that a benchmark reports, or any;\n"+
		"VERDICT is better, worse, same or unclear")
}

// check reads the conditions.
func (f *showFlags) check() error {
	if f.json && f.md {
		return errOneForm
	}
	for _, s := range f.failOn {
		c, err := verdict.ParseCondition(s)
		if err != nil {
			return err
		}
		f.conditions = append(f.conditions, c)
	}
	return nil
}

func runReport(_ context.Context, e *env, args []string) int {
	var f showFlags
	fs := flag.NewFlagSet("report", flag.ContinueOnError)
	f.register(fs)
	write := fs.Bool("write", false, "write report.html, report.json, results.csv, summary.txt and .tsv in DIR again")
	html := fs.String("html", "", "with several folders: also write a page to a new `FILE`")
	if status, done := e.parse(fs, reportHelp, args); done {
		return status
	}
	if err := f.check(); err != nil {
		return e.fail(err)
	}
	switch {
	case fs.NArg() == 0:
		return e.fail(errors.New("name a folder with results: lessgc report DIR"))
	case fs.NArg() > 1 && (*write || f.plot || len(f.failOn) > 0):
		return e.fail(errors.New("-write, -plot and -fail-on are for one folder; leave them out, or name one"))
	case fs.NArg() > 1:
		return e.sideBySide(f, *html, fs.Args(), mode.HideArgs(append([]string{"report"}, args...)))
	case *html != "":
		return e.fail(errors.New("-html is for several folders; -write makes report.html in one"))
	}
	in, err := readRun(fs.Arg(0))
	if err != nil {
		return e.fail(err)
	}
	var dir *session.Dir
	if *write {
		if dir, err = session.Open(fs.Arg(0)); err != nil {
			return e.fail(fmt.Errorf("cannot write the report: %w", err))
		}
		defer dir.Close()
	}
	return e.show(f, in.Report, dir)
}

// readRun reads a result folder and judges what is in it.
func readRun(dir string) (runs.Input, error) {
	s, trials, err := session.Read(dir)
	if err != nil {
		return runs.Input{}, err
	}
	if !slices.ContainsFunc(trials, func(t session.Trial) bool { return t.Round > 0 }) {
		return runs.Input{}, fmt.Errorf("%s holds no trials yet but for the warm-up; go on with: lessgc compare -resume %s", dir, dir)
	}
	return runs.Input{Dir: dir, Session: s.Redacted(), Report: verdict.New(s, trials)}, nil
}

// sideBySide shows several result folders, and writes a page of them too if it has a name.
func (e *env) sideBySide(f showFlags, page string, dirs, command []string) int {
	if len(dirs) > runs.Most {
		return e.fail(fmt.Errorf("%d folders do not fit side by side; name at most %d", len(dirs), runs.Most))
	}
	for _, d := range dirs {
		if strings.HasPrefix(d, "-") {
			return e.fail(fmt.Errorf("flags go before the folders: move %s to the front", d))
		}
	}
	var all []runs.Input
	for _, d := range dirs {
		in, err := readRun(d)
		if err != nil {
			return e.fail(err)
		}
		all = append(all, in)
	}
	r := runs.New(all)
	if page != "" {
		if _, err := os.Lstat(page); err == nil {
			return e.fail(fmt.Errorf("%s exists already; name another file, or remove it", page))
		}
		if err := create(page, func(w io.Writer) error { return render.RunsHTML(w, r, command) }); err != nil {
			return e.fail(fmt.Errorf("cannot write the page: %w", err))
		}
	}
	var err error
	switch {
	case f.json:
		err = render.RunsJSON(e.stdout, r)
	case f.md:
		err = render.RunsMarkdown(e.stdout, r)
	default:
		err = e.text().Runs(e.stdout, r)
	}
	if err != nil {
		return e.fail(err)
	}
	if page != "" {
		fmt.Fprintf(e.stderr, "report: %s\n", page)
	}
	if slices.ContainsFunc(r.Runs, func(run runs.Run) bool { return len(run.Problems) > 0 }) {
		return exitFailure
	}
	return exitClean
}

// show renders a report, into files of dir too if that is not nil, and finds the
// exit status.
func (e *env) show(f showFlags, r *verdict.Report, dir *session.Dir) int {
	if dir != nil {
		if err := render.Files(dir.Root, r); err != nil {
			return e.fail(fmt.Errorf("cannot write the report: %w; what was measured is kept, try again with: lessgc report -write %s", err, dir.Path))
		}
	}
	if err := e.print(f, r); err != nil {
		return e.fail(err)
	}
	if dir != nil {
		fmt.Fprintf(e.stderr, "report: %s\n", filepath.Join(dir.Path, "report.html"))
	}
	status := exitClean
	if len(r.Problems) > 0 {
		status = exitFailure
	}
	for _, c := range f.conditions {
		met, err := c.Holds(r)
		if err != nil {
			return e.fail(err)
		}
		for _, x := range met {
			name := "geometric mean"
			if x.Row != verdict.Geomean {
				name = r.Rows[x.Row].Name
			}
			fmt.Fprintln(e.stderr, visible.All(fmt.Sprintf("lessgc: -fail-on %q holds: %s in %s against %s, %s %s", c.Text, name, r.Cells[x.Cell].Name, r.Cells[x.Ref].Name,
				r.Metrics[x.Metric].Title, verdict.Percent(x.Ratio)), visible.Terminal))
			status = exitFound
		}
	}
	return status
}

func (e *env) print(f showFlags, r *verdict.Report) error {
	if f.json {
		return render.JSON(e.stdout, r)
	}
	if f.md {
		return render.Markdown(e.stdout, r)
	}
	t := e.text()
	t.Plot = f.plot
	return t.Write(e.stdout, r)
}
