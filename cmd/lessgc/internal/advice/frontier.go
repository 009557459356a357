package advice

import (
	"math"

	"lessgc/cmd/lessgc/internal/lever"
)

// A Frontier is what CPU time and memory a program takes at each GOGC: measured at two, and
// between them by the pacing of the collector.
type Frontier struct {
	Price  Range   `json:"price"`  // of collecting at GOGC=100, as a share of the CPU time: what would go with the last collection
	Points []Point `json:"points"` // by GOGC; that of a limit last
}

// A Point is one GOGC, or GOGC=off with a memory limit.
type Point struct {
	GOGC     int   `json:"gogc"`            // -1 for off
	Limit    int64 `json:"limit,omitempty"` // GOMEMLIMIT in bytes; 0 for none
	Saved    Range `json:"saved"`           // share of the CPU time at GOGC=100; below 0 if it takes more
	RSS      Range `json:"rss"`             // peak of resident memory, in bytes
	Measured bool  `json:"measured,omitempty"`
	NoRoom   bool  `json:"noRoom,omitempty"` // what is live leaves no room below the limit: it would collect without end
}

// Collected is what was measured at FrontierTo and FrontierFrom.
type Collected struct {
	Saved    Range   // share of the CPU time that goes, with its interval
	From, To float64 // peaks of resident memory, in bytes; 0 if they are not known
	Note     string  // what could not be measured, or ""
	Goal     float64 // the largest heap goal at FrontierFrom, in bytes; 0 if it is not known
	Cycles   float64 // collections at FrontierTo for each at FrontierFrom, for the same work; 0 if that is not known
}

// The two settings that are measured, of which the first is what the others are compared with.
const (
	FrontierFrom = 100
	FrontierTo   = 800
)

// frontierSettings are those that are told.
var frontierSettings = []int{50, 75, 100, 150, 200, 300, 400, 800}

// What the model does not know, found on the programs of bench/results/advise.md: how the program's
// own work takes a larger heap, and what is resident besides the heap.
const (
	frontierError = 0.15 // of the CPU time that goes or comes
	frontierLeast = 0.01 // of all CPU time
	frontierRSS   = 0.08
)

// leastRoom is what part of the live heap has to be free below a memory limit for it to be no trap.
const leastRoom = 0.1

// pace is how often a program collects at each setting.
//
// A cycle marks what is live, whatever GOGC is: the CPU time of collecting goes with the number of
// cycles, which for the same work is one over the room between what is live and the heap goal
// (A guide to the Go garbage collector, go.dev/doc/gc-guide). While a heap grows from little to what
// will be live, each cycle finds it larger by the same factor: there are as many as the logarithm of
// that has room for. The part of the cycles of either kind is such that as many are left at FrontierTo as were counted.
type pace struct {
	live    int64
	growing float64 // 0 to 1
}

func newPace(live int64, counted float64) pace {
	p := pace{live: live}
	steady, growing := p.cycles(goal(live, FrontierTo)), pace{live, 1}.cycles(goal(live, FrontierTo))
	if counted > 0 && growing > steady {
		p.growing = min(1, max(0, (counted-steady)/(growing-steady)))
	}
	return p
}

// cycles is how many collections there are at a heap goal for each at FrontierFrom.
func (p pace) cycles(at int64) float64 {
	from, live := float64(goal(p.live, FrontierFrom)), float64(p.live)
	steady := (from - live) / (float64(at) - live)
	if live == 0 || p.growing == 0 {
		return steady
	}
	return (1-p.growing)*steady + p.growing*math.Log(from/live)/math.Log(float64(at)/live)
}

// NewFrontier makes the frontier of a program of which live bytes are live, with a memory limit in
// bytes unless that is 0.
//
// CPU time goes with collections, and peak memory with the heap goal.
// Both lines have two points, the settings that were measured. So what collecting costs is not what
// stacks of the collector show, but what its absence saves, misses of the cache included.
func NewFrontier(live int64, m Collected, limit int64) *Frontier {
	pace := newPace(live, m.Cycles)
	from, to := goal(live, FrontierFrom), goal(live, FrontierTo)
	whole := 1 / (1 - pace.cycles(to))
	f := &Frontier{Price: Range{whole * m.Saved.Lo, whole * m.Saved.Hi}}
	at := func(p Point, goal int64) {
		p.Saved = m.Saved.part(whole*(1-pace.cycles(goal)), p.Measured)
		if m.From > 0 && m.To > 0 {
			rss := max(m.From+(m.To-m.From)*float64(goal-from)/float64(to-from), float64(live))
			err := frontierRSS * rss
			if p.Measured {
				err = 0
			}
			p.RSS = Range{rss - err, rss + err}
		}
		f.Points = append(f.Points, p)
	}
	for _, gogc := range frontierSettings {
		at(Point{GOGC: gogc, Measured: gogc == FrontierFrom || gogc == FrontierTo}, goal(live, gogc))
	}
	if limit > 0 && m.From > 0 && m.To > m.From {
		p := Point{GOGC: -1, Limit: limit}
		room := float64(from) + (float64(limit)-m.From)/(m.To-m.From)*float64(to-from)
		if room < (1+leastRoom)*float64(max(live, 1)) {
			p.NoRoom = true
			f.Points = append(f.Points, p)
		} else {
			at(p, int64(room))
		}
	}
	return f
}

// part is a part of what goes between the two settings, with what the model does not know unless it was measured.
func (r Range) part(part float64, measured bool) Range {
	mid, half := part*(r.Lo+r.Hi)/2, math.Abs(part)*(r.Hi-r.Lo)/2
	if !measured {
		half = math.Hypot(half, math.Hypot(frontierError*mid, frontierLeast))
	}
	return Range{mid - half, mid + half}
}

// SetFrontier adds what was measured to the report, and lets the lever of the setting say that.
func (r *Report) SetFrontier(m Collected, limit int64) {
	live := int64(0)
	if r.Sites != nil {
		live = max(0, r.Sites.Live)
	}
	if half := int64(m.Goal / 2); m.Goal > smallestHeap && (live == 0 || live > half) { // profiles of several processes add up
		live = half
	}
	f := NewFrontier(live, m, limit)
	r.Frontier = f
	if m.Note != "" {
		r.Notes = append(r.Notes, m.Note)
	}
	for i := range r.Levers {
		l := &r.Levers[i]
		if l.Rule != lever.GCSetting.Name {
			continue
		}
		for _, p := range f.Points {
			if p.GOGC == suggestedGOGC && p.Saved.Hi > 0 {
				l.Gain = &Range{max(0, p.Saved.Lo), p.Saved.Hi}
			}
		}
	}
}

// suggestedGOGC is the setting that the lever is about.
const suggestedGOGC = 400

// goal is how large the heap gets before a cycle ends.
func goal(live int64, gogc int) int64 {
	return max(smallestHeap*int64(gogc)/100, live+live*int64(gogc)/100)
}
