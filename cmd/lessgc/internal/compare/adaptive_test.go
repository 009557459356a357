package compare

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// With more than the few comparisons of the tests, the rates are worth quoting:
// go test -run Simulated -v -tables 1000.
var tables = flag.Int("tables", 20, "simulated comparisons")

// A machine disturbs trials as a shared one does: each has noise of its own, slow
// waves and bursts that hit several, and now and then one takes twice as long. Time on
// it is simulated.
type machine struct {
	rng   *rand.Rand
	clock time.Time
	sd    float64 // of the logarithm of a trial
	drift float64
	wave  float64
	burst int
	slow  float64
}

func (m *machine) factor() float64 {
	m.wave += 2 * math.Pi / 150
	m.drift = 0.995*m.drift + 0.01*m.rng.NormFloat64()
	f := math.Exp(m.sd*m.rng.NormFloat64() + m.drift + 0.1*math.Sin(m.wave))
	if m.burst--; m.burst < 0 && m.rng.Float64() < 0.03 {
		m.burst, m.slow = 1+m.rng.IntN(8), 1.1+0.4*m.rng.Float64()
	}
	if m.burst >= 0 {
		f *= m.slow
	}
	if m.rng.Float64() < 0.02 {
		f *= 2
	}
	return f
}

// simulation is a comparison of a mode with the baseline in rows in which the mode takes
// effects times as long, until it is clear or two minutes are over, on a machine of noise
// sd. The caller closes its folder.
func simulation(t testing.TB, seed uint64, sd float64, effects ...float64) (*Run, *machine) {
	m := &machine{rng: rand.New(rand.NewPCG(seed, 7)), clock: time.Unix(0, 0), sd: sd}
	m.wave = 2 * math.Pi * m.rng.Float64()
	a, b := mode.Mode{Name: "a"}, mode.Mode{Name: "b"}
	s := &session.Session{
		Format: session.Format, Dir: "/x", Created: m.clock,
		Config: session.Config{
			Modes: []mode.Mode{a, b}, Baseline: "a", Adaptive: true, Budget: 2 * time.Minute,
			MinTrial: 200 * time.Millisecond, Timeout: time.Hour, Seed: seed, Procs: 1, Margin: 0.03, Looks: 1, NoTurns: true,
		},
		Cells: []session.Cell{{ID: "a", Name: "a", Mode: a, Ref: -1}, {ID: "b", Name: "b", Mode: b, Ref: 0}, {ID: "aa", Name: "A/A", Mode: a, AA: true, Ref: 0}},
	}
	for i := range effects {
		name := "Benchmark" + string(rune('A'+i))
		s.Rows = append(s.Rows, session.Row{Name: name[9:], Label: name[9:], Bench: []string{name, name, name}, N: 100})
	}
	dir, err := session.Create(t.TempDir(), s)
	if err != nil {
		t.Fatal(err)
	}
	r := &Run{Dir: dir, Progress: &progress.Printer{W: io.Discard, Terminal: true}, now: func() time.Time { return m.clock }}
	for _, m := range s.Config.Modes {
		r.variants = append(r.variants, &variant{mode: m, bins: []*binary{{}}})
	}
	r.measure = m.trials(s.Config.MinTrial, effects, m.factor)
	return r, m
}

// trials returns a function that runs trials of a length, in rows in which cell 1 takes
// effects times as long, and all as many times as long as slow says.
func (m *machine) trials(length time.Duration, effects []float64, slow func() float64) func(ctx context.Context, row, cell, n int, at slot) session.Trial {
	return func(_ context.Context, row, cell, n int, _ slot) session.Trial {
		took := length.Seconds() * slow()
		if cell == 1 {
			took *= effects[row]
		}
		d := time.Duration(took * float64(n) / 100 * float64(time.Second))
		m.clock = m.clock.Add(d + 20*time.Millisecond)
		return session.Trial{N: n, Start: m.clock, Wall: d + 20*time.Millisecond, User: d, Timed: true,
			Values: []session.Value{{Value: took / 100, Unit: "sec/op"}}}
	}
}

// simulated runs a simulation for a time, and returns its session and report.
func simulated(t testing.TB, seed uint64, sd float64, budget time.Duration, effects ...float64) (*session.Session, *verdict.Report, time.Duration) {
	r, m := simulation(t, seed, sd, effects...)
	defer r.Dir.Close()
	r.config().Budget = budget
	if err := r.rounds(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r.Dir.Session, verdict.New(r.Dir.Session, r.Done), m.clock.Sub(time.Unix(0, 0))
}

// simulations counts what becomes of many tables whose first rows have the same effects.
type simulations struct {
	tables, falseTables   int
	called, same, covered int // of the first row
	spent                 time.Duration
	looks                 int
}

func simulateMany(t *testing.T, sd float64, budget time.Duration, effects ...float64) simulations {
	var n simulations
	for seed := range *tables {
		s, r, spent := simulated(t, uint64(seed), sd, budget, effects...)
		n.tables++
		n.spent += spent
		n.looks += len(s.Looked)
		wrong := false
		for _, c := range r.Comparisons {
			if r.Metrics[c.Metric].Name != "cpu" || c.Cell != 1 || c.Row == verdict.Geomean && len(effects) > 1 && effects[0] != effects[1] {
				continue
			}
			effect := effects[max(c.Row, 0)]
			called := c.Word == verdict.Better || c.Word == verdict.Worse
			wrong = wrong || called && (effect == 1 || (c.Word == verdict.Worse) != (effect > 1))
			if c.Row != 0 {
				continue
			}
			if called {
				n.called++
			}
			if c.Word == verdict.Same {
				n.same++
			}
			if c.Lo <= effect && effect <= c.Hi {
				n.covered++
			}
		}
		if wrong {
			n.falseTables++
		}
	}
	return n
}

func (n simulations) log(t *testing.T, name string) {
	share := func(k int) float64 { return 100 * float64(k) / float64(n.tables) }
	t.Logf("%-34s %5.1f %% called, %5.1f %% the same, %5.1f %% of tables wrong, interval holds the truth in %5.1f %%, %v and %.1f looks each",
		name, share(n.called), share(n.same), share(n.falseTables), share(n.covered), (n.spent / time.Duration(n.tables)).Round(time.Second), float64(n.looks)/float64(n.tables))
}

// What is equal is not called, what differs is, the interval holds the truth, and what
// is clear takes less time.
func TestSimulatedAdaptive(t *testing.T) {
	if testing.Short() {
		t.Skip("it simulates hundreds of comparisons")
	}
	few := func(k int) float64 { return float64(k) + 2*math.Sqrt(float64(k)) + 1 } // that chance allows for k
	for _, sd := range []float64{0.02, 0.08, 0.2} {
		var slow time.Duration
		for _, effect := range []float64{1, 1.03, 1.05, 1.1, 1.5} {
			n := simulateMany(t, sd, 2*time.Minute, effect)
			n.log(t, fmt.Sprintf("noise %v, one row, %+.0f %%", sd, 100*(effect-1)))
			if float64(n.falseTables) > few(n.tables/20) {
				t.Errorf("%d of %d tables are wrong", n.falseTables, n.tables)
			}
			if float64(n.tables-n.covered) > few(n.tables/14) {
				t.Errorf("%d of %d intervals do not hold the truth", n.tables-n.covered, n.tables)
			}
			if effect == 1.5 && (n.called < n.tables || n.spent > time.Duration(n.tables)*20*time.Second) {
				t.Errorf("+50 %% is called in %d of %d tables, after %v", n.called, n.tables, n.spent)
			}
			if effect == 1.1 && 10*n.called < 9*n.tables || effect == 1.05 && sd < 0.1 && 10*n.called < 9*n.tables {
				t.Errorf("%+.0f %% is called in %d of %d tables", 100*(effect-1), n.called, n.tables)
			}
			if effect == 1.03 && float64(n.same) > few(n.tables/20) {
				t.Errorf("%d of %d rows that differ by the margin are the same", n.same, n.tables)
			}
			if effect == 1 {
				slow = n.spent
			}
			if effect == 1.5 && 2*n.spent > slow {
				t.Errorf("what is clear takes %v, what is not %v", n.spent, slow)
			}
		}
	}
}

// Rows that are clear leave their time to the others, and a table of equals stays one.
func TestSimulatedRows(t *testing.T) {
	if testing.Short() {
		t.Skip("it simulates comparisons of several rows")
	}
	n := simulateMany(t, 0.08, 5*time.Minute, 1, 1, 1, 1)
	n.log(t, "noise 0.08, four equal rows")
	if float64(n.falseTables) > float64(n.tables)/20+2*math.Sqrt(float64(n.tables)/20)+1 {
		t.Errorf("%d of %d tables are wrong", n.falseTables, n.tables)
	}
	s, r, _ := simulated(t, 1, 0.1, 2*time.Minute, 1.03, 1.5, 2, 3)
	rounds := map[int]int{}
	for _, c := range r.Comparisons {
		if r.Metrics[c.Metric].Name == "cpu" && c.Cell == 1 && c.Row >= 0 {
			rounds[c.Row] = c.N
		}
	}
	if 3*rounds[1] > rounds[0] || 3*rounds[3] > rounds[0] || len(s.Looked) == 0 {
		t.Errorf("rounds by row: %v after looks %d", rounds, s.Looked)
	}
}

// There is no time for all rows: the shortest are measured, and the others named.
func TestTooShort(t *testing.T) {
	s, r, spent := simulated(t, 1, 0.02, 15*time.Second, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5)
	if len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Text, "too short for all: not measured: ") {
		t.Errorf("problems: %+v", s.Problems)
	}
	if len(r.Answers) != 1 || spent > 40*time.Second {
		t.Errorf("%v, %+v", spent, r.Answers)
	}
}

// What is said of the time never has more at least than at most.
func TestTimeSaid(t *testing.T) {
	for _, budget := range []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, time.Minute} {
		r, _ := simulation(t, 1, 0.02, 1.5, 1)
		defer r.Dir.Close()
		var said strings.Builder
		r.Progress = &progress.Printer{W: &said}
		r.config().Budget = budget
		if err := r.rounds(t.Context()); err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(`until each row is clear: (\S+) at least, (\S+) at most`).FindStringSubmatch(said.String())
		if m == nil {
			t.Fatalf("%v: %s", budget, &said)
		}
		least, err1 := time.ParseDuration(m[1])
		most, err2 := time.ParseDuration(m[2])
		if err1 != nil || err2 != nil || least > most {
			t.Errorf("%v: %s", budget, m[0])
		}
	}
}

// With Config.Decide rounds go on until that unit is clear, and one that is not reported ends the run.
func TestDecide(t *testing.T) {
	const unit = "server-cpu-sec/op"
	run := func(decide string) (*Run, error) {
		r, m := simulation(t, 3, 0.01, 1, 1)
		t.Cleanup(func() { r.Dir.Close() })
		measure := m.trials(r.config().MinTrial, []float64{1, 1}, m.factor)
		r.measure = func(ctx context.Context, row, cell, n int, at slot) session.Trial {
			x := measure(ctx, row, cell, n, at)
			server := 1e-4 * (1 + 0.3*m.rng.NormFloat64())
			if row == 0 {
				x.Values = append(x.Values, session.Value{Value: max(server, 1e-6), Unit: unit})
			}
			return x
		}
		r.config().Decide = decide
		return r, r.rounds(t.Context())
	}
	if _, err := run("serve-cpu-sec/op"); err == nil || err.Error() != "-decide serve-cpu-sec/op: no benchmark reports that unit; they report sec/op, "+unit {
		t.Errorf("a unit that is not reported: %v", err)
	}
	plain, err := run("")
	if err != nil {
		t.Fatal(err)
	}
	r, err := run(unit)
	if err != nil {
		t.Fatal(err)
	}
	if got, without := len(r.Done), len(plain.Done); got <= without {
		t.Errorf("%d trials for a unit that varies by 30 %%, %d without", got, without)
	}
	if notes := strings.Join(r.Dir.Session.Notes, "\n"); !strings.Contains(notes, "B does not report "+unit) {
		t.Errorf("the notes are %q", notes)
	}
}
