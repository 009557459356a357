package advice

import (
	"fmt"
	"math"
	"slices"

	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// collecting are the classes whose cost goes with how often collections run, and so with
// the bytes that are allocated.
var collecting = []ceiling.Class{ceiling.Assist, ceiling.Dedicated, ceiling.Fractional, ceiling.Mark, ceiling.Sweep, ceiling.Scavenge, ceiling.Stop, ceiling.Barrier}

// A cost is a share of CPU time, with the half of its 95 % interval that is due to
// sampling.
type cost struct {
	Range
	err float64
}

// collect is the cost of collecting, without and with idle workers.
func collect(c ceiling.Ceiling) cost {
	var n int64
	for _, class := range collecting {
		n += c.ByClass[class]
	}
	without, with := c.Part(n), c.Part(n+c.ByClass[ceiling.Idle])
	return cost{Range{without.Share, with.Share}, with.Error}
}

// levers returns the levers of a site, with their savings.
func levers(code Code, at *site.Site, x Site, sum *Sites, found []*site.Site, c ceiling.Ceiling) []Lever {
	var all []Lever
	enough, _ := c.Enough()
	for _, m := range code.Levers(at) {
		if m.Question() != "" && !worthAsking(x, sum) {
			continue
		}
		l := Lever{Name: m.Name, Title: m.Title, Risk: string(m.Risk), Asks: m.Question(), Record: m.Record(), Match: m}
		for _, e := range m.Evidence {
			l.Evidence = append(l.Evidence, Evidence{e.Text, e.File, e.Line})
		}
		if code.Change != nil && len(m.Edits) > 0 {
			l.Change, l.Sketch = code.Change(m.Edits), m.Sketch
		}
		parts := partsOf(m, at, found, sum.Bytes)
		l.Bytes = fewer(m, parts)
		if enough {
			var memory, calls Range
			for _, p := range parts {
				s := gain(m, p, c)
				l.saves, memory, calls = append(l.saves, s), plus(memory, s.memory), plus(calls, s.calls)
			}
			l.Gain = withCalls(memory, calls, c)
		}
		all = append(all, l)
	}
	return all
}

// withCalls adds up what is saved of memory's costs, which is below the ceiling, and of calls.
func withCalls(memory, calls Range, c ceiling.Ceiling) *Range {
	r := plus(Capped(memory, c.Bill()), calls)
	return &Range{min(1, r.Lo), min(1, r.Hi)}
}

func plus(a, b Range) Range { return Range{a.Lo + b.Lo, a.Hi + b.Hi} }

// A part is a share of what a site allocates, which a lever is about.
type part struct {
	*site.Site
	share Range   // of the site's bytes
	of    float64 // share of all bytes that the site has
}

// partsOf are the line of a lever, and the others whose memory goes with it.
func partsOf(m lever.Match, at *site.Site, found []*site.Site, all int64) []part {
	of := func(s *site.Site) float64 { return float64(s.Bytes) / float64(max(all, 1)) }
	parts := []part{{at, Range{m.Share, m.Share}, of(at)}}
	for _, a := range m.Also {
		for _, s := range found {
			if s.File != a.Line.File || s.Line != a.Line.Line {
				continue
			}
			if share := a.Share(s); share.Hi > 0 {
				parts = append(parts, part{s, Range{share.Lo, share.Hi}, of(s)})
			}
		}
	}
	return parts
}

// leastAsked is the share of all bytes, or of all objects, from which on a line is worth a question.
const leastAsked = 0.01

func worthAsking(x Site, sum *Sites) bool {
	return x.Share >= leastAsked || float64(x.Objects) >= leastAsked*float64(sum.Objects)
}

// price is the cost of collecting, as a multiple of the collector's share in the profile: in six programs whose every GOGC was
// measured it was 0.36 to 2.1 times that (bench/results/advise.md). Collections also take the program's caches from it and wake
// what sleeps.
var price = Range{0.35, 2.1}

// A saving is what a lever saves of a site's costs, of all CPU time, and of the calls besides.
type saving struct {
	at            prof.Frame
	memory, calls Range
}

// gain returns what a lever saves of a part of a site's costs. Fewer bytes put off the next collection, with pointers in them or not: the
// share of collecting that goes is that of the bytes.
func gain(m lever.Match, p part, c ceiling.Ceiling) saving {
	all := collect(c)
	collects := cost{Range{price.Lo * all.Lo * p.of, max(price.Hi*all.Lo, all.Hi) * p.of}, math.Hypot(all.err*p.of, all.Hi*p.of*sampling(p.Site))}
	finds, copies := c.Part(p.AllocCPU-p.CopyCPU), c.Part(p.CopyCPU)
	if m.Saved().Copy == (lever.Range{}) {
		finds, copies = c.Part(p.AllocCPU), ceiling.Share{}
	}
	r := saved(term{m.Saved().Alloc, sampled(finds), p.share}, term{m.Saved().Copy, sampled(copies), p.share}, term{m.Saved().Collect, collects, p.share})
	var n int64
	for _, name := range m.Calls {
		n = max(n, p.Work[name]) // one may call the other
	}
	of := Range{p.share.Lo / p.share.Hi, 1} // the functions are those that the line need not call, if the memory is the lever's
	return saving{p.Frame, Capped(r, c.Bill()), saved(term{m.Saved().Work, sampled(c.Part(n)), of})}
}

// sampled is a cost that was sampled.
func sampled(s ceiling.Share) cost { return cost{Range{s.Share, s.Share}, s.Error} }

// sampling is the relative error of a site's bytes.
func sampling(s *site.Site) float64 { return 1 / math.Sqrt(max(s.Samples, 1)) }

// fewer returns the share of all bytes that a lever saves at some sites. What it saves is often one of the ends of what it may, so the error of
// the profile counts in full there, as half of a 95 % interval.
func fewer(m lever.Match, parts []part) *Range {
	const z = 1.96
	var all Range
	var err Range // squared
	for _, p := range parts {
		all = plus(all, Range{p.of * p.share.Lo, p.of * p.share.Hi})
		e := z * sampling(p.Site)
		err = plus(err, Range{square(p.of * p.share.Lo * e), square(p.of * p.share.Hi * e)})
	}
	saves := m.Saved().Collect
	return &Range{max(0, saves.Lo*(all.Lo-math.Sqrt(err.Lo))), min(1, saves.Hi*(all.Hi+math.Sqrt(err.Hi)))}
}

func square(x float64) float64 { return x * x }

// A term is a share of a cost that a lever saves, of the part of it that it is about.
type term struct {
	saves lever.Range
	cost  cost
	of    Range
}

// saved returns the saving of some costs. Its range has two errors: the lever's model knows
// what share goes only roughly, the same way for all costs, and the costs are samples.
// These are independent of each other and of the model, so they add up in squares.
func saved(terms ...term) Range {
	var lo, hi, sampling float64
	for _, t := range terms {
		from, to := t.saves.Lo*t.of.Lo, t.saves.Hi*t.of.Hi
		lo, hi = lo+from*t.cost.Lo, hi+to*t.cost.Hi
		sampling = math.Hypot(sampling, (from+to)/2*t.cost.err)
	}
	mid, half := (lo+hi)/2, math.Hypot((hi-lo)/2, sampling)
	return Range{max(0, mid-half), mid + half}
}

// Capped is a range that ends at the ceiling, with idle workers.
func Capped(r Range, bill ceiling.Share) Range {
	return Range{min(r.Lo, bill.Share), min(r.Hi, bill.Share+bill.Error)}
}

// leastCollect is the share of CPU time from which on settings of the collector are worth a
// thought.
const leastCollect = 0.05

// together adds what concerns the whole program: the setting of the collector, and what the
// first lever of each site saves in sum, candidates left out.
func (r *Report) together(c ceiling.Ceiling) {
	if r.Costs == nil || !r.Costs.Enough {
		return
	}
	all := collect(c)
	if gc := lever.GCSetting; all.Lo-all.err >= leastCollect && r.Sites != nil && r.Sites.Live >= 0 && r.Pacing != ByLimit {
		gain := Capped(saved(term{gc.Saves.Collect, all, Range{1, 1}}), c.Bill())
		r.Levers = append(r.Levers, Lever{Name: gc.Name, Title: gc.Title, Gain: &gain, Evidence: []Evidence{
			{Text: fmt.Sprintf("garbage collection takes %.1f to %.1f %% of the CPU time", 100*all.Lo, 100*all.Hi)},
			{Text: fmt.Sprintf("live heap %s: at GOGC=400 the heap grows to about %s between collections, now to about %s", bytes(r.Sites.Live), heapAt(r.Sites.Live, 400), heapAt(r.Sites.Live, 100))},
		}})
	}
	if r.Sites == nil {
		return
	}
	var memory, calls Range
	seen := map[prof.Frame]*saving{}
	for i := range r.Sites.Sites {
		s := &r.Sites.Sites[i]
		if len(s.Levers) == 0 || s.Levers[0].Asks != "" || s.Levers[0].Gain == nil || !s.Levers[0].Gain.Sure() {
			continue
		}
		for _, part := range s.Levers[0].saves { // two levers may be about the same line
			before := seen[part.at]
			if before == nil {
				before = &saving{}
				seen[part.at] = before
			}
			memory, calls = plus(memory, before.memory.raise(part.memory)), plus(calls, before.calls.raise(part.calls))
		}
		s.Together = withCalls(memory, calls, c)
		r.Gain = s.Together
	}
}

// raise makes both ends at least those of another range, and returns by how much.
func (r *Range) raise(to Range) (by Range) {
	by = Range{max(0, to.Lo-r.Lo), max(0, to.Hi-r.Hi)}
	*r = plus(*r, by)
	return by
}

// Together returns the saving of the first levers of the first n sites together; nil if
// that is not known.
func (r *Report) Together(n int) *Range {
	if r.Sites == nil {
		return nil
	}
	for _, s := range slices.Backward(r.Sites.Sites[:min(n, len(r.Sites.Sites))]) {
		if s.Together != nil {
			return s.Together
		}
	}
	return nil
}

// heapAt formats the size to which a heap grows until it is collected: the live heap and
// GOGC percent of it, but at least 4 MiB at 100.
func heapAt(live int64, gogc int64) string {
	return bytes(int64(min(math.MaxInt64/2, max(float64(live)*float64(100+gogc)/100, float64(smallestHeap*gogc/100)))))
}
