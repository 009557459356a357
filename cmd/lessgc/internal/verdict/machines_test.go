package verdict

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
)

// A machine measures a change as it shows there.
type machine struct {
	cpu    string
	speed  float64 // of everything
	effect float64 // log ratio of cell 1 to cell 0, beyond that of all machines
	noise  float64 // of a trial
	rounds int
}

// shards measures a change of one row on machines. Cells are the baseline, the changed code and the A/A cell.
func shards(rng *rand.Rand, change float64, machines []machine) []Part {
	var parts []Part
	for i, m := range machines {
		s := &session.Session{Format: session.Format, Created: time.Unix(0, 0), Host: session.Host{CPU: m.cpu, OS: "linux", Arch: "amd64", NumCPU: 8},
			Config: session.Config{Shard: &session.Shard{Index: i + 1, Of: len(machines)}, Seed: 7, Margin: 0.03, Looks: 1, Rounds: m.rounds, Procs: 8, Modes: []mode.Mode{mode.Default()}},
			Cells:  []session.Cell{{ID: "old", Name: "old", Ref: -1}, {ID: "new", Name: "new", Ref: 0}, {ID: "old-again", Name: "old", Ref: 0, AA: true}},
			Rows:   []session.Row{{Name: "X", Label: "X", Bench: []string{"BenchmarkX", "BenchmarkX", "BenchmarkX"}, N: 1000}}}
		p := Part{Dir: "part" + string(rune('a'+i)), Session: s}
		for round := 1; round <= m.rounds; round++ {
			slow := m.speed * math.Exp(0.1*rng.NormFloat64()) // a round is slow in all its cells
			for c := range s.Cells {
				seconds := slow * math.Exp(m.noise*rng.NormFloat64())
				if c == 1 {
					seconds *= math.Exp(change + m.effect)
				}
				p.Trials = append(p.Trials, session.Trial{Round: round, Cell: c, N: 1000, Timed: true, User: time.Duration(seconds * 1e9), Wall: time.Duration(seconds * 1e9)})
			}
		}
		parts = append(parts, p)
	}
	return parts
}

func several(n int, m machine) []machine {
	var all []machine
	for range n {
		all = append(all, m)
	}
	return all
}

// cpuOf is the comparison of the changed code in CPU time.
func cpuOf(t testing.TB, r *Report) Comparison {
	t.Helper()
	c := r.find(0, 1, r.metric("cpu"))
	if c == nil {
		t.Fatal("there is no comparison")
	}
	return *c
}

// TestMerge checks that shards are taken together: pairs within machines, one report about all.
func TestMerge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	parts := shards(rng, math.Log(0.9), []machine{{"A", 1, 0, 0.02, 10}, {"A", 3, 0.01, 0.04, 10}, {"A", 0.5, -0.01, 0.02, 10}, {"A", 1, 0, 0.02, 3}, {"A", 7, 0.01, 0.01, 10}, {"A", 1, -0.01, 0.02, 10}, {"A", 1, 0, 0.02, 1}})
	missing := slices.Delete(slices.Clone(parts), 1, 2)
	slices.Reverse(missing) // in any order
	r, err := Merge(missing)
	if err != nil {
		t.Fatal(err)
	}
	c := cpuOf(t, r)
	if c.Word != Better || c.Machines != 6 || c.N != 10+10+3+10+10+1 || math.Abs(c.Ratio-0.9) > 0.02 || c.Lo > 0.9 || c.Hi < 0.9 || !c.Predicted || c.ExpectLo > c.Lo || c.ExpectHi < c.Hi {
		t.Errorf("%+v", c)
	}
	for i := range parts {
		parts[i].Session.Config.Rounds = 10
	}
	if r, err := Merge(missing); err != nil || !slices.Contains(r.Notes, "2 of 6 shards were cut off and count with the rounds that they have: shard 4 3 of 10, shard 7 1 of 10") {
		t.Errorf("%v: %q", err, r.Notes)
	}
	if !slices.Equal(r.Missing, []int{2}) || r.Shards != 7 || len(r.Machines) != 6 || r.Machines[0].Shard != 1 || r.Machines[2].Rounds != 3 || len(r.Classes) != 1 {
		t.Errorf("missing %v of %d, machines %+v, classes %+v", r.Missing, r.Shards, r.Machines, r.Classes)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	// What a naive pool would say: the machines' speeds differ by a factor of 14.
	if one, err := Merge(parts[:1]); err != nil || cpuOf(t, one).Word != Unclear || cpuOf(t, one).Bounded {
		t.Errorf("one machine says something of others: %v", err)
	}
}

// TestClasses checks that what is better on one class of machines and worse on another is called that, and
// never the same.
func TestClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	parts := shards(rng, 0, append(several(4, machine{"A", 1, -0.08, 0.01, 10}), several(4, machine{"B", 1, 0.08, 0.01, 10})...))
	r, err := Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	c := cpuOf(t, r)
	if c.Word != Mixed || len(c.ByClass) != 2 || c.ByClass[0].Word != Better || c.ByClass[1].Word != Worse || c.ByClass[0].Machines != 4 {
		t.Errorf("%+v", c)
	}
	a := r.Answers[0]
	if a.Short != "it depends on the machine" || !strings.Contains(a.Text, "% [") || !strings.Contains(a.Text, "on A, linux/amd64, and ") {
		t.Errorf("%+v", a)
	}
	for text, want := range map[string]int{"cpu worse": 1, "cpu mixed": 1, "cpu same": 0} {
		condition, err := ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		if met, err := condition.Holds(r); err != nil || len(met) != want {
			t.Errorf("%s: %v, %v", text, met, err)
		}
	}
	// One machine of each class: what it says is about that machine.
	r, err = Merge(shards(rng, 0, []machine{{"A", 1, -0.2, 0.005, 12}, {"B", 1, 0.2, 0.005, 12}}))
	if err != nil {
		t.Fatal(err)
	}
	if c := cpuOf(t, r); c.Word != Mixed {
		t.Errorf("%+v", c)
	}
	// Machines of one class that differ as much are not better and worse: that is how they are.
	r, err = Merge(shards(rng, 0, append(several(4, machine{"A", 1, -0.08, 0.01, 10}), several(4, machine{"A", 1, 0.08, 0.01, 10})...)))
	if err != nil {
		t.Fatal(err)
	}
	if c := cpuOf(t, r); c.Word != Unclear || c.I2 < 0.9 || c.ExpectLo > 0.9 || c.ExpectHi < 1.1 {
		t.Errorf("%+v", c)
	}
}

// TestCounts checks that counts are compared within machines.
func TestCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	parts := shards(rng, 0, several(3, machine{"A", 1, 0, 0.01, 6}))
	allocs := func(old, new [3]float64) Comparison {
		t.Helper()
		for m, p := range parts {
			for i := range p.Trials {
				p.Trials[i].Values = []session.Value{{Value: old[m], Unit: "allocs/op"}}
				if p.Trials[i].Cell == 1 {
					p.Trials[i].Values[0].Value = new[m]
				}
			}
		}
		r, err := Merge(parts)
		if err != nil {
			t.Fatal(err)
		}
		return *r.find(0, 1, r.metric("allocs"))
	}
	if c := allocs([3]float64{10, 20, 30}, [3]float64{5, 10, 15}); c.Word != Better || c.Ratio != 0.5 {
		t.Errorf("%+v", c) // though their ranges overlap across machines
	}
	if c := allocs([3]float64{10, 20, 30}, [3]float64{10, 20, 30}); c.Word != Same {
		t.Errorf("%+v", c)
	}
	if c := allocs([3]float64{10, 20, 30}, [3]float64{5, 20, 40}); c.Word != Mixed {
		t.Errorf("%+v", c)
	}
}

// TestNotTogether checks that shards of two comparisons are not taken together.
func TestNotTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for want, change := range map[string]func(s *session.Session){
		"do not belong together: they have measured other code": func(s *session.Session) { s.Code = "other" },
		"they have other flags: -bench differs":                 func(s *session.Session) { s.Config.Bench = "Y" },
		"they have other flags: -mode differs":                  func(s *session.Session) { s.Config.Modes = []mode.Mode{{Name: "default", GOGC: "50"}} },
		"they have other seeds, 7 and 8":                        func(s *session.Session) { s.Config.Seed = 8 },
		"they have other base revisions":                        func(s *session.Session) { s.Config.Base = strings.Repeat("a", 40) },
		"both are shard 1/3":                                    func(s *session.Session) { s.Config.Shard.Index = 1 },
		"one is of 3 shards, the other of 4":                    func(s *session.Session) { s.Config.Shard.Of = 4 },
		"is not a shard of a comparison":                        func(s *session.Session) { s.Config.Shard = nil },
		`one has the cell "new" where the other has "newer"`:    func(s *session.Session) { s.Cells[1].ID = "newer" },
		"mode \"new\" was built with go1.26.8  and with go1.27": func(s *session.Session) { s.Cells[1].Build.GoVersion = "go1.27" },
	} {
		parts := shards(rng, 0, several(3, machine{"A", 1, 0, 0.01, 6}))
		for _, p := range parts {
			p.Session.Cells[1].Build.GoVersion = "go1.26.8"
		}
		change(parts[2].Session)
		if _, err := Merge(parts); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	// What a machine decides may differ.
	parts := shards(rng, 0, several(3, machine{"A", 1, 0, 0.01, 6}))
	s := parts[1].Session
	s.Dir, s.Config.Procs, s.Config.Rounds, s.Config.Budget, s.Rows[0].N, s.Config.Profiles = "/elsewhere", 3, 40, time.Hour, 5, true
	if _, err := Merge(parts); err != nil {
		t.Error(err)
	}
}

// TestRowsOfMachines checks that a benchmark which not all machines could run is compared where it ran.
func TestRowsOfMachines(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	parts := shards(rng, math.Log(1.2), several(6, machine{"A", 1, 0, 0.01, 6}))
	for i := range parts[3:] {
		s := parts[3+i].Session
		s.Rows = slices.Insert(s.Rows, 0, session.Row{Name: "New", Label: "New", Bench: []string{"BenchmarkNew", "BenchmarkNew", "BenchmarkNew"}, N: 5})
		for _, trial := range slices.Clone(parts[3+i].Trials) {
			trial.Row = 1
			parts[3+i].Trials = append(parts[3+i].Trials, trial)
		}
	}
	r, err := Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2 || r.Rows[0].Name != "X" || r.Rows[1].Name != "New" || !slices.ContainsFunc(r.Notes, func(n string) bool { return n == "New was measured on 3 of 6 machines" }) {
		t.Errorf("%+v, %q", r.Rows, r.Notes)
	}
}

// TestHostileShards checks that whatever trials say, there is a report, and JSON of it: values that are all the same or at the
// ends of what is read, machines with one round or none, and links that repeat.
func TestHostileShards(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	extremes := []float64{0, 1e-9, 1, 1, 1, 2, 1e6}
	for range 300 {
		parts := shards(rng, 0, several(1+rng.IntN(5), machine{[]string{"A", "B", ""}[rng.IntN(3)], 1, 0, 0, 0}))
		for i := range parts {
			parts[i].Session.Host.CPU = []string{"A", "B", ""}[rng.IntN(3)]
			for round := range rng.IntN(9) {
				for c := range 3 {
					if rng.IntN(10) == 0 {
						continue
					}
					v := extremes[rng.IntN(len(extremes))]
					parts[i].Trials = append(parts[i].Trials, session.Trial{Round: round + 1, Cell: c, N: 1 + rng.IntN(1000), Timed: rng.IntN(2) == 0, Link: rng.IntN(3),
						User: time.Duration(v * 1e9), Wall: time.Duration(v * 1e9), Values: []session.Value{{Value: v, Unit: "sec/op"}, {Value: v * 1e90, Unit: "odd"}, {Value: v, Unit: "allocs/op"}}})
				}
			}
		}
		r := mustMerge(t, parts)
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Comparisons {
			if c.Bounded && !(0 <= c.Lo && c.Lo <= c.Ratio && c.Ratio <= c.Hi) || !(c.P >= 0 && c.P <= 1) || c.Predicted && !(c.ExpectLo <= c.Lo*(1+1e-9) && c.ExpectHi >= c.Hi*(1-1e-9)) {
				t.Fatalf("%+v", c)
			}
		}
	}
}
