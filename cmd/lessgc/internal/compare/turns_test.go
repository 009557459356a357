package compare

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/gctrace"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/trial"
)

// TestStoppable checks which trials may be stopped now and then.
func TestStoppable(t *testing.T) {
	const ms = time.Millisecond
	values := []session.Value{{Value: 0.1, Unit: "sec/op"}, {Value: 48, Unit: "B/op"}, {Value: 3, Unit: "allocs/op"}, {Value: 1e6, Unit: "B/s"}}
	base := session.Trial{N: 2, Timed: true, User: 190 * ms, System: 10 * ms, Values: values} // in 200 ms
	for _, test := range []struct {
		name   string
		change func(*session.Trial)
		want   float64 // 0 for not
	}{
		{"one that computes", func(*session.Trial) {}, 1},
		{"one that hardly collects", func(x *session.Trial) { x.GC = gctrace.Summary{CPU: ms} }, 1},
		{"one that collects", func(x *session.Trial) { x.GC = gctrace.Summary{CPU: 3 * ms} }, 0},
		{"one with workers", func(x *session.Trial) { x.User = 310 * ms }, 0},
		{"one that waits", func(x *session.Trial) { x.User = 90 * ms }, 0.5},
		{"one that is seen as a process", func(x *session.Trial) { x.Timed = false }, 0},
		{"one with latencies", func(x *session.Trial) { x.Values = append(values[:3:3], session.Value{Value: 1, Unit: "p99-sec"}) }, 0},
		{"one that is short", func(x *session.Trial) {
			x.N, x.User, x.System = 1, 30*ms, 0
			x.Values = []session.Value{{Value: 0.04, Unit: "sec/op"}}
		}, 0},
		{"one that is just long enough", func(x *session.Trial) {
			x.N, x.User, x.System = 1, 40*ms, 10*ms
			x.Values = []session.Value{{Value: 0.05, Unit: "sec/op"}}
		}, 1},
		{"one without a time", func(x *session.Trial) { x.Values = values[1:] }, 0},
	} {
		x := base
		test.change(&x)
		if got, ok := stoppable(x); ok != (test.want > 0) || math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %v, %v, want %v", test.name, got, ok, test.want)
		}
	}
}

// TestPlanTurns checks which rows take turns, and in which rounds.
func TestPlanTurns(t *testing.T) {
	const ms = time.Millisecond
	r := &Run{Dir: &session.Dir{Session: &session.Session{Rows: make([]session.Row, 6)}}}
	for row := range 6 {
		for cell := range 2 {
			// On a busy machine one of two may have had the CPU for half of its time only.
			x := session.Trial{Row: row, Cell: cell, N: 1, Timed: true, User: time.Duration(50+20*cell) * ms, RSS: 1 << 20, Values: []session.Value{{Value: 0.1, Unit: "sec/op"}}}
			switch {
			case row == 1:
				x.RSS = mostInTurns/2 + 1
			case row == 2 && cell == 1:
				x.Timed = false
			case row == 3 && cell == 1:
				x.Err = "it failed"
			case row == 4:
				x.User = 50 * ms
			case row == 5:
				x.GC.CPU = 3 * ms
			}
			r.Done = append(r.Done, x)
		}
	}
	r.planTurns()
	for round := range 20 {
		for row := range 6 {
			if got, want := r.takesTurns(round, row), row == 0 && trial.CanPin && round != 1 && round != 9 && round != 17; got != want {
				t.Errorf("round %d, row %d: %v", round, row, got)
			}
		}
	}
	for _, c := range []session.Config{{NoTurns: true}, {Duet: true}, {Exec: "x"}} {
		r.inTurns, r.Dir.Session.Config = nil, c
		if r.planTurns(); r.takesTurns(2, 0) {
			t.Errorf("%+v: it takes turns", c)
		}
	}
}

// TestTurnsOrder checks that those that take turns start in all orders.
func TestTurnsOrder(t *testing.T) {
	r, _ := simulation(t, 1, 0.02, 1)
	defer r.Dir.Close()
	var order []string
	var mu sync.Mutex
	measure := r.measure
	r.measure = func(ctx context.Context, row, cell, n int, at slot) session.Trial {
		mu.Lock()
		defer mu.Unlock()
		if at.turns != nil {
			order = append(order, fmt.Sprint(cell))
		}
		return measure(ctx, row, cell, n, at)
	}
	r.tmp, r.done, r.failures, r.inTurns = t.TempDir(), map[trialKey]bool{}, map[trialKey]int{}, []time.Duration{time.Minute}
	for round := range 40 {
		if err := r.round(t.Context(), round); err != nil {
			t.Fatal(err)
		}
	}
	orders := map[string]int{}
	for three := range slices.Chunk(order, 3) {
		orders[strings.Join(three, "")]++
	}
	if len(order) != 3*35 || len(orders) != 6 {
		t.Errorf("%d trials took turns, in orders %v", len(order), orders)
	}
}

// locking has a benchmark that fails beside another one like it.
const locking = `package m

import (
	"os"
	"testing"
)

var sink int

func BenchmarkSum(b *testing.B) {
	for b.Loop() {
		for i := range 1000 {
			sink = sink*3 + i
		}
	}
}

func BenchmarkAlone(b *testing.B) {
	f, err := os.OpenFile("lock", os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		b.Fatal("there is another one")
	}
	f.Close()
	b.Cleanup(func() { os.Remove("lock") })
	for b.Loop() {
		sink++
	}
}
`

// TestRunInTurns runs processes in turns, and some that cannot be there together one after
// the other, which a note says.
func TestRunInTurns(t *testing.T) {
	if !trial.CanPin {
		t.Skip("no process can be stopped")
	}
	t.Setenv("GOWORK", "off")
	r, _ := simulation(t, 1, 0.02, 1)
	defer r.Dir.Close()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.25\n", "m_test.go": locking} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r.tmp, r.Dir.Session.Dir, r.Dir.Session.Rows[0].N = t.TempDir(), dir, 50_000
	v := &variant{mode: mode.Default(), dir: dir}
	b := &binary{pkg: build.Package{ImportPath: "m", Dir: dir}, path: filepath.Join(t.TempDir(), "m.test")}
	if err := r.buildTest(t.Context(), v, b); err != nil || !b.timed {
		t.Fatal(err, r.Dir.Session.Notes)
	}
	for name, want := range map[string]bool{"BenchmarkSum": true, "BenchmarkAlone": false} {
		r.inTurns = []time.Duration{time.Minute}
		r.measure = func(ctx context.Context, row, cell, n int, at slot) session.Trial {
			o, region, err := r.runTimed(ctx, v, b, at, name, n)
			x := session.Trial{Turns: at.turns != nil, Wall: o.Wall}
			switch {
			case err != nil:
				x.Err = err.Error()
			case o.Failed():
				x.Err = string(o.Stdout)
			default:
				x.Timed = region != nil
			}
			return x
		}
		for _, x := range r.runTogether(t.Context(), 2, 0, unit{0, 1, 2}) {
			if x.Err != "" || x.Turns != want || !x.Timed || x.Wall <= 0 {
				t.Errorf("%s: %+v", name, x)
			}
		}
		if r.takesTurns(2, 0) != want {
			t.Errorf("%s: takes turns: %v", name, !want)
		}
	}
	if notes := r.Dir.Session.Notes; len(notes) != 1 || !strings.Contains(notes[0], "A runs one process after the other, not in turns: ") || !strings.Contains(notes[0], "there is another one") {
		t.Errorf("%q", notes)
	}
}
