package watch

import (
	"math"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/live"
)

// service makes snapshots of one that allocates 1 GB a second with one CPU, of which the collector takes what each collection costs: 10 ms.
type service struct {
	at      time.Time
	alloc   float64
	cycles  float64
	gc, cpu float64
}

// after is the snapshot a second later, with so much live, beside the heap, and as the limit.
func (s *service) after(live_, beside, limit, gogc float64) *Snapshot {
	goal := min(live_*(1+gogc/100), 0.97*(limit-beside))
	if gogc < 0 {
		goal = 0.97 * (limit - beside)
	}
	h := max(goal-live_, 1<<20)
	const cost, rate = 0.010, 1e9
	per := cost / h // CPU seconds of the collector for each byte
	bytes := 1 / (1/rate + per)
	s.alloc, s.cycles, s.gc, s.cpu = s.alloc+bytes, s.cycles+bytes/h, s.gc+bytes*per, s.cpu+1
	s.at = s.at.Add(time.Second)
	f := func(x float64) *float64 { return &x }
	return &Snapshot{Time: s.at, Totals: Totals{AllocBytes: f(s.alloc), GCs: f(s.cycles), ForcedGCs: f(0)},
		CPU:    &live.CPU{Total: 4 * s.cpu, Idle: 3 * s.cpu, GCDedicated: s.gc},
		Gauges: Gauges{Live: f(live_), Heap: f(live_ + h/2), Memory: f(live_ + h/2 + beside + 5e6), HeapFree: f(5e6), Roots: f(0), GOGC: f(gogc), Limit: f(limit), GOMAXPROCS: f(4)}}
}

func TestSpiral(t *testing.T) {
	const mib = 1 << 20
	type step struct{ live, beside, limit, gogc float64 }
	check := func(name string, first step, then step, level Level, cause string) {
		t.Helper()
		s := &service{at: time.Unix(1e9, 0)}
		var w spiralWatch
		a := s.after(first.live*mib, first.beside*mib, first.limit*mib, first.gogc)
		w.look(a, nil)
		b := s.after(first.live*mib, first.beside*mib, first.limit*mib, first.gogc)
		w.look(b, Between(a, b))
		c := s.after(then.live*mib, then.beside*mib, then.limit*mib, then.gogc)
		got := w.look(c, Between(b, c))
		if got == nil || got.Level != level || !strings.Contains(got.Cause, cause) || (cause == "") != (got.Cause == "") {
			t.Errorf("%s: %+v, want %s %q", name, got, level, cause)
			return
		}
		// Growth by Room is where the share is SpiralShare.
		if level == Far {
			end := s.after(then.live*mib+got.Room, then.beside*mib, then.limit*mib, then.gogc)
			if at := w.look(end, Between(c, end)); math.Abs(at.Share-curve.SpiralShare) > 0.02 {
				t.Errorf("%s: after %g MiB more the share is %g", name, got.Room/mib, at.Share)
			}
		}
	}
	calm := step{100, 20, 1000, 100}
	check("room", calm, step{100, 20, 1000, 100}, Far, "")
	check("GOGC=off", step{100, 20, 400, -1}, step{100, 20, 400, -1}, Far, "")
	check("the live heap grows", calm, step{940, 20, 1000, 100}, In, "live heap has grown from 100 MiB to 940 MiB")
	check("and nearly", calm, step{880, 20, 1000, 100}, Near, "live heap has grown")
	check("memory beside it grows", calm, step{100, 870, 1000, 100}, In, "memory beside the heap (stacks, spans that are not full, the runtime's own) has grown from 20 MiB to 870 MiB")
	check("the limit is lowered", calm, step{100, 20, 130, 100}, In, "limit was lowered from 1000 MiB to 130 MiB")
	check("too near from the start", step{100, 20, 130, 100}, step{100, 20, 130, 100}, In, "the limit of 130 MiB is too near: 100 MiB are live, and 20 MiB count beside the heap")
}

// TestNoSpiral checks what nothing is said of.
func TestNoSpiral(t *testing.T) {
	check := func(name string, change func(*Snapshot)) {
		t.Helper()
		s := &service{at: time.Unix(1e9, 0)}
		var w spiralWatch
		a, b := s.after(100<<20, 20<<20, 130<<20, 100), s.after(100<<20, 20<<20, 130<<20, 100)
		change(a)
		change(b)
		w.look(a, nil)
		if got := w.look(b, Between(a, b)); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	check("no limit", func(s *Snapshot) { *s.Gauges.Limit = math.MaxInt64 })
	check("another source", func(s *Snapshot) { s.Gauges.Live = nil })
	check("an older handler", func(s *Snapshot) { s.Gauges.Roots = nil })
	check("no CPU time", func(s *Snapshot) { s.CPU = nil })
	check("no collection", func(s *Snapshot) { *s.Totals.GCs = 1 })
}
