package compare

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/load"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/trial"
)

// An UnderLoad is a server that is put under load once, in one mode, for a caller that looks at it meanwhile.
type UnderLoad struct {
	File     string // of the load
	Mode     mode.Mode
	Procs    int           // GOMAXPROCS
	Time     time.Duration // of the load; 0 for what File says
	Timeout  time.Duration // for the server to start and to answer all
	Progress *progress.Printer

	// Probe adds to the files that are replaced when the main package in the folder pkg is built. Environ is added to the environment of
	// the server.
	Probe   func(replace map[string]string, pkg string) error
	Environ func(row int) ([]string, error)
}

// A Loaded holds the outcome of a server under load.
type Loaded struct {
	Name    string        // of the request
	Start   time.Duration // from the start of the process to that of the load
	Outcome trial.Outcome
	Traces  []byte // its standard error
	Err     error
}

// Run builds the server and puts each request's load on a process of its own: at the rate that File gives, or half of what the server can
// answer. tmp is a folder for temporary files.
func (u *UnderLoad) Run(ctx context.Context, tmp string) ([]Loaded, error) {
	spec, err := load.ReadSpec(u.File)
	if err != nil {
		return nil, err
	}
	d := u.Time
	if d == 0 {
		d = spec.PhaseDuration()
	}
	file, err := filepath.Abs(u.File)
	if err != nil {
		return nil, err
	}
	c := session.Config{Load: file, LoadSum: spec.Sum(), Procs: u.Procs, MinTrial: d, Timeout: u.Timeout, Modes: []mode.Mode{u.Mode}}
	cell := session.Cell{Name: u.Mode.Name, Mode: u.Mode, Ref: -1}
	r := &Run{Dir: &session.Dir{Session: &session.Session{Config: c, Cells: []session.Cell{cell}}}, Progress: u.Progress, tmp: tmp, load: spec, addProbe: u.Probe}
	v := &variant{mode: u.Mode, dir: spec.Dir()}
	r.variants = []*variant{v}
	if err := r.buildObserved(ctx, v); err != nil {
		return nil, err
	}
	if err := r.resolveLoad(ctx); err != nil {
		return nil, err
	}
	var all []Loaded
	for i := range r.calls {
		r.Dir.Session.Rows = append(r.Dir.Session.Rows, session.Row{Name: spec.Requests[i].Name, Label: spec.Requests[i].Name, Bench: []string{spec.Requests[i].Name}})
		one := r.observed(ctx, u, v, i)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		all = append(all, one)
	}
	return all, nil
}

// buildObserved builds the server with both probes.
func (r *Run) buildObserved(ctx context.Context, v *variant) (err error) {
	if r.program, err = r.parseProgram(); err != nil {
		return err
	}
	r.Progress.Step("building the server")
	flags, err := r.withProbe(ctx, v, r.program)
	if err != nil {
		return err
	}
	v.bins = []*binary{{path: filepath.Join(r.tmp, "observed-server")}}
	return build.Program(ctx, v.dir, v.mode, flags, r.program.pkg, v.bins[0].path)
}

// observed puts the load of one request on a server.
func (r *Run) observed(ctx context.Context, u *UnderLoad, v *variant, row int) (l Loaded) {
	l.Name = r.load.Requests[row].Name
	if l.Err = r.setRequests(ctx, row); l.Err != nil {
		return l
	}
	if r.environment, l.Err = u.Environ(row); l.Err != nil {
		return l
	}
	defer func() { r.environment = nil }()
	r.Progress.Step("observing %s at %.0f requests a second for %v", l.Name, r.rate(row), r.config().MinTrial)
	began := time.Now()
	s, err := r.start(ctx, v)
	if err != nil {
		l.Err = err
		return l
	}
	r.closed(ctx, s, row, r.config().MinTrial/4)
	l.Start = time.Since(began)
	result := r.open(ctx, s, row, r.Dir.Session.Rows[row].N)
	l.Traces, _ = os.ReadFile(s.stderr.Name())
	l.Outcome, l.Err = s.stop()
	if l.Err == nil && result.Failed > result.Sent/10 {
		l.Err = fmt.Errorf("%d of %d requests fail: %s", result.Failed, result.Sent, trial.Short(result.Err.Error()))
	}
	return l
}
