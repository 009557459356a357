package verdict

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"lessgc/cmd/lessgc/internal/session"
)

// With more than the 40 comparisons of the tests, the rates are worth quoting:
// go test -run Simulated -v -tables 2000.
var tables = flag.Int("tables", 40, "simulated comparisons")

// A host disturbs the trials of a comparison the way a shared machine does.
type host struct {
	rng   *rand.Rand
	sd    float64 // of the logarithm of each trial
	drift float64 // slow, over the whole comparison
	wave  float64
	burst int // trials for which it lasts
	slow  float64
	calm  bool // neither bursts nor outliers
}

func newHost(seed uint64, sd float64, calm bool) *host {
	h := &host{rng: rand.New(rand.NewPCG(seed, 4)), sd: sd, calm: calm}
	h.wave = h.rng.Float64() * 2 * math.Pi
	return h
}

// factor returns how many times as long the next trial takes; trials come
// in the order in which they run.
func (h *host) factor() float64 {
	h.wave += 2 * math.Pi / 150
	h.drift = 0.995*h.drift + 0.01*h.rng.NormFloat64()
	f := math.Exp(h.sd*h.rng.NormFloat64() + h.drift + 0.1*math.Sin(h.wave))
	if h.calm {
		return f
	}
	if h.burst--; h.burst < 0 && h.rng.Float64() < 0.03 {
		h.burst, h.slow = 1+h.rng.IntN(8), 1.1+0.4*h.rng.Float64()
	}
	if h.burst >= 0 {
		f *= h.slow
	}
	if h.rng.Float64() < 0.02 {
		f *= 2
	}
	return f
}

// simulate measures rows in cells for ten rounds. Cell 1 really takes slower
// times as long as the others, which are all the same. As in a real run, each
// round has the rows and, within a row, the cells in a random order.
func simulate(seed uint64, rows, cells int, sd float64, calm bool, slower float64) *made {
	m := plan(rows, cells)
	cpu, wall := newHost(seed, sd, calm), newHost(seed+1e9, 1.5*sd, calm)
	for round := 1; round <= m.Config.Rounds; round++ {
		for _, row := range cpu.rng.Perm(rows) {
			for _, cell := range cpu.rng.Perm(len(m.Cells)) {
				cost := cost{cpu: 1e-3 * float64(row+1) * cpu.factor()}
				elapsed := 1e-3 * float64(row+1) * wall.factor()
				if cell == 1 {
					cost.cpu *= slower
					elapsed *= slower
				}
				cost.values = []session.Value{{Value: elapsed, Unit: "sec/op"}}
				m.trials = append(m.trials, m.trial(round, row, cell, cost))
			}
		}
	}
	return m
}

// A binary compared with itself is neither better nor worse.
func TestSimulatedEquals(t *testing.T) {
	const rows, cells = 4, 4
	calls, falseCalls := map[string]int{}, map[string]int{}
	falseTables, wrongAnswers := map[string]int{}, 0
	for seed := range *tables {
		m := simulate(uint64(seed), rows, cells, 0.08, false, 1)
		r := m.report(t)
		for _, metric := range []string{"cpu", "wall"} {
			any := false
			for _, c := range r.Comparisons {
				if c.Metric != r.metric(metric) || r.Cells[c.Cell].AA {
					continue
				}
				calls[metric]++
				if c.Word == Better || c.Word == Worse {
					falseCalls[metric]++
					any = true
				}
			}
			if any {
				falseTables[metric]++
			}
		}
		for _, a := range r.Answers {
			if a.Short != "no difference" && a.Short != "cannot tell yet" {
				wrongAnswers++
			}
		}
	}
	for _, metric := range []string{"cpu", "wall"} {
		t.Logf("%s: %d of %d claims and %d of %d tables are better or worse", metric, falseCalls[metric], calls[metric], falseTables[metric], *tables)
		if want := *tables * (cells - 1) * (rows + 1); calls[metric] != want {
			t.Errorf("%s: %d claims, want %d", metric, calls[metric], want)
		}
		if n := float64(*tables); 20*falseCalls[metric] > calls[metric] || float64(falseTables[metric]) > 0.05*n+2*math.Sqrt(0.05*0.95*n) {
			t.Errorf("%s: more than 5 %% false alarms", metric)
		}
	}
	t.Logf("%d of %d answers are wrong", wrongAnswers, *tables*(cells-1))
	if 20*wrongAnswers > *tables*(cells-1) {
		t.Error("more than 5 % wrong answers")
	}
}

// What really is slower is found, alone and in a table of others.
func TestSimulatedSlowdown(t *testing.T) {
	var single, overall, inTable, wrongWay, falseElsewhere int
	for seed := range *tables {
		r := simulate(uint64(seed), 1, 2, 0.05, true, 1.2).report(t)
		if get(t, r, 0, 1, "cpu").Word == Worse {
			single++
		}
		r = simulate(uint64(seed), 4, 4, 0.05, true, 1.2).report(t)
		if get(t, r, Geomean, 1, "cpu").Word == Worse {
			overall++
		}
		for _, c := range r.Comparisons {
			switch {
			case c.Metric != r.metric("cpu") || r.Cells[c.Cell].AA:
			case c.Cell == 1 && c.Row != Geomean && c.Word == Worse:
				inTable++
			case c.Cell == 1 && c.Word == Better:
				wrongWay++
			case c.Cell != 1 && (c.Word == Better || c.Word == Worse):
				falseElsewhere++
			}
		}
	}
	t.Logf("+20 %% is worse alone in %d of %d, as a mean of four rows in %d, in a row of a table of 15 claims in %d of %d; false claims beside it: %d",
		single, *tables, overall, inTable, 4**tables, falseElsewhere)
	if 20*single < 19**tables {
		t.Errorf("+20 %% alone is found in only %d of %d", single, *tables)
	}
	if 20*overall < 19**tables {
		t.Errorf("+20 %% as a mean of four rows is found in only %d of %d", overall, *tables)
	}
	if wrongWay > 0 || falseElsewhere*20 > *tables*10 {
		t.Errorf("%d are called better, %d of the equal ones are called", wrongWay, falseElsewhere)
	}
}
