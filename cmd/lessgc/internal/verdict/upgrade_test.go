package verdict

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/upgrade"
)

// The cells of a made-up upgrade with two changes.
const (
	oldCell = iota
	newCell
	noJSON
	noMalloc
)

// upgradePlan makes a session of an upgrade from base to c1, which c2 and c3 are without a
// change of.
func upgradePlan(rows int) *made {
	m := plan(rows, 4)
	names := []string{"go1", "go2", "go2 nojson", "go2 nomalloc", "go1"}
	for i := range m.Cells {
		m.Cells[i].Mode.Name = names[i]
		if !m.Cells[i].AA {
			m.Cells[i].Name = names[i]
		}
	}
	m.Cells[noJSON].Ref, m.Cells[noMalloc].Ref = newCell, newCell
	m.Config.Upgrade = &upgrade.Plan{From: "go1", To: "go2", Changes: []upgrade.Change{
		{Name: "json", About: "JSON is new.", Setting: "nojson", Mode: "go2 nojson"},
		{Name: "malloc", Setting: "nomalloc", Mode: "go2 nomalloc"},
		{Name: "other", Why: "it is refused"},
	}}
	return m
}

// upgraded runs rounds in which changes have some effect on the CPU time of a row: factors of json, malloc and
// the rest of the release.
func upgraded(rounds int, noise float64, effects ...[3]float64) *made {
	m := upgradePlan(len(effects))
	return m.run(rounds, func(round, row, cell int) cost {
		e := effects[row]
		factor := map[int]float64{oldCell: 1, newCell: e[0] * e[1] * e[2], noJSON: e[1] * e[2], noMalloc: e[0] * e[2], m.aa(): 1}[cell]
		return cost{cpu: 1e-6 * factor * wobble(noise, round, row, cell)}
	})
}

// causeOf is the cause of a row, by the short name of its metric.
func causeOf(t *testing.T, r *Report, row int, metric string) Cause {
	t.Helper()
	i := slices.IndexFunc(r.Upgrade.Causes, func(c Cause) bool { return c.Row == row && c.Metric == r.metric(metric) })
	if i < 0 {
		t.Fatalf("no cause of row %d in %s", row, metric)
	}
	return r.Upgrade.Causes[i]
}

// TestCauses has one row for each kind of cause.
func TestCauses(t *testing.T) {
	rows := [][3]float64{
		{1.15, 1, 1},            // json explains all
		{1.2, 1, 1.1},           // json explains two thirds
		{1, 1, 1.15},            // nothing explains it
		{1.15, 1 / 1.15, 1},     // two changes cancel each other
		{1.2, 1 / 1.07, 1},      // one is against the other
		{1, 1 / 1.15, 1},        // better by malloc
		{1, 1, 1},               // nothing happens
		{1.2, 1, 1 / 1.2},       // the rest takes back what json costs
		{1.12, 1.12, 1},         // two changes
		{1.001, 1 / 1.001, 1.1}, // small ones do not count
	}
	r := upgraded(12, 0.004, rows...).report(t)
	check := func(row int, total, json, malloc, rest Word, short string, parts ...string) {
		t.Helper()
		c := causeOf(t, r, row, "cpu")
		if len(c.Shares) != 2 || c.Rest == nil {
			t.Fatalf("row %d: %+v", row, c)
		}
		got := []Word{c.Total.Word, c.Shares[0].Word, c.Shares[1].Word, c.Rest.Word}
		if want := []Word{total, json, malloc, rest}; !slices.Equal(got, want) || c.Short != short {
			t.Errorf("row %d: %v, %q, want %v, %q", row, got, c.Short, want, short)
		}
		for _, part := range parts {
			if !strings.Contains(c.Text, part) {
				t.Errorf("row %d: %q does not say %q", row, c.Text, part)
			}
		}
		for i, share := range append(slices.Clone(c.Shares), *c.Rest) {
			if truth := rows[row][i]; !(share.Lo <= share.Ratio && share.Ratio <= share.Hi) || math.Abs(share.Ratio/truth-1) > 0.01 {
				t.Errorf("row %d, share %d is %+v, and the truth %v", row, i, share, truth)
			}
		}
	}
	check(0, Worse, Worse, Same, Same, "json", "json +15.", "(without it", "against go1)")
	check(1, Worse, Worse, Same, Worse, "json, "+RestOfRelease, "json +19.9", "the rest of the release +10.")
	check(2, Worse, Same, Same, Worse, RestOfRelease, "not explained by any opt-out: the rest of the release")
	check(3, Same, Worse, Better, Same, "", "no change on the whole; alone: ", "json +1", "malloc -1")
	check(4, Worse, Worse, Better, Same, "json", "json +2", "; the other way: malloc -6.")
	check(5, Better, Same, Better, Same, "malloc", "malloc -13.")
	check(6, Same, Same, Same, Same, "", "no change")
	check(7, Same, Worse, Same, Better, "", "no change on the whole; alone: ", "the rest of the release -1")
	check(8, Worse, Worse, Worse, Same, causeOf(t, r, 8, "cpu").Short, "json +1", "malloc +1")
	check(9, Worse, Same, Same, Worse, RestOfRelease)

	w := causeOf(t, r, 0, "cpu").Shares[0].Without
	if w == nil || math.Abs(w.Ratio-1) > 0.01 || !w.Bounded {
		t.Errorf("without json: %+v", w)
	}
	var worse []int
	for _, i := range r.Upgrade.Worse {
		worse = append(worse, r.Upgrade.Causes[i].Row)
	}
	if diff := cmp.Diff([]int{0, 1, 2, 4, 8, 9}, worse); diff != "" {
		t.Errorf("got worse (-want +got)\n%s", diff)
	}
	type remedy struct {
		Setting      string
		Helps, Harms []int
	}
	var remedies []remedy
	for _, x := range r.Upgrade.Remedies {
		row := func(causes []int) (rows []int) {
			for _, i := range causes {
				rows = append(rows, r.Upgrade.Causes[i].Row)
			}
			return rows
		}
		remedies = append(remedies, remedy{x.Setting, row(x.Helps), row(x.Harms)})
	}
	if diff := cmp.Diff([]remedy{{"nojson", []int{0, 1, 4, 8}, nil}, {"nomalloc", []int{8}, []int{3, 4, 5}}}, remedies); diff != "" {
		t.Errorf("remedies (-want +got)\n%s", diff)
	}
	if other := r.Upgrade.Changes[2]; other.Cell != -1 || other.Why != "it is refused" {
		t.Errorf("a change that cannot be taken back: %+v", other)
	}
	if len(r.Answers) != 1 || r.Answers[0].Cell != newCell {
		t.Errorf("answers are about more than the new toolchain: %+v", r.Answers)
	}
}

// TestCausesUnclear has noise in which only some things can be told.
func TestCausesUnclear(t *testing.T) {
	r := upgraded(8, 0.2, [3]float64{1.02, 1, 1}, [3]float64{3, 1, 1}).report(t)
	if c := causeOf(t, r, 0, "cpu"); c.Total.Word != Unclear || c.Short != "" || !strings.Contains(c.Text, "not clear whether it differs") {
		t.Errorf("noise has the cause %+v", c)
	}
	if c := causeOf(t, r, 1, "cpu"); c.Short != "json" {
		t.Errorf("a factor of three has the cause %+v", c)
	}
	// The upgrade is clear, and which change it is, is not: the cells without one are noisy.
	m := upgradePlan(1)
	m.run(10, func(round, row, cell int) cost {
		noise := map[int]float64{noJSON: 0.5, noMalloc: 0.5}[cell]
		factor := map[int]float64{newCell: 1.1, noMalloc: 1.1}[cell]
		return cost{cpu: 1e-6 * max(factor, 1) * wobble(noise+0.003, round, row, cell)}
	})
	if c := causeOf(t, m.report(t), 0, "cpu"); c.Total.Word != Worse || c.Short != "" || !strings.HasPrefix(c.Text, "not clear which change: ") {
		t.Errorf("a cause that cannot be told is %+v", c)
	}
}

// TestCausesInPart has a change that is distinguished from noise, and explains the smaller
// part: the rest is noisy, because the cell without the other change is.
func TestCausesInPart(t *testing.T) {
	m := upgradePlan(1)
	m.run(12, func(round, row, cell int) cost {
		factor := []float64{1, 1.05 * 1.2, 1.2, 1.05 * 1.2, 1}[cell]
		noise := []float64{0.003, 0.003, 0.003, 0.6, 0.003}[cell]
		return cost{cpu: 1e-6 * factor * wobble(noise, round, row, cell)}
	})
	c := causeOf(t, m.report(t), 0, "cpu")
	if c.Total.Word != Worse || c.Rest.Word != Unclear || c.Short != "json in part" || !strings.Contains(c.Text, "json +5.") || !strings.Contains(c.Text, "; the larger part is not clear: ") {
		t.Errorf("%+v, rest %+v", c, c.Rest)
	}
}

// TestCausesExact has counts: some change from nothing to something, and back.
func TestCausesExact(t *testing.T) {
	counts := [][4]float64{{10, 15, 10, 15}, {0, 2, 0, 2}, {3, 0, 0, 3}, {10, 15, 15, 15}, {4, 4, 4, 4}}
	m := upgradePlan(len(counts))
	m.run(10, func(round, row, cell int) cost {
		n := counts[row][cell%4]
		return cost{cpu: 1e-6 * wobble(0.003, round, row, cell), values: []session.Value{{Value: 1e-6, Unit: "sec/op"}, {Value: n, Unit: "allocs/op"}}}
	})
	r := m.report(t)
	check := func(row int, total, json, malloc, rest Word, short string) {
		t.Helper()
		c := causeOf(t, r, row, "allocs")
		got := []Word{c.Total.Word, c.Shares[0].Word, c.Shares[1].Word, c.Rest.Word}
		if want := []Word{total, json, malloc, rest}; !slices.Equal(got, want) || c.Short != short {
			t.Errorf("row %d: %v, %q, want %v, %q (%+v)", row, got, c.Short, want, short, c)
		}
	}
	check(0, Worse, Worse, Same, Same, "json")
	check(1, Worse, Worse, Same, Same, "json")
	check(2, Better, Same, Better, Same, "malloc")
	check(3, Worse, Same, Same, Worse, RestOfRelease)
	check(4, Same, Same, Same, Same, "")
	if len(r.Upgrade.Worse) != 3 || len(r.Upgrade.Remedies) != 1 || len(r.Upgrade.Remedies[0].Helps) != 2 {
		t.Errorf("worse %v, remedies %+v", r.Upgrade.Worse, r.Upgrade.Remedies)
	}
}

// TestCausesPartly has changes that are not measured in a row, or nowhere.
func TestCausesPartly(t *testing.T) {
	m := upgraded(10, 0.003, [3]float64{1, 1.2, 1}, [3]float64{1.2, 1, 1})
	m.Rows[0].Same = make([]bool, len(m.Cells))
	m.Rows[0].Same[noJSON], m.Rows[0].Bench[noJSON] = true, ""
	m.Rows[1].Bench[noJSON] = "" // it failed there
	m.trials = slices.DeleteFunc(m.trials, func(t session.Trial) bool { return t.Cell == noJSON })
	r := m.report(t)
	if c := causeOf(t, r, 0, "cpu"); !c.Shares[0].Untouched || c.Short != "malloc" {
		t.Errorf("%+v", c)
	}
	if c := causeOf(t, r, 1, "cpu"); len(c.Shares) != 1 || c.Short != RestOfRelease {
		t.Errorf("%+v", c)
	}
	if c := causeOf(t, r, Geomean, "cpu"); len(c.Shares) != 1 || c.Shares[0].Change != 1 || c.Rest != nil || !strings.HasPrefix(c.Text, "see the rows") {
		t.Errorf("the mean has a share of what is not part of all rows: %+v", c)
	}
	if got, want := Claims(m.Session), 3+3+3; got != want { // of the whole, malloc and the rest
		t.Errorf("%d claims, want %d", got, want)
	}

	none := upgraded(10, 0.003, [3]float64{1.2, 1, 1})
	none.Cells[noJSON].Err, none.Cells[noMalloc].Err = "x.go:3: it needs json", "no room"
	none.Rows[0].Bench[noJSON], none.Rows[0].Bench[noMalloc] = "", ""
	none.trials = slices.DeleteFunc(none.trials, func(t session.Trial) bool { return t.Cell == noJSON || t.Cell == noMalloc })
	r = none.report(t)
	if c := causeOf(t, r, 0, "cpu"); c.Short != RestOfRelease || !strings.Contains(c.Text, "no change can be taken back here") {
		t.Errorf("%+v", c)
	}
	if why := r.Upgrade.Changes[0].Why; why != "it could not be built: x.go:3: it needs json" {
		t.Errorf("why json is not told apart: %q", why)
	}
}

// TestUpgradeStrange has plans that no run has made.
func TestUpgradeStrange(t *testing.T) {
	for name, change := range map[string]func(m *made){
		"no such mode":      func(m *made) { m.Config.Upgrade.To = "go3" },
		"old is new":        func(m *made) { m.Config.Upgrade.From = "go2" },
		"the other way":     func(m *made) { m.Config.Upgrade.From, m.Config.Upgrade.To = "go2", "go1" },
		"no baseline":       func(m *made) { m.Cells[newCell].Ref = -1 },
		"another reference": func(m *made) { m.Cells[noJSON].Ref = oldCell },
		"in a circle":       func(m *made) { m.Cells[newCell].Ref = noJSON },
		"all the same":      func(m *made) { m.Rows[0].Same = []bool{true, true, true, true, true} },
		"no changes":        func(m *made) { m.Config.Upgrade.Changes = nil },
		"no trials":         func(m *made) { m.trials = nil },
	} {
		m := upgraded(8, 0.003, [3]float64{1.2, 1, 1})
		change(m)
		t.Run(name, func(t *testing.T) { m.report(t); Claims(m.Session) })
	}
}

// TestUpgradeFailOn checks that a gate is about the new toolchain, not about the opt-outs:
// without malloc it is slower, which is not harm.
func TestUpgradeFailOn(t *testing.T) {
	r := upgraded(10, 0.003, [3]float64{1, 1 / 1.2, 1}, [3]float64{1, 1, 1.2}).report(t)
	for _, condition := range []string{"cpu worse", "any worse", "geomean cpu worse or better or same or unclear"} {
		c, err := ParseCondition(condition)
		if err != nil {
			t.Fatal(err)
		}
		met, err := c.Holds(r)
		if err != nil || len(met) == 0 {
			t.Errorf("%s: %v, %v", condition, met, err)
		}
		for _, x := range met {
			if x.Cell != newCell || x.Row == 0 {
				t.Errorf("%s holds in row %d of %s", condition, x.Row, r.Cells[x.Cell].Name)
			}
		}
	}
}

// TestSimulatedUpgrade counts false words in upgrades that change nothing, the rest of the
// release included: the level of a table holds for all of them.
func TestSimulatedUpgrade(t *testing.T) {
	bad := 0
	for seed := range *tables {
		sim := simulate(uint64(seed), 3, 4, 0.03, false, 1)
		m := upgradePlan(3)
		m.Config.Rounds, m.trials = sim.Config.Rounds, sim.trials
		r := New(m.Session, m.trials)
		wrong := false
		for _, c := range r.Upgrade.Causes {
			if r.Metrics[c.Metric].Name != "cpu" {
				continue
			}
			for _, s := range append(slices.Clone(c.Shares), c.Total, *c.Rest) {
				wrong = wrong || s.Word == Better || s.Word == Worse
			}
		}
		if wrong {
			bad++
		}
	}
	t.Logf("%d of %d upgrades that change nothing have a word", bad, *tables)
	if most := 2 + *tables*5/100; bad > most {
		t.Errorf("%d of %d upgrades that change nothing have a false word", bad, *tables)
	}
}
