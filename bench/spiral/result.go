package main

import (
	"fmt"
	"math"
	"time"

	"lessgc/bench/internal/box"
	"lessgc/bench/internal/service"
)

const (
	bound    = 0.30 // of the busy CPU time, for the collector
	onset    = 0.25 // the share that watch warns of
	window   = 2.0  // seconds
	actTime  = 3.0  // seconds that the guard has to act, or half of the time if that is less
	lastTime = 1.0  // seconds, for the share in pictures and the onset
)

// A result holds the figures of a run.
type result struct {
	config
	OutsideBy string `json:",omitempty"` // the allocator of the memory outside
	Ended     box.End
	Seconds   float64 // from the beginning to the last sample

	Largest service.Number // share of the collector in windows of the hold phase, null without a window
	Mean    service.Number // over the same time
	Windows int

	Calm, Hold service.Served
	Cycles     uint64
	CPU        float64 // seconds
	PeakRSS    int64   // of the samples
	PeakUsage  int64   `json:",omitempty"` // of the control group, with the files that the kernel keeps for it
	PeakLimit  int64   // largest memory limit that was in effect, math.MaxInt64 for none

	// What lessgc watch said, in seconds from the beginning; null if it did not.
	Onset, Near, In service.Number
	Said            []string `json:",omitempty"`
	Watched         bool
	Watch           string `json:",omitempty"` // why it failed

	// What lessgc tune predicted before, nil if it was not asked.
	Tuned *tuned `json:",omitempty"`

	Points []service.Point
}

// result computes the figures.
func (t *trial) result(end box.End) *result {
	r := &result{config: t.config, Ended: end, Points: t.points, Said: t.watcher.said, Watched: t.watcher.cmd != nil}
	if t.Case == "outside" {
		r.OutsideBy = outsideBy
	}
	if err := t.watcher.failed; err != nil {
		r.Watch = err.Error()
	}
	r.Near, r.In = since(t.begin, t.watcher.near), since(t.begin, t.watcher.in)
	r.PeakUsage = t.box.Peak()
	r.figures()
	return r
}

func since(begin, at time.Time) service.Number {
	if at.IsZero() {
		return service.Number(math.NaN())
	}
	return service.Number(at.Sub(begin).Seconds())
}

// holds returns the start and the end of the hold phase, in seconds.
func (c config) holds() (from, to float64) { return c.Time.Seconds() * 3 / 4, c.Time.Seconds() }

func (r *result) figures() {
	from, to := r.holds()
	largest, mean, n := service.Shares(r.Points, from+min(actTime, (to-from)/2), to+0.1, window)
	r.Largest, r.Mean, r.Windows = service.Number(largest), service.Number(mean), n
	r.Onset = service.Number(math.NaN())
	var answers []service.Answer
	for i, p := range r.Points {
		answers = append(answers, p.Answers...)
		r.Seconds, r.Cycles, r.CPU = p.T, p.Cycles, p.CPU
		r.PeakRSS, r.PeakLimit = max(r.PeakRSS, p.RSS), max(r.PeakLimit, p.Limit)
		if math.IsNaN(float64(r.Onset)) && service.Share(r.Points, i, lastTime) > onset {
			r.Onset = service.Number(p.T)
		}
	}
	var due []float64
	for _, d := range r.schedule() {
		due = append(due, d.Seconds())
	}
	r.Calm = service.Latency(answers, due, 0, to/4)
	r.Hold = service.Latency(answers, due, from, to)
}

// verdict names how a run ended: the collector is to stay below the bound, or the chosen error to end the service.
func (r *result) verdict() string {
	switch {
	case r.Ended.How == "crashed" && r.Guard == "pace-crash":
		return "clear error"
	case r.Ended.How != "done":
		return r.Ended.How
	case r.Windows == 0:
		return "no window"
	case float64(r.Largest) < bound:
		return "below 30 %"
	}
	return "above 30 %"
}

// ended describes how the run ended, and when if it was too early.
func (r *result) ended() string {
	if r.Ended.How == "done" {
		return "done"
	}
	return fmt.Sprintf("%s at %.1f s: %s", r.Ended.How, r.Seconds, r.Ended.Text)
}

// String is one line.
func (r *result) String() string {
	from, to := r.holds()
	return fmt.Sprintf("%s, %s: %s; collector's share in the hold (%d windows of %g s from %.1f to %.1f s): at most %s, mean %s; %s in the calm, %s in the hold; RSS at most %.0f MiB of %.0f; %s",
		r.Case, r.Guard, r.ended(), r.Windows, window, from+min(actTime, (to-from)/2), to, percent(r.Largest), percent(r.Mean),
		served(r.Calm), served(r.Hold), service.MiB(r.PeakRSS), service.MiB(r.Hard), r.warned())
}

func served(s service.Served) string {
	return fmt.Sprintf("%.0f/s p50 %s p99 %s", float64(s.PerSecond), service.Milli(s.P50), service.Milli(s.P99))
}

// warned describes how long before the onset lessgc watch gave its warnings.
func (r *result) warned() string {
	switch {
	case r.Watch != "":
		return "watch failed: " + r.Watch
	case !r.Watched:
		return "not watched"
	}
	return "near " + r.relative(r.Near) + ", in " + r.relative(r.In)
}

func (r *result) relative(at service.Number) string {
	a, o := float64(at), float64(r.Onset)
	switch {
	case math.IsNaN(a):
		return "never"
	case math.IsNaN(o):
		return fmt.Sprintf("at %.1f s, no onset", a)
	case a <= o:
		return fmt.Sprintf("%.1f s before", o-a)
	}
	return fmt.Sprintf("%.1f s after", a-o)
}

func percent(n service.Number) string {
	if math.IsNaN(float64(n)) {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n))
}
