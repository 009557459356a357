package advice

import (
	"fmt"
	"math"
	"slices"

	"lessgc/cmd/lessgc/internal/ceiling"
	"lessgc/cmd/lessgc/internal/lever"
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
func levers(code Code, at *site.Site, x Site, sum *Sites, c ceiling.Ceiling) []Lever {
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
		l.Bytes = fewer(m, x)
		if enough {
			memory, calls := gain(m, x, at.Work, c)
			l.Gain, l.calls = &Range{min(1, memory.Lo+calls.Lo), min(1, memory.Hi+calls.Hi)}, calls
		}
		all = append(all, l)
	}
	return all
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

// gain returns what a lever saves of a site's costs, of all CPU time, and of the calls besides. Fewer bytes put
// off the next collection, with pointers in them or not: the share of collecting that goes is that of the bytes.
func gain(m lever.Match, x Site, work map[string]int64, c ceiling.Ceiling) (memory, calls Range) {
	all := collect(c)
	part := cost{Range{price.Lo * all.Lo * x.Share, max(price.Hi*all.Lo, all.Hi) * x.Share}, math.Hypot(all.err*x.Share, all.Hi*x.Share*x.Error)}
	r := saved(m.Saves, cost{Range{x.Alloc.Share, x.Alloc.Share}, x.Alloc.Error}, part)
	memory = Capped(Range{m.Share * r.Lo, m.Share * r.Hi}, c.Bill())
	var n int64
	for _, name := range m.Calls {
		n = max(n, work[name]) // one may call the other
	}
	in := c.Part(n)
	middle, half := (m.Saves.Work.Lo+m.Saves.Work.Hi)/2, (m.Saves.Work.Hi-m.Saves.Work.Lo)/2
	mid, err := middle*in.Share, math.Hypot(half*in.Share, middle*in.Error)
	return memory, Range{max(0, mid-err), mid + err}
}

// fewer returns the share of all bytes that a lever saves at a site. What it saves is often one of the ends of what it may, so the error of
// the profile counts in full there.
func fewer(m lever.Match, x Site) *Range {
	part, saves := m.Share*x.Share, m.Saves.Collect
	return &Range{max(0, part*saves.Lo*(1-x.Error)), min(1, part*saves.Hi*(1+x.Error))}
}

// saved returns the saving of two costs. Its range has two errors: the lever's model knows
// what share goes only roughly, the same way for both costs, and the costs are samples.
// These are independent of each other and of the model, so they add up in squares.
func saved(s lever.Saves, alloc, collect cost) Range {
	lo := s.Alloc.Lo*alloc.Lo + s.Collect.Lo*collect.Lo
	hi := s.Alloc.Hi*alloc.Hi + s.Collect.Hi*collect.Hi
	sampling := math.Hypot((s.Alloc.Lo+s.Alloc.Hi)/2*alloc.err, (s.Collect.Lo+s.Collect.Hi)/2*collect.err)
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
		gain := Capped(saved(gc.Saves, cost{}, all), c.Bill())
		r.Levers = append(r.Levers, Lever{Name: gc.Name, Title: gc.Title, Gain: &gain, Evidence: []Evidence{
			{Text: fmt.Sprintf("garbage collection takes %.1f to %.1f %% of the CPU time", 100*all.Lo, 100*all.Hi)},
			{Text: fmt.Sprintf("live heap %s: at GOGC=400 the heap grows to about %s between collections, now to about %s", bytes(r.Sites.Live), heapAt(r.Sites.Live, 400), heapAt(r.Sites.Live, 100))},
		}})
	}
	if r.Sites == nil {
		return
	}
	var memory, calls Range // only memory is below the ceiling
	for i := range r.Sites.Sites {
		s := &r.Sites.Sites[i]
		if len(s.Levers) == 0 || s.Levers[0].Asks != "" || s.Levers[0].Gain == nil || !s.Levers[0].Gain.Sure() {
			continue
		}
		first := s.Levers[0]
		calls.Lo, calls.Hi = calls.Lo+first.calls.Lo, calls.Hi+first.calls.Hi
		memory.Lo, memory.Hi = memory.Lo+first.Gain.Lo-first.calls.Lo, memory.Hi+first.Gain.Hi-first.calls.Hi
		so := Capped(memory, c.Bill())
		so.Lo, so.Hi = so.Lo+calls.Lo, so.Hi+calls.Hi
		s.Together, r.Gain = &so, &so
	}
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
