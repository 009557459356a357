// Package advice reports what allocation and collection cost a program, which of its
// lines cause it, and how sure that is. A rendering shows a Report and computes
// nothing.
package advice

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
	"lessgc/cmd/lessgc/internal/version"
	"lessgc/cmd/lessgc/internal/watch"
)

// Format is the version of the JSON form.
const Format = "lessgc-advice/1"

// A Report holds the costs and the advice.
type Report struct {
	Format string   `json:"format"`
	Tool   string   `json:"tool,omitempty"`  // the lessgc that made it
	Costs  *Costs   `json:"costs,omitempty"` // nil without a CPU profile
	Sites  *Sites   `json:"sites,omitempty"` // nil without a profile of allocations
	Pacing Pacing   `json:"pacing"`
	Regime string   `json:"regime"`           // what makes the collector run, or why that is not known
	Levers []Lever  `json:"levers,omitempty"` // of the whole program
	Gain   *Range   `json:"gain,omitempty"`   // of the first lever of each site together, of those distinguishable from zero, of all CPU time
	Notes  []string `json:"notes,omitempty"`

	Frontier *Frontier `json:"frontier,omitempty"` // nil if it was not measured
}

// Costs are the shares of CPU time.
type Costs struct {
	Samples    int64         `json:"samples"`
	CPU        time.Duration `json:"cpu"`
	Classes    []Class       `json:"classes"`
	Throughput ceiling.Share `json:"throughput"` // without idle workers
	Bill       ceiling.Share `json:"bill"`       // with them
	Enough     bool          `json:"enough"`     // there are samples to rank sites by
}

// A Class is a kind of work, with its share of the samples.
type Class struct {
	Name string `json:"name"`
	ceiling.Share
}

// Sites are the lines that allocate.
type Sites struct {
	Bytes   int64  `json:"bytes"`
	Objects int64  `json:"objects"`
	Ops     int64  `json:"ops,omitempty"` // operations of a benchmark that all of it is of; 0 if they are not known
	Live    int64  `json:"live"`          // bytes, also of lines that have not allocated lately; -1 if that is not known
	Sites   []Site `json:"sites"`         // first those of which it is sure that they cost most

	Explained float64 `json:"explained"` // share of the bytes that have a reason
}

// A Site is one line.
type Site struct {
	Func    string  `json:"func"`
	File    string  `json:"file,omitempty"`
	Line    int     `json:"line,omitempty"`
	Text    string  `json:"text,omitempty"` // of the line, if its source is here
	Bytes   int64   `json:"bytes"`
	Objects int64   `json:"objects"`
	Live    int64   `json:"live"`
	Share   float64 `json:"share"` // of the bytes
	Error   float64 `json:"error"` // relative, of Bytes

	Alloc ceiling.Share `json:"alloc"` // of all CPU time, for allocation, by the stacks of the CPU profile
	Mark  Range         `json:"mark"`  // of all CPU time, for marking, by the model

	Reasons []Reason `json:"reasons,omitempty"` // most bytes first
	Leaves  []Leaf   `json:"leaves,omitempty"`  // most bytes first, a few
	Levers  []Lever  `json:"levers,omitempty"`  // the cheapest that fits first

	// Together is the gain of the first levers of this and all sites before it, of those that
	// can be distinguished from zero.
	Together *Range `json:"together,omitempty"`
}

// A Lever is a change that would save a share of a site's cost, by a finding of package lever, whose
// evidence it has.
type Lever struct {
	Name     string        `json:"rule"`             // lessgc advise -explain says more
	Title    string        `json:"title"`            // what to do, in a few words
	Record   string        `json:"record,omitempty"` // the measured results of the lever
	Risk     string        `json:"risk,omitempty"`   // what it may break, or none
	Asks     string        `json:"asks,omitempty"`   // what a person has to answer before: it is a candidate, and no proven lever
	Evidence []Evidence    `json:"evidence"`
	Change   []ChangedLine `json:"change,omitempty"` // the change, made from the source; nil if the lever makes none
	Sketch   bool          `json:"sketch,omitempty"` // Change shows what to do, and is not all of it
	Gain     *Range        `json:"gain,omitempty"`   // of all CPU time; nil without a CPU profile that tells
	Bytes    *Range        `json:"bytes,omitempty"`  // of all bytes: those that are no longer allocated; nil in reports of before it

	Match lever.Match `json:"-"` // what it was made of; not of a report that was read

	saves []saving // of Gain, by line
}

// Evidence is something in the source that a lever looks for.
type Evidence struct {
	Text string `json:"text"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// A Reason explains why some of a site's memory is on the heap.
type Reason struct {
	Text  string  `json:"text"`
	Share float64 `json:"share"`          // of the site's bytes
	File  string  `json:"file,omitempty"` // of the allocation, if that is not the site itself
	Line  int     `json:"line,omitempty"`
}

// Code answers questions about the source. Its functions may be nil.
type Code struct {
	Explain func(at, caller prof.Frame) string // why a line allocates whose function another calls, or ""
	Levers  func(*site.Site) []lever.Match     // levers of a site, the cheapest first
	Text    func(file string, line int) string // the text of a line, or ""
	Change  func([]lever.Edit) []ChangedLine   // edits as lines
}

// most is the largest number of leaves, and of reasons, that are reported for a site.
const most = 5

// Check finds figures that no advice has: the report may come from a file.
func (r *Report) Check() error {
	var shares []float64
	add := func(x *Range) {
		if x != nil {
			shares = append(shares, x.Lo, x.Hi)
		}
	}
	add(r.Gain)
	for _, l := range r.Levers {
		add(l.Gain)
	}
	if r.Costs != nil {
		shares = append(shares, r.Costs.Throughput.Share, r.Costs.Throughput.Error, r.Costs.Bill.Share, r.Costs.Bill.Error)
	}
	if r.Sites != nil {
		for _, s := range r.Sites.Sites {
			add(s.Together)
			for _, l := range s.Levers {
				add(l.Gain)
				add(l.Bytes)
			}
		}
	}
	if r.Sites != nil && r.Sites.Ops < 0 {
		return fmt.Errorf("invalid number of operations %d", r.Sites.Ops)
	}
	if r.Frontier != nil {
		if p := r.Frontier.Price; !(-10 <= p.Lo && p.Hi <= 2) {
			return fmt.Errorf("invalid price of collecting %g to %g", p.Lo, p.Hi)
		}
		for _, p := range r.Frontier.Points {
			if !(-10 <= p.Saved.Lo && p.Saved.Hi <= 1 && 0 <= p.RSS.Lo && p.RSS.Hi <= 1<<60) {
				return fmt.Errorf("GOGC=%d: invalid saving %g to %g of the CPU time with %g bytes", p.GOGC, p.Saved.Lo, p.Saved.Hi, p.RSS.Hi)
			}
		}
	}
	for _, share := range shares {
		if !(0 <= share && share <= 2) { // a bound of an interval may lie above the whole
			return fmt.Errorf("invalid share of CPU time %g", share)
		}
	}
	return nil
}

// Cost is the middle of the site's cost, as a share of CPU time.
func (s Site) Cost() float64 { return s.Alloc.Share + (s.Mark.Lo+s.Mark.Hi)/2 }

func bySure(a, b Site) int {
	return cmp.Or(cmp.Compare(b.sure(), a.sure()), cmp.Compare(b.Cost(), a.Cost()))
}

// sure is the least of what the site costs, within the error of the samples.
func (s Site) sure() float64 { return max(0, s.Alloc.Share-s.Alloc.Error) + s.Mark.Lo }

// A Range is a prediction of a model.
type Range struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// Sure reports whether a share of CPU time can be distinguished from zero: its least value
// does not round to 0.0 %.
func (r Range) Sure() bool { return r.Lo >= 0.0005 }

// A Leaf is a way from a site to where the runtime is asked for memory.
type Leaf struct {
	Share float64  `json:"share"` // of the site's bytes
	Calls []string `json:"calls"` // from the site on
}

// New makes a report of profiles. runtime holds the program's own memory figures while they
// were taken; nil if it said nothing.
func New(p *prof.Set, own site.Own, code Code, runtime *watch.Summary) *Report {
	r := &Report{Format: Format, Tool: version.Tool(), Notes: p.Notes}
	var c ceiling.Ceiling
	if p.CPU != nil {
		c = ceiling.Of(p.CPU)
		r.Costs = costs(c)
		if ok, times := c.Enough(); !ok {
			r.note("the CPU profile holds %d samples of allocation and collection, too few to rank lines by: either they cost nothing, or a profile %.0f times as long is needed",
				c.Samples-c.ByClass[ceiling.Other], math.Ceil(times))
		}
	} else {
		r.note("without a CPU profile there is no telling what allocation costs; give one too")
	}
	if p.Allocs == nil {
		r.note("without a profile of allocations there are no lines to name; give one too")
	} else {
		r.Sites = sites(c, p, own, code)
		if p.Allocs.DurationNanos == 0 && !p.Whole {
			r.note("the profile of allocations covers everything since the process started, its start included")
		}
	}
	r.Pacing, r.Regime = pacing(p, runtime)
	r.together(c)
	return r
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

func costs(c ceiling.Ceiling) *Costs {
	enough, _ := c.Enough()
	out := &Costs{Samples: c.Samples, CPU: time.Duration(c.Nanos), Throughput: c.Throughput(), Bill: c.Bill(), Enough: enough}
	for _, class := range ceiling.Costs() {
		if c.ByClass[class] > 0 {
			out.Classes = append(out.Classes, Class{class.String(), c.Class(class)})
		}
	}
	return out
}

func bytes(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}

// sites ranks the lines. What marking costs is divided by the bytes that each
// allocates: with GOGC pacing there are as many collections as there are bytes, and
// what they cost depends on the live heap, not on who asked for it (A guide to the
// Go garbage collector, go.dev/doc/gc-guide). Memory without pointers is not marked:
// where the CPU profile shows what a line allocates, its part is scaled by that.
func sites(c ceiling.Ceiling, p *prof.Set, own site.Own, code Code) *Sites {
	found := site.Find(p.Allocs, p.CPU, own)
	out := &Sites{Ops: p.Allocs.Ops()}
	for _, s := range found {
		out.Bytes += s.Bytes
		out.Objects += s.Objects
	}
	live := living(p, found, own)
	total := float64(max(c.Samples, 1))
	mark := float64(c.ByClass[ceiling.Assist]+c.ByClass[ceiling.Dedicated]+c.ByClass[ceiling.Fractional]+c.ByClass[ceiling.Mark]) / total
	out.Live = live.sum
	for _, s := range found {
		s.LiveBytes = live.of(s)
		share := float64(s.Bytes) / float64(max(out.Bytes, 1))
		x := Site{
			Func: s.Func, File: s.File, Line: s.Line, Bytes: s.Bytes, Objects: s.Objects, Live: s.LiveBytes, Share: share,
			Error: sampling(s), Alloc: c.Part(s.AllocCPU), Mark: Range{0, mark * share},
		}
		if known := s.NoScan + s.Scan; known >= ceiling.Few {
			part := float64(s.Scan) / float64(known)
			x.Mark = Range{mark * share * part / 2, mark * share * part}
		}
		if code.Text != nil {
			x.Text = code.Text(s.File, s.Line)
		}
		if code.Levers != nil {
			x.Levers = levers(code, s, x, out, found, c)
		}
		if code.Explain != nil {
			var explained int64
			x.Reasons, explained = reasons(s, code.Explain)
			out.Explained += float64(explained) / float64(max(out.Bytes, 1))
		}
		x.Leaves = leaves(s)
		out.Sites = append(out.Sites, x)
	}
	if ok, _ := c.Enough(); ok { // otherwise they stay in the order of their bytes
		slices.SortStableFunc(out.Sites, bySure)
	}
	return out
}

// A liveness holds the live bytes, by line.
type liveness struct {
	sum   int64 // -1 if it is not known
	lines map[prof.Frame]int64
}

// living finds the live bytes, of all that were ever allocated.
func living(p *prof.Set, found []*site.Site, own site.Own) liveness {
	from := p.Allocs
	if p.Live != nil {
		from, found = p.Live, site.Find(p.Live, nil, own)
	}
	if from.Value("inuse_space") < 0 {
		return liveness{sum: -1}
	}
	l := liveness{lines: map[prof.Frame]int64{}}
	for _, s := range found {
		l.sum += s.LiveBytes
		l.lines[s.Frame] = s.LiveBytes
	}
	return l
}

// of returns the live bytes of a site, or -1.
func (l liveness) of(s *site.Site) int64 {
	if l.sum < 0 {
		return -1
	}
	return l.lines[s.Frame]
}

// leaves are the ways down from a site, whoever calls it.
func leaves(s *site.Site) []Leaf {
	var all []Leaf
	for _, l := range s.Leaves {
		var calls []string
		for _, f := range l.Path {
			calls = append(calls, fmt.Sprintf("%s:%d", f.Func, f.Line))
		}
		share := float64(l.Bytes) / float64(max(s.Bytes, 1))
		if i := slices.IndexFunc(all, func(x Leaf) bool { return slices.Equal(x.Calls, calls) }); i >= 0 {
			all[i].Share += share
		} else {
			all = append(all, Leaf{share, calls})
		}
	}
	slices.SortStableFunc(all, func(a, b Leaf) int { return cmp.Compare(b.Share, a.Share) })
	return all[:min(len(all), most)]
}

// reasons adds up why the leaves of a site allocate, and how many bytes are explained
// by that.
func reasons(s *site.Site, explain func(at, caller prof.Frame) string) (all []Reason, explained int64) {
	type reason struct {
		text string
		file string
		line int
	}
	sums := map[reason]int64{}
	for _, l := range s.Leaves {
		at, caller := s.Allocates(l)
		if text := explain(at, caller); text != "" {
			why := reason{text: text}
			if at.File != s.File || at.Line != s.Line {
				why.file, why.line = at.File, at.Line
			}
			sums[why] += l.Bytes
			explained += l.Bytes
		}
	}
	for why, n := range sums {
		all = append(all, Reason{why.text, float64(n) / float64(max(s.Bytes, 1)), why.file, why.line})
	}
	slices.SortFunc(all, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Text, b.Text), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return all[:min(len(all), most)], explained
}
