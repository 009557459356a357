package apply

import (
	"maps"
	"slices"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/verdict"
)

// TestAkin checks which changes one commit is of.
func TestAkin(t *testing.T) {
	change := func(lever, file, what string, names ...string) *candidate {
		return &candidate{Attempt: attempt.Attempt{Lever: lever, File: file}, what: what, names: names}
	}
	of := change("split-local", "a/a.go", "pool the map m", "validatePrerelease")
	method := change("split-local", "a/a.go", "", "(*Msg).Len")
	for _, c := range []struct {
		a, b *candidate
		want bool
	}{
		{of, change("split-local", "a/b.go", "", "validateMetadata"), true},
		{of, change("split-local", "a/b.go", "pool the map m", "open"), false},
		{of, change("split-local", "a/a.go", "", "validatePrerelease"), true},
		{method, change("split-local", "a/b.go", "", "Msg.Pack"), true},
		{method, change("split-local", "a/b.go", "", "(*RR).Len"), false},
		{method, change("split-local", "a/b.go", "", "Len"), false},
		{change("split-local", "a/a.go", "", "open"), change("split-local", "a/b.go", "", "shut"), false},
		{of, change("typed-pool", "a/a.go", "pool the map m", "validateMetadata"), false},
		{of, change("split-local", "b/a.go", "pool the map m", "validateMetadata"), false},
		{of, change("split-local", "a/a.go", "pool the map m", "validateMetadata", "b", "c"), false}, // it has a call tree
	} {
		if akin(c.a, c.b) != c.want || akin(c.b, c.a) != c.want {
			t.Errorf("%+v and %+v: want %t", c.a, c.b, c.want)
		}
	}
}

// TestMates checks that no change is tried with one that was tried, or that has to be by itself, and with no more than a comparison has the time for.
func TestMates(t *testing.T) {
	p := &plan{}
	for line := range 7 {
		p.candidates = append(p.candidates, &candidate{Attempt: attempt.Attempt{Lever: "split-local", File: "a.go", Line: line + 1, First: line + 1}, names: []string{"f"}})
	}
	all := p.candidates
	all[3].refused = "assembly refers to f"
	r := &Runner{State: &attempt.State{Options: attempt.Options{Time: time.Minute}}, single: map[string]bool{all[2].Key(): true}, Attempts: []attempt.Attempt{{Lever: "x", With: []string{all[1].Key()}}}}
	if got := r.mates(p, all[0]); !slices.Equal(got, all[4:7]) {
		t.Errorf("%v", got)
	}
	r.State.Time = 20 * time.Second
	if got := r.mates(p, all[0]); !slices.Equal(got, all[4:5]) {
		t.Errorf("in a short time, %v", got)
	}
	if got := r.mates(p, all[2]); got != nil {
		t.Errorf("with one by itself, %v", got)
	}
	if next := r.next(&plan{candidates: all[1:3]}); next != all[2] {
		t.Errorf("%v is tried again", next)
	}
}

// TestMembers checks that each member of a change has to pay, and that of each a benchmark is measured, whatever matters most in the sum.
func TestMembers(t *testing.T) {
	gain := func(name string, saves float64) attempt.Gain {
		return attempt.Gain{Benchmark: "p.Benchmark" + name, Bytes: saves, Predicted: &advice.Range{Lo: saves, Hi: saves}}
	}
	c := &candidate{Attempt: attempt.Attempt{Lever: "split-local", File: "a.go", Line: 3, Gains: []attempt.Gain{gain("A", 0.3), gain("B", 0.2), gain("C", 0.2)}}, names: []string{"f"}, what: "x", least: 0.02}
	mate := &candidate{Attempt: attempt.Attempt{Lever: "split-local", File: "a.go", Line: 9, First: 9, Gains: []attempt.Gain{gain("D", 0.1), gain("B", 0.1)}}, names: []string{"g"}, what: "x", least: 0.04}
	planned := *c
	c.members = []member{{c.Gains, c.least, c.names}}
	c.take(mate, nil)
	c.foremost()
	var order string
	for _, g := range c.Gains {
		order += g.Benchmark[len("p.Benchmark"):]
	}
	if order != "ADBC" || c.least != 0.04 || !slices.Equal(c.names, []string{"f", "g"}) || c.what != "x" || !slices.Equal(c.With, []string{mate.Key()}) {
		t.Errorf("%s: %+v", order, c)
	}
	if i := slices.IndexFunc(c.Gains, func(g attempt.Gain) bool { return g.Benchmark == "p.BenchmarkB" }); c.Gains[i].Bytes < 0.29 {
		t.Errorf("both save %v", c.Gains[i])
	}
	c.lever = lever.ByName("split-local")
	if got := c.why(); got != "a.go:3 allocated 30 % of the bytes of BenchmarkA: g is changed the same way (line 9)." {
		t.Error(got)
	}
	if planned.Gains[1].Bytes != 0.2 || len(planned.Gains) != 3 || len(planned.names) != 1 || mate.Gains[1].Bytes != 0.1 {
		t.Errorf("what was planned has changed: %+v, %+v", planned, mate)
	}
	less := attempt.Effect{Word: verdict.Same, Before: 100, After: 90}
	same := attempt.Effect{Word: verdict.Same, Before: 100, After: 100}
	row := func(name string, bytes attempt.Effect) attempt.Row {
		return attempt.Row{Package: "p", Name: name, Bytes: bytes, Allocs: same}
	}
	for want, rows := range map[string][]attempt.Row{
		"":  {row("A", less), row("D", less)},
		"g": {row("A", less), row("D", same)},
		"f": {row("A", same), row("D", less)},
	} {
		if got := c.unpaid(rows); got != want {
			t.Errorf("%q does not pay, want %q", got, want)
		}
	}
	if got := c.unpaid([]attempt.Row{row("B", less)}); got != "" {
		t.Errorf("%q does not pay in a benchmark of both", got)
	}
	r := &Runner{single: map[string]bool{}}
	c.mates = []*candidate{mate}
	l, err := r.retry(c, planned)
	if err != nil || l == nil || !slices.Equal(l.With, []string{mate.Key()}) || len(c.Gains) != 3 || c.mates != nil || !r.single[c.Key()] || !r.single[mate.Key()] {
		t.Errorf("%v, %v: %+v", l, err, c)
	}
	c.Larger = []attempt.Larger{{And: "others"}, *l}
	again := &Runner{single: map[string]bool{}, Attempts: []attempt.Attempt{{Lever: "other", Larger: c.Larger[:1]}, c.Attempt}}
	if again.parted(); !maps.Equal(again.single, r.single) {
		t.Errorf("after -resume, %v are tried by themselves, want %v", again.single, r.single)
	}
	if l, err := r.retry(c, planned); l != nil || err != nil {
		t.Errorf("a third time: %v, %v", l, err)
	}
}
