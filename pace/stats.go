package pace

import (
	"encoding/json"

	"lessgc/internal/pacing"
)

// Stats are the figures of a [Pacer] at its last observation: at the end of the last collection, or at most
// four seconds ago. Sizes are in bytes.
type Stats struct {
	// State is "off" before Start and after Stop, and "refused" if another pacer was running. Otherwise it is
	// the state of the guard: "steady"; "pressed" if the collector exceeds its share for lack of memory;
	// "raised" if the memory limit takes part of the reserve; "beyond" if it exceeds what the hard limit
	// leaves; "crashed".
	State string `json:"state"`

	Limit  int64  `json:"limit"`            // hard limit, 0 if none is known
	Source string `json:"source,omitempty"` // of Limit: "option", "cgroup v1" or "cgroup v2"
	Error  string `json:"error,omitempty"`  // why the limit of the control group could not be read

	MemoryLimit   int64  `json:"memoryLimit"`             // in effect, math.MaxInt64 is none
	MemoryLimitBy string `json:"memoryLimitBy,omitempty"` // its owner: "pace", "environment" (GOMEMLIMIT) or "program"
	GOGC          int64  `json:"gogc"`                    // in effect, -1 is off
	GOGCBy        string `json:"gogcBy,omitempty"`        // its owner: "pace", "environment" (GOGC) or "program"

	Target  int64 `json:"target"`  // highest heap goal that GOGC is set for, 0 without a limit
	Margin  int64 `json:"margin"`  // decaying maximum of Outside
	Outside int64 `json:"outside"` // memory of the process that the runtime does not see
	Memory  int64 `json:"memory"`  // memory that counts against the memory limit
	NonHeap int64 `json:"nonHeap"` // of Memory, what neither holds objects nor is free for them
	Live    int64 `json:"live"`    // live heap after the last collection
	Goal    int64 `json:"goal"`    // heap goal of the next one

	Share   float64 `json:"share"`   // of the busy CPU time that the collector takes
	Bound   float64 `json:"bound"`   // Options.MaxGC
	Limited bool    `json:"limited"` // the memory limit determines the heap goal, not GOGC
	Needed  int64   `json:"needed"`  // estimate of the memory limit at which Share is Bound, 0 if unknown

	Cycles       uint64 `json:"cycles"` // collections since the start of the program
	Looks        uint64 `json:"looks"`  // observations since Start
	GOGCChanges  uint64 `json:"gogcChanges"`
	LimitChanges uint64 `json:"limitChanges"`
	Episodes     uint64 `json:"episodes"` // times that the state left "steady"
	Calls        uint64 `json:"calls"`    // of the hooks
	Releases     uint64 `json:"releases"` // forced releases of free memory to the system
}

// Stats returns the current figures. It does not allocate.
func (p *Pacer) Stats() Stats {
	if p == nil {
		return Stats{State: off}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	if s.State == "" {
		s.State = off
	}
	return s
}

// String returns the Stats as JSON, so that a Pacer is an expvar.Var:
//
//	expvar.Publish("pace", pacer)
func (p *Pacer) String() string {
	text, err := json.Marshal(p.Stats())
	if err != nil {
		panic("pace: " + err.Error()) // there are only numbers and strings
	}
	return string(text)
}

func (p *Pacer) figures() pacing.Figures { return pacing.Figures(p.Stats()) }

// note updates the figures after an observation.
func (p *Pacer) note(o *observation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, law := &p.stats, &p.law
	s.State = law.guard.now
	s.Limit, s.Source, s.Error = o.hard, p.probe.source, p.probe.problem
	s.MemoryLimit, s.MemoryLimitBy = p.limit.value, p.limit.owner
	s.GOGC, s.GOGCBy = p.gogc.value, p.gogc.owner
	s.Target, s.Margin, s.Outside = law.target, int64(law.margin), o.outside
	s.Memory, s.NonHeap, s.Live, s.Goal = o.mapped, o.nonHeap, o.live, o.goal
	s.Share, s.Bound, s.Limited = law.sums.shown, p.plan.maxGC, limited(o)
	if law.sums.cost > 0 {
		s.Needed = law.limitFor(o, law.sums.headroom(p.plan.maxGC))
	}
	s.Cycles = o.cycles
	s.Looks++
	s.GOGCChanges, s.LimitChanges = p.gogc.changes, p.limit.changes
	s.Episodes, s.Calls = law.guard.episodes, p.calls.Load()
}
