package watch

import (
	"fmt"
	"io"
	"slices"

	"lessgc/cmd/lessgc/internal/gctrace"
)

// Trace is a source that reads the runtime's output under GODEBUG=gctrace=1.
const Trace Source = "gctrace"

// maxCycles limits the collections that are read, some days of a busy program.
const maxCycles = 1 << 20

// ReadTrace makes a summary of the lines of collections that a process has printed: their
// rate from the first to the last, how long the world stopped, and the heap. It is nil if
// fewer than two of them were not forced.
func ReadTrace(r io.Reader) (*Summary, error) { return readTrace(r, maxCycles) }

func readTrace(r io.Reader, most int) (*Summary, error) {
	var all []gctrace.Cycle
	forced := 0.0
	beyond := 0
	err := gctrace.Each(r, func(trace string) {
		c, ok := gctrace.Parse(trace)
		switch {
		case ok && c.Forced:
			forced++
		case ok && len(all) == most:
			beyond++
		case ok:
			all = append(all, c)
		}
	})
	if err == nil && beyond > 0 {
		err = fmt.Errorf("it has %d collections, and %d are read at most; cut the file", most+beyond, most)
	}
	if err != nil || len(all) < 2 {
		return nil, err
	}
	out := new(Summary)
	out.Samples = len(all)
	out.Seconds = (all[len(all)-1].At - all[0].At).Seconds()
	if out.Seconds <= 0 {
		return nil, nil
	}
	stopped := 0.0
	var live, goal []float64
	for _, c := range all[1:] { // the first one ends where the time begins
		stopped += (c.SweepTermination + c.MarkTermination).Seconds()
		live, goal = append(live, float64(c.Live)), append(goal, float64(c.HeapGoal))
	}
	rate := func(n float64) *float64 { return new(n / out.Seconds) }
	out.PerSecond = Totals{GCs: rate(float64(len(all) - 1)), ForcedGCs: rate(forced), PauseSeconds: rate(stopped)}
	out.Gauges = Gauges{Live: median(live), Goal: median(goal)}
	return out, nil
}

// median is nil for none.
func median(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	return new((values[(len(values)-1)/2] + values[len(values)/2]) / 2)
}
