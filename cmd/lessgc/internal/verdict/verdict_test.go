package verdict

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lessgc/cmd/lessgc/internal/gctrace"
	"lessgc/cmd/lessgc/internal/session"
)

// iterations of every made-up trial.
const iterations = 1000

// A made is a session with trials that nobody ran.
type made struct {
	*session.Session
	trials []session.Trial
}

// plan makes a session of rows r0, r1, ... and of cells: base, c1, c2, ... and
// the A/A cell, which is the last.
func plan(rows, cells int) *made {
	s := &session.Session{Format: session.Format, Created: time.Unix(1e9, 0).UTC()}
	s.Host = session.Host{OS: "linux", NumCPU: 2}
	s.Config = session.Config{Rounds: 10, Margin: 0.02, Procs: 2, Looks: 1, Seed: 7}
	for c := range cells {
		cell := session.Cell{ID: fmt.Sprintf("c%d", c), Name: fmt.Sprintf("c%d", c)}
		if c == 0 {
			cell.ID, cell.Name, cell.Ref = "base", "base", -1
		}
		s.Cells = append(s.Cells, cell)
	}
	s.Cells = append(s.Cells, session.Cell{ID: "aa", Name: "A/A", AA: true})
	for r := range rows {
		row := session.Row{Package: "p", Name: fmt.Sprintf("r%d", r), N: iterations}
		for range s.Cells {
			row.Bench = append(row.Bench, row.Name)
		}
		s.Rows = append(s.Rows, row)
	}
	return &made{Session: s}
}

// aa is the index of the A/A cell.
func (m *made) aa() int { return len(m.Cells) - 1 }

// A cost holds what an operation takes in a cell: CPU time in seconds, and
// what the benchmark prints.
type cost struct {
	cpu    float64
	values []session.Value
}

// trial makes one with a CPU time per operation. All of it was the benchmark's
// own loop, and there were plenty of collections.
func (m *made) trial(round, row, cell int, c cost) session.Trial {
	total := time.Duration(c.cpu * iterations * 1e9)
	values := c.values
	if values == nil {
		values = []session.Value{{Value: c.cpu, Unit: "sec/op"}}
	}
	return session.Trial{Round: round, Row: row, Cell: cell, N: iterations, Wall: total, User: total, RSS: 64 << 20,
		GC: gctrace.Summary{Cycles: 100, CPU: total / 10, Stopped: total / 100, MaxPause: total / 1000, HeapGoal: 8 << 20}, Values: values}
}

// run adds rounds in which every row runs in every cell.
func (m *made) run(rounds int, f func(round, row, cell int) cost) *made {
	for round := 1; round <= rounds; round++ {
		for row := range m.Rows {
			for cell := range m.Cells {
				m.trials = append(m.trials, m.trial(round, row, cell, f(round, row, cell)))
			}
		}
	}
	return m
}

// wobble is a fixed noise of at most size, another in every cell, that is
// positive about as often as negative.
func wobble(size float64, at ...int) float64 {
	var seed uint64
	for _, n := range at {
		seed = seed*1000003 + uint64(n) + 12345
	}
	return 1 + size*(2*rand.New(rand.NewPCG(seed, 1)).Float64()-1)
}

// report judges and checks what holds for all reports.
func (m *made) report(t *testing.T) *Report {
	t.Helper()
	before, err := json.Marshal([]any{m.Session, m.trials})
	if err != nil {
		t.Fatal(err)
	}
	r := New(m.Session, m.trials)
	if after, _ := json.Marshal([]any{m.Session, m.trials}); string(before) != string(after) {
		t.Error("New changed its arguments")
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatalf("the report is not JSON: %v", err)
	}
	var again Report
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(r, &again) { // half of the time of all these tests is else that of Diff
	} else if diff := cmp.Diff(r, &again); diff != "" {
		t.Errorf("the report changes on its way through JSON (-before +after)\n%s", diff)
	}
	for _, c := range r.Comparisons {
		name := fmt.Sprintf("row %d of %s in %s", c.Row, r.Cells[c.Cell].Name, r.Metrics[c.Metric].Unit)
		known := slices.Contains([]Word{Better, Worse, Same, Unclear}, c.Word)
		switch {
		case r.Cells[c.Cell].AA && c.Word != "":
			t.Errorf("%s: the A/A cell is called %q", name, c.Word)
		case !r.Cells[c.Cell].AA && !known:
			t.Errorf("%s: the word is %q", name, c.Word)
		case c.Ref != r.Cells[c.Cell].Ref:
			t.Errorf("%s: compared with cell %d", name, c.Ref)
		case c.Bounded && !(c.Lo <= c.Ratio && c.Ratio <= c.Hi):
			t.Errorf("%s: %v is outside [%v, %v]", name, c.Ratio, c.Lo, c.Hi)
		case c.P < 0 || c.P > 1 || c.Adjusted > 1 || !r.Cells[c.Cell].AA && c.Adjusted < c.P:
			t.Errorf("%s: p %v, adjusted %v", name, c.P, c.Adjusted)
		case c.Need > 0 && (c.Word != Unclear || c.Need <= c.N):
			t.Errorf("%s: %s after %d rounds needs %d", name, c.Word, c.N, c.Need)
		}
	}
	for _, a := range r.Answers {
		if a.Short == "" || a.Text == "" {
			t.Errorf("an empty answer: %+v", a)
		}
	}
	return r
}

// get is the comparison of a cell in a row, by the short name of its metric.
func get(t *testing.T, r *Report, row, cell int, metric string) Comparison {
	t.Helper()
	c := r.find(row, cell, r.metric(metric))
	if c == nil {
		t.Fatalf("no comparison of row %d, cell %d in %s", row, cell, metric)
	}
	return *c
}

// One rule of the words at a time: every line but the first of a group has one
// reason to differ.
func TestWord(t *testing.T) {
	j := &judge{r: &Report{Margin: 0.02, Alpha: 0.05, Metrics: []Metric{{Unit: "sec/op"}, {Unit: "B/s", Higher: true}}}}
	clear := Comparison{Bounded: true, N: 10, Ratio: 1.2, Lo: 1.1, Hi: 1.3, P: 0.002, Adjusted: 0.01, Floor: 0.05}
	check := func(name string, want Word, change func(c *Comparison)) {
		t.Helper()
		c := clear
		change(&c)
		if got := j.word(&c); got != want {
			t.Errorf("%s: %s, want %s (%+v)", name, got, want, c)
		}
	}
	faster := func(c *Comparison) { c.Ratio, c.Lo, c.Hi = 1/1.2, 1/1.3, 1/1.1 }

	check("slower", Worse, func(c *Comparison) {})
	check("faster", Better, faster)
	check("more per second", Better, func(c *Comparison) { c.Metric = 1 })
	check("less per second", Worse, func(c *Comparison) { c.Metric = 1; faster(c) })
	check("no interval", Unclear, func(c *Comparison) { c.Bounded = false })

	check("p at the level", Worse, func(c *Comparison) { c.Adjusted = 0.05 })
	check("p above the level", Unclear, func(c *Comparison) { c.Adjusted = 0.0501 })
	check("p before Holm does not matter", Unclear, func(c *Comparison) { c.P, c.Adjusted = 0.004, 0.06 })

	check("at the floor", Unclear, func(c *Comparison) { c.Floor = c.Ratio - 1 })
	check("above the floor", Worse, func(c *Comparison) { c.Floor = 0.199 })
	check("below the floor", Unclear, func(c *Comparison) { c.Floor = 0.3 })
	check("no floor measured", Unclear, func(c *Comparison) { c.Floor = math.Inf(1) })
	check("faster, at the floor of the inverse", Unclear, func(c *Comparison) { faster(c); c.Floor = 0.2000001 })
	check("faster, above the floor of the inverse", Better, func(c *Comparison) { faster(c); c.Floor = 0.19 })

	check("the interval begins at 1", Unclear, func(c *Comparison) { c.Lo = 1 })
	check("the interval ends at 1", Unclear, func(c *Comparison) { faster(c); c.Hi = 1 })
	check("the interval holds 1", Unclear, func(c *Comparison) { c.Lo = 0.99 })
	check("the interval begins behind 1", Worse, func(c *Comparison) { c.Lo = 1.0001 })

	same := func(lo, hi float64) func(c *Comparison) {
		return func(c *Comparison) { c.Ratio, c.Lo, c.Hi = math.Sqrt(lo*hi), lo, hi }
	}
	check("inside the margin", Same, same(0.99, 1.01))
	check("a point", Same, same(1, 1))
	check("up to the margin", Same, same(1/1.02, 1.02))
	check("over the margin above", Unclear, same(1/1.02, 1.0201))
	check("over the margin below", Unclear, same(1/1.0201, 1.02))
	check("inside the margin, though significant", Same, same(1.005, 1.015))
	check("inside the margin, without a floor", Same, func(c *Comparison) { same(0.99, 1.01)(c); c.Floor = math.Inf(1) })
	check("inside the margin, too few", Unclear, func(c *Comparison) { same(0.99, 1.01)(c); c.Bounded = false })
	check("reaching over the margin, but clear", Worse, func(c *Comparison) { same(1.015, 1.15)(c) })

	j.r.Margin = 0
	check("no margin", Worse, func(c *Comparison) { same(1.005, 1.2)(c) })
	check("no margin, a point", Same, same(1, 1))
	j.r.Alpha = 0.005
	check("a stricter level after more looks", Unclear, func(c *Comparison) {})
}

func TestWords(t *testing.T) {
	m := plan(4, 4)
	r := m.run(10, func(round, row, cell int) cost {
		cpu := 1e-3 * wobble(0.01, round, row, cell)
		switch cell {
		case 1:
			cpu *= 1.2
		case 2:
			cpu /= 1.2
		}
		return cost{cpu: cpu, values: []session.Value{{Value: cpu, Unit: "sec/op"}, {Value: 1 / cpu, Unit: "B/s"}, {Value: 1 / cpu, Unit: "rows/s"}, {Value: cpu, Unit: "things"}}}
	}).report(t)
	for row := Geomean; row < 4; row++ {
		for _, metric := range []string{"cpu", "wall", "throughput", "rows/s", "things"} {
			for cell, want := range []Word{1: Worse, 2: Better, 3: Same} {
				if cell == 0 {
					continue
				}
				if got := get(t, r, row, cell, metric); got.Word != want || got.N != 10 {
					t.Errorf("row %d, cell %d, %s: %+v, want %s", row, cell, metric, got, want)
				}
			}
		}
	}
	slower := get(t, r, 0, 1, "cpu")
	if math.Abs(slower.Ratio-1.2) > 0.01 || slower.Lo < 1.18 || slower.Hi > 1.22 {
		t.Errorf("+20 %% is estimated as %+v", slower)
	}
	if p := slower.P; p > 1e-6 || slower.Adjusted <= p || slower.Adjusted > 15*p {
		t.Errorf("p = %v, adjusted %v", slower.P, slower.Adjusted)
	}
	aa := get(t, r, 0, m.aa(), "cpu")
	if want := max(math.Sqrt(aa.Hi/aa.Lo), aa.Ratio, 1/aa.Ratio) - 1; math.Abs(slower.Floor-want) > 1e-12 {
		t.Errorf("the floor is %v, want %v from %+v", slower.Floor, want, aa)
	}
	if r.Rounds != 10 || r.Alpha != 0.05 || r.Margin != 0.02 {
		t.Errorf("rounds %d, alpha %v, margin %v", r.Rounds, r.Alpha, r.Margin)
	}
}

// The A/A cell has noise that the others, paired as they are, do not show.
func TestFloor(t *testing.T) {
	m := plan(2, 2)
	noisy := func(round, row, cell int) cost {
		cpu := 1e-3 * wobble(0.001, round, row, cell)
		if cell == 1 {
			cpu *= 1.1
		}
		if cell == m.aa() && row == 0 {
			cpu *= wobble(0.6, round)
		}
		return cost{cpu: cpu}
	}
	r := m.run(12, noisy).report(t)
	if c := get(t, r, 0, 1, "cpu"); c.Word != Unclear || c.Floor <= 0.1 {
		t.Errorf("+10 %% under a floor of %v is called %s", c.Floor, c.Word)
	}
	if c := get(t, r, 1, 1, "cpu"); c.Word != Worse || c.Floor > 0.01 {
		t.Errorf("another row's floor matters: %+v", c)
	}

	// Without an A/A measurement nothing is better or worse.
	m.trials = slices.DeleteFunc(m.trials, func(x session.Trial) bool { return x.Cell == m.aa() })
	r = m.report(t)
	for _, c := range r.Comparisons {
		if c.Word == Better || c.Word == Worse {
			t.Errorf("called %s without an A/A measurement: %+v", c.Word, c)
		}
	}
	// Nor with one of too few rounds.
	m = plan(2, 2)
	m.run(12, noisy)
	m.trials = slices.DeleteFunc(m.trials, func(x session.Trial) bool { return x.Cell == m.aa() && x.Round > 5 })
	if c := get(t, m.report(t), 1, 1, "cpu"); c.Word != Unclear {
		t.Errorf("called %s with five A/A rounds", c.Word)
	}
}

// Ten pairs of one sign have p = 2/1024 by signs and ranks, which is too much for 26
// claims: how far they are from 0 tells. A small effect has to pay for the table.
func TestManyClaims(t *testing.T) {
	check := func(rows, cells int, effect float64, want Word) {
		t.Helper()
		r := plan(rows, cells).run(10, func(round, row, cell int) cost {
			cpu := 1e-3 * wobble(0.002, round, row, cell)
			if cell == 1 && row == 0 {
				cpu *= (1 + effect) * (1 + 0.03*float64(round%4))
			} else if cell == 1 {
				cpu *= 1 + 0.03*float64(round%2*2-1)
			}
			return cost{cpu: cpu}
		}).report(t)
		if c := get(t, r, 0, 1, "cpu"); c.Word != want || c.Lo <= 1 {
			t.Errorf("%d rows, %d cells, %v: %+v, want %s", rows, cells, effect, c, want)
		}
	}
	check(1, 2, 0.3, Worse)
	check(25, 2, 0.3, Worse)
	check(25, 2, -0.01, Unclear)
	check(1, 2, -0.01, Worse)
}

// A verdict and the interval beside it agree: one that is far from 1 is called, after
// eight rounds and in a table of fifty claims, too.
func TestFarIsCalled(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	far := 0
	for range 40 {
		rounds, rows := 8+rng.IntN(12), 1+rng.IntN(50)
		effect := 0.5 * rng.Float64()
		r := plan(rows, 2).run(rounds, func(round, row, cell int) cost {
			cpu := 1e-3 * math.Exp(0.05*rng.NormFloat64())
			if cell == 1 && row == 0 {
				cpu *= 1 + effect
			}
			return cost{cpu: cpu}
		}).report(t)
		c := get(t, r, 0, 1, "cpu")
		half := math.Log(c.Hi/c.Lo) / 2
		if math.Log(c.Lo) < 2*half {
			continue
		}
		if far++; c.Word != Worse {
			t.Errorf("%d rounds, %d rows: %+v", rounds, rows, c)
		}
	}
	if far < 12 {
		t.Errorf("only %d were far", far)
	}
}

func TestTooFewRounds(t *testing.T) {
	slower := func(round, row, cell int) cost {
		cpu := 1e-3 * wobble(0.002, round, cell)
		if cell == 1 {
			cpu *= 1.5
		}
		return cost{cpu: cpu}
	}
	for rounds := range 7 {
		r := plan(1, 3).run(rounds, slower).report(t)
		if rounds == 0 {
			if len(r.Comparisons) != 0 || r.Rounds != 0 || len(r.Answers) != 2 || r.Answers[0].Short != "not measured" {
				t.Errorf("without trials: %+v, %+v", r.Comparisons, r.Answers)
			}
			continue
		}
		c := get(t, r, 0, 1, "cpu")
		if want := rounds >= minPairs; c.Bounded != want || c.N != rounds || r.Rounds != rounds {
			t.Errorf("%d rounds: bounded %v of %d pairs, %d complete rounds", rounds, c.Bounded, c.N, r.Rounds)
		}
		if want := map[bool]Word{false: Unclear, true: Worse}[rounds >= minPairs]; c.Word != want {
			t.Errorf("%d rounds are called %s", rounds, c.Word)
		}
		if math.Abs(c.Ratio-1.5) > 0.01 {
			t.Errorf("%d rounds: the ratio is %v", rounds, c.Ratio)
		}
	}
}

func TestExact(t *testing.T) {
	check := func(name, unit string, ref, cell []float64, want Word, wantRatio float64) {
		t.Helper()
		m := plan(1, 2)
		for c, series := range [][]float64{ref, cell, ref} {
			for i, v := range series {
				m.trials = append(m.trials, m.trial(i+1, 0, c, cost{cpu: 1e-3, values: []session.Value{{Value: 1e-3, Unit: "sec/op"}, {Value: v, Unit: unit}}}))
			}
		}
		r := m.report(t)
		c := get(t, r, 0, 1, map[string]string{"allocs/op": "allocs", "B/op": "bytes"}[unit])
		if c.Word != want || math.Abs(c.Ratio-wantRatio) > 1e-12 || c.Bounded || c.P != 1 || c.Adjusted != 1 || c.N != min(len(ref), len(cell)) {
			t.Errorf("%s: %+v, want %s and %v", name, c, want, wantRatio)
		}
	}
	x := func(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

	check("equal", "allocs/op", x(10, 7), x(10, 7), Same, 1)
	check("equal zeros", "allocs/op", x(10, 0), x(10, 0), Same, 1)
	check("one more", "allocs/op", x(10, 7), x(10, 8), Worse, 8./7)
	check("one less", "allocs/op", x(10, 8), x(10, 7), Better, 7./8)
	check("one of 900", "allocs/op", x(10, 900), x(10, 901), Worse, 901./900)
	check("three of 50,000", "allocs/op", x(10, 49543), x(10, 49540), Same, 49540./49543)
	check("a tenth of one", "allocs/op", x(10, 671.1), x(10, 671), Same, 671/671.1)
	check("a single round", "allocs/op", x(1, 7), x(1, 8), Worse, 8./7)
	check("fewer rounds", "allocs/op", x(10, 7), x(3, 8), Worse, 8./7)
	check("now and then one more", "allocs/op", x(5, 7), []float64{7, 7, 8, 7, 7}, Same, 1)
	check("the median differs, the ranges touch", "allocs/op", []float64{7, 7, 7, 7, 8}, x(5, 8), Same, 8./7)
	check("the median differs, the ranges overlap", "allocs/op", []float64{5, 6, 7, 8, 9}, []float64{8, 9, 10, 11, 12}, Same, 10./7)
	check("ranges apart", "allocs/op", []float64{5, 6, 7, 8, 9}, []float64{10, 11, 12, 13, 14}, Worse, 12./7)
	check("ranges apart, less", "allocs/op", []float64{10, 11, 12, 13, 14}, []float64{5, 6, 7, 8, 9}, Better, 7./12)
	check("from nothing", "allocs/op", x(10, 0), x(10, 3), Worse, 4)
	check("to nothing", "allocs/op", x(10, 3), x(10, 0), Better, 0)

	check("bytes: equal", "B/op", x(10, 1000), x(10, 1000), Same, 1)
	check("bytes: below a hundredth", "B/op", x(10, 1000), x(10, 1009), Same, 1.009)
	check("bytes: a hundredth less", "B/op", x(10, 1000), x(10, 991), Same, 0.991)
	check("bytes: above a hundredth", "B/op", x(10, 1000), x(10, 1011), Worse, 1.011)
	check("bytes: more than a hundredth less", "B/op", x(10, 1000), x(10, 989), Better, 0.989)
	check("bytes: overlapping", "B/op", []float64{1000, 1000, 1200}, []float64{1100, 1100, 1100}, Same, 1.1)
	check("bytes: from nothing", "B/op", x(10, 0), x(10, 16), Worse, 17)
	check("bytes: to nothing", "B/op", x(10, 16), x(10, 0), Better, 0)
}

// The reference of a round is the trial of that round, in whatever order and
// however many there are.
func TestPairing(t *testing.T) {
	m := plan(2, 2)
	m.run(12, func(round, row, cell int) cost {
		cpu := 1e-3 * math.Pow(1.5, float64(round)) // what unpaired values drown in
		if cell == 1 {
			cpu *= 1.1
		}
		return cost{cpu: cpu}
	})
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(m.trials), func(i, k int) { m.trials[i], m.trials[k] = m.trials[k], m.trials[i] })
	drop := func(x session.Trial) bool {
		return x.Row == 0 && (x.Cell == 0 && x.Round == 3 || x.Cell == 1 && x.Round == 5)
	}
	m.trials = slices.DeleteFunc(m.trials, drop)
	// A failed trial and the warm-up count for nothing.
	failed := m.trial(5, 0, 1, cost{cpu: 9})
	failed.Err = "it crashed"
	m.trials = append(m.trials, failed, m.trial(0, 0, 1, cost{cpu: 9}))

	r := m.report(t)
	check := func(row, n int) {
		t.Helper()
		c := get(t, r, row, 1, "cpu")
		if c.N != n || math.Abs(c.Ratio-1.1) > 1e-6 || c.Hi-c.Lo > 1e-6 || c.Word != Worse {
			t.Errorf("row %d: %+v, want %d pairs", row, c, n)
		}
	}
	check(0, 10)
	check(1, 12)
	check(Geomean, 10)
	if c := get(t, r, Geomean, m.aa(), "cpu"); c.N != 11 || c.Ratio != 1 {
		t.Errorf("A/A: %+v, want 11 pairs", c)
	}
	for _, v := range r.Values {
		if len(v.Rounds) != len(v.Trials) || slices.Contains(v.Rounds, 0) {
			t.Errorf("%+v: trials without their round, or the warm-up", v)
		}
	}
	if r.Rounds != 11 {
		t.Errorf("%d complete rounds, want 11", r.Rounds)
	}
}

func TestGeomean(t *testing.T) {
	factor := []float64{1.5, 0.8, 1.1}
	m := plan(3, 2).run(10, func(round, row, cell int) cost {
		cpu := 1e-3 * float64(row+1)
		if cell == 1 {
			cpu *= factor[row] * math.Pow(1.01, float64(round))
		}
		return cost{cpu: cpu}
	})
	// Rounds 2 and 9 lack a row: their mean would be of something else.
	m.trials = slices.DeleteFunc(m.trials, func(x session.Trial) bool {
		return x.Round == 2 && x.Row == 0 && x.Cell == 1 || x.Round == 9 && x.Row == 2 && x.Cell == 0
	})
	var logs []float64
	for round := 1; round <= 10; round++ {
		if round == 2 || round == 9 {
			continue
		}
		sum := 0.0
		for _, f := range factor {
			sum += math.Log(f) + float64(round)*math.Log(1.01)
		}
		logs = append(logs, sum/3)
	}
	mean := (slices.Min(logs) + slices.Max(logs)) / 2 // they are symmetric about it: rounds 1, 3-8, 10
	c := get(t, m.report(t), Geomean, 1, "cpu")
	if c.N != 8 || math.Abs(math.Log(c.Ratio)-mean) > 1e-6 {
		t.Errorf("%+v, want 8 pairs and %v", c, math.Exp(mean))
	}

	// A row that one cell does not have is in no mean of that cell.
	m = plan(3, 3)
	m.Rows[2].Bench[1] = ""
	m.run(10, func(round, row, cell int) cost {
		return cost{cpu: 1e-3 * float64(row+1) * (1 + float64(row*cell%3)/10)}
	})
	m.trials = slices.DeleteFunc(m.trials, func(x session.Trial) bool { return x.Row == 2 && x.Cell == 1 })
	r := m.report(t)
	if r.find(2, 1, r.metric("cpu")) != nil {
		t.Error("a row is compared that the cell does not have")
	}
	if c := get(t, r, Geomean, 1, "cpu"); c.N != 10 || math.Abs(c.Ratio-math.Sqrt(1.1)) > 1e-6 {
		t.Errorf("the mean of two rows is %+v", c)
	}
	if n := r.rowsOf(1, r.metric("cpu")); n != 2 {
		t.Errorf("%d rows", n)
	}
	// One row has no mean.
	if r := plan(1, 2).run(10, func(int, int, int) cost { return cost{cpu: 1} }).report(t); r.find(Geomean, 1, 0) != nil {
		t.Error("one row has a geometric mean")
	}
}

func TestClaims(t *testing.T) {
	check := func(name string, want int, m *made) {
		t.Helper()
		if got := Claims(m.Session); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
		// So many are what Holm's correction is over.
		if len(m.Rows) > 0 {
			m.run(6, func(round, row, cell int) cost { return cost{cpu: 1e-3} })
			m.trials = slices.DeleteFunc(m.trials, func(x session.Trial) bool { return m.Rows[x.Row].Bench[x.Cell] == "" })
			r, n := m.report(t), 0
			for _, c := range r.Comparisons {
				if c.Metric == r.metric("cpu") && !r.Cells[c.Cell].AA {
					n++
				}
			}
			if max(n, 1) != want {
				t.Errorf("%s: the table has %d claims, want %d", name, n, want)
			}
		}
	}
	check("nothing", 1, plan(0, 1))
	check("no rows", 1, plan(0, 4))
	check("only the baseline", 1, plan(3, 1))
	check("one row", 1, plan(1, 2))
	check("one row, three cells", 3, plan(1, 4))
	check("with the mean", 3, plan(2, 2))
	check("four by four", 15, plan(4, 4))
	m := plan(3, 3)
	m.Rows[0].Bench[1] = "" // the cell lacks it
	check("a row less", 3+4, m)
	m = plan(3, 3)
	m.Rows[0].Bench[1], m.Rows[1].Bench[1] = "", ""
	check("one row left has no mean", 1+4, m)
	m = plan(2, 3)
	m.Rows[0].Bench[0] = "" // the baseline lacks it
	check("not in the baseline", 2, m)
	m = plan(2, 4)
	m.Cells[2].Ref, m.Cells[3].Ref = -1, 2 // two code versions in two modes
	check("two baselines", 6, m)
	m = plan(2, 2)
	m.Cells = append(m.Cells, session.Cell{ID: "partner", AA: true, Ref: -1})
	for i := range m.Rows {
		m.Rows[i].Bench = append(m.Rows[i].Bench, "x")
	}
	check("a duet's partner", 3, m)
}

func TestAlpha(t *testing.T) {
	for looks, want := range []float64{0.05, 0.05, 0.025, 0.05 / 3} {
		m := plan(1, 2)
		m.Config.Looks = looks
		if got := Alpha(m.Session); got != want {
			t.Errorf("%d looks: %v, want %v", looks, got, want)
		}
		if r := m.report(t); r.Alpha != want {
			t.Errorf("%d looks: the report says %v, want %v", looks, r.Alpha, want)
		}
	}
	// Fifteen pairs of one sign, p = 2/32768, are enough for one claim until the
	// level falls below that.
	m := plan(1, 2).run(15, func(round, row, cell int) cost {
		return cost{cpu: 1e-3 * (1 + float64(cell%2)) * wobble(0.01, round, cell)}
	})
	for looks, want := range map[int]float64{1: 2. / 32768, 40: 2. / 32768} {
		m.Config.Looks = looks
		if c := get(t, m.report(t), 0, 1, "cpu"); c.Word != Worse || c.P != want {
			t.Errorf("%d looks: %+v", looks, c)
		}
	}
	// A run that goes on until it is clear spends the level look by look.
	m.Config.Looks, m.Config.Adaptive = 1, true
	interim := Alpha(m.Session)
	m.Session.Ended = true
	if sum := MostInterim*interim + Alpha(m.Session); math.Abs(sum-0.05) > 1e-15 || interim <= 0 || interim > Alpha(m.Session)/10 {
		t.Errorf("%v at each of %d looks and %v at the end are %v", interim, MostInterim, Alpha(m.Session), sum)
	}
}

// Rows that have become clear at different times are part of the mean as they are.
func TestAdaptiveMean(t *testing.T) {
	m := plan(3, 2)
	m.run(30, func(round, row, cell int) cost {
		cpu := 1e-3 * wobble(0.01, round, row, cell)
		if cell == 1 {
			cpu *= []float64{1.1, 1.2, 1.3}[row]
		}
		return cost{cpu: cpu}
	})
	m.trials = slices.DeleteFunc(m.trials, func(x session.Trial) bool { return x.Round > []int{8, 12, 30}[x.Row] })
	want := math.Cbrt(1.1 * 1.2 * 1.3)
	common := get(t, m.report(t), Geomean, 1, "cpu")
	m.Config.Adaptive = true
	c := get(t, m.report(t), Geomean, 1, "cpu")
	if math.Abs(c.Ratio/want-1) > 0.01 || c.Word != Worse || c.N != 30 || c.Lo > want || c.Hi < want {
		t.Errorf("the mean is %+v, want %v", c, want)
	}
	if common.N != 8 {
		t.Errorf("of rounds that all have: %+v", common)
	}
}

func TestCompleteRounds(t *testing.T) {
	equal := func(round, row, cell int) cost { return cost{cpu: 1e-3} }
	check := func(name string, want int, m *made) {
		t.Helper()
		if r := m.report(t); r.Rounds != want {
			t.Errorf("%s: %d, want %d", name, r.Rounds, want)
		}
	}
	check("all", 10, plan(2, 2).run(10, equal))
	check("none", 0, plan(2, 2))
	m := plan(2, 2).run(10, equal)
	m.trials = m.trials[:len(m.trials)-1]
	check("the last is cut off", 9, m)

	m = plan(2, 2).run(10, equal)
	m.trials = slices.DeleteFunc(m.trials, func(x session.Trial) bool { return x.Row == 1 && x.Cell == 1 && x.Round > 3 })
	m.Problems = []session.Problem{{Cell: "c1", Row: "r1", Text: "it crashed"}}
	check("one cell failed in round 4", 10, m)

	m = plan(2, 2).run(10, func(round, row, cell int) cost {
		c := cost{cpu: 1e-3, values: []session.Value{{Value: 1e-3, Unit: "sec/op"}}}
		if round%3 == 0 {
			c.values = append(c.values, session.Value{Value: 4, Unit: "hits/op"})
		}
		return c
	})
	check("a metric that the benchmark does not always report", 10, m)
}

// Odd values give no words, and no panic.
func TestOddValues(t *testing.T) {
	check := func(name string, change func(x *session.Trial)) {
		t.Helper()
		defer func() {
			t.Helper()
			if r := recover(); r != nil {
				t.Errorf("%s: %v", name, r)
			}
		}()
		m := plan(2, 3).run(8, func(round, row, cell int) cost {
			return cost{cpu: 1e-3 * wobble(0.01, round, row, cell), values: []session.Value{{Value: 1e-3, Unit: "sec/op"}, {Value: 5, Unit: "allocs/op"}, {Value: 5, Unit: "odd"}}}
		})
		for i := range m.trials {
			change(&m.trials[i])
		}
		m.report(t)
	}
	odd := func(v float64) func(x *session.Trial) {
		return func(x *session.Trial) { x.Values[2].Value = v }
	}
	check("no CPU time", func(x *session.Trial) { x.User, x.System = 0, 0 })
	check("no CPU time in one trial", func(x *session.Trial) {
		if x.Round == 3 && x.Cell == 1 {
			x.User = 0
		}
	})
	check("no wall time", func(x *session.Trial) { x.Wall = 0 })
	check("no wall time and no sec/op", func(x *session.Trial) { x.Wall, x.Values = 0, nil })
	check("no memory", func(x *session.Trial) { x.RSS = 0 })
	check("no collections", func(x *session.Trial) { x.GC = gctrace.Summary{} })
	check("no iterations", func(x *session.Trial) { x.N = 0 })
	check("no iterations, no time", func(x *session.Trial) { x.N, x.User = 0, 0 })
	check("no values", func(x *session.Trial) { x.Values = nil })
	check("nothing", func(x *session.Trial) { *x = session.Trial{Round: x.Round, Row: x.Row, Cell: x.Cell} })
	check("zero", odd(0))
	check("negative", odd(-3))
	check("tiny", odd(math.SmallestNonzeroFloat64))
	check("large", odd(math.MaxFloat64))
	check("both signs", func(x *session.Trial) { x.Values[2].Value = float64(x.Round%3 - 1) })
	check("one zero", func(x *session.Trial) { x.Values[2].Value = float64(x.Round + x.Cell - 1) })
	check("negative counts", func(x *session.Trial) { x.Values[1].Value = -1 })
	check("the largest in the cell", func(x *session.Trial) {
		if x.Values[2].Value = 1e-300; x.Cell == 1 {
			x.Values[2].Value = 1e300
		}
	})
	check("the smallest in the cell", func(x *session.Trial) {
		if x.Values[2].Value = 1e300; x.Cell == 1 {
			x.Values[2].Value = 1e-300
		}
	})
}

// Not a number and infinity are left out; a benchmark can print them.
func TestNotFinite(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		m := plan(1, 2).run(8, func(round, row, cell int) cost {
			c := cost{cpu: 1e-3, values: []session.Value{{Value: 1e-3, Unit: "sec/op"}, {Value: 5, Unit: "odd"}}}
			if round == 3 {
				c.values[1].Value = v
			}
			return c
		})
		r := New(m.Session, m.trials)
		if _, err := json.Marshal(r); err != nil {
			t.Errorf("%v: %v", v, err)
		}
		if c := get(t, r, 0, 1, "odd"); c.N != 7 {
			t.Errorf("%v: %d pairs, want 7", v, c.N)
		}
	}
}

// A benchmark may report a unit that the tool measures itself.
func TestSameUnitTwice(t *testing.T) {
	m := plan(1, 2).run(8, func(round, row, cell int) cost {
		return cost{cpu: 1e-3, values: []session.Value{{Value: 1e-3, Unit: "sec/op"}, {Value: 3, Unit: "gc-cycles"}}}
	})
	r := m.report(t)
	for _, v := range r.Values {
		if len(v.Trials) != 8 {
			t.Errorf("%d values of %s in 8 trials", len(v.Trials), r.Metrics[v.Metric].Unit)
		}
	}
}

func TestMetricsOrder(t *testing.T) {
	m := plan(1, 2).run(6, func(round, row, cell int) cost {
		return cost{cpu: 1e-3, values: []session.Value{{Value: 1, Unit: "zeta/op"}, {Value: 1, Unit: "MB/sec"}, {Value: 1, Unit: "B/s"}, {Value: 1, Unit: "allocs/op"},
			{Value: 1e-3, Unit: "sec/op"}, {Value: 1, Unit: "B/op"}, {Value: 1, Unit: "alpha/s"}}}
	})
	var got []string
	for _, x := range m.report(t).Metrics {
		s := x.Name
		if x.Higher {
			s += "+"
		}
		got = append(got, s)
	}
	want := []string{"cpu", "wall", "allocs", "bytes", "rss", "gc", "gc-cpu", "stw", "pause", "goal", "throughput+", "MB/sec+", "alpha/s+", "zeta/op"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A unit that is to decide is the CPU time, in words and answers; that of the process stands beside it.
func TestDecide(t *testing.T) {
	m := plan(2, 2).run(10, func(round, row, cell int) cost {
		server := 1e-3
		if cell == 1 {
			server /= 2
		}
		server *= wobble(0.02, round, row, cell)
		return cost{cpu: 1e-2 * wobble(0.02, round, row, cell, 1), values: []session.Value{{Value: 1e-2, Unit: "sec/op"}, {Value: server, Unit: "server-cpu-sec/op"}}}
	})
	if c := get(t, m.report(t), 0, 1, "cpu"); c.Word == Better {
		t.Errorf("the CPU time of the process is %s without a unit that decides", c.Word)
	}
	m.Config.Decide = "server-cpu-sec/op"
	r := m.report(t)
	for row, want := range map[int]Word{0: Better, 1: Better, Geomean: Better} {
		if c := get(t, r, row, 1, "cpu"); c.Word != want || math.Abs(c.Ratio-0.5) > 0.05 {
			t.Errorf("row %d is %s, %v, want %s, 0.5", row, c.Word, c.Ratio, want)
		}
	}
	if c := get(t, r, 0, 1, "process-cpu"); c.Word == Better {
		t.Errorf("the CPU time of the process is %s", c.Word)
	}
	if a := r.Answers[0]; a.Short != "yes" || !strings.Contains(a.Text, "50") {
		t.Errorf("the answer is %q, %q", a.Short, a.Text)
	}
	if r.Rounds != 10 {
		t.Errorf("%d rounds, want 10", r.Rounds)
	}
}

func TestDeterministic(t *testing.T) {
	m := plan(4, 4).run(10, func(round, row, cell int) cost {
		cpu := 1e-3 * wobble(0.1, round, row, cell)
		return cost{cpu: cpu, values: []session.Value{{Value: cpu, Unit: "sec/op"}, {Value: float64(cell), Unit: "allocs/op"}, {Value: cpu * 7, Unit: "b"}, {Value: cpu, Unit: "a"}}}
	})
	m.trials = m.trials[:len(m.trials)-5]
	first, _ := json.Marshal(m.report(t))
	for range 20 {
		if again, _ := json.Marshal(New(m.Session, m.trials)); string(again) != string(first) {
			t.Fatal("the same trials gave two reports")
		}
	}
}

// A row of which little was measured does not drag the others out of the
// geometric mean.
func TestShortRow(t *testing.T) {
	m := plan(3, 2).run(10, func(round, row, cell int) cost {
		return cost{cpu: 1e-3 * (1 + 0.2*float64(cell%2)) * (1 + 0.001*float64((round*7+row*3+cell*5)%11))}
	})
	m.trials = slices.DeleteFunc(m.trials, func(x session.Trial) bool { return x.Row == 2 && x.Cell == 1 && x.Round > 2 })
	r := m.report(t)
	if mean := get(t, r, Geomean, 1, "cpu"); mean.N != 10 || mean.Word != Worse {
		t.Errorf("the geometric mean is %+v", mean)
	}
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "r2 has only 2 rounds in c1") }) {
		t.Errorf("nobody says so: %q", r.Notes)
	}
}

// Groups have baselines, noise floors and means of their own.
func TestGroups(t *testing.T) {
	m := plan(4, 2)
	for _, c := range m.Cells { // a noisier group beside the first
		c.ID, c.Group = "g2."+c.ID, "g2"
		if c.Ref >= 0 {
			c.Ref += 3
		}
		m.Cells = append(m.Cells, c)
	}
	for i := range 3 {
		m.Cells[i].Group = "g1"
	}
	m.run(10, func(round, row, cell int) cost {
		c := cost{cpu: 1e-3 * wobble(0.001, round, row, cell)}
		if cell >= 3 {
			c.cpu *= 50
		}
		if cell%3 == 1 {
			c.cpu *= 1.2
		}
		if cell == 5 {
			c.cpu *= math.Pow(2, float64(round%2*2-1))
		}
		return c
	})
	m.trials = slices.DeleteFunc(m.trials, func(x session.Trial) bool { return x.Row%2 != x.Cell/3 })
	for i := range m.Rows {
		m.Rows[i].Bench = make([]string, len(m.Cells))
		for c := range 3 {
			m.Rows[i].Bench[3*(i%2)+c] = m.Rows[i].Name
		}
	}
	r := m.report(t)
	for cell, word := range map[int]Word{1: Worse, 4: Unclear} {
		if c := get(t, r, Geomean, cell, "cpu"); c.Word != word || math.Abs(c.Ratio-1.2) > 0.01 || c.N != 10 {
			t.Errorf("the mean of cell %d is %+v, want %s", cell, c, word)
		}
	}
	if len(r.Answers) != 2 || r.Answers[0].Short != "no" || r.Answers[1].Short != "cannot tell yet" {
		t.Errorf("answers: %+v", r.Answers)
	}
	if n := Claims(m.Session); n != 6 {
		t.Errorf("%d claims, want 2 rows and a mean in 2 groups", n)
	}
}

// Without its own A/A measurement a row is compared with the noisiest
// other; without any, nothing is called.
func TestMissingFloor(t *testing.T) {
	make := func(noise float64) *made {
		return plan(2, 2).run(10, func(round, row, cell int) cost {
			c := cost{cpu: 1e-3 * (1 + 0.001*float64((round*7+row*3+cell*5)%11))}
			switch {
			case cell == 1:
				c.cpu *= 1.2
			case cell == 2: // A/A
				c.cpu *= 1 + noise*float64(round%2)
			}
			return c
		})
	}
	without := func(m *made, row int) *Report {
		m.trials = slices.DeleteFunc(m.trials, func(x session.Trial) bool { return x.Cell == m.aa() && (x.Row == row || row < 0) })
		return m.report(t)
	}
	if c := get(t, without(make(0.01), 0), 0, 1, "cpu"); c.Word != Worse || c.Floor <= 0 {
		t.Errorf("beside a quiet row: %+v", c)
	}
	if c := get(t, without(make(1), 0), 0, 1, "cpu"); c.Word != Unclear || c.NoFloor {
		t.Errorf("beside a noisy row: %+v", c)
	}
	r := without(make(0.01), -1)
	if c := get(t, r, 0, 1, "cpu"); c.Word != Unclear || !c.NoFloor || !strings.Contains(r.Answers[0].Text, "A/A") {
		t.Errorf("without any: %+v, %+v", c, r.Answers)
	}
}

// Rounds of one link have the layout of functions in common: they are one sample,
// however many they are.
func TestByLink(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	wrong, right := 0, 0
	for range 200 {
		place := map[int]float64{}
		m := plan(1, 2).run(60, func(round, row, cell int) cost {
			link := 1 + round/6
			if _, ok := place[3*link+cell]; !ok {
				place[3*link+cell] = math.Exp(0.05 * rng.NormFloat64())
			}
			return cost{cpu: 1e-3 * place[3*link+cell] * math.Exp(0.01*rng.NormFloat64())}
		})
		if c := get(t, m.report(t), 0, 1, "cpu"); c.Lo > 1 || c.Hi < 1 {
			wrong++
		}
		for i := range m.trials {
			m.trials[i].Link = 1 + m.trials[i].Round/6
		}
		r := m.report(t)
		c := get(t, r, 0, 1, "cpu")
		if c.Lo > 1 || c.Hi < 1 {
			right++
		}
		if c.N != 11 || r.Orders != 11 || r.Rounds != 60 {
			t.Fatalf("%d samples of %d links, %d rounds", c.N, r.Orders, r.Rounds)
		}
	}
	if wrong < 50 || right > 20 {
		t.Errorf("of 200 intervals %d leave out the truth, and %d by rounds", right, wrong)
	}
	// With too few links rounds have to do.
	m := plan(1, 2).run(10, func(round, row, cell int) cost { return cost{cpu: 1e-3 * wobble(0.01, round, cell)} })
	for i := range m.trials {
		m.trials[i].Link = 1 + m.trials[i].Round/6
	}
	if c := get(t, m.report(t), 0, 1, "cpu"); c.N != 10 || !c.Bounded {
		t.Errorf("of two links: %+v", c)
	}
}
