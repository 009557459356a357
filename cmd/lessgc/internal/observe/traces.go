package observe

import (
	"errors"
	"fmt"
	"io"

	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/gctrace"
	"lessgc/cmd/lessgc/internal/input"
)

// ReadTraces makes a run of a file with the lines of GODEBUG=gctrace=1, of the last process in it. They do not tell the program's own
// CPU time, nor GOGC and the limit, which the caller sets.
func ReadTraces(name string) (*curve.Run, error) {
	f, err := input.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := Traces(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// Traces is ReadTraces from a reader.
func Traces(in io.Reader) (*curve.Run, error) {
	var cycles []gctrace.Cycle
	unread := 0
	err := gctrace.Each(in, func(line string) {
		c, ok := gctrace.Parse(line)
		switch {
		case !ok:
			unread++
			return
		case len(cycles) > 0 && c.N <= cycles[len(cycles)-1].N: // another process
			cycles = cycles[:0]
		}
		if len(cycles) < maxTraces {
			cycles = append(cycles, c)
		}
	})
	switch {
	case err != nil:
		return nil, err
	case len(cycles) == 0 && unread > 0:
		return nil, fmt.Errorf("%d lines look like gctrace and none can be read: Go 1.7 or newer writes the format that is known", unread)
	case len(cycles) == 0:
		return nil, errors.New("it has no line of a collection; run the program with GODEBUG=gctrace=1 and keep its standard error")
	case cycles[len(cycles)-1].HeapGoal == 0 && cycles[len(cycles)-1].HeapEnd == 0:
		return nil, errors.New("its lines tell no sizes of the heap")
	}
	r := &curve.Run{Whole: cycles[0].N == 1, Available: true, Procs: float64(max(1, cycles[len(cycles)-1].Procs))}
	if r.Whole {
		r.Points = append(r.Points, curve.Point{})
	}
	r.GOGC, r.Limit = 100, curve.NoLimit
	addCycles(r, cycles)
	return r, nil
}

// maxTraces bounds the memory that a file takes.
const maxTraces = 2_000_000

// addCycles adds a point for each cycle. The sizes of a trace are whole MiB, rounded down: their differences are right on average.
func addCycles(r *curve.Run, cycles []gctrace.Cycle) {
	p := curve.Point{Cycles: float64(cycles[0].N - 1)}
	live := 0.0
	if !r.Whole {
		live = float64(cycles[0].HeapStart)
	}
	for _, c := range cycles {
		p.At = max(p.At, c.At.Seconds()+(c.SweepTermination+c.Concurrent+c.MarkTermination).Seconds())
		if c.Forced {
			p.Forced++
		} else {
			p.Cycles++
		}
		p.Alloc += max(0, float64(c.HeapStart)-live) + max(0, float64(c.HeapEnd-c.HeapStart))
		p.Black += max(0, float64(c.HeapEnd-c.HeapStart))
		p.Assist += c.AssistCPU.Seconds()
		p.Dedicated += c.BackgroundCPU.Seconds()
		p.Idle += c.IdleCPU.Seconds()
		p.Pause += c.StoppedCPU.Seconds()
		p.Concurrent += c.Concurrent.Seconds()
		p.Busy = r.Procs * p.At
		live = float64(c.Live)
		p.Live, p.Roots = live, float64(c.Stacks+c.Globals)
		r.Points = append(r.Points, p)
	}
}
