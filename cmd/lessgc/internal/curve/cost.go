package curve

import (
	"math"
	"slices"
)

// A cpuCost is the CPU time of a window: the collector's at the setting of the run and at another, and the program's own.
type cpuCost struct {
	now, then, user float64
}

// What collections cost beside the collector's own CPU time, as a share of that: typical, least and most of the subjects. Caches are
// cold after one, write barriers are on during one, what was freed is swept, and workers are woken.
const (
	besideFewer = 0.25 // with fewer cycles
	besideMore  = 0.1  // with more
	besideLeast = -0.1
	besideMost  = 0.6
	besideBound = 0.3 // of the CPU time of the program itself
)

// beside is what that costs more at the other setting, if it is so many times the collector's own time.
func (c cpuCost) beside(times float64) float64 {
	own := max(-besideBound*c.user, min(times*c.now, besideBound*c.user))
	return own * (c.then/max(c.now, 1e-12) - 1)
}

// typical is how many times it typically is.
func (c cpuCost) typical() float64 {
	if c.then < c.now {
		return besideFewer
	}
	return besideMore
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
	typical := c.typical()
	gc := c.share(typical, 1)
	noise := 1.64 * userBatch * gc * (1 - gc)
	side := math.Abs(c.share(besideMost, 1)-c.share(besideLeast, 1)) / 2
	half := func(cost float64) float64 { return math.Sqrt(cost*cost + noise*noise + side*side) }
	lo, hi := half(gc-c.share(typical, 1-relative)), half(c.share(typical, 1+relative+more)-gc)
	return Value{gc, max(0, gc-max(gcLeast, lo)), min(1, gc+max(gcLeast, hi))}
}

// ratioValue is ratio with its interval. How much collections cost beside differs between programs, and one run does not tell it.
func (c cpuCost) ratioValue(relative float64) Value {
	var ends []float64
	for _, times := range []float64{besideLeast, besideMost} {
		ends = append(ends, c.ratio(times, 1-relative), c.ratio(times, 1+relative))
	}
	return Value{c.ratio(c.typical(), 1), max(0, slices.Min(ends)), slices.Max(ends)}
}

// A cycle costs more where cycles are rarer: less of what it needs is still in caches, and live objects lie farther apart. Medians of
// the subjects: 0.89, 1.14, 1.22 and 1.27 times as much at GOGC 50, 200, 400 and 800.
const (
	growth     = 0.15 // power, up to half as many cycles
	growthRare = 0.07 // and beyond
)

// costGrowth is what a cycle costs with so many times the cycles, for each CPU second at the setting of the run.
func costGrowth(times float64) float64 {
	rarer := 1 / max(times, 1e-3)
	return math.Pow(min(rarer, 2), growth) * math.Pow(max(rarer/2, 1), growthRare)
}

// costError is the relative half-width of the interval of the collector's CPU time at so many times the cycles.
func (m *Model) costError(times float64) float64 {
	model := costModel + costOfStep*math.Abs(math.Log2(max(times, 1e-3)))
	return min(0.9, math.Hypot(math.Hypot(1.64*m.batch, 1/m.cycles), model)) // one cycle more or less is chance
}
