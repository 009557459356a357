package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/escape"
	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/repeats"
	"lessgc/cmd/lessgc/internal/site"
)

// Options select what Code looks for, and where.
type Options struct {
	Reasons  bool                             // why lines allocate, by the compiler
	Levers   bool                             // what would help
	Patterns []string                         // packages to read; none for all of the current folder
	Tests    bool                             // read their tests, too
	Repeats  []repeats.Function               // functions that do the same work again, as far as that is known
	Files    *input.Sources                   // the files that may be read
	Line     func(format string, args ...any) // told what takes a while
}

// Code loads the reasons why lines allocate and the levers, if the source of the
// user's own is here. What goes wrong with it becomes a note of the profiles: the rest is of use
// without.
func Code(ctx context.Context, p *prof.Set, own site.Own, o Options) (out advice.Code) {
	if !o.Reasons && !o.Levers || p.Allocs == nil {
		return out
	}
	note := func(format string, args ...any) { p.Notes = append(p.Notes, fmt.Sprintf(format, args...)) }
	sources := &escape.Sources{Files: o.Files}
	folders := ownFolders(p.Allocs, own, sources)
	if len(folders) == 0 {
		if Owns(p, own) && !hasOwn(p.Allocs, own) { // its own functions allocate nothing
			if o.Levers {
				out.Levers = func(*site.Site) []lever.Match { return nil }
			}
			return out
		}
		note("%s, so there are no reasons and no levers", whyMissing(ctx))
		return out
	}
	out.Text = func(file string, line int) string {
		if lines := advice.Source(o.Files, file, line, 0); len(lines) == 1 {
			return strings.TrimSpace(lines[0].Text)
		}
		return ""
	}
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"./..."}
	}
	dir, err := os.Getwd()
	if err != nil {
		note("there are no reasons and no levers: %v", err)
		return out
	}
	records := new(escape.Records)
	if o.Reasons {
		o.Line("asking the compiler why; the first time it compiles the packages of those lines once more")
		if known, err := compilerRecords(ctx, dir, o, leafFolders(p.Allocs, own)); err == nil {
			records = known
		} else {
			note("the compiler could not be asked why lines allocate: %v", err)
		}
		pos := func(f prof.Frame) escape.Pos { return escape.Pos{File: f.File, Line: f.Line} }
		out.Explain = func(at, caller prof.Frame) string { return records.Explain(sources, pos(at), pos(caller)) }
	}
	if !o.Levers {
		return out
	}
	o.Line("reading the source around the lines")
	program, err := lever.Load(ctx, dir, slices.Concat(o.Patterns, folders), o.Tests || ofBenchmark(p.Allocs))
	if err != nil {
		note("the source could not be read, so there are no levers: %v", err)
		return out
	}
	if share := staleShare(p.Allocs, own, program); share > mostStale {
		note("%.0f %% of the bytes are of lines that belong to other functions in the source that is here: the program was built of another version; build it again, or check that version out", 100*share)
		return advice.Code{}
	}
	measured(program, p, own, o.Repeats, records)
	out.Change = func(edits []lever.Edit) []advice.ChangedLine { return advice.Change(o.Files, edits) }
	out.Levers = func(s *site.Site) []lever.Match {
		found := program.Find(s)
		if strings.HasSuffix(s.File, "_test.go") { // it runs only here
			found = slices.DeleteFunc(found, func(m lever.Match) bool { return !m.OfCallee() })
		}
		return found
	}
	return out
}

// measured gives a program the sites and counts of its runs, and the compiler's escape records.
func measured(program *lever.Program, p *prof.Set, own site.Own, again []repeats.Function, records *escape.Records) {
	program.Ops, program.OpsOf = p.Allocs.Ops(), p.Allocs.OpsOf()
	program.Sites = site.Find(p.Allocs, nil, own)
	for _, mark := range p.Allocs.Marks() {
		program.Parts = append(program.Parts, site.Find(p.Allocs.Of(mark), nil, own))
	}
	if p.Coverage != nil {
		program.Executed = p.Coverage.At
	}
	program.Repeats, program.Texts = repeated(again), texts(again)
	program.Reasons = func(file string, line int) (all []string) {
		for _, r := range records.At(escape.Pos{File: file, Line: line}) {
			all = append(all, r.Reason)
		}
		return all
	}
}

// compilerRecords returns the compiler's diagnostics of the packages in folders.
func compilerRecords(ctx context.Context, dir string, o Options, folders []string) (*escape.Records, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return escape.Build(ctx, filepath.Join(cache, "lessgc", "escape"), dir, o.Patterns, folders, o.Tests)
}

// mostStale is the share of bytes from which on the source is not that of the profile.
const mostStale = 0.05

// staleShare is the share of the bytes whose lines are not what they were.
func staleShare(p *prof.Profile, own site.Own, program *lever.Program) float64 {
	var stale, all int64
	bytes := p.Value("alloc_space")
	for _, s := range p.Sample {
		stack := prof.Stack(s)
		i := slices.IndexFunc(stack, func(f prof.Frame) bool { return own(f.Package()) })
		all += s.Value[bytes]
		if i >= 0 && stack[i].Line > 0 && program.Stale(stack[i]) { // a line without a number is known to have gone
			stale += s.Value[bytes]
		}
	}
	return float64(stale) / float64(max(all, 1))
}

// ofBenchmark reports whether a profile is of the tests of a package.
func ofBenchmark(p *prof.Profile) bool {
	return slices.ContainsFunc(p.Sample, func(s *profile.Sample) bool {
		return slices.ContainsFunc(prof.Stack(s), func(f prof.Frame) bool { return strings.HasSuffix(f.File, "_test.go") })
	})
}
