package curve

import (
	"cmp"
	"math"
	"slices"
)

// Wishes are the bounds of a recommendation.
type Wishes struct {
	Memory float64 // bytes that the process may take; 0 if nothing says
	Free   bool    // memory up to Memory is paid anyway and costs nothing
	Weight float64 // bytes of memory that one CPU is worth; 0 for DefaultWeight
}

// DefaultWeight is the memory that comes with a CPU on the machines that are rented most (4 GiB for each vCPU in the
// general-purpose families m7i, n2-standard and Dsv5 of the three large clouds, 2026).
const DefaultWeight = 4 << 30

// Reserve is the share of the allowed memory that a setting leaves free.
const Reserve = 0.1

// margin is the smallest ratio of a recommended limit to the one at which the cost of collecting doubles.
const margin = 1.1

// A Recommendation is the setting to choose.
type Recommendation struct {
	Change bool       `json:"change"` // false: nothing is worth changing, and Best is what it is now
	Now    Prediction `json:"now"`
	Best   Prediction `json:"best"`

	Cores float64 `json:"cores"` // CPUs used now
	Saved Value   `json:"saved"` // CPUs that Best saves; below 0 it costs some
	More  Value   `json:"more"`  // bytes of memory that Best takes in addition; below 0 it saves some
	Why   Reason  `json:"why"`
}

// A Reason is why a setting is the best.
type Reason string

// The reasons.
const (
	Knee   Reason = "knee"   // the next step costs more memory than its CPU time is worth, by Weight
	Fits   Reason = "fits"   // the memory that is allowed is used, less a reserve
	Small  Reason = "small"  // no setting saves enough to be worth a change
	Tight  Reason = "tight"  // the memory that is allowed leaves no room for another
	NoFit  Reason = "no-fit" // not even the least heap fits into the memory that is allowed
	Little Reason = "little" // the collector takes so little that there is nothing to save
)

// What is worth a change.
const (
	leastSaved = 0.02 // of the bill
	leastGC    = 0.01 // of the CPU time; what is below it cannot be saved
)

// Grid are the GOGC that a recommendation is chosen from.
var Grid = []float64{25, 35, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1200, 1600}

// Recommend chooses a GOGC. What a setting costs is the CPUs it uses plus the memory it takes, each CPU worth so many bytes,
// unless memory is free.
func (m *Model) Recommend(w Wishes) Recommendation {
	weight := w.Weight
	if weight <= 0 {
		weight = DefaultWeight
	}
	now := m.Predict(m.setting)
	r := Recommendation{Now: now, Best: now, Cores: m.Cores(), Why: Small}
	bill := func(p Prediction) float64 {
		if w.Free {
			return r.Cores * p.CPU.Value
		}
		return r.Cores*p.CPU.Value + p.Memory()/weight
	}
	allowed := math.Inf(1)
	if w.Memory > 0 {
		allowed = w.Memory * (1 - Reserve)
	}
	var fits []Prediction
	for _, g := range Grid {
		if p := m.Predict(Setting{g, m.setting.Limit}); p.High() <= allowed {
			fits = append(fits, p)
		}
	}
	switch {
	case len(fits) == 0:
		r.Why = NoFit
		return r
	case now.GC.Value < leastGC && now.High() <= allowed && w.Free:
		r.Why = Little
		return r
	}
	best := slices.MinFunc(fits, func(a, b Prediction) int { return cmp.Compare(bill(a), bill(b)) })
	// Of settings that are as good to a hundredth, the one that takes less memory.
	for _, p := range fits {
		if bill(p) <= bill(best)*1.005 {
			best = p
			break
		}
	}
	nowFits := now.High() <= allowed
	if nowFits && bill(now)-bill(best) < leastSaved*bill(now) {
		if now.GC.Value < leastGC {
			r.Why = Little
		} else if w.Memory > 0 && best.Setting.GOGC == fits[len(fits)-1].Setting.GOGC && best.Setting.GOGC < Grid[len(Grid)-1] {
			r.Why = Tight
		}
		return r
	}
	r.Change, r.Best, r.Why = true, best, Knee
	if w.Memory > 0 && best.Setting.GOGC == fits[len(fits)-1].Setting.GOGC {
		r.Why = Fits
	}
	cores := r.Cores
	r.Saved = Value{cores * (1 - best.CPU.Value), cores * (1 - best.CPU.Hi), cores * (1 - best.CPU.Lo)}
	r.More = Value{best.Memory() - now.Memory(), best.Low() - now.Memory(), best.High() - now.Memory()}
	return r
}

// Cores returns the average number of CPUs that the run used.
func (m *Model) Cores() float64 { return m.Rate * (m.User + m.gc/m.alloc()) }

// Memory returns the peak of resident memory, or of the heap where only that is known.
func (p *Prediction) Memory() float64 { return p.memory().Value }

// Low and High return the ends of its interval.
func (p *Prediction) Low() float64  { return p.memory().Lo }
func (p *Prediction) High() float64 { return p.memory().Hi }

func (p *Prediction) memory() Value {
	if p.RSS.Value > 0 {
		return p.RSS
	}
	return p.Heap
}

// LimitFor is the GOMEMLIMIT to set beside the GOGC of an onset so that the memory that is allowed is not exceeded, or 0 if it would be
// so near that collecting costs more: then a limit makes things worse.
func (m *Model) LimitFor(o Onset, w Wishes) float64 {
	limit := w.Memory*(1-Reserve/2) - m.Outside
	if limit < margin*o.Doubles.Hi {
		return 0
	}
	return limit
}
