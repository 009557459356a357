package pace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

// A path is a figure over time, in seconds: linear between its points.
type path []struct{ at, value float64 }

func (p path) value(at float64) float64 {
	for i := range p {
		if at < p[i].at {
			if i == 0 {
				return p[0].value
			}
			a, b := p[i-1], p[i]
			return a.value + (b.value-a.value)*(at-a.at)/(b.at-a.at)
		}
	}
	return p[len(p)-1].value
}

// A plant is a program, its load and the machine, by the equations of the runtime's pacer
// (runtime/mgcpacer.go of Go 1.26: commit, heapGoalInternal, memoryLimitHeapGoal, trigger, revise)
// and with a limiter that leaves the program half of the processors.
type plant struct {
	seed    uint64
	seconds float64

	procs     float64
	load      path    // processors that the program wants, as a share
	alloc     float64 // bytes for each second of CPU time of the program
	mark      float64 // bytes for each second of CPU time of the collector
	perCycle  float64 // CPU seconds that a collection costs anyway
	scan      float64 // stacks and globals
	fragments float64 // memory in spans that holds no objects, as a share of the heap

	live    path
	nonHeap path
	outside path
	hard    path // steps: a point and the next one at the same value

	delay    float64 // from the end of a collection to its observation
	jitter   float64 // of the live heap, as a share
	force    bool    // the program asks for collections, one a second
	settings         // what pace may do
}

type settings struct {
	plan
	gogc, limit int64 // at first; and for good if fixed
	fixed       bool
}

// An outcome holds the figures of a run.
type outcome struct {
	excess     float64 // above the hard limit, at most
	excessAt   float64
	share      float64 // the collector's, the highest over windows of 5 s, after the first
	shareAt    float64
	last       float64 // of the last 20 s
	lastCycles int     // then
	limited    bool    // the memory limit makes the goal at the end, and could be raised
	gc, busy   float64 // CPU seconds
	gogcTurns  int     // changes of direction in the last 30 s, when nothing moves
	limitTurns int
	beyondAt   float64 // 0: never
	crashedAt  float64
	sheds      int
	peak       float64
	cycles     int
	trace      []string
}

// A run is the state of a plant.
type run struct {
	p     *plant
	dt    float64 // seconds of a step
	law   state
	plan  plan
	noise *rand.Rand

	now                    float64
	heap, marked, mapped   float64 // heap: objects; mapped: pages of the heap that are not released
	marking                bool
	markLeft, markedBlack  float64
	liveAtStart, wobble    float64
	nonHeapBefore          float64
	gogc, limit            float64
	gc, busy, allocated    float64 // all that happened
	shownGC, shownBusy     float64 // when the last collection ended
	shownAllocated         float64
	cycles, forced         uint64
	observeAt, tickAt      float64
	forceAt                float64
	windowGC, windowBusy   []float64
	windowCycles           []uint64
	gogcWay, limitWay      way
	h, nonHeap, outside, l float64
	o                      outcome
}

// simulate runs a plant from the start to the end.
func (p *plant) simulate(trace bool) outcome {
	r := &run{p: p, o: outcome{excess: math.Inf(-1)}, plan: p.plan, noise: rand.New(rand.NewPCG(p.seed, 1)), gogc: float64(p.gogc), limit: float64(p.limit), observeAt: -1, forceAt: 1}
	r.dt = max(0.001, min(0.01, p.hard[0].value/100/(p.procs*p.alloc)))
	r.paths()
	r.wobble, r.heap, r.mapped, r.marked = 1, mib, mib, mib
	if !p.fixed {
		r.observe()
	}
	for half := 0.5; r.now < p.seconds && r.o.crashedAt == 0; {
		r.paths()
		r.advance()
		r.now += r.dt
		r.check()
		if r.now >= half {
			half += 0.5
			r.window()
			if trace {
				r.o.trace = append(r.o.trace, r.String())
			}
		}
		if !p.fixed && (r.observeAt >= 0 && r.now >= r.observeAt || r.now >= r.tickAt) {
			r.observe()
		}
	}
	r.o.gc, r.o.busy = r.gc, r.busy
	r.o.cycles = int(r.cycles)
	return r.o
}

func (r *run) paths() {
	p := r.p
	r.h, r.outside = p.hard.value(r.now), p.outside.value(r.now)
	r.nonHeap = p.nonHeap.value(r.now) + p.fragments*r.heap
	r.l = min(p.live.value(r.now)*r.wobble, r.heap) // what lives was allocated
}

// goal is heapGoalInternal.
func (r *run) goal() float64 {
	goal := math.Inf(1)
	if r.gogc >= 0 {
		goal = max(r.marked+(r.marked+r.p.scan)*r.gogc/100, 4*mib*r.gogc/100)
	}
	return min(goal, r.limitGoal())
}

func (r *run) limitGoal() float64 {
	if r.limit >= math.MaxInt64 {
		return math.Inf(1)
	}
	all := r.mapped + r.nonHeap
	goal := r.limit - r.nonHeap - max(all-r.limit, 0)
	if goal <= 0 {
		return r.marked
	}
	headroom := max(goal*0.03, mib)
	if goal-headroom < headroom {
		goal = headroom
	} else {
		goal -= headroom
	}
	return max(goal, r.marked)
}

// start is the trigger: as far before the goal as marking lasts, within the bounds.
func (r *run) start(goal float64) float64 {
	if r.marked >= goal {
		return goal
	}
	load := r.p.load.value(r.now)
	runway := 3 * r.p.alloc * min(load, 0.75) / 0.75 / r.p.mark * (r.marked + r.p.scan)
	low := r.marked + (goal-r.marked)*45/64
	high := max(r.marked+(goal-r.marked)*61/64, goal-4*mib)
	return min(max(goal-runway, low), max(high, low))
}

// advance is one step of time.
func (r *run) advance() {
	p := r.p
	room := p.procs * r.dt
	want := room * p.load.value(r.now)
	goal := r.goal()
	if !r.marking && (r.heap >= r.start(goal) || p.force && r.now >= r.forceAt) {
		if p.force && r.now >= r.forceAt {
			r.forceAt = r.now + 1
			r.forced++
		}
		r.marking, r.markLeft, r.markedBlack, r.liveAtStart = true, r.l+p.scan+p.perCycle*p.mark, 0, r.l
	}
	work, collect := want, 0.0
	if r.marking {
		background := room / 4
		work = min(want, room-background)
		ratio := p.alloc * r.markLeft / max(goal-r.heap, 64*kib) / p.mark // assist seconds for each second of work
		assist := min(work*ratio/(1+ratio), room/4)                       // the limiter
		if work+assist > room-background {
			work = room - background - assist
		} else {
			work = max(work-assist, 0)
		}
		collect = min(background+assist, r.markLeft/p.mark+1e-6)
		r.markLeft -= collect * p.mark
	}
	allocated := work * p.alloc
	r.heap += allocated
	r.allocated += allocated
	r.gc += collect
	r.busy += collect + work
	if r.marking {
		r.markedBlack += allocated
		if r.markLeft <= 0 {
			r.end()
		}
	}
	r.pages()
}

// end ends a collection: what was allocated during it is live for it.
func (r *run) end() {
	r.marking = false
	r.marked = r.liveAtStart + r.markedBlack
	r.wobble = 1 + r.p.jitter*(2*r.noise.Float64()-1)
	r.heap = r.marked
	r.cycles++
	r.shownGC, r.shownBusy, r.shownAllocated = r.gc, r.busy, r.allocated
	r.observeAt = r.now + r.p.delay*r.noise.Float64()
}

// pages grows the heap's memory by what it needs and scavenges: in the background towards 95 % of the limit and
// 110 % of the goal, as fast as a hundredth of a processor can, and at once when other memory of the runtime grows
// above the limit.
func (r *run) pages() {
	r.mapped = max(r.mapped, r.heap)
	keep := min(r.mapped, 1.1*r.goal())
	if over := r.mapped + r.nonHeap - 0.95*r.limit; over > 0 {
		keep = min(keep, r.mapped-over)
	}
	r.mapped = max(r.heap, keep, r.mapped-64*mib*r.dt)
	if grown := r.nonHeap - r.nonHeapBefore; grown > 0 && r.mapped+r.nonHeap > r.limit {
		r.mapped = max(r.heap, r.mapped-grown)
	}
	r.nonHeapBefore = r.nonHeap
}

func (r *run) check() {
	all := r.mapped + r.nonHeap + r.outside
	r.o.peak = max(r.o.peak, all)
	before := r.p.hard.value(r.now - 8) // a lowered limit is known after some seconds
	if excess := all - max(r.h, before); excess > r.o.excess {
		r.o.excess, r.o.excessAt = excess, r.now
	}
}

// window looks at the share of the last 5 s.
func (r *run) window() {
	r.windowGC, r.windowBusy = append(r.windowGC, r.shownGC), append(r.windowBusy, r.shownBusy)
	r.windowCycles = append(r.windowCycles, r.cycles)
	n := len(r.windowGC)
	if n > 10 && r.now > 10 {
		if busy := r.windowBusy[n-1] - r.windowBusy[n-11]; busy > 0 {
			if share := (r.windowGC[n-1] - r.windowGC[n-11]) / busy; share > r.o.share {
				r.o.share, r.o.shareAt = share, r.now
			}
		}
	}
	if n > 40 {
		if busy := r.windowBusy[n-1] - r.windowBusy[n-41]; busy > 0 {
			r.o.last, r.o.lastCycles = (r.windowGC[n-1]-r.windowGC[n-41])/busy, int(r.windowCycles[n-1]-r.windowCycles[n-41])
		}
	}
	r.o.limited = limited(r.observation()) && r.limit < 1.9*r.h
}

func (r *run) observation() *observation {
	return &observation{
		now: time.Duration(r.now * 1e9), hard: int64(r.h),
		live: int64(r.marked), scan: int64(r.p.scan), goal: int64(min(r.goal(), 1e18)),
		mapped: int64(r.mapped + r.nonHeap), nonHeap: int64(r.nonHeap), outside: int64(r.outside),
		cycles: r.cycles, forced: r.forced, allocated: uint64(r.shownAllocated), gcCPU: r.shownGC, busyCPU: r.shownBusy,
		gogc: int64(r.gogc), limit: rounded(r.limit), ownGOGC: true, ownLimit: true,
	}
}

// rounded is a memory limit as an integer.
func rounded(limit float64) int64 {
	if limit > 1<<62 {
		return noLimit
	}
	return int64(limit)
}

// observe shows the law what the runtime shows, and does what it says.
func (r *run) observe() {
	r.observeAt = -1
	a := step(&r.law, &r.plan, r.observation())
	r.tickAt = r.now + a.wait.Seconds()
	late := r.now > r.p.seconds-30
	if a.gogc != 0 {
		r.gogcWay.turn(float64(a.gogc)-r.gogc, late, &r.o.gogcTurns)
		r.gogc = float64(a.gogc)
	}
	if a.limit != 0 {
		r.limitWay.turn(float64(a.limit)-r.limit, late, &r.o.limitTurns)
		r.limit = float64(a.limit)
	}
	if a.release {
		r.mapped = r.heap
	}
	if a.shed {
		r.o.sheds++
	}
	if a.crash {
		r.o.crashedAt = r.now
	}
	if r.law.guard.now == beyond && r.o.beyondAt == 0 {
		r.o.beyondAt = r.now
	}
}

// A way is the sign of the last change of a setting.
type way float64

func (w *way) turn(change float64, late bool, turns *int) {
	if change == 0 {
		return
	}
	sign := way(math.Copysign(1, change))
	if late && sign != *w {
		*turns++
	}
	*w = sign
}

func (r *run) String() string {
	share := 0.0
	if n := len(r.windowGC); n > 4 {
		share = (r.windowGC[n-1] - r.windowGC[n-5]) / max(r.windowBusy[n-1]-r.windowBusy[n-5], 1e-9)
	}
	return fmt.Sprintf("%6.2fs H %6.0f live %6.0f heap %6.0f mapped %6.0f nonheap %5.0f outside %5.0f | L %6.0f goal %6.0f G %4.0f T %6d | share %4.1f%% law %4.1f%% cycles %4d %s lent %d worth %.0f need %.0f marked %.0f",
		r.now, r.h/mib, r.l/mib, r.heap/mib, r.mapped/mib, r.nonHeap/mib, r.outside/mib, min(r.limit/mib, 99999), min(r.goal()/mib, 99999), r.gogc, r.law.target/mib,
		100*share, 100*r.law.sums.shown, r.cycles, r.law.guard.now, r.law.guard.lent/mib, r.law.sums.worth()/mib, r.law.sums.headroom(0.2)/mib, r.marked/mib)
}
