package apply

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
	"lessgc/cmd/lessgc/internal/source"
)

// A candidate is a change that may be tried.
type candidate struct {
	attempt.Attempt
	refused string // why nothing may be changed there
	edits   []lever.Edit
	alone   []lever.Edit // without those of other statements that are the same; nil if there are none
	inPlace bool         // see lever.Finding
	what    string       // they do, with names, see lever.Finding
	spans   []span       // the functions that it changes
	names   []string     // of those
	lever   *lever.Lever
	least   float64      // the share of bytes or allocations that it has to save
	order   float64      // the candidates with the most come first
	alike   []string     // what the differential check shows to do the same as before
	same    []*candidate // those of other lines whose edits are the same
	also    []prof.Frame // other lines that Gains count, see lever.Also

	mates   []*candidate // those that are tried with it
	members []member     // it and those of mates that can be made with it; nil without mates

	passed map[string]testResult // test results with the change, as Runner.before
}

// A plan is what the advice comes to, for the source as it is.
type plan struct {
	candidates []*candidate
	person     []attempt.Person
}

// leastBytes and leastGain are the shares of a benchmark's bytes, and of its CPU time, from which on a change is worth
// its measurement: less CPU time cannot be told from none.
const (
	leastBytes = 0.01
	leastGain  = 0.02
)

// plan asks the levers about the source as it is in the checkout, which has to be the current folder.
func (r *Runner) plan(ctx context.Context) (*plan, error) {
	set := r.profiles.now(r.packages)
	own := site.Module(r.modules...)
	code := source.Code(ctx, set, own, source.Options{Reasons: true, Levers: true, Patterns: r.State.Packages, Tests: true,
		Files: input.FindSources(ctx), Line: r.Progress.Line})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if code.Levers == nil {
		return nil, errors.New(cmp.Or(strings.Join(set.Notes, "; "), "the source has no levers"))
	}
	p := &planner{runner: r, found: map[string]*candidate{}, asked: map[string]bool{}}
	all := parts(set)
	for name, part := range all {
		report := advice.New(part, own, code, nil)
		if report.Sites == nil {
			continue
		}
		for _, s := range report.Sites.Sites {
			if s.Line > 0 {
				p.site(name, s)
			}
		}
	}
	for _, c := range p.found {
		if c.alone != nil {
			p.beside(c, all)
		}
	}
	for _, c := range together(slices.SortedFunc(maps.Values(p.found), best)) {
		if c.ofBenchmarks() || !slices.ContainsFunc(c.Gains, func(g attempt.Gain) bool { return reached(g, c.least) }) {
			p.ask(c.Attempt, c.Gains[0])
			continue
		}
		p.affected(c, all)
		p.candidates = append(p.candidates, c)
	}
	return &p.plan, nil
}

// benchmarkFolders are names of folders with what benchmarks of a module measure with.
var benchmarkFolders = []string{"bench", "benches", "benchmark", "benchmarks"}

// ofBenchmarks reports whether the line is in what benchmarks measure with, by the name of a folder around it, and no program was measured.
func (c *candidate) ofBenchmarks() bool {
	return !slices.ContainsFunc(c.Gains, attempt.Gain.Whole) && slices.ContainsFunc(strings.Split(path.Dir(c.File), "/"), func(name string) bool { return slices.Contains(benchmarkFolders, name) })
}

// ofErrors reports whether a change is of how functions put a text together, and all of these make the text of an error, by their names: they run where
// something went wrong, and are there to be read.
func (c *candidate) ofErrors() bool {
	return slices.Contains(ofTexts, c.Lever) && len(c.names) > 0 && !slices.ContainsFunc(c.names, func(name string) bool {
		return !errorName.MatchString(name[strings.LastIndexByte(name, '.')+1:])
	})
}

// ofTexts are the levers about how a text is put together.
var ofTexts = []string{"append-text", "builder", "concatenate", "estimate-size", "grow-once", "plain-format", "stack-buffer", "strings-builder", "text-twice", "write-parts"}

// errorName matches the name of a function or method that makes an error or the text of one.
var errorName = regexp.MustCompile(`Error|^error|^err[A-Z]|Err$`)

// best puts the candidate that should save most first.
func best(a, b *candidate) int {
	return cmp.Or(cmp.Compare(b.order, a.order), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Lever, b.Lever))
}

// together makes one of the candidates whose edits are the same, and returns the best first again: what makes a variable a constant helps
// all lines that use it.
func together(all []*candidate) (whole []*candidate) {
	by := map[string]*candidate{}
	for _, c := range all {
		key := c.change()
		first := by[key]
		if first == nil {
			by[key] = c
			whole = append(whole, c)
			continue
		}
		first.same = append(first.same, c)
		if slices.Contains(first.also, prof.Frame{File: c.File, Line: c.Line}) {
			first.beyond(c)
			continue
		}
		first.order += c.order
		for _, g := range c.Gains {
			first.more(g)
		}
	}
	slices.SortFunc(whole, best)
	return whole
}

// change tells the change of a candidate from others.
func (c *candidate) change() string { return fmt.Sprint(c.Lever, c.edits) }

// apart leaves the other statements that are the same as they are: with its own alone, a change is for itself.
func (c *candidate) apart() {
	c.edits, c.alone = c.alone, nil
	c.Evidence = slices.DeleteFunc(c.Evidence, func(e advice.Evidence) bool { return e.Text == lever.ChangesAlike })
}

// alikeLines are the lines of the other statements of a change.
func (t *Tree) alikeLines(c *candidate) (all []span) {
	for _, e := range c.Evidence {
		if e.Text == lever.ChangesAlike {
			all = append(all, span{filepath.Join(t.Top, filepath.FromSlash(e.File)), e.Line, e.Line})
		}
	}
	return all
}

// beside leaves the other statements of a change as they are where one of the benchmarks, of all, runs their functions: then they are not
// what nothing is known of, and would have to be measured, too. Where expressions are replaced in place, their lines count, and the benchmarks that
// run their functions are measured.
func (p *planner) beside(c *candidate, all map[string]*prof.Set) {
	whole, _, err := p.runner.tree.touchable(c.edits)
	own, _, ownErr := p.runner.tree.touchable(c.alone)
	if err != nil || ownErr != nil {
		c.apart()
		return
	}
	others := slices.DeleteFunc(whole, func(s span) bool { return slices.Contains(own, s) })
	if c.inPlace {
		others = p.runner.tree.alikeLines(c)
	}
	for _, part := range all {
		if runs(part.CPU, others) || runs(part.Allocs, others) {
			c.apart()
			return
		}
	}
}

// more adds what another line saves. Errors of predictions are mostly those of samples, which are independent: they add up in
// squares.
func (c *candidate) more(g attempt.Gain) {
	i := slices.IndexFunc(c.Gains, func(x attempt.Gain) bool { return x.Benchmark == g.Benchmark })
	if i < 0 {
		c.Gains = append(c.Gains, g)
		return
	}
	at := &c.Gains[i]
	at.Bytes += g.Bytes
	at.Predicted, at.Memory = sumOf(at.Predicted, g.Predicted), sumOf(at.Memory, g.Memory)
}

// beyond adds a line that is counted already: what it saves in benchmarks without the first.
func (c *candidate) beyond(line *candidate) {
	for _, g := range line.Gains {
		if i := slices.IndexFunc(c.Gains, func(x attempt.Gain) bool { return x.Benchmark == g.Benchmark }); i >= 0 {
			c.Gains[i].Bytes += g.Bytes
			continue
		}
		c.Gains = append(c.Gains, g)
		c.order += g.Middle()
	}
}

func sumOf(a, b *advice.Range) *advice.Range {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	lo := a.Lo + b.Lo
	hi := lo + math.Hypot(a.Hi-a.Lo, b.Hi-b.Lo)
	return &advice.Range{Lo: min(1, lo), Hi: min(1, hi)}
}

// keys are those of the change, at all lines that it is for.
func (c *candidate) keys() []string {
	all := []string{c.Key()}
	for _, s := range c.same {
		all = append(all, s.Key())
	}
	return all
}

// parts are the profiles by benchmark; all under "" if they are not marked.
func parts(set *prof.Set) map[string]*prof.Set {
	all := map[string]*prof.Set{}
	for _, mark := range set.Allocs.Marks() {
		part := *set
		part.Notes = nil
		part.Allocs = set.Allocs.Of(mark)
		if set.CPU != nil {
			part.CPU = set.CPU.Of(mark)
		}
		if part.CPU == nil || len(part.CPU.Sample) == 0 {
			part.CPU = nil
		}
		all[mark] = &part
	}
	if len(all) == 0 {
		all[""] = set
	}
	return all
}

type planner struct {
	plan
	runner *Runner
	found  map[string]*candidate
	asked  map[string]bool
}

// site adds the levers of a line, as a benchmark sees it.
func (p *planner) site(benchmark string, s advice.Site) {
	t := p.runner.tree
	name, err := filepath.Rel(t.Top, s.File)
	if err != nil || !filepath.IsLocal(name) {
		return
	}
	at := attempt.Attempt{File: filepath.ToSlash(name), Line: s.Line, First: p.runner.profiles.first(s.File, s.Line), Func: s.Func, Text: s.Text}
	for _, l := range s.Levers {
		gain := attempt.Gain{Benchmark: benchmark, Bytes: s.Share * l.Match.Share}
		gain.Predicted = p.runner.rescaled(benchmark, l.Gain, func(x attempt.Row) attempt.Effect { return x.CPU })
		gain.Memory = p.runner.rescaled(benchmark, l.Bytes, func(x attempt.Row) attempt.Effect { return x.Bytes })
		if !forIt(gain) {
			continue
		}
		a := at
		a.Lever, a.Title, a.Risk = l.Name, l.Title, l.Risk
		for _, e := range l.Evidence {
			a.Evidence = append(a.Evidence, advice.Evidence{Text: e.Text, File: p.runner.tree.name(e.File), Line: e.Line})
		}
		for _, why := range s.Reasons {
			a.Reasons = append(a.Reasons, why.Text)
		}
		if !l.Match.Complete() {
			p.ask(a, gain)
			continue
		}
		own := l.Match.Edits
		if l.Match.Alone != nil {
			own = l.Match.Alone
		}
		if p.runner.wants(l.Name) {
			p.add(a, l.Match, gain, least(l.Match.Lever, own))
		}
	}
}

// rescaled is a share of the CPU time that a benchmark took when it was profiled, or of its bytes, as a share of what it takes now.
func (r *Runner) rescaled(benchmark string, gain *advice.Range, of func(attempt.Row) attempt.Effect) *advice.Range {
	if gain == nil {
		return nil
	}
	this := attempt.Gain{Benchmark: benchmark}
	left := 1.0
	for _, a := range r.Attempts {
		for _, x := range a.Rows {
			if e := of(x); a.Outcome == attempt.Kept && e.Ratio > 0 && this.Of(x) {
				left *= e.Ratio
			}
		}
	}
	return &advice.Range{Lo: min(1, gain.Lo/left), Hi: min(1, gain.Hi/left)}
}

// ask adds advice that needs a person.
func (p *planner) ask(a attempt.Attempt, gain attempt.Gain) {
	key := a.Key()
	if !p.asked[key] {
		p.asked[key] = true
		p.person = append(p.person, attempt.Person{Lever: a.Lever, Title: a.Title, File: a.File, Line: a.Line, Text: a.Text, Gain: gain})
	}
}

// add adds a change, or a benchmark to one that was found already.
func (p *planner) add(a attempt.Attempt, m lever.Match, gain attempt.Gain, least float64) {
	c := p.found[a.Key()]
	if c == nil {
		c = &candidate{Attempt: a, lever: m.Lever}
		p.found[a.Key()] = c
	}
	if len(c.edits) == 0 || gain.Middle() > c.order { // of the benchmark in which it matters most
		c.edits, c.alone, c.inPlace, c.what, c.also, c.least = m.Edits, m.Alone, m.InPlace, m.What, nil, least
		c.Evidence = a.Evidence
		for _, a := range m.Also {
			c.also = append(c.also, prof.Frame{File: p.runner.tree.name(a.Line.File), Line: a.Line.Line})
		}
	}
	c.Gains = append(c.Gains, gain)
	c.order += gain.Middle()
}

// affected finds the benchmarks, of all, that run the functions of a change.
func (p *planner) affected(c *candidate, all map[string]*prof.Set) {
	var err error
	if c.spans, c.names, err = p.runner.tree.touchable(c.edits); err != nil {
		c.refused = err.Error()
		return
	}
	if c.ofErrors() {
		c.refused = "it makes the text of an error"
		return
	}
	for name, part := range all {
		if !slices.ContainsFunc(c.Gains, func(g attempt.Gain) bool { return g.Benchmark == name }) && (runs(part.CPU, c.spans) || runs(part.Allocs, c.spans)) {
			c.Gains = append(c.Gains, attempt.Gain{Benchmark: name})
		}
	}
	slices.SortFunc(c.Gains, byGain)
}

// byGain puts the benchmark first that a change matters most to.
func byGain(a, b attempt.Gain) int {
	return cmp.Or(cmp.Compare(b.Middle(), a.Middle()), cmp.Compare(a.Benchmark, b.Benchmark))
}

// runs reports whether a profile has a sample in one of the functions.
func runs(p *prof.Profile, spans []span) bool {
	if p == nil {
		return false
	}
	for _, s := range p.Sample {
		for _, f := range prof.Stack(s) {
			if slices.ContainsFunc(spans, func(x span) bool { return x.holds(f.File, f.Line) }) {
				return true
			}
		}
	}
	return false
}

// name is the name of a file in the checkout, or of one elsewhere as it is.
func (t *Tree) name(file string) string {
	if name, err := filepath.Rel(t.Top, file); err == nil && filepath.IsLocal(name) {
		return filepath.ToSlash(name)
	}
	return file
}
