package pace

import (
	"math"
	"time"
)

// Sums are exponentially weighted sums over recent collections, with a half-life of memory. The runtime's CPU
// times change only when a collection ends, so these do too.
type sums struct {
	gc, busy          float64
	room              float64 // headroom that the collections had, in bytes
	cycles, automatic float64

	since     time.Duration // they were set to zero
	collected int           // since then
	shown     float64       // the share, kept when they are set to zero
	cost      float64       // q, the same
	forced    bool          // it is the program that asks for most collections; the same
}

const (
	memory = 2 * time.Second

	// The evidence that the guard needs before it acts.
	evidenceCycles = 2
	evidenceTime   = 500 * time.Millisecond
	evidenceCPU    = 0.02 // processors that the collector occupies

	maxShare = 0.98
)

func (s *sums) add(from, to *observation) {
	if to.cycles == from.cycles {
		return
	}
	lasted := max(to.now-from.now, 1)
	old := math.Exp2(-float64(lasted) / float64(memory))
	part := min(1, float64(memory)/float64(lasted)) // a long time without collections is not to hide what follows
	n, forced := float64(to.cycles-from.cycles), float64(to.forced-from.forced)
	room := float64(to.allocated - from.allocated)
	if forced == 0 {
		room = max(room, n*float64(from.goal-from.live))
	}
	s.gc = s.gc*old + part*max(0, to.gcCPU-from.gcCPU)
	s.busy = s.busy*old + part*max(0, to.busyCPU-from.busyCPU)
	s.room = s.room*old + part*room
	s.cycles = s.cycles*old + part*n
	s.automatic = s.automatic*old + part*(n-forced)
	s.collected += int(n)
	switch own := s.automatic / s.cycles; {
	case own < 0.4:
		s.forced = true
	case own > 0.7:
		s.forced = false
	}
	if s.shown = s.share(); s.collected >= evidenceCycles || s.cost == 0 {
		s.cost = s.room / s.cycles * s.shown / (1 - s.shown)
	}
}

// reset starts anew, because a setting has changed.
func (s *sums) reset(now time.Duration) {
	*s = sums{since: now, shown: s.shown, cost: s.cost, forced: s.forced}
}

// share is the collector's share of the CPU time that the program did not leave idle.
func (s *sums) share() float64 {
	if s.busy <= 0 {
		return 0
	}
	return min(s.gc/s.busy, maxShare)
}

// own is the share of those collections that the program did not ask for.
func (s *sums) own() float64 {
	if s.cycles <= 0 {
		return 0
	}
	return s.share() * s.automatic / s.cycles
}

// worth returns the headroom above which more would save nothing, or next to nothing, because the
// program asks for most collections.
func (s *sums) worth() float64 {
	if s.forced {
		return 0
	}
	return s.headroom(worth)
}

// headroom returns the distance, in bytes, from the live heap to the heap goal at which the collector's share
// is b. A collection costs the same however much the program allocates before it. With A bytes allocated from
// one to the next, and the share s, it costs as much as the program's work on q = A s/(1-s) bytes, so
//
//	b = q/(q + headroom)
//
// A is the headroom of the heap goal, of which a collection that ends early leaves some, or what was
// allocated, if that is more.
func (s *sums) headroom(b float64) float64 { return s.cost * (1 - b) / b }

// evidence reports whether there is enough to act on.
func (s *sums) evidence(now time.Duration) bool {
	lasted := now - s.since
	return s.collected >= evidenceCycles && lasted >= evidenceTime && s.gc > evidenceCPU*min(lasted.Seconds(), memory.Seconds()/math.Ln2)
}
