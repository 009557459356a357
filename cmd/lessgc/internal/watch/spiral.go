package watch

import (
	"fmt"

	"lessgc/cmd/lessgc/internal/curve"
)

// A Spiral is how far a service is from its memory limit making the collector run without end: the heap goal is then so near
// to the live heap that most CPU time goes into collecting. It is known of a service with a limit that serves lessgc/live.
type Spiral struct {
	Level Level `json:"level"`

	// Room is by how many bytes live heap or memory beside it may grow until the collector takes curve.SpiralShare of the busy CPU time;
	// below 0 by how many they have grown beyond.
	Room float64 `json:"room"`

	Share float64 `json:"share"` // of the busy CPU time that the collector takes, without idle workers
	Cause string  `json:"cause"` // what has grown since the service is watched, or what takes the memory; "" if Level is Far
}

// A Level is how near the spiral is.
type Level string

// The levels.
const (
	Far  Level = "far"
	Near Level = "near" // Room is less than a tenth of the limit, or the limit ends each cycle
	In   Level = "in"   // the limit has the collector take more than curve.SpiralShare
)

const (
	nearShare    = 0.1  // of the limit: less room is near
	limitedShare = 0.98 // of the goal by GOGC: below it, the limit sets the goal
)

// A spiralWatch follows a service. What a cycle costs is remembered from the last window with one.
type spiralWatch struct {
	first *Snapshot // of the segment
	cost  float64   // CPU seconds of a cycle, without idle workers; 0 before one was seen
	user  float64   // CPU seconds of the program for each byte that it allocates
	share float64
}

// look returns where the service is after a window, or nil if that is not known.
func (s *spiralWatch) look(now *Snapshot, r *Rates) *Spiral {
	if s.first == nil || s.first.Segment != now.Segment {
		*s = spiralWatch{first: now}
	}
	m, ok := spiralMemory(&now.Gauges)
	if !ok {
		return nil
	}
	s.learn(now, r)
	if s.cost == 0 {
		return nil
	}
	// A cycle each h bytes takes the share cost / (cost + user h).
	enough := s.cost * (1 - curve.SpiralShare) / curve.SpiralShare / max(s.user, 1e-15)
	goal := m.setting.LimitGoal(m.beside)
	out := &Spiral{Level: Far, Room: goal - m.live - enough, Share: s.share}
	switch limited := goal < limitedShare*m.byGOGC(); {
	case limited && s.share > curve.SpiralShare:
		out.Level, out.Room = In, min(out.Room, 0)
	case limited && out.Room < nearShare*m.setting.Limit || out.Room < 0:
		out.Level = Near
	}
	if out.Level != Far {
		before, _ := spiralMemory(&s.first.Gauges)
		out.Cause = m.cause(before)
	}
	return out
}

// learn keeps what the collections of a window cost.
func (s *spiralWatch) learn(now *Snapshot, r *Rates) {
	if r == nil || r.CPU == nil || r.PerSecond.GCs == nil || r.PerSecond.AllocBytes == nil || now.Gauges.GOMAXPROCS == nil {
		return
	}
	cycles := *r.PerSecond.GCs
	if r.PerSecond.ForcedGCs != nil {
		cycles += *r.PerSecond.ForcedGCs
	}
	busy := r.CPU.Used * *now.Gauges.GOMAXPROCS
	collecting := busy * (r.CPU.Busy.GC - r.CPU.Busy.Idle)
	if cycles <= 0 || *r.PerSecond.AllocBytes <= 0 || !(collecting > 0) {
		return
	}
	s.cost, s.share = collecting/cycles, r.CPU.Busy.GC-r.CPU.Busy.Idle
	s.user = max(busy-busy*r.CPU.Busy.GC, 0.01*busy) / *r.PerSecond.AllocBytes
}

// A memory holds the kinds of a service's memory, in bytes.
type memory struct {
	setting             curve.Setting
	live, roots, beside float64 // beside is what counts against the limit and is neither objects nor free heap
}

// spiralMemory is false if there is no limit, or not all is known.
func spiralMemory(g *Gauges) (m memory, ok bool) {
	for _, p := range []*float64{g.Limit, g.Live, g.Heap, g.Memory, g.HeapFree, g.Roots, g.GOGC} {
		if p == nil {
			return m, false
		}
	}
	if *g.Limit >= NoLimit || *g.Live == 0 {
		return m, false
	}
	return memory{curve.Setting{GOGC: *g.GOGC, Limit: *g.Limit}, *g.Live, *g.Roots, max(0, *g.Memory-*g.HeapFree-*g.Heap)}, true
}

// byGOGC is the heap goal without the limit.
func (m memory) byGOGC() float64 {
	return curve.Setting{GOGC: m.setting.GOGC, Limit: curve.NoLimit}.Goal(m.live, m.roots, m.beside)
}

// cause returns what has grown most since before, or where the memory is if nothing has grown by much.
func (m memory) cause(before memory) string {
	live, beside, limit := m.live-before.live, m.beside-before.beside, before.setting.Limit-m.setting.Limit
	switch most := max(live, beside, limit); {
	case before.setting.Limit == 0 || most < 0.02*m.setting.Limit:
		return fmt.Sprintf("the limit of %s is too near: %s are live, and %s count beside the heap", mebibytes(m.setting.Limit), mebibytes(m.live), mebibytes(m.beside))
	case most == limit:
		return fmt.Sprintf("the limit was lowered from %s to %s: %s are live, and %s count beside the heap", mebibytes(before.setting.Limit), mebibytes(m.setting.Limit), mebibytes(m.live), mebibytes(m.beside))
	case most == live:
		return fmt.Sprintf("the live heap has grown from %s to %s, below a limit of %s", mebibytes(before.live), mebibytes(m.live), mebibytes(m.setting.Limit))
	}
	return fmt.Sprintf("memory beside the heap (stacks, spans that are not full, the runtime's own) has grown from %s to %s, below a limit of %s", mebibytes(before.beside), mebibytes(m.beside), mebibytes(m.setting.Limit))
}

func mebibytes(n float64) string { return fmt.Sprintf("%.0f MiB", n/(1<<20)) }
