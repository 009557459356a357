package observe

import (
	"errors"
	"fmt"

	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/watch"
)

// errSource is about what only lessgc/live tells.
var errSource = errors.New("its source does not tell the collector's CPU time; serve lessgc/live, the handler at /debug/lessgc")

// Snapshots makes a run of the snapshots of a service, of its last process. The error names what is missing.
func Snapshots(all []*watch.Snapshot) (*curve.Run, error) {
	if len(all) == 0 {
		return nil, errors.New("the service did not answer")
	}
	last := all[len(all)-1]
	r := &curve.Run{}
	for _, s := range all {
		if s.Segment != last.Segment {
			continue
		}
		p, err := snapshot(s)
		if err != nil {
			return nil, err
		}
		p.At = s.Time.Sub(all[0].Time).Seconds()
		r.Points = append(r.Points, p)
		r.PeakRSS = max(r.PeakRSS, p.RSS)
	}
	if last.Pace != nil && last.Pace.GOGCBy == "pace" {
		return nil, errors.New("package pace sets GOGC in this service, by the memory that is free: there is nothing to tune; lessgc watch shows what it does")
	}
	g := last.Gauges
	r.Procs, r.GOGC, r.Limit = *g.GOMAXPROCS, *g.GOGC, *g.Limit
	for _, s := range all {
		if o := s.Gauges; s.Segment == last.Segment && (*o.GOGC != r.GOGC || *o.Limit != r.Limit || *o.GOMAXPROCS != r.Procs) {
			return nil, fmt.Errorf("its settings changed meanwhile (GOGC %.0f, then %.0f): observe it while they stay", *o.GOGC, r.GOGC)
		}
	}
	return r, nil
}

func snapshot(s *watch.Snapshot) (p curve.Point, err error) {
	t, g := s.Totals, s.Gauges
	for _, f := range []*float64{t.AllocBytes, t.GCs, t.ForcedGCs, g.Live, g.Limit, g.GOGC, g.GOMAXPROCS, g.Heap, g.Memory} {
		if f == nil {
			return p, errSource
		}
	}
	if s.CPU == nil {
		return p, errSource
	}
	if g.Roots == nil || g.HeapFree == nil {
		return p, errors.New("the service was built with an older lessgc/live, which does not tell stacks and free memory; build it with a newer one")
	}
	c := s.CPU
	p = curve.Point{
		Cycles: *t.GCs, Forced: *t.ForcedGCs, Alloc: *t.AllocBytes,
		Assist: c.GCAssist, Dedicated: c.GCDedicated, Idle: c.GCIdle, Pause: c.GCPause, Busy: max(0, c.Total-c.Idle),
		Live: *g.Live, Roots: *g.Roots, Mapped: *g.Memory, NonHeap: max(0, *g.Memory-*g.HeapFree-*g.Heap),
	}
	if g.RSS != nil {
		p.RSS = *g.RSS
	}
	return p, nil
}
