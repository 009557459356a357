package pace

import (
	"math"
	"time"
)

// The constants of the law.
const (
	reserveShare  = 1.0 / 16  // of the hard limit, left alone as long as the collector's share is fine
	lastShare     = 1.0 / 64  // of the hard limit, what the guard leaves of the reserve
	leastShare    = 1.0 / 16  // of the hard limit, the lowest memory limit, whatever lies outside
	quantumShare  = 1.0 / 128 // of the hard limit, by how much the memory limit has to rise, if it does
	minHeapShare  = 1.0 / 8   // of the memory limit, the most that MinHeap gets
	marginHalf    = 5 * time.Minute
	worth         = 0.01 // the collector's share above which more memory is spent on a smaller one
	lowestGOGC    = 50
	highestGOGC   = 10000
	raise         = 1.25 // factor by which GOGC rises, at most, for each collection
	raiseBand     = 1.25 // and the factor by which it is too low before it does
	lowerBand     = 0.90 // and too high before it falls
	hundredFits   = 110  // the GOGC that has to fit below the memory limit before it rises to 100 at once
	runtimeMin    = 4 << 20
	runtimeShare  = 0.97 // what the runtime uses of a heap goal by its memory limit
	runtimeLeast  = 1 << 20
	noLimit       = math.MaxInt64
	shortestCheck = time.Second
	longestCheck  = 4 * time.Second
)

// A plan has the parameters of the law, fixed from Start to Stop.
type plan struct {
	minHeap int64
	target  float64
	maxGC   float64
	hooks   bool // there are some
	crash   bool // when nothing is left
}

// An observation is the process at one moment. Sizes are in bytes.
type observation struct {
	now  time.Duration
	hard int64 // the hard limit, 0 if none is known

	live    int64 // marked by the last collection
	scan    int64 // stacks and globals that it scanned
	goal    int64 // of the heap, for the next one
	mapped  int64 // all that the memory limit counts
	nonHeap int64 // of that, what neither holds objects nor is free for them
	outside int64 // memory of the process that the runtime does not know of

	cycles, forced uint64 // collections since the start of the program, and those that it asked for
	allocated      uint64 // bytes, since then
	gcCPU, busyCPU float64

	gogc, limit       int64 // in effect
	ownGOGC, ownLimit bool
	shedding          bool // hooks are running
}

// A state carries the law's values from one observation to the next.
type state struct {
	last  observation
	begun bool

	margin  float64 // M
	live    window  // V is its largest
	nonHeap window  // N, with the present one
	gogc    int64   // G, 0 before the first step
	limit   int64   // L, 0 before the first step
	target  int64   // T, 0 without a limit
	sums    sums
	guard   guard
	wait    time.Duration
}

// An action lists the changes to make, and when to look again.
type action struct {
	gogc  int64 // 0: leave it
	limit int64 // 0: leave it

	shed    bool // call the hooks
	release bool // give free memory back to the system now
	crash   bool
	wait    time.Duration // until the next observation, unless a collection ends before
}

// step is the control law, a pure function: it updates the state by an observation and returns what to do.
// The equations, in bytes and shares:
//
// The margin M is a decaying maximum of the memory outside the runtime's sight, x, with a half-life of five
// minutes. The memory limit L is the hard limit H less M and a reserve, plus E, which the guard lends:
//
//	M = max(x, x + (M' - x) 2^(-dt/5min))
//	U = max(H - M - H/16, H/16)
//	L = U + E
//
// L falls at once and rises in steps of at least H/128.
//
// The runtime ends a collection at the heap goal, the lower of (runtime/mgcpacer.go)
//
//	max(live + (live+scan) G/100, 4 MiB G/100)   for GOGC = G
//	0.97 (L - N)                                 for the memory limit
//
// where N is the memory that counts against the limit but is not for objects. So the goal is T for
//
//	gogc(T) = min(100 (T - V)/(V + scan), 100 T/4 MiB)
//
// V is the largest live heap of the last 16 collections or four seconds, whichever is longer, so that noise
// does not move G; N likewise. The target for the heap's peak is
//
//	T = target U - N
//
// and G follows gogc(T), within these rules:
//
//   - It rises to max(100, gogc(MinHeap)) at once, beyond that by at most a quarter per collection, and no
//     further than the headroom at which the collector's share s of the busy CPU time is 1 % (see
//     sums.headroom): memory is spent only where it saves CPU time.
//   - It falls at once. It falls below 100 only if the goal at 100 would exceed 0.97 (U - N), by the live heaps
//     of the last five collections: Target bounds what pace adds, not what the program needs anyway.
//   - It stays while gogc(T) is between 0.9 G and 1.25 G, but rises to 100 as soon as 110 would fit, too.
//   - It is never lower than 50, nor so low that s would exceed 0.8 MaxGC: near the limit the memory limit
//     bounds the heap, and better than G can.
//
// Without a hard limit, and without a memory limit set by another party, G is max(100, gogc(MinHeap)).
func step(s *state, p *plan, o *observation) (a action) {
	if !s.begun {
		s.margin, s.sums.since, s.gogc, s.limit = float64(o.outside), o.now, o.gogc, o.limit
		s.last, s.begun = *o, true
	}
	collected := o.cycles != s.last.cycles || s.live.n == 0
	if collected {
		s.live.add(o.now, o.live)
		s.nonHeap.add(o.now, o.nonHeap)
	}
	s.sums.add(&s.last, o)
	s.learn(o)
	usable := s.usable(o)
	s.guard.step(s, p, o, usable, &a)
	switch {
	case !o.ownLimit:
	case o.hard > 0:
		a.limit = s.setLimit(o, usable+s.guard.lent)
	case s.limit != noLimit: // the hard limit was taken away
		s.limit, s.guard.lent, s.guard.now = noLimit, 0, steady
		a.limit = noLimit
	}
	if o.ownGOGC && collected {
		a.gogc = s.setGOGC(p, o, usable)
	}
	a.release = s.guard.mustRelease(s, o)
	a.wait = s.nextCheck(o)
	s.last = *o
	return a
}

// learn updates the margin.
func (s *state) learn(o *observation) {
	x := float64(o.outside)
	forget := math.Exp2(-float64(o.now-s.last.now) / float64(marginHalf))
	s.margin = max(x, x+(s.margin-x)*forget)
}

// usable returns U, or the memory limit of another party if that is lower; 0 if there is neither.
func (s *state) usable(o *observation) int64 {
	u := int64(0)
	if o.hard > 0 {
		h := float64(o.hard)
		u = int64(max(h-s.margin-h*reserveShare, h*leastShare))
	}
	if !o.ownLimit && o.limit < noLimit && (u == 0 || o.limit < u) {
		u = o.limit
	}
	return u
}

// setLimit moves L to the wanted limit, with hysteresis.
func (s *state) setLimit(o *observation, want int64) int64 {
	quantum := int64(float64(o.hard) * quantumShare)
	if want < s.limit-quantum/8 || want >= s.limit+quantum || s.limit > o.hard && s.guard.lent == 0 {
		s.limit = want
	}
	return s.limit
}

// setGOGC moves G to the wanted GOGC, within the rules.
func (s *state) setGOGC(p *plan, o *observation, usable int64) int64 {
	floor := p.minHeap
	if usable > 0 {
		floor = min(floor, int64(float64(usable)*minHeapShare))
	}
	base := max(100, s.gogcFor(floor, o.scan))
	want, least, fits := base, int64(0), int64(0)
	s.target = 0
	if usable > 0 {
		s.target = max(0, int64(p.target*float64(usable))-s.counted(o))
		highest := int64(runtimeShare * float64(usable-s.counted(o)))
		least = s.gogcNeeded(p, o)
		fits = gogcFor(highest, s.live.latest(), o.scan)
		want = max(s.gogcFor(s.target, o.scan), min(100, fits), least)
		want = min(want, max(base, s.gogc, least, s.gogcFor(s.live.max()+int64(s.sums.worth()), o.scan)))
	}
	want = min(max(want, lowestGOGC), max(highestGOGC, base))
	switch g := float64(s.gogc); {
	case float64(want) < g*lowerBand:
		s.gogc = want
	case float64(least)*lowerBand > g:
		s.gogc = max(least, lowestGOGC)
	case float64(want) > g*raiseBand, g < 100 && fits > hundredFits:
		s.gogc = min(want, max(base, int64(g*raise)))
	}
	return s.gogc
}

// gogcFor returns gogc(goal), with V as the live heap.
func (s *state) gogcFor(goal, scan int64) int64 { return gogcFor(goal, s.live.max(), scan) }

// gogcFor returns the GOGC for a heap goal.
func gogcFor(goal, live, scan int64) int64 {
	byLive := 100 * float64(goal-live) / float64(max(live+scan, 1))
	byLeast := 100 * float64(goal) / runtimeMin
	return int64(min(max(byLive, 0), byLeast))
}

// gogcNeeded returns the GOGC below which the collector would exceed its share.
func (s *state) gogcNeeded(p *plan, o *observation) int64 {
	if s.sums.forced {
		return 0
	}
	return int64(min(400, 100*s.sums.headroom(aim*p.maxGC)/float64(max(s.live.max()+o.scan, 1))))
}

// counted returns N.
func (s *state) counted(o *observation) int64 { return max(s.nonHeap.max(), o.nonHeap) }

// nextCheck returns the time to the next observation: a second while anything changes or the hard limit is near,
// and up to four otherwise.
func (s *state) nextCheck(o *observation) time.Duration {
	moved := o.hard > 0 && math.Abs(float64(o.outside-s.last.outside)+float64(o.mapped-s.last.mapped)) > float64(o.hard)/256
	near := o.hard > 0 && o.mapped+o.outside > o.hard/4*3
	if moved || near || o.hard != s.last.hard || s.guard.now != steady {
		s.wait = shortestCheck
	} else {
		s.wait = min(max(2*s.wait, shortestCheck), longestCheck)
	}
	return s.wait
}

// A window has the maxima of a figure over the last 16 collections or four seconds, whichever is longer.
type window struct {
	last  [16]int64
	n     int
	begun time.Duration // the last one
}

func (w *window) add(now time.Duration, x int64) {
	if i := (w.n - 1) % len(w.last); w.n > 0 && now-w.begun < 250*time.Millisecond {
		w.last[i] = max(w.last[i], x)
		return
	}
	w.last[w.n%len(w.last)] = x
	w.n++
	w.begun = now
}

func (w *window) max() (x int64) {
	for _, y := range w.last[:min(w.n, len(w.last))] {
		x = max(x, y)
	}
	return x
}

// latest returns the maximum of the last five.
func (w *window) latest() (x int64) {
	for i := max(0, w.n-5); i < w.n; i++ {
		x = max(x, w.last[i%len(w.last)])
	}
	return x
}
