package curve

import (
	"math"
	"slices"
)

// A cpuCost is the CPU time of a window: the collector's at the setting of the run and at another, and the program's own.
type cpuCost struct {
	now, then, user float64
}

// A besides is the cost of collections beside the collector's own CPU time, for each second of that: caches are cold after one,
// write barriers are on during one, what was freed is swept, and workers are woken.
type besides struct{ typical, least, most float64 }

// What the subjects had, where the setting makes cycles fewer and where it makes them more: as the runtime counts CPU time, which shares are
// of, and as the operating system counts it, which is what is paid for.
var (
	countedFewer, countedMore = besides{0.25, -0.1, 0.6}, besides{0.1, -0.1, 0.6}
	billedFewer, billedMore   = besides{0.6, 0, 1.6}, besides{0.5, 0, 2.5}
)

// besideBound is the largest share of the CPU time of the program itself that this may be.
const besideBound = 0.3

// beside returns what that costs more at the other setting, if it is so many times the collector's own time.
func (c cpuCost) beside(times float64) float64 {
	own := max(-besideBound*c.user, min(times*c.now, besideBound*c.user))
	return own * (c.then/max(c.now, 1e-12) - 1)
}

// of chooses by whether cycles become fewer.
func (c cpuCost) of(fewer, more besides) besides {
	if c.then < c.now {
		return fewer
	}
	return more
}

// share is the collector's share of the CPU time at the other setting, where a cycle costs so many times what is expected.
func (c cpuCost) share(times, more float64) float64 {
	gc := c.then * more
	return gc / (gc + c.user + c.beside(times))
}

// ratio is all CPU time at the other setting, for each at that of the run, likewise.
func (c cpuCost) ratio(times, more float64) float64 {
	return (c.then*more + c.user + cpuCost{c.now, c.then * more, c.user}.beside(times)) / (c.now + c.user)
}

// shareValue is share with its interval: of the cost of a cycle, which may be more by so much in addition, of what the program
// itself takes in batches, and of what collections cost beside.
func (c cpuCost) shareValue(relative, more, userBatch float64) Value {
	counted := c.of(countedFewer, countedMore)
	gc := c.share(counted.typical, 1)
	noise := 1.64 * userBatch * gc * (1 - gc)
	side := math.Abs(c.share(counted.most, 1)-c.share(counted.least, 1)) / 2
	half := func(cost float64) float64 { return gcWidth * math.Sqrt(cost*cost+noise*noise+side*side) }
	lo, hi := half(gc-c.share(counted.typical, 1-relative)), half(c.share(counted.typical, 1+relative+more)-gc)
	return Value{gc, max(0, gc-max(gcLeast, lo)), min(1, gc+max(gcLeast, hi))}
}

// ratioValue is ratio with its interval. How much collections cost beside differs between programs, and one run does not tell it.
func (c cpuCost) ratioValue(relative float64) Value {
	var ends []float64
	billed := c.of(billedFewer, billedMore)
	for _, times := range []float64{billed.least, billed.most} {
		ends = append(ends, c.ratio(times, 1-relative), c.ratio(times, 1+relative))
	}
	return Value{c.ratio(billed.typical, 1), max(0, slices.Min(ends)), slices.Max(ends)}
}

// A cycle costs more where cycles are rarer: less of what it needs is still in caches, and live objects lie farther apart. Medians of
// the subjects: 0.89, 1.14, 1.22 and 1.27 times as much at GOGC 50, 200, 400 and 800.
const (
	growth     = 0.15 // power, up to half as many cycles
	growthRare = 0.07 // and beyond
)

// costGrowth returns the cost of a cycle with so many times the cycles, for each CPU second at the setting of the run.
func costGrowth(times float64) float64 {
	rarer := 1 / max(times, 1e-3)
	return math.Pow(min(rarer, 2), growth) * math.Pow(max(rarer/2, 1), growthRare)
}

// costError is the relative half-width of the interval of the collector's CPU time at so many times the cycles.
func (m *Model) costError(times float64) float64 {
	model := costModel + costOfStep*math.Abs(math.Log2(max(times, 1e-3)))
	return min(0.9, math.Hypot(math.Hypot(1.64*m.batch, 1/m.cycles), model)) // one cycle more or less is chance
}
