package advice

import (
	"math"

	"lessgc/cmd/lessgc/internal/lever"
)

// A Frontier holds the CPU time and memory of a program at each GOGC.
type Frontier struct {
	Price  Range   `json:"price"`  // of collecting at GOGC=100, as a share of the CPU time: what would go with the last collection
	Points []Point `json:"points"` // by GOGC, as measured; that of a limit last, which follows from them
}

// A Point is one GOGC, or GOGC=off with a memory limit.
type Point struct {
	GOGC   int   `json:"gogc"`             // -1 for off
	Limit  int64 `json:"limit,omitempty"`  // GOMEMLIMIT in bytes; 0 for none
	Saved  Range `json:"saved"`            // share of the CPU time at FrontierBase; below 0 if it takes more
	RSS    Range `json:"rss"`              // peak of resident memory, in bytes
	NoRoom bool  `json:"noRoom,omitempty"` // the program hardly fits below the limit: it would collect without end
}

// A Setting holds the measurements at one GOGC.
type Setting struct {
	GOGC   int
	Saved  Range   // share of the CPU time at FrontierBase, with its interval
	RSS    float64 // peak, in bytes; 0 if it is not known
	Cycles float64 // collections for each at FrontierBase, for the same work; 0 if that is not known
}

// FrontierBase is the GOGC that the others are compared with, Go's default.
const FrontierBase = 100

// FrontierModes are the settings that are measured, FrontierBase among them, in order.
var FrontierModes = []int{50, 75, FrontierBase, 150, 200, 300, 400, 800}

// The saving of a limit follows from two settings, and is not known better than this.
const (
	betweenError = 0.25 // of the difference of the two
	betweenLeast = 0.01 // of all CPU time
	betweenRSS   = 0.08 // of memory
)

// leastGOGC is the GOGC below which a memory limit leaves no room.
const leastGOGC = 15

// measured are settings, in the order of their GOGC.
type measured []Setting

// NewFrontier makes the frontier of a program that was measured at some settings, with a memory limit in bytes unless that
// is 0.
//
// There is no curve that all programs follow: what a cycle costs depends on when in an operation it falls,
// and a heap that is larger than the caches costs misses. So all settings are measured. A limit with GOGC=off is as the
// GOGC whose peak it is, since memory goes with the heap goal (A guide to the Go garbage collector,
// go.dev/doc/gc-guide).
func NewFrontier(settings []Setting, limit int64) *Frontier {
	m := measured(settings)
	f := &Frontier{Price: m.price()}
	for _, s := range m {
		f.Points = append(f.Points, Point{GOGC: s.GOGC, Saved: s.Saved, RSS: Range{s.RSS, s.RSS}})
	}
	if limit > 0 {
		if p, ok := m.limited(limit); ok {
			f.Points = append(f.Points, p)
		}
	}
	return f
}

// price returns the cost of collecting: what goes at the highest setting, and the cycles that are left there.
func (m measured) price() Range {
	high := m[len(m)-1]
	left := high.Cycles
	if left <= 0 || left >= 1 {
		left = FrontierBase / float64(high.GOGC)
	}
	return Range{high.Saved.Lo / (1 - left), high.Saved.Hi / (1 - left)}
}

// saved is the share of the CPU time that a GOGC saves that lies between two settings. Above all of them it goes on to the
// price of collecting as cycles become fewer.
func (m measured) saved(gogc float64) Range {
	if high := m[len(m)-1]; gogc > float64(high.GOGC) {
		price, left := m.price(), float64(high.GOGC)/gogc
		return Range{price.Lo - left*(price.Lo-high.Saved.Lo), price.Hi - left*(price.Hi-high.Saved.Hi)}
	}
	i := 1
	for i < len(m)-1 && float64(m[i].GOGC) < gogc {
		i++
	}
	a, b := m[i-1], m[i]
	part := math.Log(gogc/float64(a.GOGC)) / math.Log(float64(b.GOGC)/float64(a.GOGC))
	low, high := a.Saved.mid(), b.Saved.mid()
	half := math.Hypot((1-part)*a.Saved.half(), part*b.Saved.half())
	half = math.Hypot(half, math.Hypot(betweenError*(high-low), betweenLeast))
	mid := low + part*(high-low)
	return Range{mid - half, mid + half}
}

func (r Range) mid() float64 { return (r.Lo + r.Hi) / 2 }

func (r Range) half() float64 { return (r.Hi - r.Lo) / 2 }

// limited is GOGC=off with a memory limit. ok is false if what was measured does not tell.
func (m measured) limited(limit int64) (p Point, ok bool) {
	i := 1
	for i < len(m)-1 && m[i].RSS < float64(limit) {
		i++
	}
	a, b := m[i-1], m[i]
	if a.RSS <= 0 || b.RSS <= a.RSS {
		return p, false
	}
	p = Point{GOGC: -1, Limit: limit}
	gogc := float64(a.GOGC) + (float64(limit)-a.RSS)/(b.RSS-a.RSS)*float64(b.GOGC-a.GOGC)
	if gogc < leastGOGC {
		p.NoRoom = true
		return p, true
	}
	p.Saved, p.RSS = m.saved(gogc), Range{(1 - betweenRSS) * float64(limit), (1 + betweenRSS) * float64(limit)}
	return p, true
}

// SetFrontier adds a measured frontier to the report, and its figures to the lever of the setting.
func (r *Report) SetFrontier(settings []Setting, limit int64) {
	f := NewFrontier(settings, limit)
	r.Frontier = f
	for i := range r.Levers {
		l := &r.Levers[i]
		if l.Name != lever.GCSetting.Name {
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
