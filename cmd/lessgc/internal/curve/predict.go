package curve

import "math"

// A Value is a prediction with its interval, in which 90 of 100 measurements are to lie.
type Value struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// Has reports whether x is in the interval.
func (v Value) Has(x float64) bool { return v.Lo <= x && x <= v.Hi }

// around is a value with a relative error on either side.
func around(x, relative float64) Value {
	return Value{x, max(0, x*(1-relative)), x * (1 + relative)}
}

// A Prediction holds the expected cost of a program at a setting.
type Prediction struct {
	Setting Setting `json:"setting"`
	GC      Value   `json:"gc"`               // the collector's share of the busy CPU time, idle workers included; 0 to 1
	CPU     Value   `json:"cpu"`              // all CPU time for the same work, as a ratio to that at the setting of the run
	Heap    Value   `json:"heap"`             // peak of the heap in bytes
	RSS     Value   `json:"rss"`              // peak of resident memory in bytes; 0 if that of the run is not known
	Cycles  Value   `json:"cycles"`           // collections per second of the run's own speed
	Assist  Value   `json:"assist"`           // share of the busy CPU time in assists and pauses
	Spiral  bool    `json:"spiral,omitempty"` // the limit is too near: see Onset
}

// Predict returns the CPU time and memory that a setting would take.
func (m *Model) Predict(s Setting) Prediction {
	p := m.predict(s)
	if m.blackLo == m.blackHi {
		return p
	}
	for _, black := range []float64{m.blackLo, m.blackHi} {
		other := *m
		other.Black = black
		other.now = other.replay(m.setting)
		q := other.predict(s)
		for _, v := range [][2]*Value{{&p.GC, &q.GC}, {&p.CPU, &q.CPU}, {&p.Heap, &q.Heap}, {&p.RSS, &q.RSS}, {&p.Cycles, &q.Cycles}, {&p.Assist, &q.Assist}} {
			v[0].Lo, v[0].Hi = min(v[0].Lo, v[1].Lo), max(v[0].Hi, v[1].Hi)
		}
	}
	return p
}

// limitedBy reports whether the limit of a setting ends its cycles, with this peak of the heap.
func (m *Model) limitedBy(s Setting, peak float64) bool {
	if s.Limit >= NoLimit || peak < limitNear*s.LimitGoal(m.NonHeap) {
		return false
	}
	return s.GOGC < 0 || m.replay(Setting{s.GOGC, NoLimit}).peak > s.LimitGoal(m.NonHeap)
}

// predict is Predict with what is allocated during marks as it is.
func (m *Model) predict(s Setting) Prediction {
	now, then := m.now, m.replay(s)
	// What the run measured is scaled by what the pacer makes of the setting: errors that both have cancel out.
	times := then.cycles / max(now.cycles, 1e-9)
	then.gc *= m.gc / max(now.gc, 1e-12) * costGrowth(times)
	then.cycles *= m.cycles / max(now.cycles, 1e-12)
	now.gc, now.cycles = m.gc, m.cycles
	user := m.User * now.alloc
	p := Prediction{Setting: s}
	relative, more := m.costError(times), 0.0
	limited := m.limitedBy(s, then.peak)
	if limited {
		then.gc *= limitCost
		more = unevenCost * m.uneven
	}
	cost := cpuCost{now.gc, min(then.gc, m.most(then.alloc)), user}
	p.GC = cost.shareValue(relative, more, m.userBatch)
	p.CPU = cost.ratioValue(relative)
	seconds := now.alloc / m.Rate
	p.Cycles = around(then.cycles/seconds, relative)
	p.Heap = around(then.peak, 0.1)
	if m.RSS > 0 {
		more := then.peak - now.peak
		rss := max(m.RSS+heapToRSS*more, 0.3*m.RSS)
		half := rssWidth * (rssError*rss + rssOfDifference*math.Abs(more) + rssLeast)
		p.RSS = Value{rss, rss - half - rssWidth*m.uneven*unevenLo*then.peak, rss + half + rssWidth*m.uneven*unevenHi*then.peak}
		// Where a limit ends cycles, holes in spans and free memory take what it leaves.
		if limited {
			filled := max(limitFilled*s.Limit, m.largest()+m.NonHeap) // no limit holds less
			rss, half = filled+m.Outside, rssWidth*(limitError*filled+2*rssLeast)
			p.RSS = Value{rss, rss - half, rss + half}
		}
	}
	p.Assist = Value{m.Stopped * p.GC.Value, 0.5 * m.Stopped * p.GC.Lo, min(1, 2*m.Stopped*p.GC.Hi)}
	p.Spiral = s.Limit < NoLimit && (then.gc/then.alloc >= 2*now.gc/now.alloc || m.limited(then))
	return p
}

// Figures and errors of the model that are not of the run's own, from the programs that it was developed with:
// bench/results/tune.md names them, and has what came of others.
const (
	heapToRSS       = 1.2 // bytes of memory for each byte of heap more: spans are not full
	rssError        = 0.06
	rssOfDifference = 0.1
	rssLeast        = 1.5 * (1 << 20)

	// The errors that an interval is made of, added up, held more than 90 of 100 measurements of the programs that the model was
	// developed with: it is so many times as wide.
	gcWidth  = 0.87
	rssWidth = 0.85

	gcLeast = 0.015 // of the CPU time: what waking the workers costs differs from run to run

	limitNear   = 0.75 // of the goal that a limit leaves: the peak is as the limit has it
	limitFilled = 0.98 // of the limit, beside what it does not count
	limitError  = 0.06

	// Where the live heap goes up and down, the largest that a run saw is not the largest that there is.
	unevenLo = 0.15
	unevenHi = 0.3

	limitCost  = 1.08 // of a cycle that a limit starts
	unevenCost = 1    // of the unevenness, that cycles which a limit starts may cost more: they come where the heap is large
	costModel  = 0.16 // relative half-width
	costOfStep = 0.05 // for each doubling of the number of cycles
)
