package advice

import (
	"math"

	"lessgc/cmd/lessgc/internal/lever"
)

// A Frontier is what CPU time and memory a program takes at each GOGC: measured at two, and
// between them by the pacing of the collector.
type Frontier struct {
	Price  Range   `json:"price"`  // of collecting at GOGC=100, as a share of the CPU time: what would go with the last collection
	Points []Point `json:"points"` // by GOGC
}

// A Point is one GOGC.
type Point struct {
	GOGC     int   `json:"gogc"`
	Saved    Range `json:"saved"` // share of the CPU time at GOGC=100; below 0 if it takes more
	RSS      Range `json:"rss"`   // peak of resident memory, in bytes
	Measured bool  `json:"measured,omitempty"`
}

// Collected is what was measured at FrontierTo and FrontierFrom.
type Collected struct {
	Saved    Range   // share of the CPU time that goes, with its interval
	From, To float64 // peaks of resident memory, in bytes; 0 if they are not known
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

// NewFrontier makes the frontier of a program of which live bytes are live.
//
// A cycle marks what is live, whatever GOGC is: the CPU time of collecting goes with the number of
// cycles, which for the same work is one over the room between what is live and the heap goal
// (A guide to the Go garbage collector, go.dev/doc/gc-guide). Peak memory goes with the goal.
// Both lines have two points, the settings that were measured. So what collecting costs is not what
// stacks of the collector show, but what its absence saves, misses of the cache included.
func NewFrontier(live int64, m Collected) *Frontier {
	whole := 1 / (1 - cycles(live, FrontierTo))
	f := &Frontier{Price: Range{whole * m.Saved.Lo, whole * m.Saved.Hi}}
	for _, gogc := range frontierSettings {
		part := (1 - cycles(live, gogc)) / (1 - cycles(live, FrontierTo))
		mid, half := part*(m.Saved.Lo+m.Saved.Hi)/2, math.Abs(part)*(m.Saved.Hi-m.Saved.Lo)/2
		p := Point{GOGC: gogc, Measured: gogc == FrontierFrom || gogc == FrontierTo}
		if !p.Measured {
			half = math.Hypot(half, math.Hypot(frontierError*mid, frontierLeast))
		}
		p.Saved = Range{mid - half, mid + half}
		if m.From > 0 && m.To > 0 {
			grown := float64(goal(live, gogc)-goal(live, FrontierFrom)) / float64(goal(live, FrontierTo)-goal(live, FrontierFrom))
			rss := max(m.From+(m.To-m.From)*grown, float64(live))
			err := frontierRSS * rss
			if p.Measured {
				err = 0
			}
			p.RSS = Range{rss - err, rss + err}
		}
		f.Points = append(f.Points, p)
	}
	return f
}

// SetFrontier adds what was measured to the report, and lets the lever of the setting say that.
func (r *Report) SetFrontier(m Collected) {
	live := int64(0)
	if r.Sites != nil {
		live = max(0, r.Sites.Live)
	}
	f := NewFrontier(live, m)
	r.Frontier = f
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

// cycles is how many collections there are at a GOGC for each at FrontierFrom.
func cycles(live int64, gogc int) float64 {
	return float64(goal(live, FrontierFrom)-live) / float64(goal(live, gogc)-live)
}
