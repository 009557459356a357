package compare

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/upgrade"
	"lessgc/cmd/lessgc/internal/verdict"
)

// upgradeOf makes a simulation one of an upgrade from a to b with one change, x.
func upgradeOf(r *Run) {
	s := r.Dir.Session
	without := mode.Mode{Name: "b nox", Experiment: "nox"}
	s.Config.Modes = append(s.Config.Modes, without)
	s.Config.Upgrade = &upgrade.Plan{From: "a", To: "b", Changes: []upgrade.Change{{Name: "x", Setting: "nox", Mode: "b nox"}}}
	r.variants = append(r.variants, &variant{mode: without, bins: []*binary{{}}})
	s.Cells = nil
	r.makeCells([]*group{{values: []string{""}}})
	for i := range s.Rows {
		s.Rows[i].Bench = append(s.Rows[i].Bench, s.Rows[i].Bench[0])
	}
}

// TestUpgradeCells checks what is compared with what.
func TestUpgradeCells(t *testing.T) {
	r, _ := simulation(t, 1, 0.01, 1)
	defer r.Dir.Close()
	upgradeOf(r)
	want := []struct {
		name string
		ref  int
		aa   bool
	}{{"a", -1, false}, {"b", 0, false}, {"b nox", 1, false}, {"A/A", 0, true}}
	cells := r.Dir.Session.Cells
	if len(cells) != len(want) {
		t.Fatalf("%d cells, want %d", len(cells), len(want))
	}
	for i, w := range want {
		if c := cells[i]; c.Name != w.name || c.Ref != w.ref || c.AA != w.aa {
			t.Errorf("cell %d is %s, compared with %d, A/A %v; want %+v", i, c.Name, c.Ref, c.AA, w)
		}
	}
}

// TestUpgradeRounds checks that rounds go on until the cause of what differs is clear, and
// not for the share of a change in a row that is the same: there it never would be.
func TestUpgradeRounds(t *testing.T) {
	r, m := simulation(t, 5, 0.004, 1.3, 1)
	defer r.Dir.Close()
	upgradeOf(r)
	measure := r.measure
	r.measure = func(ctx context.Context, row, cell, n int, at slot) session.Trial {
		trial := measure(ctx, row, cell, n, at)
		if row == 1 && cell == 2 { // so much noise that nothing can be told
			wild := math.Exp(m.rng.NormFloat64())
			trial.Values[0].Value *= wild
			trial.User = time.Duration(float64(trial.User) * wild)
		}
		return trial
	}
	if err := r.rounds(t.Context()); err != nil {
		t.Fatal(err)
	}
	report := verdict.New(r.Dir.Session, r.Done)
	if !r.Dir.Session.Settled {
		t.Errorf("it did not end by itself: %v", report.Notes)
	}
	for _, c := range report.Upgrade.Causes {
		if report.Metrics[c.Metric].Name != "cpu" || c.Row == verdict.Geomean {
			continue
		}
		word, short := []verdict.Word{verdict.Worse, verdict.Same}[c.Row], []string{"x", ""}[c.Row]
		if c.Total.Word != word || c.Short != short {
			t.Errorf("row %d: %+v, want %s by %q", c.Row, c, word, short)
		}
		if c.Row == 1 && c.Shares[0].Word != verdict.Unclear {
			t.Errorf("the noise of a change is called %s", c.Shares[0].Word)
		}
	}
}

// TestCheckUpgrade checks what is said when one of the toolchains builds nothing.
func TestCheckUpgrade(t *testing.T) {
	check := func(want string, broken ...int) {
		t.Helper()
		r, _ := simulation(t, 1, 0.01, 1)
		defer r.Dir.Close()
		upgradeOf(r)
		for _, c := range broken {
			r.Dir.Session.Cells[c].Err = "x.go:3: undefined: y"
		}
		err := r.checkUpgrade()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v broken: %v, want %q", broken, err, want)
		}
	}
	check("")
	check("", 2)
	check("nothing to compare: the code cannot be built with a: x.go:3: undefined: y", 0, 3)
	check("the code cannot be built with b: x.go:3: undefined: y; it can be built with GOEXPERIMENT=nox", 1)
	check("the code cannot be built with b: x.go:3: undefined: y", 1, 2)
}
