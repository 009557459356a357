package curve

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A plant is a program whose collector is simulated in small steps of time, not by the replay of the model: the pacer
// starts marks, marks take CPU time that the program then lacks, and assists hold it back near the goal.
type plant struct {
	live   func(alloc float64) float64 // bytes reachable after so many were allocated
	roots  float64
	rate   float64 // bytes allocated per CPU second of the program
	busy   float64 // CPUs that the program would use alone
	procs  float64
	scan   float64 // bytes marked per CPU second
	fixed  float64 // CPU seconds of a cycle
	beside float64 // memory that counts beside the heap
	total  float64 // bytes to allocate
	noise  float64 // relative, of the cost of a cycle
	slow   float64 // speed of the program while marks run: write barriers are on, and caches are shared
}

// run simulates the plant at a setting.
func (p plant) run(s Setting, seed uint64) *Run {
	rng := rand.New(rand.NewPCG(seed, 1))
	r := &Run{Procs: p.procs, GOGC: s.GOGC, Limit: s.Limit, Whole: true, Ends: true}
	var now Point
	now.NonHeap = p.beside
	r.Points = append(r.Points, now)
	marked, heap, peak := 0.0, 0.0, 0.0
	runway := 0.0
	var last [5]float64
	for now.Alloc < p.total && now.Cycles < 20_000 {
		start, goal := s.cycle(marked, p.roots, p.beside, runway)
		// Until the mark starts, the program has all it wants.
		grow := max(start-heap, 0)
		grow = min(grow, p.total-now.Alloc)
		step := func(bytes, cpus float64) {
			now.Alloc += bytes
			heap += bytes
			peak = max(peak, heap)
			now.At += bytes / p.rate / cpus
			now.Busy += bytes / p.rate
		}
		step(grow, p.busy)
		if now.Alloc >= p.total {
			break
		}
		reachable := p.live(now.Alloc)
		work := (p.fixed + (reachable+p.roots)/p.scan) * (1 + p.noise*rng.NormFloat64())
		begin := heap
		at, assisted := now.At, now.Assist
		left := work
		bg := max(utilization*p.procs, p.procs-p.busy)
		for left > 1e-12 { // in slices of a fiftieth
			// What the workers do is credit; a program that allocates faster than that for what is left to the goal assists.
			seconds := min(left/bg, max(work/bg/50, 1e-7))
			mine := (p.procs - bg) * seconds
			each := left / max(goal-heap, 64<<10) // work for each byte
			bytes := mine * p.rate * p.slow
			assist := bytes*each - bg*seconds
			if assist > 0 {
				bytes = (mine + bg*seconds) / (1/(p.rate*p.slow) + each)
				assist = max(0, bytes*each-bg*seconds)
			}
			assist = min(max(0, assist), max(0, left-bg*seconds))
			left -= bg*seconds + assist
			now.Alloc += bytes
			heap += bytes
			peak = max(peak, heap)
			now.At += seconds
			now.Dedicated += utilization * p.procs * seconds
			now.Idle += (bg - utilization*p.procs) * seconds
			now.Assist += assist
			now.Busy += bg*seconds + assist + bytes/(p.rate*p.slow)
		}
		now.Concurrent += now.At - at
		black := heap - begin
		now.Black += black
		u := utilization + (now.Assist-assisted)/(now.At-at)/p.procs
		idle := bg/p.procs - utilization
		copy(last[1:], last[:])
		last[0] = black * (u + idle) / (1 - min(u, 0.95)) * (1 - utilization) / utilization
		runway = slices.Max(last[:])
		marked = reachable + black
		heap = marked
		now.Cycles++
		now.Live, now.Roots = marked, p.roots
		now.Mapped = peak + p.beside
		r.Points = append(r.Points, now)
	}
	r.PeakRSS = 20<<20 + p.beside + 1.05*peak
	return r
}

// share is the collector's share of the busy CPU time of a run.
func share(r *Run) float64 {
	last := r.Points[len(r.Points)-1]
	return last.gc() / last.Busy
}

func constant(live float64) func(float64) float64 { return func(float64) float64 { return live } }

// random is a plant of any kind that has some collections at each setting of the tests.
func random(seed uint64) plant {
	rng := rand.New(rand.NewPCG(seed, 2))
	between := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, rng.Float64()) }
	live := between(1<<20, 500<<20)
	p := plant{live: constant(live), roots: between(64<<10, 4<<20), rate: between(100<<20, 4<<30), procs: math.Round(between(1, 32)), scan: between(200<<20, 4<<30),
		fixed: between(20e-6, 500e-6), beside: between(4<<20, 40<<20), noise: 0.05, slow: between(0.4, 1)}
	p.busy = between(0.2, 1) * p.procs
	p.total = 60 * max(live*9, 40<<20)
	switch rng.IntN(3) {
	case 0: // grows to live, then stays
		p.live = func(alloc float64) float64 { return min(live, alloc/4) }
	case 1: // a sawtooth of operations
		period := between(0.2, 5) * live
		p.live = func(alloc float64) float64 { return live * (0.3 + 0.7*math.Mod(alloc, period)/period) }
	}
	return p
}
