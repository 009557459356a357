package watch

import (
	"errors"
	"fmt"
	"time"

	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/live"
)

// A Snapshot holds a service's figures at one moment.
type Snapshot struct {
	Time    time.Time     `json:"time"`    // by the service's clock if it says, else when it answered
	Segment int           `json:"segment"` // counts the restarts before
	Totals  Totals        `json:"totals"`
	CPU     *live.CPU     `json:"cpu,omitempty"`
	Pauses  []live.Bucket `json:"pauses,omitempty"`
	Gauges  Gauges        `json:"gauges"`
	Methods []live.Method `json:"methods,omitempty"` // with arenas
	Pace    *live.Pace    `json:"pace,omitempty"`    // what package pace does in the service
}

// Totals holds counters that only grow: in a Snapshot since the start of the service, in
// Rates per second. A nil one is not known.
type Totals struct {
	AllocBytes   *float64 `json:"allocBytes,omitempty"`
	AllocObjects *float64 `json:"allocObjects,omitempty"`
	GCs          *float64 `json:"gcs,omitempty"` // without those that the program forced
	ForcedGCs    *float64 `json:"forcedGCs,omitempty"`
	PauseSeconds *float64 `json:"pauseSeconds,omitempty"` // the world was stopped for the collector
	CPUSeconds   *float64 `json:"cpuSeconds,omitempty"`   // of the process, as the operating system counts

	// MissedPauses are not in the histogram: of so many collections between two
	// answers, the source has kept only the last.
	MissedPauses *float64 `json:"missedPauses,omitempty"`
}

func (t *Totals) fields() []**float64 {
	return []**float64{&t.AllocBytes, &t.AllocObjects, &t.GCs, &t.ForcedGCs, &t.PauseSeconds, &t.CPUSeconds, &t.MissedPauses}
}

// Gauges holds values that go up and down. A nil one is not known.
type Gauges struct {
	Live       *float64 `json:"live,omitempty"`     // bytes that the last collection found live
	Heap       *float64 `json:"heap,omitempty"`     // bytes with garbage
	Objects    *float64 `json:"objects,omitempty"`  // with garbage
	Goal       *float64 `json:"goal,omitempty"`     // the heap at which a collection is to end
	Limit      *float64 `json:"limit,omitempty"`    // GOMEMLIMIT; at least NoLimit for none
	GOGC       *float64 `json:"gogc,omitempty"`     // -1 is off
	Memory     *float64 `json:"memory,omitempty"`   // bytes that the runtime holds, as GOMEMLIMIT counts
	HeapFree   *float64 `json:"heapFree,omitempty"` // bytes of the heap that hold nothing and were not returned to the system
	Roots      *float64 `json:"roots,omitempty"`    // bytes of stacks and globals that the last collection scanned
	RSS        *float64 `json:"rss,omitempty"`
	Goroutines *float64 `json:"goroutines,omitempty"`
	GOMAXPROCS *float64 `json:"gomaxprocs,omitempty"`

	// GCShare is the collector's share of the available CPU time from the start of the
	// service to the end of its last collection, without idle workers: the only CPU time
	// in memstats. nil before the first collection.
	GCShare *float64 `json:"gcShare,omitempty"`
}

// NoLimit is a memory limit that no machine reaches.
const NoLimit = curve.NoLimit

func (g *Gauges) fields() []**float64 {
	return []**float64{&g.Live, &g.Heap, &g.Objects, &g.Goal, &g.Limit, &g.GOGC, &g.Memory, &g.HeapFree, &g.Roots, &g.RSS, &g.Goroutines, &g.GOMAXPROCS, &g.GCShare}
}

// Bounds of what makes sense: 10^19 is beyond any counter of 64 bits, and a histogram
// of times has some hundred buckets.
const (
	maxValue   = 1e20
	maxBuckets = 4096
	maxMethods = 2000
	maxMethod  = 500 // bytes of its name, and of why it has no arenas
)

// check finds values that no program has, so that what is computed of them is finite.
func (s *Snapshot) check() error {
	for _, p := range s.Totals.fields() {
		if *p != nil && !(0 <= **p && **p < maxValue) {
			return fmt.Errorf("invalid counter value %g", **p)
		}
	}
	for _, p := range s.Gauges.fields() {
		if *p != nil && !(-1 <= **p && **p < maxValue) {
			return fmt.Errorf("invalid value %g", **p)
		}
	}
	if s.CPU != nil {
		for _, p := range classes(s.CPU) {
			if !(0 <= *p && *p < maxValue) {
				return fmt.Errorf("invalid CPU time %g s", *p)
			}
		}
	}
	if err := s.checkMethods(); err != nil {
		return err
	}
	if len(s.Pauses) > maxBuckets {
		return fmt.Errorf("a histogram of %d buckets, more than the runtime has", len(s.Pauses))
	}
	last := -1.0
	for _, b := range s.Pauses {
		if !(b.Lo > last && b.Lo <= b.Hi && b.Hi < maxValue) {
			return errors.New("the buckets of pauses are not in order")
		}
		last = b.Lo
	}
	return nil
}

// classes are the fields of c.
func classes(c *live.CPU) []*float64 {
	return []*float64{&c.Total, &c.User, &c.Idle, &c.GCAssist, &c.GCDedicated, &c.GCIdle, &c.GCPause, &c.Scavenge}
}

// fell reports whether a counter of s is lower than it was in a.
func (s *Snapshot) fell(a *Snapshot) bool {
	before := a.Totals.fields()
	for i, p := range s.Totals.fields() {
		if *p != nil && *before[i] != nil && **p < **before[i] {
			return true
		}
	}
	return false
}
