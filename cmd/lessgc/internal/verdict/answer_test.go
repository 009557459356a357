package verdict

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/gctrace"
	"lessgc/cmd/lessgc/internal/session"
)

// The four rows cost this much in the cell, in relation to the baseline.
// r0 and r1 weigh as much as the others in the mean.
func TestAnswers(t *testing.T) {
	check := func(short string, noise float64, factors []float64, parts ...string) {
		t.Helper()
		m := plan(len(factors), 2).run(10, func(round, row, cell int) cost {
			cpu := 1e-3 * wobble(0.001, round, row, cell)
			if cell == 1 {
				cpu *= factors[row] * wobble(noise, round, row)
			}
			return cost{cpu: cpu}
		})
		r := m.report(t)
		if len(r.Answers) != 1 || r.Answers[0].Cell != 1 {
			t.Fatalf("answers: %+v", r.Answers)
		}
		a := r.Answers[0]
		if a.Short != short {
			t.Errorf("%v: %q, want %q (%s)", factors, a.Short, short, a.Text)
		}
		for _, part := range parts {
			if !strings.Contains(a.Text, part) {
				t.Errorf("%v: %q lacks %q", factors, a.Text, part)
			}
		}
		if strings.Contains(a.Text, "  ") || strings.Contains(a.Text, "NaN") || strings.Contains(a.Text, "Inf") || !strings.HasSuffix(a.Text, ".") {
			t.Errorf("%v: %q", factors, a.Text)
		}
	}
	check("yes", 0, []float64{0.8, 0.8, 0.9, 1}, "It saves 12.", "of the CPU time of base", "over 4 benchmarks (geometric mean).", "It is better in 3 rows, most for r")
	check("mostly", 0, []float64{0.5, 0.8, 0.9, 1.1}, "It saves", "better in 3 rows, most for r0 (-50", "worse for r3 (+1")
	check("no", 0, []float64{1.2, 1.2, 1, 1.1}, "It costs 12.", "more CPU time than base", "It is worse in 3 rows, most for r")
	check("mostly not", 0, []float64{2, 1.5, 1.1, 0.9}, "better for r3 (-1", "worse in 3 rows, most for r0 (+100")
	check("it depends", 0, []float64{1.25, 1 / 1.25, 1.1, 1 / 1.1}, "It costs the same CPU time as base", "inside the margin of 2 %", "better in 2 rows, most for r1", "worse in 2 rows, most for r0")
	check("for some", 0, []float64{0.95, 1.01, 1.01, 1.01}, "It is better for r0 (-")
	check("rather not", 0, []float64{1.05, 0.99, 0.99, 0.99}, "It is worse for r0 (+")
	check("no difference", 0, []float64{1, 1, 1, 1}, "It costs the same CPU time as base over 4 benchmarks (geometric mean): +0.0 %")
	check("cannot tell yet", 0.5, []float64{1.05, 1.05, 1.05, 1.05}, "that may be noise.")

	check("yes", 0, []float64{0.8}, "It saves 20.0 % of the CPU time of base [")
	check("no", 0, []float64{1.2}, "It costs 20.0 % more CPU time than base [")
	check("no difference", 0, []float64{1}, "It costs the same CPU time as base: ")
	check("cannot tell yet", 0.5, []float64{1.05}, "CPU time against base is")
	// Few benchmarks: their number and their names say it all.
	check("yes", 0, []float64{0.8, 0.7}, "over 2 benchmarks", "better in 2 rows, most for r1 (-3")
}

func TestShortAnswer(t *testing.T) {
	check := func(overall Word, better, worse int, want string) {
		t.Helper()
		if got := shortAnswer(overall, better, worse); got != want {
			t.Errorf("%s, %d better, %d worse: %q, want %q", overall, better, worse, got, want)
		}
	}
	check(Better, 0, 0, "yes")
	check(Better, 3, 0, "yes")
	check(Better, 3, 1, "mostly")
	check(Worse, 0, 0, "no")
	check(Worse, 0, 3, "no")
	check(Worse, 1, 3, "mostly not")
	for _, overall := range []Word{Same, Unclear} {
		check(overall, 1, 1, "it depends")
		check(overall, 1, 0, "for some")
		check(overall, 0, 1, "rather not")
	}
	check(Same, 0, 0, "no difference")
	check(Unclear, 0, 0, "cannot tell yet")
}

func TestNotMeasured(t *testing.T) {
	m := plan(2, 4)
	m.Cells[1].Err = "go: download go1.99.0: not found"
	m.Cells[3].Ref = 1 // it ran, but what it is compared with did not
	for i := range m.Rows {
		m.Rows[i].Bench[1] = ""
	}
	m.run(10, func(round, row, cell int) cost { return cost{cpu: 1e-3} })
	m.trials = deleteCell(m.trials, 1)
	r := m.report(t)
	want := map[int]string{1: "It could not be built: go: download go1.99.0: not found.", 3: "No benchmark ran both in it and in c1."}
	for _, a := range r.Answers {
		if text, ok := want[a.Cell]; ok != (a.Short == "not measured") || ok && text != a.Text {
			t.Errorf("cell %d: %+v", a.Cell, a)
		}
	}
	if len(r.Answers) != 3 || r.Answers[1].Cell != 2 || r.Answers[1].Short != "no difference" {
		t.Errorf("answers: %+v", r.Answers)
	}
	for _, c := range r.Comparisons {
		if c.Cell == 1 || c.Cell == 3 {
			t.Errorf("a comparison of what did not run: %+v", c)
		}
	}
	if r.Rounds != 10 {
		t.Errorf("%d complete rounds: a cell without a binary counts", r.Rounds)
	}

	// Too few rounds for an interval are not too few for a number.
	r = plan(1, 2).run(3, func(round, row, cell int) cost { return cost{cpu: 1e-3} }).report(t)
	if a := r.Answers[0]; a.Short != "cannot tell yet" || !strings.Contains(a.Text, "is +0.0 %, from too few rounds for an interval.") {
		t.Errorf("three rounds: %+v", a)
	}
}

func deleteCell(trials []session.Trial, cell int) []session.Trial {
	var kept []session.Trial
	for _, x := range trials {
		if x.Cell != cell {
			kept = append(kept, x)
		}
	}
	return kept
}

// What the answer says besides CPU time.
func TestSideEffects(t *testing.T) {
	check := func(rss float64, allocs [3]float64, want ...string) {
		t.Helper()
		m := plan(3, 2).run(10, func(round, row, cell int) cost {
			n := 100.0
			if cell == 1 {
				n = allocs[row]
			}
			return cost{cpu: 1e-3, values: []session.Value{{Value: 1e-3, Unit: "sec/op"}, {Value: n, Unit: "allocs/op"}}}
		})
		for i := range m.trials {
			x := &m.trials[i]
			x.RSS = int64(float64(x.RSS) * wobble(0.001, x.Round, x.Row, x.Cell))
			if x.Cell == 1 {
				x.RSS = int64(float64(x.RSS) * rss)
			}
		}
		text := m.report(t).Answers[0].Text
		for _, part := range []string{"Peak memory", "Allocations"} {
			mentioned := strings.Contains(text, part)
			wanted := strings.Contains(strings.Join(want, " "), part)
			if mentioned != wanted {
				t.Errorf("rss %v, allocations %v: %q", rss, allocs, text)
			}
		}
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("rss %v, allocations %v: %q lacks %q", rss, allocs, text, part)
			}
		}
	}
	check(1, [3]float64{100, 100, 100})
	check(1.5, [3]float64{100, 100, 100}, "Peak memory: +50.0 % [+")
	check(0.5, [3]float64{100, 100, 100}, "Peak memory: -50.0 % [-")
	check(1, [3]float64{100, 50, 100}, "Allocations per operation: fewer in 1 of 3.")
	check(1, [3]float64{101, 100, 200}, "Allocations per operation: more in 2 of 3.")
	check(2, [3]float64{50, 50, 101}, "Peak memory: +100.", "Allocations per operation: fewer in 2 of 3, more in 1.")
}

func TestNeed(t *testing.T) {
	// The log ratios of ten rounds are spread evenly about the effect, in the
	// cell and, about 0, in the A/A cell.
	check := func(effect, spread, floor float64, least, most int, answer string) {
		t.Helper()
		m := plan(1, 2).run(10, func(round, row, cell int) cost {
			even := (float64(round) - 5.5) / 4.5
			return cost{cpu: 1e-3 * math.Exp([]float64{0, effect + spread*even, floor * even}[cell])}
		})
		r := m.report(t)
		c := get(t, r, 0, 1, "cpu")
		if c.Word != Unclear || c.Need < least || c.Need > most || !strings.Contains(r.Answers[0].Text, fmt.Sprintf(answer, c.Need)) {
			t.Errorf("effect %v, spread %v, floor %v: %+v, %s", effect, spread, floor, c, r.Answers[0].Text)
		}
	}
	check(0.05, 0.2, 0.001, 20, 100, "About %d rounds would tell.")
	check(0.05, 0.4, 0.001, 80, 400, "About %d rounds would tell.")
	check(0.05, 0.01, 0.2, 20, 200, "About %d rounds would tell.") // only the floor is in the way
	check(0, 0.05, 0.001, 11, 100, "About %d rounds would tell.")  // that it is the same
	check(0.03, 3, 0.001, 0, 0, "More rounds will hardly tell%.0d")
	check(0.05, 0.01, 2, 0, 0, "More rounds will hardly tell%.0d")
}

func TestNotes(t *testing.T) {
	check := func(name string, change func(m *made), want ...string) {
		t.Helper()
		m := plan(2, 2).run(10, func(round, row, cell int) cost {
			return cost{cpu: 1e-3, values: []session.Value{{Value: 1e-3, Unit: "sec/op"}, {Value: 3, Unit: "allocs/op"}}}
		})
		m.Session.Notes = []string{"said before"}
		change(m)
		notes := m.report(t).Notes
		if len(notes) != len(want)+1 || notes[0] != "said before" {
			t.Errorf("%s: %q, want %q", name, notes, want)
			return
		}
		for i, part := range want {
			if !strings.Contains(notes[i+1], part) {
				t.Errorf("%s: %q lacks %q", name, notes[i+1], part)
			}
		}
	}
	each := func(change func(x *session.Trial)) func(m *made) {
		return func(m *made) {
			for i := range m.trials {
				change(&m.trials[i])
			}
		}
	}
	check("nothing", func(m *made) {})
	check("steal", each(func(x *session.Trial) {
		if x.Round == 10 || x.Round == 2 && x.Cell == 1 {
			x.Steal = 0.2
		}
	}), "over 5 % of the CPU time in trials of round 2, 10; they are kept")
	check("little steal", each(func(x *session.Trial) { x.Steal = highSteal }))
	check("steal is not known", each(func(x *session.Trial) { x.Steal = -1 }))
	check("steal in the warm-up", func(m *made) { m.trials = append(m.trials, session.Trial{Steal: 1}) })
	check("busy", func(m *made) { m.Host.Load = 1.5 }, "load average 1.5 on 2 CPUs")
	check("busy a little", func(m *made) { m.Host.Load = 1 })
	check("load is not known", func(m *made) { m.Host.Load = -1 })

	check("no collections in a row", each(func(x *session.Trial) {
		if x.Row == 1 {
			x.GC.Cycles = 0
		}
	}), "r1: no garbage collection ran")
	check("no collections in a cell", each(func(x *session.Trial) {
		if x.Cell == 1 {
			x.GC.Cycles = 0
		}
	}))
	check("few", each(func(x *session.Trial) {
		if x.Row == 0 {
			x.GC.Cycles = 4
		}
	}), "r0: about 4 collections per trial; for GC modes at least 10 are better")
	check("just enough", each(func(x *session.Trial) { x.GC.Cycles = fewCycles }))
	check("few, of a program", func(m *made) {
		m.Config.Exec = "./x"
		each(func(x *session.Trial) { x.GC.Cycles = 4 })(m)
	})
	check("none, of a program", func(m *made) {
		m.Config.Exec = "./x"
		each(func(x *session.Trial) { x.GC = gctrace.Summary{} })(m)
	}, "r0, r1: no garbage")

	check("diluted", each(func(x *session.Trial) {
		if x.Row == 1 {
			x.Wall *= 2
		}
	}), "r1: only 50 % of each process is the benchmark's own loop")
	check("diluted a little", each(func(x *session.Trial) { x.Wall += x.Wall / 4 }))
	check("diluted, of a program", func(m *made) {
		m.Config.Exec = "./x"
		each(func(x *session.Trial) { x.Wall *= 2 })(m)
	})

	allocs := func(value func(x *session.Trial) float64) func(m *made) {
		return each(func(x *session.Trial) { x.Values[1].Value = value(x) })
	}
	check("vanished", allocs(func(x *session.Trial) float64 {
		if x.Row == 1 && x.Cell == 1 {
			return 0
		}
		return 3
	}), "r1: no allocation is left in c1")
	check("there were none", allocs(func(x *session.Trial) float64 { return 0 }))
	check("fewer", allocs(func(x *session.Trial) float64 { return float64(3 - x.Cell%2) }))
	check("more than none", allocs(func(x *session.Trial) float64 { return float64(x.Cell % 2) }))
}

func TestPercent(t *testing.T) {
	check := func(ratio float64, want string) {
		t.Helper()
		if got := Percent(ratio); got != want {
			t.Errorf("Percent(%v) = %q, want %q", ratio, got, want)
		}
	}
	check(1, "+0.0 %")
	check(0.95, "-5.0 %")
	check(2, "+100.0 %")
	check(0, "-100.0 %")
	check(0.9999999, "+0.0 %")
	if got := Range(0.85, 1.073); got != "-15.0, +7.3" {
		t.Errorf("Range = %q", got)
	}
}
