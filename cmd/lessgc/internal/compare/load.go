package compare

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/gctrace"
	"lessgc/cmd/lessgc/internal/load"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/secret"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/trial"
)

// endTime is the time that a server has to end before it is killed.
const endTime = 10 * time.Second

// mostStarts bounds the addresses that a server gets, one after the other.
const mostStarts = 3

// benchmarks reports whether benchmarks are compared, not programs or servers.
func (r *Run) benchmarks() bool { return r.config().Exec == "" && r.config().Load == "" }

// dir is the folder that packages are relative to.
func (r *Run) dir() string {
	if r.load != nil {
		return r.load.Dir()
	}
	return r.Dir.Session.Dir
}

// readLoad reads the spec, which must be what it was when the session began.
func (r *Run) readLoad() error {
	c := r.config()
	if c.Load == "" {
		return nil
	}
	spec, err := load.ReadSpec(c.Load)
	if err != nil {
		return err
	}
	if spec.Sum() != c.LoadSum {
		return fmt.Errorf("%s or a file that it names is not what the earlier run measured; start a new comparison without -resume", c.Load)
	}
	r.load = spec
	return spec.Choose(c.Bench)
}

// withProbe returns the flags that build a program, with the probe in it if it is a
// server.
func (r *Run) withProbe(ctx context.Context, v *variant, p program) ([]string, error) {
	if r.load == nil {
		return p.flags, nil
	}
	list, err := build.Go(ctx, v.dir, v.mode, slices.Concat([]string{"list", "-f", "{{.Dir}}"}, v.mode.BuildFlags(), p.flags, []string{"--", p.pkg})...)
	if err != nil {
		return nil, err
	}
	pkg := strings.TrimSpace(string(list))
	dir, err := os.MkdirTemp(r.tmp, "probe-")
	if err != nil {
		return nil, err
	}
	replace, err := load.Overlay(dir, pkg)
	if err == nil && r.addProbe != nil {
		err = r.addProbe(replace, pkg)
	}
	if err != nil {
		return nil, err
	}
	overlay, err := build.NewOverlay(dir, "", replace)
	return append(slices.Clone(p.flags), "-overlay="+overlay.File), err
}

// A server is a process under load.
type server struct {
	client  *load.Client
	probe   *load.Probe
	stderr  *os.File
	run     context.Context // of the run that started it
	alive   context.Context // until the process ends
	kill    context.CancelFunc
	outcome trial.Outcome // once it has ended
	err     error
}

// start starts a server and waits until it listens. The caller calls stop. A server whose address
// another program has taken meanwhile gets another address.
func (r *Run) start(ctx context.Context, v *variant) (*server, error) {
	for starts := 1; ; starts++ {
		s, err := r.startAt(ctx, v)
		if err == nil || starts == mostStarts || !addressTaken(err) {
			return s, err
		}
	}
}

// addressTaken reports whether the error of a server has what the system says of an address that
// another program listens on.
func addressTaken(err error) bool {
	text := err.Error()
	return strings.Contains(text, "address already in use") || strings.Contains(text, "Only one usage of each socket address")
}

// startAt starts a server once, at an address that is free.
func (r *Run) startAt(ctx context.Context, v *variant) (*server, error) {
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(r.tmp, "s")
	if err != nil {
		return nil, err
	}
	stderr, err := os.Create(filepath.Join(dir, "stderr"))
	if err != nil {
		return nil, err
	}
	socket := filepath.Join(dir, "p")
	const longest = 103 // of a socket's name, on all systems
	if len(socket) > longest {
		return nil, fmt.Errorf("%s is too long a name for a socket; set TMPDIR to a shorter folder", socket)
	}
	c, err := r.serverCommand(v, addr, filepath.Join(dir, "d"))
	if err != nil {
		return nil, err
	}
	c.Env, c.Stderr = append(append(c.Env, load.ProbeVariable+"="+socket), r.environment...), stderr
	s := &server{stderr: stderr, run: ctx}
	ctx, s.kill = context.WithCancel(ctx)
	ended, end := context.WithCancel(context.WithoutCancel(ctx))
	s.alive = ended
	go func() {
		defer end()
		s.outcome, s.err = r.runProcess(ctx, c)
	}()
	if err := s.connect(r.load, addr, socket, min(r.load.StartTimeout(), r.config().Timeout/2)); err != nil {
		outcome, ended := s.stop()
		err = cmp.Or(ended, fmt.Errorf("%w%s", err, printed(outcome)))
		return nil, errors.New(secret.Blank(err.Error(), append(r.load.Secrets(), mode.Secrets(r.config().Modes)...)...))
	}
	return s, nil
}

// serverCommand fills in the command line and the environment of a server, and makes the
// folder that it has for itself.
func (r *Run) serverCommand(v *variant, addr, own string) (trial.Command, error) {
	c := trial.Command{Path: v.bins[0].path, Dir: v.dir}
	fill, err := load.Placeholders(addr, own)
	if err != nil {
		return c, err
	}
	for _, arg := range r.program.args {
		c.Args = append(c.Args, fill.Replace(arg))
	}
	var env []string
	for name, value := range r.load.Env {
		env = append(env, name+"="+fill.Replace(value))
	}
	c.Env = r.environ(v, env...)
	return c, os.Mkdir(own, 0o777)
}

// printed ends a sentence with what a server has printed.
func printed(o trial.Outcome) string {
	if text := o.Printed(); text != "" {
		return "; it printed: " + text
	}
	return ""
}

// connect waits until the server is ready.
func (s *server) connect(spec *load.Spec, addr, socket string, limit time.Duration) (err error) {
	ctx, cancel := context.WithTimeout(s.alive, limit)
	defer cancel()
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("%w; waited %v: check {addr} in \"server\" and \"env\", or raise \"timeout\" of \"ready\" and -timeout", err, limit)
		}
	}()
	if s.probe, err = load.DialProbe(ctx, socket); err != nil {
		return err
	}
	if s.client, err = spec.Dial(addr); err != nil {
		return err
	}
	return s.client.Ready(ctx)
}

// freeAddress is one that nobody listened on a moment ago.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// stop ends the process. The error is about one that had ended by itself, or does
// not end.
func (s *server) stop() (trial.Outcome, error) {
	early := s.alive.Err() != nil
	if s.client != nil {
		s.client.Close()
	}
	if s.probe != nil {
		s.probe.Exit()
		s.probe.Close()
	} else {
		s.kill()
	}
	select {
	case <-s.alive.Done():
	case <-time.After(endTime):
	}
	s.kill()
	<-s.alive.Done()
	s.stderr.Close()
	os.RemoveAll(filepath.Dir(s.stderr.Name()))
	switch {
	case errors.Is(s.err, context.Canceled) && s.run.Err() == nil && s.probe == nil: // killed here: the caller knows why
		return s.outcome, nil
	case errors.Is(s.err, context.Canceled) && s.run.Err() == nil:
		return s.outcome, errors.New("the server does not end")
	case s.err == nil && s.outcome.Failed(): // the probe ends it with status 0
		return s.outcome, fmt.Errorf("the server ended by itself: %s", s.outcome.LongReason())
	case s.err == nil && early:
		return s.outcome, fmt.Errorf("the server ended by itself, with status 0%s", printed(s.outcome))
	}
	return s.outcome, s.err
}

// resolveLoad makes the calls, with the help of the first server that starts.
func (r *Run) resolveLoad(ctx context.Context) error {
	if r.load == nil {
		return nil
	}
	var first error
	for _, v := range r.variants {
		if v.err != "" {
			continue
		}
		r.Progress.Step("starting a server, to learn what it is asked")
		s, err := r.start(ctx, v)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			first = cmp.Or(first, fmt.Errorf("the server cannot be measured in mode %s: %w", v.label(), err))
			continue
		}
		r.calls, err = r.load.Calls(ctx, s.client)
		if _, ended := s.stop(); ended != nil && err != nil {
			err = ended
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	return first
}

// loadPilot settles how many requests each row has. Without a rate of its own it is
// sent half of what the slowest cell can answer: a server that is asked for more
// than it can do shows how long the load lasts, and nothing else.
func (r *Run) loadPilot(ctx context.Context) error {
	s := r.Dir.Session
	for i := range s.Rows {
		if err := r.setRequests(ctx, i); err != nil {
			return err
		}
		if r.load.Requests[i].Rate == 0 {
			r.Progress.Line("%s: %.0f requests a second, half of what the slowest mode answered", s.Rows[i].Label, r.rate(i))
		}
	}
	return nil
}

// setRequests settles how many requests a row has: those of its own rate, or of half of what the slowest cell can answer.
func (r *Run) setRequests(ctx context.Context, row int) error {
	rate := r.load.Requests[row].Rate
	if rate == 0 {
		slowest, err := r.slowest(ctx, row)
		if err != nil {
			return err
		}
		rate = slowest / 2
	}
	r.Dir.Session.Rows[row].N = max(1, int(rate*r.config().MinTrial.Seconds()+0.5))
	return nil
}

// noteRates notes how many requests were sent.
func (r *Run) noteRates() {
	if r.load == nil {
		return
	}
	for i, row := range r.Dir.Session.Rows {
		why := ""
		if r.load.Requests[i].Rate == 0 {
			why = ", half of what the slowest mode answered in the pilot"
		}
		r.note("%s: %.4g requests a second%s", row.Label, r.rate(i), why)
	}
}

// rate returns the number of requests of a row that are sent per second.
func (r *Run) rate(row int) float64 {
	return float64(r.Dir.Session.Rows[row].N) / r.config().MinTrial.Seconds()
}

// slowest is the throughput of the slowest cell, in answers a second.
func (r *Run) slowest(ctx context.Context, row int) (float64, error) {
	s := r.Dir.Session
	least := 0.0
	for c, cell := range s.Cells {
		v := r.variantOf(cell)
		if cell.AA || s.Rows[row].Bench[c] == "" || v.err != "" {
			continue
		}
		r.Progress.Step("pilot %d/%d: what %s can answer in %s", row+1, len(s.Rows), s.Rows[row].Label, cell.Name)
		srv, err := r.start(ctx, v)
		if err == nil {
			r.closed(ctx, srv, row, r.config().MinTrial/4)
			result := r.closed(ctx, srv, row, r.config().MinTrial/2)
			_, err = srv.stop()
			if answers := result.Throughput(); err == nil && answers > 0 && (least == 0 || answers < least) {
				least = answers
			}
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	if least == 0 {
		return 1, nil // the warm-up will say why
	}
	return least, nil
}

func (r *Run) closed(ctx context.Context, s *server, row int, d time.Duration) load.Result {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.alive, cancel)()
	return load.Closed(ctx, s.client.Sender(r.calls[row]), r.load.Concurrency(), d)
}

func (r *Run) open(ctx context.Context, s *server, row, n int) load.Result {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.alive, cancel)()
	return load.Open(ctx, s.client.Sender(r.calls[row]), r.rate(row), n)
}

// loadTrial runs a server under both loads. A trial of n requests has loops of the
// time that they take.
func (r *Run) loadTrial(ctx context.Context, row int, cell session.Cell, n int) session.Trial {
	t := session.Trial{N: n, Start: time.Now()}
	s, err := r.start(ctx, r.variantOf(cell))
	if err != nil {
		t.Err = err.Error()
		return t
	}
	seen, err := r.underLoad(ctx, s, row, &t)
	o, ended := s.stop()
	t.Wall, t.RSS, t.Load, t.Steal = o.Wall, o.PeakRSS, o.Load, o.Steal
	if err := cmp.Or(ended, err); err != nil {
		t.Err = err.Error()
		return t
	}
	t.Latency, err = seen.Latency.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		t.Err = err.Error()
	}
	return t
}

func (r *Run) underLoad(ctx context.Context, s *server, row int, t *session.Trial) (load.Result, error) {
	d := time.Duration(float64(r.config().MinTrial) * float64(t.N) / float64(r.Dir.Session.Rows[row].N))
	if warm := r.closed(ctx, s, row, d/4); warm.Failed == warm.Sent {
		return warm, everyFails(warm.Err)
	}
	before, err := s.probe.Counts()
	if err != nil {
		return load.Result{}, err
	}
	from := size(s.stderr)
	seen := r.open(ctx, s, row, t.N)
	between, err := s.probe.Counts()
	if err != nil {
		return seen, err
	}
	to := size(s.stderr)
	full := r.closed(ctx, s, row, d)
	after, err := s.probe.Counts()
	if err != nil {
		return seen, err
	}
	if seen.Failed == seen.Sent || full.Failed == full.Sent {
		return seen, everyFails(cmp.Or(seen.Err, full.Err))
	}
	if t.GC, err = gctrace.Read(io.NewSectionReader(s.stderr, from, to-from), nil); err != nil {
		return seen, err
	}
	cost := between.Sub(before)
	t.User, t.System, t.Busy = cost.User, cost.System, cost.Busy
	t.Values = append(latencies(seen),
		session.Value{Value: full.Throughput(), Unit: "req/s"},
		session.Value{Value: perRequest(float64(after.Sub(between).User+after.Sub(between).System)/float64(time.Second), full.Sent), Unit: "full-load-cpu-sec/op"},
		session.Value{Value: math.Round(10*perRequest(float64(cost.Mallocs), seen.Sent)) / 10, Unit: "allocs/op"},
		session.Value{Value: math.Round(perRequest(float64(cost.Bytes), seen.Sent)), Unit: "B/op"},
		session.Value{Value: float64(seen.Failed+full.Failed) / float64(seen.Sent+full.Sent), Unit: session.FailedUnit},
	)
	return seen, nil
}

// everyFails returns the error of a server without a good answer; err is the first that a request got,
// nil if none was sent: an interruption, or the server's end, may come before the first. What the
// server has sent may be long.
func everyFails(err error) error {
	if err == nil {
		return errors.New("no request was sent")
	}
	return fmt.Errorf("every request fails: %s", trial.Short(err.Error()))
}

// size returns the size of a file in bytes, or 0 if it is not known.
func size(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

func perRequest(sum float64, n int) float64 { return sum / float64(max(n, 1)) }

// latencies returns those percentiles that so many requests define: the 99.9th
// of less than a thousand is the maximum by another name.
func latencies(seen load.Result) []session.Value {
	seconds := func(ns int64) float64 { return time.Duration(ns).Seconds() }
	values := []session.Value{
		{Value: seconds(seen.Latency.Max()), Unit: "max-sec"},
		{Value: seconds(seen.Late.ValueAtQuantile(99)), Unit: session.LateUnit},
	}
	for _, q := range []struct {
		percent float64
		unit    string
	}{{50, "p50-sec"}, {90, "p90-sec"}, {99, "p99-sec"}, {99.9, "p99.9-sec"}} {
		if float64(seen.Sent) >= 100/(100-q.percent) {
			values = append(values, session.Value{Value: seconds(seen.Latency.ValueAtQuantile(q.percent)), Unit: q.unit})
		}
	}
	return values
}

// profileServer has a server say, under the load of the open loop, where its time and its
// memory go. It writes into a folder of its own; what it has written is then stored in dir
// of the results.
func (r *Run) profileServer(ctx context.Context, row int, cell session.Cell, dir string) error {
	tmp, err := os.MkdirTemp(r.tmp, "profiles-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	s, err := r.start(ctx, r.variantOf(cell))
	if err != nil {
		return err
	}
	n := r.Dir.Session.Rows[row].N
	record := func(start func(string) error, name string, n int) error {
		if err := start(filepath.Join(tmp, name)); err != nil {
			return err
		}
		r.open(ctx, s, row, n)
		return s.probe.Stop()
	}
	r.closed(ctx, s, row, r.config().MinTrial/4)
	err = cmp.Or(
		record(s.probe.StartCPU, "cpu.pprof", n),
		s.probe.Allocs(filepath.Join(tmp, "allocs.pprof")),
		record(s.probe.StartTrace, "trace.out", max(1, n/4)),
		keepTraces(s.stderr, filepath.Join(tmp, "gctrace.txt")),
	)
	_, ended := s.stop()
	if err := cmp.Or(ended, err); err != nil {
		return err
	}
	for _, name := range []string{"cpu.pprof", "allocs.pprof", "trace.out", "gctrace.txt"} {
		if err := r.store(filepath.Join(tmp, name), dir); err != nil {
			return err
		}
	}
	return nil
}

// keepTraces copies the lines of the collector.
func keepTraces(stderr *os.File, name string) error {
	from, err := os.Open(stderr.Name())
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(name)
	if err != nil {
		return err
	}
	kept := bufio.NewWriter(to)
	err = gctrace.Each(from, func(trace string) { kept.WriteString(strings.TrimRight(trace, "\r\n") + "\n") }) // Flush returns its error
	return errors.Join(err, kept.Flush(), to.Close())
}
