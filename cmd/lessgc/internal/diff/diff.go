// Package diff reports what has changed between two states of a program: in CPU time, in
// what is allocated, and in what its collector does; and how far what advice predicted
// has come true.
package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/flame"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/version"
	"lessgc/cmd/lessgc/internal/watch"
)

// Format is the version of the JSON form.
const Format = "lessgc-diff/1"

// A Side is one of the two states.
type Side struct {
	Name     string
	Profiles *prof.Set      // nil for none
	Runtime  *watch.Summary // nil for none
	Source   watch.Source   // of Runtime
	Advice   *advice.Report // the advice for it; nil for none
	Took     []Took         // of Advice, what the user says was taken; nil to find out
	Requests float64        // served while the profiles were taken; 0 if that is not known
}

// A Report holds the changes.
type Report struct {
	Format  string   `json:"format"`
	Tool    string   `json:"tool,omitempty"` // the lessgc that made it
	Before  string   `json:"before"`
	After   string   `json:"after"`
	CPU     *Part    `json:"cpu,omitempty"`     // seconds
	Bytes   *Part    `json:"bytes,omitempty"`   // allocated
	Runtime []Change `json:"runtime,omitempty"` // of the runtime's own metrics
	Score   *Score   `json:"score,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// A Part holds the changes between profiles of one kind.
type Part struct {
	Per       string     `json:"per,omitempty"` // "minute", "request" or "operation" of a benchmark; "" if the values are those of the profiles
	Total     Change     `json:"total"`         // all of it
	Classes   []Change   `json:"classes"`       // parts of the total: what CPU time is for, objects, the live heap
	Functions []Function `json:"functions"`     // largest change first

	work flame.Work
}

// Work returns the divisors of the values.
func (p *Part) Work() flame.Work {
	if p == nil {
		return flame.Work{Before: 1, After: 1}
	}
	return p.work
}

// A Change is two values of the same unit.
type Change struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"` // "sec", "B", "objects", "1/sec", "1"
	Before float64 `json:"before"`
	After  float64 `json:"after"`

	// Lo and Hi bound After/Before with 95 % as far as sampling goes; both are 0 if the
	// values are not samples, or Before is 0.
	Lo float64 `json:"lo,omitempty"`
	Hi float64 `json:"hi,omitempty"`
}

// Ratio is After/Before; NaN if Before is 0.
func (c Change) Ratio() float64 {
	if c.Before == 0 {
		return math.NaN()
	}
	return c.After / c.Before
}

// Clear reports whether sampling alone does not explain the change.
func (c Change) Clear() bool { return c.Hi > 0 && (c.Lo > 1 || c.Hi < 1) }

// A Function holds the changes of one function.
type Function struct {
	Name string `json:"name"`
	Flat Change `json:"flat"` // in itself
	Cum  Change `json:"cum"`  // with what it calls
}

// none is the upper bound, at 95 % confidence, on the expected number of samples of what
// was not seen: the rule of three.
const none = 3

// sampled makes a change of sampled values: na and nb are how many samples they rest on.
// The numbers of samples are taken for Poisson's, and the interval is that of the
// logarithm of their ratio.
func sampled(name, unit string, before, after, nb, na float64) Change {
	c := Change{Name: name, Unit: unit, Before: before, After: after}
	if before > 0 && after > 0 && nb >= 1 && na >= 1 {
		half := 1.96 * math.Sqrt(1/nb+1/na)
		c.Lo, c.Hi = c.Ratio()*math.Exp(-half), c.Ratio()*math.Exp(half)
	} else if before > 0 && after == 0 && nb > none {
		c.Hi = none / nb
	}
	return c
}

// New compares two sides.
func New(before, after Side) *Report {
	r := &Report{Format: Format, Tool: version.Tool(), Before: before.Name, After: after.Name}
	b, a := before.profiles(), after.profiles()
	r.Notes = append(append(r.Notes, b.Notes...), a.Notes...)
	if b.CPU != nil && a.CPU != nil {
		r.CPU = cpuPart(before, after)
	} else if b.CPU != nil || a.CPU != nil {
		r.note("only one side has a CPU profile, so CPU time cannot be compared")
	}
	if b.Allocs != nil && a.Allocs != nil {
		r.Bytes = bytesPart(before, after)
	} else if b.Allocs != nil || a.Allocs != nil {
		r.note("only one side has a profile of allocations, so what is allocated cannot be compared")
	}
	if before.Runtime != nil && after.Runtime != nil {
		same := before.Source == after.Source
		r.Runtime = runtime(before.Runtime, after.Runtime, same)
		if !same {
			r.note(fmt.Sprintf("%s and %s count pauses in different ways, so they are not compared", before.Source, after.Source))
		}
	}
	r.Score = score(before, after, r)
	for _, part := range []*Part{r.CPU, r.Bytes} {
		if part != nil && part.Per == "" {
			r.note("the profiles do not say how long they took: they are compared as if both were of the same work; give -requests BEFORE,AFTER if they are not")
			break
		}
	}
	if r.CPU != nil || r.Bytes != nil {
		r.note("intervals are of sampling only: another load, another host and another hour are changes too")
	}
	return r
}

// note adds a note.
func (r *Report) note(text string) { r.Notes = append(r.Notes, text) }

func (s Side) profiles() *prof.Set {
	if s.Profiles == nil {
		return new(prof.Set)
	}
	return s.Profiles
}

// work returns the divisors of the values of two profiles.
func work(before, after Side, b, a *prof.Profile) flame.Work {
	switch {
	case before.Requests > 0 && after.Requests > 0:
		return flame.Work{Before: before.Requests, After: after.Requests, Per: "request"}
	case b.Ops() > 0 && a.Ops() > 0:
		return flame.Work{Before: float64(b.Ops()), After: float64(a.Ops()), Per: "operation"}
	case b.DurationNanos > 0 && a.DurationNanos > 0:
		return flame.Work{Before: float64(b.DurationNanos) / 60e9, After: float64(a.DurationNanos) / 60e9, Per: "minute"}
	}
	return flame.Work{Before: 1, After: 1}
}

func cpuPart(before, after Side) *Part {
	b, a := before.Profiles.CPU, after.Profiles.CPU
	w := work(before, after, b, a)
	cb, ca := ceiling.Of(b), ceiling.Of(a)
	perSample := func(c ceiling.Ceiling) float64 { return float64(c.Nanos) / 1e9 / float64(max(c.Samples, 1)) }
	sb, sa := perSample(cb)/w.Before, perSample(ca)/w.After
	change := func(name string, nb, na int64) Change {
		return sampled(name, "sec", float64(nb)*sb, float64(na)*sa, float64(nb), float64(na))
	}
	p := &Part{Per: w.Per, work: w, Total: change("CPU time", cb.Samples, ca.Samples)}
	for _, class := range ceiling.Costs() {
		if cb.ByClass[class]+ca.ByClass[class] > 0 {
			p.Classes = append(p.Classes, change(class.String(), cb.ByClass[class], ca.ByClass[class]))
		}
	}
	fb, fa := functions(b, b.Value("samples"), nil), functions(a, a.Value("samples"), nil)
	p.Functions = join(fb, fa, func(name string, nb, na weight) Change { return change(name, nb.value, na.value) })
	return p
}

func bytesPart(before, after Side) *Part {
	b, a := before.Profiles.Allocs, after.Profiles.Allocs
	w := work(before, after, b, a)
	change := func(name string, wb, wa weight) Change {
		return sampled(name, "B", float64(wb.value)/w.Before, float64(wa.value)/w.After, wb.samples, wa.samples)
	}
	fb, fa := functions(b, b.Value("alloc_space"), b), functions(a, a.Value("alloc_space"), a)
	p := &Part{Per: w.Per, work: w, Total: change("allocated bytes", total(b, "alloc_space"), total(a, "alloc_space"))}
	ob, oa := total(b, "alloc_objects"), total(a, "alloc_objects")
	p.Classes = append(p.Classes, sampled("allocated objects", "objects", float64(ob.value)/w.Before, float64(oa.value)/w.After, ob.samples, oa.samples))
	if lb, la := before.live(), after.live(); lb != nil && la != nil {
		wb, wa := total(lb, "inuse_space"), total(la, "inuse_space")
		p.Classes = append(p.Classes, sampled("live at the end", "B", float64(wb.value), float64(wa.value), wb.samples, wa.samples))
	}
	p.Functions = join(fb, fa, change)
	return p
}

// live returns the profile of the live heap, or nil.
func (s Side) live() *prof.Profile {
	for _, p := range []*prof.Profile{s.Profiles.Live, s.Profiles.Allocs} {
		if p != nil && p.Value("inuse_space") >= 0 {
			return p
		}
	}
	return nil
}

// A weight is a sum of samples, and how many they are.
type weight struct {
	value   int64
	samples float64
}

func (w *weight) add(value int64, samples float64) {
	w.value += value
	w.samples += samples
}

// total sums up a value of a profile of allocations.
func total(p *prof.Profile, value string) (w weight) {
	i := p.Value(value)
	for _, s := range p.Sample {
		w.add(s.Value[i], samplesOf(p, s.Value))
	}
	return w
}

// samplesOf returns the number of samples that a record of a profile of allocations
// stands for.
func samplesOf(allocs *prof.Profile, values []int64) float64 {
	return prof.Sampled(values[allocs.Value("alloc_space")], values[allocs.Value("alloc_objects")], allocs.Period)
}

// A spent holds the value of a function by itself, and with what it calls.
type spent struct{ flat, cum weight }

// functions sums up a value by function. allocs is nil for values that are samples
// themselves.
func functions(p *prof.Profile, value int, allocs *prof.Profile) map[string]*spent {
	all := map[string]*spent{}
	for _, s := range p.Sample {
		n := float64(s.Value[value])
		if allocs != nil {
			n = samplesOf(allocs, s.Value)
		}
		counted := map[string]bool{}
		for i, f := range prof.Stack(s) {
			if all[f.Func] == nil {
				all[f.Func] = new(spent)
			}
			if i == 0 {
				all[f.Func].flat.add(s.Value[value], n)
			}
			if !counted[f.Func] { // a recursive function has the sample once
				counted[f.Func] = true
				all[f.Func].cum.add(s.Value[value], n)
			}
		}
	}
	return all
}

// join pairs the functions of both sides, those that changed most by themselves first.
func join(before, after map[string]*spent, change func(name string, b, a weight) Change) []Function {
	var all []Function
	for name, b := range before {
		a := after[name]
		if a == nil {
			a = new(spent)
		}
		all = append(all, Function{name, change(name, b.flat, a.flat), change(name, b.cum, a.cum)})
	}
	for name, a := range after {
		if before[name] == nil {
			all = append(all, Function{name, change(name, weight{}, a.flat), change(name, weight{}, a.cum)})
		}
	}
	size := func(c Change) float64 { return math.Abs(c.After - c.Before) }
	slices.SortFunc(all, func(a, b Function) int {
		return cmp.Or(cmp.Compare(size(b.Flat), size(a.Flat)), cmp.Compare(size(b.Cum), size(a.Cum)), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// runtime are the figures that both sides have. Pauses are those of the same source only.
func runtime(b, a *watch.Summary, same bool) []Change {
	var all []Change
	add := func(name, unit string, b, a *float64) {
		if b != nil && a != nil {
			all = append(all, Change{Name: name, Unit: unit, Before: *b, After: *a})
		}
	}
	add("collections", "1/sec", b.PerSecond.GCs, a.PerSecond.GCs)
	add("the world stopped", "sec/sec", b.PerSecond.PauseSeconds, a.PerSecond.PauseSeconds)
	if same && b.Pauses != nil && a.Pauses != nil {
		add("pause, median", "sec", &b.Pauses.P50, &a.Pauses.P50)
		add("pause, 99th percentile", "sec", &b.Pauses.P99, &a.Pauses.P99)
		add("pause, longest", "sec", &b.Pauses.Max, &a.Pauses.Max)
	}
	if b.CPU != nil && a.CPU != nil {
		add("collector's share of the CPU time", "1", &b.CPU.Busy.GC, &a.CPU.Busy.GC)
	}
	add("CPU time", "sec/sec", b.PerSecond.CPUSeconds, a.PerSecond.CPUSeconds)
	add("allocated", "B/sec", b.PerSecond.AllocBytes, a.PerSecond.AllocBytes)
	add("objects", "objects/sec", b.PerSecond.AllocObjects, a.PerSecond.AllocObjects)
	add("live heap", "B", b.Gauges.Live, a.Gauges.Live)
	add("heap with garbage", "B", b.Gauges.Heap, a.Gauges.Heap)
	add("heap goal", "B", b.Gauges.Goal, a.Gauges.Goal)
	add("RSS", "B", b.Gauges.RSS, a.Gauges.RSS)
	add("goroutines", "1", b.Gauges.Goroutines, a.Gauges.Goroutines)
	return all
}

// Percent writes how much a value has changed: "-12.3 %"; "new" or "gone" where there is
// no ratio.
func (c Change) Percent() string {
	switch {
	case c.Before == 0 && c.After == 0:
		return "="
	case c.Before == 0:
		return "new"
	case c.After == 0:
		return "gone"
	}
	return fmt.Sprintf("%+.1f %%", 100*(c.Ratio()-1))
}
