package vetrun

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"
	"sync"

	"lessgc/cmd/lessgc/internal/scratch"
	"lessgc/cmd/lessgc/internal/version"
	"lessgc/vet"
)

// Options say what to look at, and with what.
type Options struct {
	Patterns []string // of packages, as the go command takes them
	Tags     string   // build tags
	Tests    bool     // look at test files, too; else they are neither loaded nor compiled
	Advice   bool     // run the advisory rules, too
	Notes    bool     // tell also what is correct, and worth knowing
	Rules    []string // run only these; none means all
	Disable  []string // do not run these
	API      string   // what functions do with pools and arenas, in the lines of docs/vetting.md
	Repair   bool     // take down what Report.Repair has to know of the files
	Debug    bool     // fill in Report.Beliefs

	// Step, if not nil, is called with the number of packages that are done, of all.
	Step func(done, all int)

	overlay string            // a file for -overlay
	changed map[string][]byte // the contents of files as they would be, by name
	modfile *modfile          // what stands in for go.mod
}

// Run looks at packages. What cannot be looked at is in the report; an error means that
// nothing was. Nothing is written but to the go command's cache and a temporary folder, which
// the next Run removes if this one is killed.
func Run(ctx context.Context, o Options) (*Report, error) { return o.within(ctx, nil) }

// within is Run with some files as they would be.
func (o Options) within(ctx context.Context, changed []changedFile) (*Report, error) {
	tmp, err := scratch.New(os.Getenv("GOTMPDIR"), func(string) {})
	if err != nil {
		return nil, fmt.Errorf("cannot make a temporary folder: %w; set TMPDIR to another", err)
	}
	defer tmp.Remove()
	ctx = withTemp(ctx, tmp.Path)
	if o.modfile, err = newModfile(ctx, tmp.Path); err != nil {
		return nil, err
	}
	r, err := o.prepared(ctx, tmp.Path, changed)
	if err != nil {
		return nil, o.modfile.error(err)
	}
	return r, nil
}

// prepared looks at packages with what dir holds in place of files.
func (o Options) prepared(ctx context.Context, dir string, changed []changedFile) (*Report, error) {
	var removed []string
	if !o.Tests {
		var err error
		if removed, err = o.withoutTests(ctx); err != nil {
			return nil, err
		}
	}
	if err := o.overlayFiles(dir, changed, removed); err != nil {
		return nil, err
	}
	return o.run(ctx)
}

func (o Options) run(ctx context.Context) (*Report, error) {
	var background sync.WaitGroup
	arenas := 0
	var imported []string
	background.Go(func() { arenas = o.arenas(ctx) })
	background.Go(func() { imported = o.imported(ctx) })
	pkgs, err := o.load(ctx)
	background.Wait()
	hidden := plural(arenas, "package") + " with the standard library's arenas cannot be seen; set GOEXPERIMENT=arenas to look there, too"
	switch {
	case err != nil && arenas > 0:
		return nil, fmt.Errorf("%w; %s", err, hidden)
	case err != nil:
		return nil, err
	}
	r := &Report{Format: Format, Tool: version.Tool(), Findings: []Finding{}, Problems: append([]Problem{}, pkgs.problems...), Notes: []string{}}
	if arenas > 0 {
		r.Notes = append(r.Notes, hidden)
	}
	if o.Repair {
		if err := r.remember(ctx, pkgs.listed); err != nil {
			return nil, err
		}
	}
	if len(pkgs.paths) == 0 {
		return r, nil
	}
	pkgs.imported = imported
	v := &vetting{all: len(pkgs.units) + len(pkgs.imported), step: o.Step, findings: map[string][]diagnostic{}, failed: map[string][]string{},
		removed: map[string]bool{}, others: map[string][]string{}}
	if err := v.run(ctx, &o, pkgs); err != nil {
		return nil, err
	}
	unseen := v.unseen(pkgs)
	if err := v.illTyped(ctx, &o, pkgs, unseen); ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil {
		v.loose = append(v.loose, "packages that do not compile were not looked at for names that lessgc has removed: "+err.Error())
	}
	if o.API != "" && o.changed == nil { // not again for each fix that is tried
		misfits, err := vet.MisfitAPI(o.API, func(paths []string) ([]*types.Package, error) { return o.types(ctx, paths) })
		if ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			misfits = append(misfits, "its statements were not compared with the packages: "+err.Error())
		}
		for _, line := range misfits {
			r.Notes = append(r.Notes, "-api: "+line)
		}
	}
	explained := v.explain(pkgs)
	names := overlaid(sync.OnceValue(pkgs.overlaid))
	for _, p := range v.problems {
		r.Problems = append(r.Problems, Problem{p.Package, names.text(p.Message)})
	}
	for i := range r.Problems {
		r.Problems[i].Message = o.modfile.text(r.Problems[i].Message)
	}
	r.unseen, r.others = unseen, v.others
	later := 0
	for _, path := range pkgs.paths {
		switch {
		case explained[path], explained[path+"_test"]:
			later++
			r.Packages++
		case !unseen[path]:
			r.Packages++
		}
	}
	if later > 0 {
		r.Notes = append(r.Notes, plural(later, "package")+" did not compile because of names that lessgc has removed: the other rules have not looked there; run lessgc vet again when that is fixed")
	}
	asked := map[string]bool{}
	for _, u := range pkgs.units {
		asked[u.name] = true
	}
	for rule, all := range v.findings {
		for _, d := range all {
			if !asked[d.pkg] {
				continue
			}
			if rule == vet.Dump {
				r.Beliefs = append(r.Beliefs, d.belief(names))
				continue
			}
			f := d.finding(rule)
			names.finding(&f)
			if o.wants(&f) {
				r.Findings = append(r.Findings, f)
			}
			if o.fears(&f) {
				r.all = append(r.all, f)
			}
		}
	}
	r.sort()
	return r, nil
}

// buildFlags are flags for all go commands that load packages. Not -trimpath, which GOFLAGS may
// have: with it, the go command takes a copy of the module in another folder for the same packages,
// and says again what it has said of that, by the names of the files there.
func (o *Options) buildFlags() []string {
	flags := []string{"-trimpath=false"}
	if o.Tags != "" {
		flags = append(flags, "-tags="+o.Tags)
	}
	if o.overlay != "" {
		flags = append(flags, "-overlay="+o.overlay)
	}
	if o.modfile != nil {
		flags = append(flags, "-modfile="+o.modfile.name)
	}
	return flags
}

// toolFlags turn all rules on: other flags would have go vet look at everything again, also
// at what the packages import. It does so when the API changes, as it must.
func (o *Options) toolFlags() []string {
	flags := []string{"-advice", "-notes"}
	if o.Debug {
		flags = append(flags, "-dump")
	}
	if o.API != "" && o.changed == nil { // not again for each fix that is tried
		flags = append(flags, "-api="+o.API)
	}
	return flags
}

// wants reports whether a finding is to be reported.
func (o *Options) wants(f *Finding) bool {
	asked := slices.Contains(o.Rules, f.Rule)
	switch {
	case len(o.Rules) > 0 && !asked, slices.Contains(o.Disable, f.Rule):
		return false
	case f.Category == remark && !o.Notes:
		return false
	case !asked && !o.Advice && Advises(f.Rule):
		return false
	}
	return o.Tests || !strings.HasSuffix(f.File, "_test.go")
}

// fears reports whether no fix may lead to a finding: that is one to be reported, and any
// error or warning of a rule that is not advisory, even if the rule was not asked for.
func (o *Options) fears(f *Finding) bool {
	return o.wants(f) || f.Severity != "note" && !Advises(f.Rule)
}

// remark is the category of what is correct as it is.
const remark = "remark"
