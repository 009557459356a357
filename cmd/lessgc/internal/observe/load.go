package observe

import (
	"bytes"
	"context"
	"os"
	"slices"
	"time"

	"lessgc/cmd/lessgc/internal/compare"
	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/mode"
)

// A Server is observed while each request of a load is put on it.
type Server struct {
	File     string // of the load, as compare's -load has it
	Mode     mode.Mode
	Procs    int
	Time     time.Duration // of the load; 0 for what File says
	Timeout  time.Duration
	Progress *compare.Progress
}

// Run builds the server and observes it once for each request.
func (v *Server) Run(ctx context.Context, tmp string) ([]Subject, error) {
	var records []*os.File
	defer func() {
		for _, f := range records {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	u := compare.UnderLoad{File: v.File, Mode: v.Mode, Procs: v.Procs, Time: v.Time, Timeout: v.Timeout, Progress: v.Progress,
		Probe: func(replace map[string]string, pkg string) error {
			return addProbe(replace, tmp, "main", pkg, probeFile)
		},
		Environ: func(int) ([]string, error) {
			f, err := os.CreateTemp(tmp, "cycles-")
			if err != nil {
				return nil, err
			}
			records = append(records, f)
			return []string{variable + "=" + f.Name()}, nil
		}}
	loaded, err := u.Run(ctx, tmp)
	if err != nil {
		return nil, err
	}
	var all []Subject
	for i, l := range loaded {
		s := Subject{Name: l.Name, Source: "a probe under load", Err: l.Err}
		if s.Err == nil {
			s.Run, s.Err = readRecords(records[i].Name())
		}
		if s.Err == nil {
			s.Err = addTraces(s.Run, bytes.NewReader(l.Traces))
			s.Run.PeakRSS = float64(l.Outcome.PeakRSS)
			s.from(l.Start)
		}
		all = append(all, s)
	}
	return all, nil
}

func readRecords(name string) (*curve.Run, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parse(data)
}

// from makes the window start at a time after the start of the process.
func (s *Subject) from(t time.Duration) {
	i := slices.IndexFunc(s.Run.Points, func(p curve.Point) bool { return p.At >= t.Seconds() })
	s.Run.Start = max(0, i)
}
