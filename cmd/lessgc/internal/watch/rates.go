package watch

import (
	"cmp"
	"math"
	"slices"
	"time"

	"lessgc/live"
)

// Rates sums up the time between two snapshots. Gauges has those of the later one; see
// AtEnd for those that only a collection changes.
type Rates struct {
	Time      time.Time `json:"time"`    // of the later one
	Seconds   float64   `json:"seconds"` // between them
	PerSecond Totals    `json:"perSecond"`
	Collected bool      `json:"collected"`     // a collection ended in between
	CPU       *Shares   `json:"cpu,omitempty"` // nil if no collection ended in between, too
	Pauses    *Pauses   `json:"pauses,omitempty"`
	Gauges    Gauges    `json:"gauges"`
	Methods   []Method  `json:"methods,omitempty"` // with arenas, the busiest first
	Spiral    *Spiral   `json:"spiral,omitempty"`  // of a window of Watch; nil if it is not known
}

// AtEnd returns a gauge that changes only when a collection ends (Live, Goal, GCShare) if
// one did between the snapshots, else nil: then the gauge is as it was, and nothing was
// measured. The goal also changes with GOGC and the memory limit; that shows at the next
// collection.
func (r *Rates) AtEnd(gauge *float64) *float64 {
	if !r.Collected {
		return nil
	}
	return gauge
}

// Shares say where CPU time went, by the runtime's own estimate. That is made when a
// collection ends: the shares are those of the time from the last end before the
// first snapshot to the last end before the second, which over a short time is not
// the time between the snapshots. Over a long one, or on average, it is. Spread gives
// them to the windows that they are about.
type Shares struct {
	Seconds   float64 `json:"seconds,omitempty"` // between the two ends; 0 if GOMAXPROCS is not known
	Used      float64 `json:"used"`              // share of the available time that was not idle
	Available Kinds   `json:"available"`         // shares of what GOMAXPROCS threads had
	Busy      Kinds   `json:"busy"`              // shares of what was not idle
}

// Kinds are shares of CPU time, by what the collector did. GC is the sum of the four
// below it.
type Kinds struct {
	GC        float64 `json:"gc"`
	Assist    float64 `json:"assist"`    // goroutines had to mark before they might allocate
	Dedicated float64 `json:"dedicated"` // workers, on processors set aside for them
	Idle      float64 `json:"idle"`      // workers, where nobody else wanted to run
	Pause     float64 `json:"pause"`     // the world was stopped
	Scavenge  float64 `json:"scavenge"`  // memory was returned to the operating system
}

// Pauses are the times that the world was stopped, in seconds: each stop by itself
// from lessgc/live, both stops of a collection together from memstats. They are
// the upper ends of the histogram's buckets, so the true ones are at most that.
type Pauses struct {
	Count uint64  `json:"count"`
	P50   float64 `json:"p50"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// Between returns the differences from a to b, or nil if b is not a later snapshot of
// the same segment.
func Between(a, b *Snapshot) *Rates {
	c, ok := between(a, b)
	if a.Segment != b.Segment || !ok {
		return nil
	}
	return c.rates(b.Time, b.Gauges)
}

// A change is the difference of two snapshots, or the sum of several differences.
type change struct {
	seconds float64
	totals  Totals
	cpu     *live.CPU
	pauses  []live.Bucket
	methods []live.Method
}

// between is false if b is not later than a.
func between(a, b *Snapshot) (change, bool) {
	d := b.Time.Sub(a.Time).Seconds()
	totals := combine(&a.Totals, &b.Totals, func(x, y float64) float64 { return y - x })
	return change{d, totals, spent(a.CPU, b.CPU), since(a.Pauses, b.Pauses), methodsSince(a.Methods, b.Methods)}, d > 0
}

// combine is f of what both know.
func combine(a, b *Totals, f func(x, y float64) float64) Totals {
	var out Totals
	as, bs := a.fields(), b.fields()
	for i, p := range out.fields() {
		if *as[i] != nil && *bs[i] != nil {
			*p = new(f(**as[i], **bs[i]))
		}
	}
	return out
}

// spent is nil if no collection ended between a and b, because then nobody knows.
func spent(a, b *live.CPU) *live.CPU {
	if a == nil || b == nil || b.Total <= a.Total {
		return nil
	}
	out := new(live.CPU)
	from, to := classes(a), classes(b)
	for i, p := range classes(out) {
		*p = max(0, *to[i]-*from[i]) // the runtime corrects itself now and then
	}
	return out
}

// since subtracts histograms. Those of one process have the same buckets.
func since(a, b []live.Bucket) []live.Bucket {
	before := map[float64]uint64{}
	for _, x := range a {
		before[x.Lo] = x.Count
	}
	var out []live.Bucket
	for _, x := range b {
		if n := before[x.Lo]; x.Count > n {
			out = append(out, live.Bucket{Lo: x.Lo, Hi: x.Hi, Count: x.Count - n})
		}
	}
	return out
}

// plus adds another change to c.
func (c *change) plus(d change) {
	c.seconds += d.seconds
	c.totals = combine(&c.totals, &d.totals, func(x, y float64) float64 { return x + y })
	if c.cpu == nil || d.cpu == nil {
		c.cpu = cmp.Or(c.cpu, d.cpu)
	} else {
		sum := *c.cpu
		more := classes(d.cpu)
		for i, p := range classes(&sum) {
			*p += *more[i]
		}
		c.cpu = &sum
	}
	c.pauses = merge(c.pauses, d.pauses)
	c.methods = slices.Clone(c.methods)
	for i := range c.methods { // the processes before have none open any more
		c.methods[i].Live = 0
	}
	c.methods = addMethods(c.methods, d.methods, 1)
}

// merge adds histograms, of processes that may differ in their buckets.
func merge(a, b []live.Bucket) []live.Bucket {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y live.Bucket) int { return cmp.Or(cmp.Compare(x.Hi, y.Hi), cmp.Compare(x.Lo, y.Lo)) })
	var out []live.Bucket
	for _, x := range all {
		if n := len(out); n > 0 && out[n-1].Lo == x.Lo && out[n-1].Hi == x.Hi {
			out[n-1].Count += x.Count
		} else {
			out = append(out, x)
		}
	}
	return out
}

func (c *change) rates(at time.Time, g Gauges) *Rates {
	r := &Rates{Time: at, Seconds: c.seconds, PerSecond: c.totals, Collected: c.collected(), Pauses: quantiles(c.pauses), Gauges: g, Methods: methodRates(c.methods, c.seconds)}
	for _, p := range r.PerSecond.fields() {
		if *p != nil {
			*p = new(**p / c.seconds)
		}
	}
	if c.cpu != nil {
		busy := max(0, c.cpu.Total-c.cpu.Idle)
		r.CPU = &Shares{Used: min(1, busy/c.cpu.Total), Available: kinds(c.cpu, c.cpu.Total), Busy: kinds(c.cpu, busy)}
		if procs := g.GOMAXPROCS; procs != nil && *procs >= 1 {
			r.CPU.Seconds = c.cpu.Total / *procs
		}
	}
	return r
}

// collected reports whether a collection ended, forced or not.
func (c *change) collected() bool {
	for _, n := range []*float64{c.totals.GCs, c.totals.ForcedGCs} {
		if n != nil && *n > 0 {
			return true
		}
	}
	return false
}

// kinds are the shares of a time. What the runtime estimates may add up to more
// than the whole.
func kinds(c *live.CPU, of float64) Kinds {
	if of <= 0 {
		return Kinds{}
	}
	share := func(x float64) float64 { return min(1, x/of) }
	return Kinds{share(c.GCAssist + c.GCDedicated + c.GCIdle + c.GCPause), share(c.GCAssist), share(c.GCDedicated), share(c.GCIdle), share(c.GCPause), share(c.Scavenge)}
}

func quantiles(all []live.Bucket) *Pauses {
	var n uint64
	for _, b := range all {
		n += b.Count
	}
	if n == 0 {
		return nil
	}
	at := func(q float64) float64 {
		rank, sum := uint64(math.Ceil(q*float64(n))), uint64(0)
		for _, b := range all {
			if sum += b.Count; sum >= rank {
				return b.Hi
			}
		}
		return all[len(all)-1].Hi
	}
	return &Pauses{n, at(0.5), at(0.99), all[len(all)-1].Hi}
}
