package curve

import (
	"math"
	"slices"
)

// A Model is the collector's cost model with the parameters of one run.
type Model struct {
	Fixed, PerByte float64 // CPU time of a cycle, and for each byte that it scans; see fitCost
	User           float64 // CPU time of everything else for each byte allocated
	Black          float64 // bytes allocated during a mark that assists do not hold back; it takes them for live
	Runway         float64 // bytes that the pacer expects to be allocated during a mark
	Rate           float64 // bytes allocated per second
	Stopped        float64 // share of a cycle's CPU time in assists; what requests feel

	NonHeap float64 // memory that a limit counts beside the heap, where the heap is at its peak; 0 if it is not known
	RSS     float64 // peak at that setting; 0 if it is not known
	Outside float64 // of RSS, what the limit does not count: the program itself, files, C libraries

	now        outcome // the replay at the setting of the run
	idle       float64 // share of gc in idle workers
	gc, cycles float64 // CPU time and number of collections of the window, as they were
	setting    Setting
	procs      float64
	// Where assists held the program back, Black is not known better than this.
	blackLo, blackHi float64

	uneven float64 // how far the mean of the live heap is below its largest, 0 to 1

	told       bool        // gctrace said how much was allocated during marks
	batch      float64     // relative standard error of the cost of a cycle, by batch means
	userBatch  float64     // likewise of User
	trajectory []heapState // of the whole run
	window     int         // index of its first state
	repeats    bool        // the window stands for what goes on; otherwise the program ends with it
}

// A heapState is the heap after so many bytes were allocated.
type heapState struct {
	alloc, live, roots float64 // live without what is allocated during a mark
	forced             bool    // the program itself had it collected here
}

// Fit makes the model of a run. The error gives the reason why nothing can be predicted from it.
func Fit(r *Run) (*Model, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	m := &Model{setting: Setting{r.GOGC, min(r.Limit, NoLimit)}, procs: r.Procs, RSS: r.PeakRSS, repeats: !r.Ends}
	first, last := &r.Points[r.Start], &r.Points[len(r.Points)-1]
	cycles := last.Cycles - first.Cycles + last.Forced - first.Forced
	gc, alloc, wall := last.gc()-first.gc(), last.Alloc-first.Alloc, last.At-first.At
	m.gc, m.cycles, m.idle = gc, cycles, (last.Idle-first.Idle)/gc
	user := max(last.Busy-first.Busy-gc, 1e-9)
	m.User, m.Rate = user/alloc, alloc/max(wall, 1e-9)
	m.Stopped = (last.Assist - first.Assist + last.Pause - first.Pause) / gc
	busy := m.busy(first, last, user, wall)
	expected := min(1, busy/m.procs/(1-utilization)) * (1 - utilization) / utilization * gc / cycles / m.User
	m.Runway = expected
	m.fitMark(r, cycles, busy)
	m.trace(r)
	m.fitCost(r)
	m.uneven = uneven(m.trajectory[m.window:])
	m.Outside = outside(r)
	m.NonHeap = nonHeap(r.Points[r.Start:])
	m.fitRunway(expected)
	m.now = m.replay(m.setting)
	return m, nil
}

// busy returns the number of CPUs that the program uses outside of marks, as far as the time of these is known.
func (m *Model) busy(first, last *Point, user, wall float64) float64 {
	outside := wall - (last.Concurrent - first.Concurrent)
	if last.Concurrent > first.Concurrent && outside > 0.2*wall {
		user -= min(0.8*user, (last.Black-first.Black)*m.User)
		wall = outside
	}
	return min(m.procs, user/max(wall, 1e-9))
}

// fitMark sets what is allocated during a mark: while workers have their share of the Ps and those that are idle, the program
// has the rest. Where gctrace says how much it was, and assists did not hold it back, that counts.
func (m *Model) fitMark(r *Run, cycles, busy float64) {
	workers := max(utilization*m.procs, m.procs-busy)
	m.Black = m.gc / cycles / workers * min(busy, m.procs-workers) / m.User
	m.blackLo, m.blackHi = m.Black/3, m.Black
	last := &r.Points[len(r.Points)-1]
	told := (last.Black - r.Points[r.Start].Black) / cycles
	if told <= 0 || told < 4*roundedError/math.Sqrt(cycles) && m.Black < told+roundedError {
		return
	}
	m.told = true
	if runway := m.runway(r.Points[r.Start:]); runway > 0 {
		m.Runway = runway
	}
	room, n := 0.0, 0.0
	for i := r.Start + 1; i < len(r.Points); i++ {
		p := &r.Points[i-1]
		if start, goal := m.setting.cycle(p.Live, p.Roots, p.NonHeap, m.Runway); goal > p.Live {
			room += goal - start
			n++
		}
	}
	estimated := m.Black
	m.Black, m.blackLo, m.blackHi = told, told, told
	if n > 0 && told >= heldBack*room/n && estimated > told {
		ratio := estimated / told
		m.Black, m.blackLo, m.blackHi = told*math.Pow(ratio, 0.45), told*math.Pow(ratio, 0.25), told*math.Pow(ratio, 0.65)
	}
}

// fitRunway sets the runway, between what it is and what is expected by the cost of a cycle and the speed of the program, to that with which the replay has as many cycles as the run. If neither has
// more or neither has fewer, something else is the reason, and it stays.
func (m *Model) fitRunway(expected float64) {
	cycles := func(runway float64) float64 {
		m.Runway = runway
		return m.replay(m.setting).cycles
	}
	told, lo, hi := m.Runway, min(m.Runway, expected), max(m.Runway, expected)
	if lo == hi || cycles(lo) > m.cycles || cycles(hi) < m.cycles { // a longer one starts cycles earlier
		m.Runway = told
		return
	}
	for hi > lo*1.02 {
		if at := math.Sqrt(lo * hi); cycles(at) < m.cycles {
			lo = at
		} else {
			hi = at
		}
	}
}

// runway returns the bytes that the pacer expects to be allocated during a mark, by what it makes of each cycle (endCycle and commit
// in runtime/mgcpacer.go): with u the share of the Ps that dedicated workers and assists have, and i that of idle workers, what was
// allocated x (u + i) / (1 - u) x 0.75 / 0.25, and the largest of the last five cycles. 0 if the time of marks is not known.
func (m *Model) runway(points []Point) float64 {
	var last [5]float64
	sum, n := 0.0, 0.0
	for i := 1; i < len(points); i++ {
		a, b := &points[i-1], &points[i]
		all := (b.Concurrent - a.Concurrent) * m.procs
		cycles := b.Cycles + b.Forced - a.Cycles - a.Forced
		if all <= 0 || cycles <= 0 {
			continue
		}
		u := min(0.95, utilization+(b.Assist-a.Assist)/all)
		idle := min(1-u, (b.Idle-a.Idle)/all)
		copy(last[1:], last[:])
		last[0] = (b.Black - a.Black) / cycles * (u + idle) / (1 - u) * (1 - utilization) / utilization
		expected := slices.Max(last[:])
		if b.Black-a.Black < 4*roundedError*cycles { // the largest would be the rounding
			expected = last[0]
		}
		sum, n = sum+expected, n+1
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// roundedError is the standard deviation of the difference of two sizes that are rounded to MiB.
const roundedError = 0.41 * (1 << 20)

// heldBack is the share of the room between trigger and goal from which on assists may have held the program back.
const heldBack = 0.8

// trace sets the trajectory: one state for each point after which the heap was measured anew.
func (m *Model) trace(r *Run) {
	if r.Whole {
		m.trajectory = append(m.trajectory, heapState{roots: r.Points[0].Roots})
	}
	for i := range r.Points {
		p := &r.Points[i]
		if i == r.Start {
			m.window = len(m.trajectory)
		}
		forced := false
		if i > 0 {
			before := &r.Points[i-1]
			forced = p.Forced > before.Forced && p.Cycles == before.Cycles
			if p.Cycles+p.Forced == before.Cycles+before.Forced && i != r.Start && i < len(r.Points)-1 {
				continue
			}
		}
		m.trajectory = append(m.trajectory, heapState{p.Alloc, max(p.Live-m.blackAt(r, i, forced), leastLive*p.Live), p.Roots, forced})
	}
}

// leastLive is the share of what a mark found that was reachable, at least.
const leastLive = 0.1

// blackAt returns the bytes that were allocated during the last mark before a point, and that it therefore found live.
func (m *Model) blackAt(r *Run, i int, forced bool) float64 {
	if i == 0 || forced {
		return 0
	}
	p, before := &r.Points[i], &r.Points[i-1]
	if n := p.Cycles + p.Forced - before.Cycles - before.Forced; m.told && n > 0 && p.Black-before.Black >= 4*roundedError {
		return (p.Black - before.Black) / n
	}
	start, goal := m.setting.cycle(before.Live, before.Roots, before.NonHeap, m.Runway)
	return min(m.Black, goal-start)
}

// unevenLeast is the difference that sizes in MiB and what is allocated during marks make, in bytes.
const unevenLeast = 1 << 20

// uneven returns how far the mean of the live heap, over bytes allocated, lies below its largest value, from 0 to 1.
func uneven(states []heapState) float64 {
	sum, all, most := 0.0, 0.0, 0.0
	for i := 1; i < len(states); i++ {
		x := states[i].alloc - states[i-1].alloc
		sum, all = sum+x*states[i].live, all+x
		most = max(most, states[i].live)
	}
	if all == 0 || most == 0 {
		return 0
	}
	return max(0, 1-(sum/all+unevenLeast)/most)
}

// fitCost sets the cost of a cycle: Fixed + PerByte x scanned bytes, with the least squares where the live heap
// differs enough between cycles to tell them apart. Otherwise all is Fixed: what a heap of the same size costs is the
// same either way.
func (m *Model) fitCost(r *Run) {
	var scanned, costs, weights []float64
	points := r.Points[r.Start:]
	for i := 1; i < len(points); i++ {
		n := points[i].Cycles - points[i-1].Cycles + points[i].Forced - points[i-1].Forced
		if n > 0 {
			scanned = append(scanned, max(points[i].Live-m.blackAt(r, r.Start+i, false), leastLive*points[i].Live)+points[i].Roots)
			costs = append(costs, (points[i].gc()-points[i-1].gc())/n)
			weights = append(weights, n)
		}
	}
	mean := weighted(costs, weights)
	m.batch = batchError(costs, weights) / mean
	m.userBatch = userError(points)
	m.Fixed, m.PerByte = mean, 0
	x := weighted(scanned, weights)
	var sxx, sxy float64
	for i := range scanned {
		sxx += weights[i] * (scanned[i] - x) * (scanned[i] - x)
		sxy += weights[i] * (scanned[i] - x) * (costs[i] - mean)
	}
	sorted := slices.Sorted(slices.Values(scanned))
	if n := len(sorted); n < 8 || sorted[n*9/10] < 1.3*sorted[n/10] || sxy <= 0 {
		return
	}
	m.PerByte = min(sxy/sxx, mean/x)
	m.Fixed = mean - m.PerByte*x
	for i := range costs { // what the live heap explains is not chance
		costs[i] -= m.PerByte * (scanned[i] - x)
	}
	m.batch = batchError(costs, weights) / mean
}

// alloc is the bytes that were allocated in the window.
func (m *Model) alloc() float64 {
	return m.trajectory[len(m.trajectory)-1].alloc - m.trajectory[m.window].alloc
}

func weighted(values, weights []float64) float64 {
	sum, all := 0.0, 0.0
	for i, v := range values {
		sum += v * weights[i]
		all += weights[i]
	}
	return sum / all
}

// batches is into how many parts a window is cut to see how much its mean moves.
const batches = 10

// batchError is the standard error of the weighted mean by batch means, which holds for values that follow each
// other (Alexopoulos and Seila, Output Data Analysis for Simulations, 2001).
func batchError(values, weights []float64) float64 {
	n := min(batches, len(values))
	if n < 2 {
		return math.Inf(1)
	}
	means := make([]float64, n)
	for i := range means {
		lo, hi := i*len(values)/n, (i+1)*len(values)/n
		means[i] = weighted(values[lo:hi], weights[lo:hi])
	}
	mean, sum := 0.0, 0.0
	for _, v := range means {
		mean += v / float64(n)
	}
	for _, v := range means {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(n-1) / float64(n))
}

// userError is the relative standard error of the CPU time that the program takes itself for each byte that it allocates.
func userError(points []Point) float64 {
	var times, allocs []float64
	for i := 1; i < len(points); i++ {
		a, b := &points[i-1], &points[i]
		if x := b.Alloc - a.Alloc; x > 0 {
			times = append(times, max(0, b.Busy-b.gc()-a.Busy+a.gc())/x)
			allocs = append(allocs, x)
		}
	}
	if len(times) < 2 {
		return 0
	}
	return batchError(times, allocs) / max(weighted(times, allocs), 1e-30)
}

// outside is the resident memory that the runtime does not count.
func outside(r *Run) float64 {
	mapped := 0.0
	for _, p := range r.Points {
		mapped = max(mapped, p.Mapped)
	}
	if mapped == 0 {
		return 0
	}
	return max(0, r.PeakRSS-mapped)
}

// nonHeap is the memory beside the heap where holes in spans are filled best, which is where the heap is largest: a
// low quantile, as the points come after collections.
func nonHeap(points []Point) float64 {
	var all []float64
	for _, p := range points {
		if p.NonHeap > 0 {
			all = append(all, p.NonHeap)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/10]
}
