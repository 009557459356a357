package lever

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var repeatedWork = &Lever{
	Name:  "repeated-work",
	Title: "do it once for each input, and keep the result",
	Looks: "functions of your own that an operation of a benchmark calls four times as often as they get different arguments, or more, with the same result for the same ones, as a run with these functions watched has shown. What the source says of them proves nothing.",
	Wrong: "when callers change what they get, or the function is there for what it does besides; when inputs repeat in the benchmark only.",
	Before: `for _, e := range selected {
	e.rules = append(e.rules, newRule(selector, decls)) // parses selector
}`,
	After: `rule := newRule(selector, decls)
for _, e := range selected {
	e.rules = append(e.rules, rule)
}
// or a map from selectors to rules, of a bounded size`,
	Model: "The calls that repeat go, with all that they allocate.",
	Risk:  Aliasing,
	Asks:  "May those who get the same result share it, and where can it be kept: out of the loop, in the object that it is of, in a table?",
	Saves: Saves{Alloc: Range{0.4, 0.95}, Collect: Range{0.4, 0.95}},
	find:  findRepeatedWork,
}

// leastAgain is the smallest number of calls in an operation, for each different input, that is reported.
const leastAgain = 4

func findRepeatedWork(p *Line) (f Finding) {
	best, share := p.mostBelow(func(f prof.Frame) bool { return p.repeatOf(f.Func) != nil && !p.forItself(f) })
	r := p.repeatOf(best)
	if r == nil {
		return f
	}
	f.Share = share
	text := fmt.Sprintf("%s is called %s times in an operation, with %s different inputs, and has the same result for the same ones", best[lastName(best):], few(r.Calls), few(r.Inputs))
	for _, l := range append(slices.Clone(r.Lines), r.Places...) {
		if !p.known(l.Frame) || len(f.Evidence) > 2 {
			continue
		}
		by := timesOf(l.Calls) + " by way of this line"
		if len(f.Evidence) == 0 {
			by = text + "; " + by
		}
		f.Evidence = append(f.Evidence, Evidence{by, l.File, l.Line})
	}
	return f
}

// forItself reports whether a function only makes an object, or changes what it is given: each caller may want its own.
func (p *Line) forItself(frame prof.Frame) bool {
	at := p.function(frame)
	if at == nil || p.fns[at.node] == nil || makesOnly(p.fns[at.node]) {
		return true
	}
	for _, param := range p.fns[at.node].Params {
		for _, r := range *param.Referrers() {
			if field, ok := r.(*ssa.FieldAddr); ok && stored(field) {
				return true
			}
		}
	}
	return false
}

// lastName returns the index of the last element of a function's full name, after the last slash.
func lastName(name string) int {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			return i + 1
		}
	}
	return 0
}

// repeatOf returns the record of a function that gets the same inputs again; nil if it does so too rarely.
func (p *Program) repeatOf(name string) *Repeat {
	i := slices.IndexFunc(p.Repeats, func(r Repeat) bool { return r.Func == name })
	if i < 0 || p.Repeats[i].Calls < leastAgain*p.Repeats[i].Inputs || p.Repeats[i].Calls < 2 {
		return nil
	}
	return &p.Repeats[i]
}
