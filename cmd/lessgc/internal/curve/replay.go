package curve

import "math"

// An outcome sums up the pacer's cycles on a trajectory.
type outcome struct {
	cycles float64 // in the window, parts of one included
	gc     float64 // CPU time of these
	alloc  float64 // bytes allocated in the window
	peak   float64 // largest heap
}

// leastReplay is the smallest number of cycles for which a window that repeats is replayed, as they start at
// other places each time.
const leastReplay = 12

// endless is more than any program allocates between two cycles.
const endless = 1e18

// longestReplay bounds the cycles of a replay: of a limit that leaves no room there would be no end.
const longestReplay = 200_000

// replay runs the pacer along the trajectory with a setting. A window that repeats goes on until there are
// some cycles.
func (m *Model) replay(s Setting) outcome {
	path := path{places: m.trajectory}
	from, to := m.trajectory[m.window].alloc, m.trajectory[len(m.trajectory)-1].alloc
	o := outcome{alloc: to - from}
	x := m.trajectory[0].alloc
	at := m.trajectory[0]
	end := to
	if m.repeats {
		end = math.Inf(1)
	}
	seen, black := 0.0, 0.0
	for range longestReplay {
		live := at.live + black
		if at.alloc == 0 { // nothing was collected yet
			live = 0
		}
		start, goal := s.cycle(live, at.roots, m.NonHeap, m.Runway)
		start, goal = min(start, math.MaxFloat64), min(goal, math.MaxFloat64) // without a goal, no bytes start a cycle
		next := min(m.Black, goal-start)                                      // assists hold a mark within its goal
		room := max(start+next-live, m.leastRoom())
		until, forced := path.forced(x, x+room)
		if forced {
			room, next = until-x, 0
		}
		if room > endless || x+room >= end && !m.repeats { // the program ends first
			o.peak = max(o.peak, live+max(min(end, to)-x, 0))
			return o.scaled(seen, o.alloc)
		}
		o.peak = max(o.peak, live+room)
		x += room
		at = path.at(x, to, from, m.repeats)
		black = next
		if x > from {
			o.cycles++
			o.gc += m.cost(at)
			seen = x - from
			if m.repeats && x >= to && o.cycles >= leastReplay {
				break
			}
		}
	}
	return o.scaled(seen, o.alloc)
}

// scaled makes counts of the bytes that were seen counts of those of the window.
func (o outcome) scaled(seen, alloc float64) outcome {
	if seen > 0 {
		o.cycles *= alloc / seen
		o.gc *= alloc / seen
	}
	return o
}

// cost is the CPU time of a cycle.
func (m *Model) cost(at heapState) float64 { return m.Fixed + m.PerByte*(at.live+at.roots) }

// leastRoom returns the bytes allocated at least between two cycles in immediate succession: sweeping takes some.
func (m *Model) leastRoom() float64 { return max(m.Black/20, 64<<10) }

// A path reads a trajectory forwards.
type path struct {
	places []heapState
	i      int
}

// at interpolates the trajectory where x bytes are allocated. Behind its end the window comes again.
func (p *path) at(x, to, from float64, repeats bool) heapState {
	if x > to && repeats && to > from {
		x, p.i = from+math.Mod(x-from, to-from), 0
	}
	for p.i < len(p.places)-2 && p.places[p.i+1].alloc < x {
		p.i++
	}
	if p.i+1 >= len(p.places) {
		return p.places[len(p.places)-1]
	}
	a, b := p.places[p.i], p.places[p.i+1]
	if x >= b.alloc || b.alloc <= a.alloc {
		return b
	}
	f := max(0, (x-a.alloc)/(b.alloc-a.alloc))
	return heapState{alloc: x, live: a.live + f*(b.live-a.live), roots: a.roots + f*(b.roots-a.roots)}
}

// forced returns the first forced collection after x, up to end.
func (p *path) forced(x, end float64) (float64, bool) {
	for i := p.i; i < len(p.places) && p.places[i].alloc <= end; i++ {
		if p.places[i].forced && p.places[i].alloc > x {
			return p.places[i].alloc, true
		}
	}
	return 0, false
}
