package pace

import "time"

// The states of the guard, as [Stats] shows them.
const (
	steady  = "steady"
	pressed = "pressed"
	raised  = "raised"
	beyond  = "beyond"
	crashed = "crashed"
)

const (
	aim  = 0.8 // of MaxGC: the share that the guard makes room for
	calm = 0.7 // of MaxGC: the share at which it takes back what is more than needed
	last = 1.1 // of MaxGC: the share from which on it does the last of its means
	most = 2   // hard limits, the highest that it raises the memory limit to

	patience     = 5 * time.Second // at the end of all other means, above the bound all the time
	shedTime     = 2 * time.Second // how long the guard waits for hooks
	firstPause   = 10 * time.Second
	longestPause = 5 * time.Minute
	forgetPause  = 10 * time.Minute // after the last pressure, hooks are called as soon as at first
	settleTime   = 10 * time.Second // without pressure: the episode is over
	takeBackTime = 2 * time.Second  // since the guard lent
	releasePause = 10 * time.Second
)

// A guard is the part of the state that is about limit spirals.
type guard struct {
	now   string        // one of the states
	lent  int64         // E
	atEnd time.Duration // since when only the last of its means is left and needed, else 0

	pressure time.Duration // when there was some last
	moved    time.Duration // when it lent last

	shedAt   time.Duration // when hooks were called last
	shedNext time.Duration // not before
	pause    time.Duration // from that one to the next
	released time.Duration

	episodes, sheds uint64
}

// step detects and ends a limit spiral: the collector's share s exceeds MaxGC while the memory limit, not GOGC,
// determines the heap goal. Collections forced by the program do not count. It acts on at least two collections
// and half a second of evidence since its last action, and takes the next of these steps:
//
//  1. It calls the hooks, at most every 10 seconds, then 20, and so on up to 5 minutes, and waits up to two
//     seconds for them.
//  2. It raises L to N + (V + h)/0.97, where h = q(1-b)/b is the headroom for a share b of 0.8 MaxGC (see
//     sums.headroom), but at most doubles the headroom, and covers at least half of the way to the end, which
//     is H - x - H/64 with the memory x outside the runtime now.
//  3. If s has exceeded 1.1 MaxGC for five seconds at that end, it raises L further, up to 2 H (Continue), or gives up
//     (Crash).
//
// It takes back what exceeds the need for a share of 0.7 MaxGC.
func (g *guard) step(s *state, p *plan, o *observation, usable int64, a *action) {
	if g.now == "" {
		g.now, g.pause = steady, firstPause
	}
	if o.hard > s.last.hard && g.lent > 0 { // there is more now: the rest of what was lent may do
		if g.lent = max(0, min(g.lent, s.limit-usable)); g.lent == 0 {
			g.now = pressed
		}
	}
	if g.now != beyond {
		g.lent = max(0, min(g.lent, lastLimit(o)-usable))
	}
	if o.shedding && o.now-g.shedAt < shedTime {
		s.sums.reset(o.now)
		return
	}
	if !s.sums.evidence(o.now) {
		g.settle(o)
		return
	}
	if s.sums.own() <= p.maxGC || !limited(o) {
		g.atEnd = 0
		g.takeBack(s, p, o, usable)
		g.settle(o)
		return
	}
	g.pressure = o.now
	if g.now == steady {
		g.now = pressed
		g.episodes++
	}
	switch {
	case p.hooks && !o.shedding && o.now >= g.shedNext:
		g.shed(s, o, a)
	case o.ownLimit && o.hard > 0:
		g.lend(s, p, o, usable, a)
	}
}

// limited reports whether the memory limit determines the heap goal.
func limited(o *observation) bool {
	if o.limit == noLimit {
		return false
	}
	if o.gogc < 0 {
		return true
	}
	g := float64(o.gogc) / 100
	byGOGC := max(float64(o.live)+float64(o.live+o.scan)*g, runtimeMin*g)
	return float64(o.goal) < 0.98*byGOGC
}

func (g *guard) shed(s *state, o *observation, a *action) {
	if g.shedAt > 0 && o.now-g.shedNext > forgetPause {
		g.pause = firstPause
	}
	a.shed = true
	g.sheds++
	g.shedAt, g.shedNext = o.now, o.now+g.pause
	g.pause = min(2*g.pause, longestPause)
	s.sums.reset(o.now)
}

// lend takes steps 2 and 3.
func (g *guard) lend(s *state, p *plan, o *observation, usable int64, a *action) {
	h := float64(o.hard)
	had := max(float64(o.goal-o.live), s.sums.room/s.sums.cycles, h*quantumShare)
	want := s.limitFor(o, min(s.sums.headroom(aim*p.maxGC), 2*had))
	end := max(usable, lastLimit(o))
	want = max(want, s.limit+int64(h*quantumShare), s.limit+(end-s.limit)/2)
	switch {
	case s.limit < end-int64(h*quantumShare):
		want = min(want, end)
		g.now, g.atEnd = raised, 0
	case s.sums.own() <= last*p.maxGC:
		g.atEnd = 0
		return
	case g.now != beyond && !g.endured(o.now):
		return
	case p.crash:
		g.now, a.crash = crashed, true
		return
	default:
		g.now = beyond
		want = min(want, int64(most*h))
	}
	g.lent = max(0, want-usable)
	g.moved = o.now
	s.sums.reset(o.now)
}

// endured reports whether all other means have been used up for long enough. Memory that is needed for a moment only is not
// worth an end of the process.
func (g *guard) endured(now time.Duration) bool {
	if g.atEnd == 0 {
		g.atEnd = now
	}
	return now-g.atEnd >= patience
}

// lastLimit returns the highest memory limit that keeps the process below the hard limit.
func lastLimit(o *observation) int64 { return int64(float64(o.hard)*(1-lastShare)) - o.outside }

// limitFor returns the memory limit at which the runtime leaves a headroom above the live heap.
func (s *state) limitFor(o *observation, headroom float64) int64 {
	goal := float64(s.live.max()) + headroom
	return s.counted(o) + int64(max(goal/runtimeShare, goal+runtimeLeast))
}

// takeBack lowers L to what is enough now.
func (g *guard) takeBack(s *state, p *plan, o *observation, usable int64) {
	if g.lent == 0 || o.now-g.moved < takeBackTime {
		return
	}
	enough := max(0, s.limitFor(o, s.sums.headroom(calm*p.maxGC))-usable)
	if enough > 0 && enough > g.lent-max(g.lent/8, int64(float64(o.hard)*quantumShare)) {
		return
	}
	g.lent = min(enough, g.lent)
	g.moved = o.now
	switch {
	case g.lent == 0:
		g.now = pressed
	case usable+g.lent <= o.hard-o.outside:
		g.now = raised
	}
	s.sums.reset(o.now)
}

// settle ends an episode.
func (g *guard) settle(o *observation) {
	if g.now == pressed && o.now-g.pressure >= settleTime {
		g.now = steady
	}
}

// mustRelease reports whether the process is about to exceed the hard limit with memory that is free, as after
// the limit has been lowered.
func (g *guard) mustRelease(s *state, o *observation) bool {
	free := o.mapped - s.live.max() - o.nonHeap
	if o.hard == 0 || !o.ownLimit || o.mapped <= lastLimit(o) || free < o.hard/32 {
		return false
	}
	if g.released > 0 && o.now-g.released < releasePause {
		return false
	}
	g.released = o.now
	return true
}
