package main

import (
	"bytes"
	"context"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/live"
)

// TestContainer checks what is said of a container's limit, on made-up systems.
func TestContainer(t *testing.T) {
	const v2 = "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
	check := func(name string, files map[string]string, want float64, text string) {
		t.Helper()
		root := t.TempDir()
		for file, content := range files {
			file = filepath.Join(root, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var f tuneFlags
		f.container(root)
		if f.wishes.Memory != want || !strings.Contains(f.from, text) || f.wishes.Free {
			t.Errorf("%s: %g bytes, %q", name, f.wishes.Memory, f.from)
		}
	}
	group := func(limit string) map[string]string {
		return map[string]string{"proc/self/cgroup": "0::/x\n", "proc/self/mountinfo": v2, "sys/fs/cgroup/cgroup.controllers": "memory\n",
			"sys/fs/cgroup/x/memory.max": limit, "sys/fs/cgroup/x/memory.current": "5\n", "sys/fs/cgroup/x/memory.stat": "anon 1\n"}
	}
	check("limited", group("1073741824\n"), 1<<30, "the limit of the container that tune runs in, control groups version 2")
	check("unlimited", group("max\n"), 0, "the container has no memory limit (control groups, version 2)")
	check("malformed", group("much\n"), 0, "the container's limit cannot be read")
	check("none", nil, 0, "no container's limit is known")
	check("a malformed list", map[string]string{"proc/self/cgroup": "nonsense\n", "proc/self/mountinfo": v2}, 0, "")
}

// predictedAt is a prediction for a GOGC without a limit.
func predictedAt(gogc float64) curve.Prediction {
	return curve.Prediction{Setting: curve.Setting{GOGC: gogc, Limit: curve.NoLimit}}
}

// TestToProve checks that the settings that are measured are four, each once, that of the run first.
func TestToProve(t *testing.T) {
	s := &curve.Subject{Setting: predictedAt(100).Setting, Advice: &curve.Recommendation{Now: predictedAt(100), Best: predictedAt(400)}}
	for _, g := range curve.Points {
		s.Curve = append(s.Curve, predictedAt(g))
	}
	spiral, limited := predictedAt(-1), predictedAt(-1)
	spiral.Setting.Limit, spiral.Spiral, limited.Setting.Limit = 1<<20, true, 1<<30
	s.Limits = []curve.Prediction{spiral, limited}
	for range 20 {
		got := map[curve.Setting]bool{}
		all := toProve(s)
		for _, p := range all {
			got[p.Setting] = true
		}
		if len(all) != 4 || len(got) != 4 || all[0].Setting != predictedAt(100).Setting || !got[predictedAt(400).Setting] || !got[limited.Setting] || got[spiral.Setting] {
			t.Fatalf("%v", all)
		}
	}
	s.Advice.Best = s.Advice.Now
	if all := toProve(s); len(all) != 4 || all[0].Setting != predictedAt(100).Setting {
		t.Errorf("nothing worth changing: %v", all)
	}
}

// TestTuneInterrupted checks that what was observed of a service until an interrupt is used.
func TestTuneInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var asked atomic.Int64
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 12 { // enough for an observation, whenever it comes
			interrupt()
		}
		live.Handler().ServeHTTP(w, r)
	}))
	defer service.Close()
	done := make(chan struct{})
	defer close(done)
	go func() { // a collection every few milliseconds
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				runtime.KeepAlive(make([]byte, 8<<20))
			}
		}
	}()
	var out, errs bytes.Buffer
	status := runTune(ctx, &env{&out, &errs}, []string{"-for", "1h", "-interval", "100ms", "-record", filepath.Join(t.TempDir(), "r"), service.URL})
	if status != exitClean || !strings.Contains(out.String(), "interrupted: this is what was observed until then, of 1h0m0s") || !strings.Contains(out.String(), "peak RSS") {
		t.Errorf("status %d\n%s\n%s", status, &out, &errs)
	}
}

// TestOutcomes checks that what was measured of one request is not mixed with that of another.
func TestOutcomes(t *testing.T) {
	s := &session.Session{Format: session.Format, Config: session.Config{Rounds: 6, Margin: 0.02, Procs: 2, Looks: 1}}
	s.Cells = []session.Cell{{ID: "s0", Name: "s0", Ref: -1}, {ID: "s1", Name: "s1"}, {ID: "aa", Name: "A/A", AA: true}}
	names := []string{"GET /list", "order"}
	for _, name := range names {
		s.Rows = append(s.Rows, session.Row{Name: name, Label: name, Bench: []string{name, name, name}, N: 100})
	}
	var trials []session.Trial
	for round := range 7 {
		for row := range s.Rows {
			for cell := range s.Cells {
				used := time.Duration(1000+round) * time.Millisecond
				if row == 1 && cell == 1 {
					used /= 2
				}
				trials = append(trials, session.Trial{Round: round, Row: row, Cell: cell, N: 100, User: used, RSS: int64(row+1) << 20})
			}
		}
	}
	for row, name := range names {
		all := outcomes([]curve.Prediction{predictedAt(100), predictedAt(200)}, name, s, trials)
		cpu := []float64{1, 0.5}[row]
		if len(all) != 2 || all[1].RSS.Value != float64(int64(row+1)<<20) || math.Abs(all[1].CPU.Value-cpu) > 0.01 {
			t.Errorf("%s: %+v", name, all)
		}
	}
	for _, o := range outcomes([]curve.Prediction{predictedAt(100), predictedAt(200)}, "none", s, trials) {
		if o.Err == "" {
			t.Errorf("a request without a row: %+v", o)
		}
	}
}

// TestExactly checks that a benchmark's name is matched as it stands.
func TestExactly(t *testing.T) {
	if got, want := build.BenchPattern("Benchmark"+"A/n=1.5/x(2)"), `^BenchmarkA$/^n=1\.5$/^x\(2\)$`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestTuneRecord checks that outcomes are kept, that a line that is cut off is passed over, and that a file that is none is named.
func TestTuneRecord(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a", "record.jsonl")
	v := func(x float64) curve.Value { return curve.Value{Value: x, Lo: x - 1, Hi: x + 1} }
	r := &curve.Report{Subjects: []curve.Subject{{Outcomes: []curve.Outcome{
		{Predicted: curve.Prediction{GC: v(5), RSS: v(5), CPU: v(5)}, GC: v(5.5), RSS: v(7), CPU: v(4)},
		{Err: "not measured"}}}}}
	for want := 1; want <= 2; want++ {
		record, err := openRecord(name)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := record.add(r)
		if err != nil || sum.GC != (curve.Hits{Inside: want, All: want}) || sum.RSS != (curve.Hits{Inside: 0, All: want}) || sum.CPU.All != want {
			t.Errorf("%+v, %v", sum, err)
		}
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"setting":{"go`)
	f.Close()
	if record, err := openRecord(name); err != nil || record.sum.GC.All != 2 {
		t.Errorf("%+v, %v", record, err)
	}
	if _, err := openRecord(t.TempDir()); err == nil {
		t.Error("a folder is taken for a record")
	}
}
