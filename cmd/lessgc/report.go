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
of each run against its own baseline. Those of the shards of one comparison, of which
some may be missing, are taken together: one report, about machines like these. With
-history and no folder: the course of the runs in that file, by commit.

  lessgc report lessgc-results/20261121-101500
  lessgc report -html both.html MONDAY TUESDAY     runs side by side, also as a page
  lessgc report -html all.html 'parts/*'          shards of compare -shard, together
  lessgc report -write -plot DIR                 write the files in DIR again, print bar charts
  lessgc report -fail-on 'cpu worse' -junit perf.xml DIR
  lessgc report -markdown -markdown-size 1048576 DIR >>"$GITHUB_STEP_SUMMARY"
  lessgc report -history perf.jsonl DIR          append the run to a history, if it is not in it
  lessgc report -history perf.jsonl -html perf.html

Exit status: 0 done; 1 a condition of -fail-on holds; 2 something could not
be read.
`

// showFlags say how to show a report.
type showFlags struct {
	json   bool
	md     bool
	mdSize int
	plot   bool
	failOn list
	files  showFiles

	conditions []verdict.Condition
}

var showFlagNames = append([]string{"json", "markdown", "markdown-size", "plot", "fail-on"}, showFileNames...)

func (f *showFlags) register(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print report.json instead of tables")
	fs.BoolVar(&f.md, "markdown", false, "print Markdown for a pull request instead of tables")
	fs.IntVar(&f.mdSize, "markdown-size", render.MarkdownComment, "with -markdown: leave the least decisive lines out until there are at most `n` bytes, as many as GitHub takes\n"+
		"of characters in a comment; a step summary takes 1048576")
	fs.BoolVar(&f.plot, "plot", false, "print bar charts as well")
	fs.Var(&f.failOn, "fail-on", "exit with 1 if `CONDITION` holds, repeatable: [geomean] METRIC VERDICT [or VERDICT] [> N%], as 'cpu worse or unclear',\n"+
		"'allocs worse > 5%', 'geomean cpu worse', 'any worse'. METRIC is cpu, wall, instructions, allocs, bytes, rss, gc, gc-cpu,\n"+
		"stw, pause, goal, throughput, with -load p50 to p99.9, max, rate, full-cpu, any unit that a benchmark reports, or any;\n"+
		"VERDICT is better, worse, same, unclear, or of several machines mixed")
	f.files.register(fs)
}

// check reads the conditions.
func (f *showFlags) check() error {
	if f.json && f.md {
		return errOneForm
	}
	if f.mdSize < render.MarkdownLeast {
		return fmt.Errorf("-markdown-size %d: at least %d bytes are needed", f.mdSize, render.MarkdownLeast)
	}
	for _, s := range f.failOn {
		c, err := verdict.ParseCondition(s)
		if err != nil {
			return err
		}
		f.conditions = append(f.conditions, c)
	}
	return f.files.check()
}

func runReport(_ context.Context, e *env, args []string) int {
	var f showFlags
	fs := flag.NewFlagSet("report", flag.ContinueOnError)
	f.register(fs)
	write := fs.Bool("write", false, "write report.html, report.json, results.csv, summary.txt and .tsv in DIR again")
	html := fs.String("html", "", "also write a page to a new `FILE`")
	otava := fs.String("otava", "", "with -history and no folder: write the history to a new `FILE` of CSV, for Apache Otava; see docs/measuring.md")
	if status, done := e.parse(fs, reportHelp, args); done {
		return status
	}
	if err := f.check(); err != nil {
		return e.fail(err)
	}
	switch {
	case fs.NArg() == 0 && f.files.history != "":
		return e.course(f, *write, *html, *otava, mode.HideArgs(append([]string{"report"}, args...)))
	case *otava != "":
		return e.fail(errors.New("-otava exports a history; give it with -history and without a folder"))
	case fs.NArg() == 0:
		return e.fail(errors.New("name a folder with results: lessgc report DIR"))
	}
	dirs, err := folders(fs.Args())
	if err != nil {
		return e.fail(err)
	}
	if len(dirs) > 1 {
		if *write {
			return e.fail(errors.New("-write is for one folder; leave it out, or name one"))
		}
		return e.several(f, *html, dirs, mode.HideArgs(append([]string{"report"}, args...)))
	}
	in, err := readRun(dirs[0])
	if err == nil && *html != "" {
		err = e.page(*html, in.Report)
	}
	if err != nil {
		return e.fail(err)
	}
	var dir *session.Dir
	if *write {
		if dir, err = session.Open(dirs[0]); err != nil {
			return e.fail(fmt.Errorf("cannot write the report: %w", err))
		}
		defer dir.Close()
	}
	return e.show(f, in.Report, dir)
}

// readRun reads a result folder and judges what is in it.
func readRun(dir string) (runs.Input, error) {
	part, err := readPart(dir)
	if err != nil {
		return runs.Input{}, err
	}
	return inputOf(part), nil
}

// inputOf judges what was read of a folder by itself.
func inputOf(p verdict.Part) runs.Input {
	return runs.Input{Dir: p.Dir, Session: p.Session.Redacted(), Report: verdict.New(p.Session, p.Trials)}
}

// errNoTrials is about a folder of a run that has not come to a round.
var errNoTrials = errors.New("no trials yet but for the warm-up")

// readPart reads a result folder.
func readPart(dir string) (verdict.Part, error) {
	s, trials, err := session.Read(dir)
	part := verdict.Part{Dir: dir, Session: s, Trials: trials}
	if err == nil && !slices.ContainsFunc(trials, func(t session.Trial) bool { return t.Round > 0 }) {
		err = fmt.Errorf("%s holds %w; go on with: lessgc compare -resume %s", dir, errNoTrials, dir)
	}
	return part, err
}

// folders are those that are named, with those that a pattern matches: shells leave one alone that stands in
// quotes, or do not know any.
func folders(names []string) ([]string, error) {
	var all []string
	for _, name := range names {
		if strings.HasPrefix(name, "-") {
			return nil, fmt.Errorf("flags go before the folders: move %s to the front", name)
		}
		if _, err := os.Lstat(name); err == nil || !strings.ContainsAny(name, "*?[") {
			all = append(all, name)
			continue
		}
		found, err := filepath.Glob(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		found = slices.DeleteFunc(found, func(file string) bool { info, err := os.Stat(file); return err != nil || !info.IsDir() })
		if len(found) == 0 {
			return nil, fmt.Errorf("no folder matches %s", name)
		}
		all = append(all, found...)
	}
	return all, nil
}

// several shows several result folders, and writes a page of them too if it has a name: the shards of one
// comparison together, others side by side.
func (e *env) several(f showFlags, page string, dirs, command []string) int {
	var all []runs.Input
	var parts []verdict.Part
	var none []error // about folders of runs that were ended before they had any result
	shards := 0
	for _, d := range dirs {
		part, err := readPart(d)
		switch {
		case errors.Is(err, errNoTrials) || errors.Is(err, session.ErrNone):
			none = append(none, err)
			continue
		case err != nil:
			return e.fail(err)
		case part.Session.Config.Shard != nil:
			shards++
		}
		parts = append(parts, part)
	}
	if shards == 0 && len(dirs) > runs.Most {
		return e.fail(fmt.Errorf("%d folders do not fit side by side; name at most %d", len(dirs), runs.Most))
	}
	if len(none) > 0 && shards == 0 {
		return e.fail(none[0])
	}
	for _, err := range none {
		fmt.Fprintf(e.stderr, "lessgc: left out: %v\n", err)
	}
	if page != "" {
		if err := mustBeNew(page); err != nil {
			return e.fail(err)
		}
	}
	switch {
	case shards == 0 && (f.plot || len(f.failOn) > 0 || f.files.any()):
		return e.fail(errors.New("-plot, -fail-on, -badge, -junit and -history are for one folder, or the shards of one comparison; leave them out, or name one"))
	case shards == 0:
		for _, p := range parts {
			all = append(all, inputOf(p))
		}
		return e.sideBySide(f, page, all, command)
	}
	r, err := verdict.Merge(parts)
	if err != nil {
		return e.fail(err)
	}
	if page != "" {
		if err := e.page(page, r); err != nil {
			return e.fail(err)
		}
	}
	return e.show(f, r, nil)
}

// page writes a report as a new page.
func (e *env) page(name string, r *verdict.Report) error {
	if err := createNew(name, func(w io.Writer) error { return render.HTML(w, r) }); err != nil {
		return fmt.Errorf("cannot write the page: %w", err)
	}
	fmt.Fprintf(e.stderr, "report: %s\n", name)
	return nil
}

// sideBySide shows several runs, and writes a page of them too if it has a name.
func (e *env) sideBySide(f showFlags, page string, all []runs.Input, command []string) int {
	r := runs.New(all)
	if page != "" {
		if err := createNew(page, func(w io.Writer) error { return render.RunsHTML(w, r, command) }); err != nil {
			return e.fail(fmt.Errorf("cannot write the page: %w", err))
		}
	}
	var err error
	switch {
	case f.json:
		err = render.RunsJSON(e.stdout, r)
	case f.md:
		err = render.RunsMarkdown(e.stdout, r, f.mdSize)
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
	met, unknown := f.holds(r)
	if unknown != nil {
		f.files.junit = "" // it would have no failure for the condition
	}
	unwritten := f.files.write(e, r, met, dir)
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
	for _, x := range met {
		fmt.Fprintln(e.stderr, visible.All(fmt.Sprintf("lessgc: -fail-on %q holds: %s", x.Condition, x.Text(r)), visible.Terminal))
		status = exitFound
	}
	if unknown != nil {
		return e.fail(unknown)
	}
	if unwritten != nil {
		return e.fail(unwritten)
	}
	return status
}

// holds returns what meets the conditions, in their order. The error is about one of a metric
// that was not measured.
func (f *showFlags) holds(r *verdict.Report) (met []render.Met, err error) {
	for _, c := range f.conditions {
		all, err := c.Holds(r)
		if err != nil {
			return met, err
		}
		for _, x := range all {
			met = append(met, render.Met{Condition: c.Text, Comparison: x})
		}
	}
	return met, nil
}

func (e *env) print(f showFlags, r *verdict.Report) error {
	if f.json {
		return render.JSON(e.stdout, r)
	}
	if f.md {
		return render.Markdown(e.stdout, r, f.mdSize)
	}
	t := e.text()
	t.Plot = f.plot
	return t.Write(e.stdout, r)
}
