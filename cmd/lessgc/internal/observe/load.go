package observe

import (
	"bytes"
	"context"
	"os"
	"time"

	"lessgc/cmd/lessgc/internal/compare"
	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/progress"
)

// A Server is observed while each request of a load is put on it.
type Server struct {
	File     string // of the load, as compare's -load has it
	Mode     mode.Mode
	Procs    int
	Time     time.Duration // of the load; 0 for what File says
	Timeout  time.Duration
	Progress *progress.Printer
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
			s.Run, s.Err = fromFile(records[i].Name(), l)
		}
		all = append(all, s)
	}
	return all, nil
}

// fromFile makes a run of the records in a file. Its window starts with the load; without a point since then it has too few.
func fromFile(name string, l compare.Loaded) (*curve.Run, error) {
	records, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r, err := fromProbe(records, l.Outcome, bytes.NewReader(l.Traces))
	if err != nil {
		return nil, err
	}
	for r.Start < len(r.Points)-1 && r.Points[r.Start].At < l.Start.Seconds() {
		r.Start++
	}
	return r, nil
}
