package curve

import "math"

// An Onset is the size from which on a memory limit is too near. All in bytes, for the GOGC of Of.
type Onset struct {
	Of      float64 `json:"gogc"`
	Doubles Value   `json:"doubles"` // below this limit the collector takes twice the CPU time that it takes without one
	Limiter Value   `json:"limiter"` // below this one it takes half of all that is available, and the runtime ends assists: the heap outgrows the limit
	Least   Value   `json:"least"`   // live heap and all that counts beside it: no setting holds this limit
	NonHeap float64 `json:"nonHeap"` // what counts beside the heap
}

// Onset finds these limits for a GOGC. ok is false where it is not known what counts beside the heap.
func (m *Model) Onset(gogc float64) (o Onset, ok bool) {
	if m.NonHeap <= 0 {
		return o, false
	}
	o.Of, o.NonHeap = gogc, m.NonHeap
	free := m.replay(Setting{GOGC: max(gogc, 25), Limit: NoLimit})
	if gogc < 0 { // what no collection costs cannot double: it is what the run took
		free = m.now
	}
	live := m.largest()
	least := (live + m.NonHeap) / (1 - limitHeadroom)
	o.Least = around(least, onsetError)
	most := least + 64*(live+m.Black+minHeap)
	o.Doubles = around(m.below(gogc, least, most, func(x outcome) bool { return x.gc/x.alloc >= 2*free.gc/free.alloc }), onsetError)
	o.Limiter = around(m.below(gogc, least, most, m.limited), onsetError)
	return o, true
}

// onsetError is the relative half-width of the interval of a limit: a few per cent more live heap, or holes in spans, move it by as much.
const onsetError = 0.08

// below finds the largest limit from lo to hi at which a condition holds that holds below it, too.
func (m *Model) below(gogc, lo, hi float64, holds func(outcome) bool) float64 {
	if !holds(m.replay(Setting{gogc, lo})) {
		return lo
	}
	for hi > lo*1.002 {
		at := math.Sqrt(lo * hi)
		if holds(m.replay(Setting{gogc, at})) {
			lo = at
		} else {
			hi = at
		}
	}
	return lo
}

// limited reports that the collector takes the share of the available CPU time at which the runtime limits it. A program
// that leaves CPU time free goes on as fast as before until there is none.
func (m *Model) limited(o outcome) bool {
	gc, user := o.gc/o.alloc, m.User
	rate := min(m.Rate, m.procs/(gc+user))
	return gc*rate >= limiter*m.procs
}

// most is the most CPU time that the collector can take while so much is allocated: the limiter leaves the program half of what is
// available, and the collector has no more than what the program leaves.
func (m *Model) most(alloc float64) float64 {
	rate := min(m.Rate, (1-limiter)*m.procs/m.User)
	return alloc * (m.procs/rate - m.User)
}
