package observe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/gctrace"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/trial"
)

// variable names the file of the records to the probe.
const variable = "LESSGC_CYCLES"

// A Subject is one program, or one benchmark, that was observed.
type Subject struct {
	Name   string // of the benchmark with its package, the command line, or the address
	Source string // what told the figures
	Notes  []string
	Run    *curve.Run
	Out    []byte // standard output
	Err    error  // why there is no Run
}

// observed runs a command with the probe in it, and reads what it tells.
func observed(ctx context.Context, tmp string, c trial.Command) (s Subject, err error) {
	records, err := os.CreateTemp(tmp, "cycles-")
	if err != nil {
		return s, err
	}
	defer os.Remove(records.Name())
	defer records.Close()
	stderr, err := os.CreateTemp(tmp, "stderr-")
	if err != nil {
		return s, err
	}
	defer os.Remove(stderr.Name())
	defer stderr.Close()
	c.Env, c.Stderr = append(c.Env, variable+"="+records.Name()), stderr
	o, err := trial.Run(ctx, tmp, c)
	if err != nil {
		return s, err
	}
	s.Out = o.Stdout
	if o.Failed() {
		return s, fmt.Errorf("%s failed: %s", filepath.Base(c.Path), o.LongReason())
	}
	data, err := io.ReadAll(records)
	if err != nil {
		return s, err
	}
	if _, err := stderr.Seek(0, io.SeekStart); err != nil {
		return s, err
	}
	if len(data) > 0 {
		s.Source = "a probe"
		s.Run, err = fromProbe(data, o, stderr)
	} else {
		s.Source = "gctrace"
		s.Run, err = fromTraces(c, o, stderr)
	}
	return s, err
}

// fromProbe makes a run of the records and the traces of a process.
func fromProbe(records []byte, o trial.Outcome, traces io.Reader) (*curve.Run, error) {
	r, err := parse(records)
	if err != nil {
		return nil, err
	}
	r.PeakRSS = float64(o.PeakRSS)
	return r, addTraces(r, traces)
}

// fromTraces makes a run of the traces of a process without a probe. Its CPU time is taken to be spent evenly.
func fromTraces(c trial.Command, o trial.Outcome, stderr io.Reader) (*curve.Run, error) {
	r, err := Traces(stderr)
	if err != nil {
		return nil, errors.New("it traced no collection: it is not a Go program, ended before the first one, or cleared its environment")
	}
	r.Available, r.PeakRSS = false, float64(o.PeakRSS)
	for i := range r.Points {
		r.Points[i].Busy = r.Points[i].At * o.CPUTime().Seconds() / o.Wall.Seconds()
	}
	for _, e := range c.Env { // the last one counts
		if v, ok := strings.CutPrefix(e, "GOGC="); ok {
			if r.GOGC, err = gogc(v); err != nil {
				return nil, err
			}
		}
		if v, ok := strings.CutPrefix(e, "GOMEMLIMIT="); ok && v != "off" && v != "" {
			limit, err := mode.Size(v)
			if err != nil {
				return nil, err
			}
			r.Limit = float64(limit)
		}
	}
	return r, nil
}

// gogc reads a value of GOGC as the runtime does.
func gogc(v string) (float64, error) {
	if v == "off" {
		return -1, nil
	}
	if v == "" {
		return 100, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		return 0, fmt.Errorf("GOGC=%.20q in the environment is neither a number nor off", v)
	}
	return float64(max(n, -1)), nil
}

// addTraces adds what only gctrace tells: for how long each cycle marked, and how far the heap grew meanwhile. A trace that is
// torn ends both.
func addTraces(r *curve.Run, traces io.Reader) error {
	type sums struct{ concurrent, black float64 }
	upTo, sum := []sums{{}}, sums{}
	err := gctrace.Each(traces, func(line string) {
		if c, ok := gctrace.Parse(line); ok && c.N == len(upTo) {
			sum.concurrent += c.Concurrent.Seconds()
			sum.black += float64(max(0, c.HeapEnd-c.HeapStart))
			upTo = append(upTo, sum)
		}
	})
	if last := r.Points[len(r.Points)-1]; int(last.Cycles+last.Forced) >= len(upTo) {
		return err
	}
	for i := range r.Points {
		p := &r.Points[i]
		s := upTo[int(p.Cycles+p.Forced)]
		p.Concurrent, p.Black = s.concurrent, s.black
	}
	return err
}
