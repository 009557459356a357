package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/sarif"
	"lessgc/cmd/lessgc/internal/vetrun"
	"lessgc/cmd/lessgc/internal/visible"
	"lessgc/vet"
)

const vetHelp = `usage: lessgc vet [flags] [packages]

Vet finds misuse of arenas and pools in packages and their tests (default ./...): use
after free or put, double free or double put, a missing free or put, and memory that
outlives its owner. Each finding explains what happens at run time; many have a fix.
A comment //lessgc:ignore RULE REASON silences a rule on its own line and the next.

  lessgc vet ./...
  lessgc vet -fix ./...                       apply the suggested fixes
  lessgc vet -diff ./... | git apply          the same, for review first
  lessgc vet -advice -notes ./...             also advisory rules and notes
  lessgc vet -rules poolalias,poolmissingput ./internal/...
  lessgc vet -rules lessgcrenamed -fix ./...  follow renames in a new release of lessgc
  lessgc vet -explain poolalias               what a rule finds, and why it is a bug
  lessgc vet -debug summary,state Pool.Get .  what the analysis infers about a function
  lessgc vet -sarif vet.sarif ./...           for code hosts and editors
  GOEXPERIMENT=arenas lessgc vet ./...        also code that uses the standard library's arenas

Exit status: 0 no findings, or notes only; 1 errors or warnings found; 2 something could
not be checked, such as a package that does not compile (the rest is reported).
`

// vetFlags are the flags of vet.
type vetFlags struct {
	advice, notes  bool
	rules, disable string
	api            string
	tags           string
	tests          bool
	json           bool
	sarif          string
	fix, diff      bool
	explain        string
	debug          string

	fixed, left, quiet int // findings, by -fix; those left for a reason; those no longer reported for none
}

func (f *vetFlags) register(fs *flag.FlagSet) {
	fs.BoolVar(&f.advice, "advice", false, "also run advisory rules: pools that allocate, retain memory or hand on stale data; arenas that a panic loses")
	fs.BoolVar(&f.notes, "notes", false, "also report notes: code that is correct, but easy to break")
	fs.StringVar(&f.rules, "rules", "", "run only these rules: `NAME,NAME`")
	fs.StringVar(&f.disable, "disable", "", "do not run these rules: `NAME,NAME`")
	fs.StringVar(&f.api, "api", "", "`FILE` that describes functions and types of other libraries; see docs/vetting.md")
	fs.StringVar(&f.tags, "tags", "", "build `tags`, as for go build")
	fs.BoolVar(&f.tests, "tests", true, "also check tests; -tests=false does not load or compile them")
	fs.BoolVar(&f.json, "json", false, "print everything as JSON instead of text")
	fs.StringVar(&f.sarif, "sarif", "", "also write everything to `FILE` as SARIF 2.1.0")
	fs.BoolVar(&f.fix, "fix", false, "change the source: apply the first fix of each finding")
	fs.BoolVar(&f.diff, "diff", false, "only print what -fix would change")
	fs.StringVar(&f.debug, "debug", "", "print what the analysis infers about a function, named before the packages: `LIST` of summary and state")
	fs.StringVar(&f.explain, "explain", "", "explain `RULE`; list prints all names")
}

func runVet(ctx context.Context, e *env, args []string) int {
	var f vetFlags
	fs := flag.NewFlagSet("vet", flag.ContinueOnError)
	f.register(fs)
	if status, done := e.parse(fs, vetHelp, args); done {
		return status
	}
	if f.explain != "" {
		return e.explainMisuse(f.explain)
	}
	args, function := fs.Args(), ""
	if f.debug != "" {
		if len(args) == 0 {
			return e.fail(errors.New("-debug needs the name of a function, such as Pool.Get, before the packages"))
		}
		function, args = args[0], args[1:]
	}
	o, err := f.options(args)
	if err != nil {
		return e.fail(err)
	}
	if err := vetrun.Sweep(); err != nil {
		return e.fail(err)
	}
	status := e.progress()
	o.Step = func(done, all int) {
		if done == 0 {
			status.Step("looking at what is imported; the first time that takes a while")
			return
		}
		status.Step("looking at the packages: %d of %d", done, all)
	}
	r, err := vetrun.Run(ctx, o)
	status.Step("")
	o.Step = func(done, all int) { status.Step("looking at the packages as they would be: %d of %d", done, all) }
	if err == nil && f.debug != "" {
		return e.beliefs(r, function, f.debug)
	}
	if err == nil {
		err = f.show(ctx, e, r, o, status)
	}
	switch {
	case ctx.Err() != nil:
		return e.fail(errors.New("interrupted"))
	case err != nil:
		return e.fail(err)
	case len(r.Problems) > 0:
		return exitFailure
	case r.Serious():
		return exitFound
	}
	return exitClean
}

// options checks the flags and makes of them what package vetrun wants to know.
func (f *vetFlags) options(args []string) (vetrun.Options, error) {
	o := vetrun.Options{Patterns: args, Tags: f.tags, Tests: f.tests, Advice: f.advice, Notes: f.notes, Repair: f.fix || f.diff}
	if len(args) == 0 {
		o.Patterns = []string{"./..."}
	}
	if i := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") }); i >= 0 {
		return o, fmt.Errorf("flags go before the packages: move %s to the front", args[i])
	}
	o.Debug = f.debug != ""
	for what := range strings.SplitSeq(f.debug, ",") {
		if f.debug != "" && what != "summary" && what != "state" {
			return o, fmt.Errorf("-debug: there is no %q; it is summary, state or both with a comma between", what)
		}
	}
	if o.Debug && (f.fix || f.diff || f.json || f.sarif != "") {
		return o, errors.New("-debug does not go with -fix, -diff, -json or -sarif")
	}
	if (f.fix || f.diff) && (f.json || f.sarif != "") {
		return o, errors.New("-fix and -diff do not go with -json or -sarif, which have the fixes in them")
	}
	var err error
	if f.api != "" {
		if o.API, err = readAPI(f.api); err != nil {
			return o, err
		}
	}
	if o.Disable, err = ruleNames("-disable", f.disable); err != nil {
		return o, err
	}
	if o.Rules, err = ruleNames("-rules", f.rules); err != nil || len(o.Rules) == 0 {
		return o, err
	}
	o.Rules = slices.DeleteFunc(o.Rules, func(name string) bool { return slices.Contains(o.Disable, name) })
	o.Disable = nil
	if len(o.Rules) == 0 {
		return o, errors.New("-disable leaves nothing of -rules")
	}
	return o, nil
}

// maxAPI is the size of a file for -api: it is handed on in an argument, and systems bound
// those.
const maxAPI = 64 << 10

// readAPI reads and checks a file for -api.
func readAPI(name string) (string, error) {
	text, err := input.ReadFile(name, maxAPI)
	if err != nil {
		return "", err
	}
	if err := vet.CheckAPI(string(text)); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(text) + "\n", nil // a single line without an end would be a list of statements
}

// ruleNames reads a list of rules.
func ruleNames(flag, list string) ([]string, error) {
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	for _, name := range names {
		if vetrun.ByName(name) == nil {
			return nil, fmt.Errorf("%s: there is no rule %q; lessgc vet -explain list names them", flag, name)
		}
	}
	return names, nil
}

// explainMisuse prints the page of a rule.
func (e *env) explainMisuse(name string) int {
	width, _ := terminal(e.stdout)
	rule := vetrun.ByName(name)
	var err error
	switch {
	case name == "list":
		for _, a := range vetrun.Rules() {
			asked := ""
			if vetrun.Advises(a.Name) {
				asked = " (with -advice)"
			}
			fmt.Fprintf(e.stdout, "%-18s %s%s\n", a.Name, vetrun.Title(a), asked)
		}
	case rule == nil:
		err = fmt.Errorf("there is no rule %q; lessgc vet -explain list names them", name)
	default:
		err = render.VetRule(e.stdout, rule, width)
	}
	if err != nil {
		return e.fail(err)
	}
	return exitClean
}

// show prints the findings, and applies their fixes if it should. A fixed one is not a finding
// any more.
func (f *vetFlags) show(ctx context.Context, e *env, r *vetrun.Report, o vetrun.Options, status *progress.Printer) (err error) {
	defer func() {
		for _, p := range r.Problems {
			fmt.Fprintf(e.stderr, "lessgc: %s\n", visible.All(p.String(), visible.Terminal))
		}
		for _, note := range r.Notes {
			fmt.Fprintf(e.stderr, "note: %s\n", visible.All(note, visible.Terminal))
		}
		if err == nil && (r.Packages > 0 || len(r.Problems) == 0) {
			fmt.Fprintln(e.stderr, f.summary(r))
		}
	}()
	switch {
	case f.fix || f.diff:
		return f.repair(ctx, e, r, o, status)
	case f.json:
		err = render.VetJSON(e.stdout, r)
	default:
		err = blocks(e.stdout).Findings(e.stdout, r.Findings)
	}
	return cmp.Or(err, f.writeSARIF(ctx, r))
}

// beliefs prints what the rules believe of a function.
func (e *env) beliefs(r *vetrun.Report, function, what string) int {
	for _, p := range r.Problems {
		fmt.Fprintf(e.stderr, "lessgc: %s\n", visible.All(p.String(), visible.Terminal))
	}
	all := slices.DeleteFunc(r.Beliefs, func(b vetrun.Belief) bool { return !b.Names(function) })
	if len(all) == 0 {
		return e.fail(fmt.Errorf("no function %s in these packages; functions are named as Get, Pool.Get or (*Pool).Get", function))
	}
	all = slices.DeleteFunc(all, func(b vetrun.Belief) bool { return !slices.Contains(strings.Split(what, ","), b.What) })
	if err := blocks(e.stdout).Beliefs(e.stdout, all); err != nil {
		return e.fail(err)
	}
	return exitClean
}

// blocks returns the Text that writes findings to w.
func blocks(w io.Writer) render.Text {
	_, color := terminal(w)
	return render.Text{Color: color && os.Getenv("NO_COLOR") == ""}
}

// summary is one line, with what to do next.
func (f *vetFlags) summary(r *vetrun.Report) string {
	line := render.VetSummary(r)
	if f.fix {
		line = fmt.Sprintf("%d fixed; %s", f.fixed, line)
		if f.quiet > 0 {
			line += fmt.Sprintf("; %d no longer reported, though nothing was changed there: look at them", f.quiet)
		}
		if f.left > 0 {
			line += fmt.Sprintf("; %d could not be fixed, for the reasons above", f.left)
		}
	}
	n := 0
	for _, x := range r.Findings {
		if len(x.Fixes) > 0 {
			n++
		}
	}
	if n > 0 && !f.fix && !f.diff {
		line += fmt.Sprintf("; -fix would repair %d", n)
	}
	if len(r.Findings) > 0 {
		line += fmt.Sprintf("; lessgc vet -explain %s says more", r.Findings[0].Rule)
	}
	return line
}

// repair fixes, or shows how, and leaves in r what was not fixed.
func (f *vetFlags) repair(ctx context.Context, e *env, r *vetrun.Report, o vetrun.Options, status *progress.Printer) error {
	p, err := r.Repair(ctx, o)
	status.Step("")
	if err != nil {
		return err
	}
	if f.diff {
		if err := p.Diff(e.patch()); err != nil {
			return err
		}
		return blocks(e.stderr).Left(e.stderr, p.Left)
	}
	if err := p.Write(ctx); err != nil {
		return err
	}
	results := p.Settle()
	r.Findings = nil
	for _, x := range results {
		switch {
		case x.Fixed():
			f.fixed++
		case x.Fate == vetrun.Unchanged:
			f.quiet++
		default:
			r.Findings = append(r.Findings, x.Finding)
			if x.Why != "" {
				f.left++
			}
		}
	}
	return blocks(e.stdout).Repaired(e.stdout, results)
}

// writeSARIF writes the file that -sarif names.
func (f *vetFlags) writeSARIF(ctx context.Context, r *vetrun.Report) error {
	if f.sarif == "" {
		return nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	return create(f.sarif, func(w io.Writer) error { return sarif.Write(w, r, sarif.Root(dir), input.FindSources(ctx)) })
}
