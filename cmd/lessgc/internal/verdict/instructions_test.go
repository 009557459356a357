package verdict

import (
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/session"
)

// TestInstructions checks that instructions have a verdict of their own, which rests on
// the rounds in which they were counted.
func TestInstructions(t *testing.T) {
	made := plan(1, 2).run(10, func(round, row, cell int) cost { return cost{cpu: 1e-3 * wobble(0.2, round, row, cell)} })
	for i := range made.trials {
		x := &made.trials[i]
		perOp := 5e6 * wobble(0.001, x.Round, x.Cell)
		if x.Cell == 1 {
			perOp *= 1.05
		}
		if x.Instructions = int64(perOp * iterations); x.Round == 3 && x.Cell == 1 {
			x.Instructions = 0 // the hardware was shared
		}
	}
	r := made.report(t)
	check := func(condition string, want int) {
		t.Helper()
		c, err := ParseCondition(condition)
		if err != nil {
			t.Fatal(err)
		}
		if met, err := c.Holds(r); err != nil || len(met) != want {
			t.Errorf("%s holds for %+v, %v", condition, met, err)
		}
	}
	check("instructions worse > 2 %", 1)
	check("instructions/op worse > 6 %", 0)
	check("cpu worse or better", 0)
	if x := r.find(0, 1, r.metric("instructions")); x == nil || x.N != 9 || x.Ratio < 1.04 || x.Ratio > 1.06 {
		t.Errorf("%+v", x)
	}

	made = plan(1, 2).run(10, func(round, row, cell int) cost {
		return cost{cpu: 1e-3, values: []session.Value{{Value: 1e-3, Unit: "sec/op"}}}
	})
	made.Host.NoCounter = "perf_event_open: no such file or directory"
	c, err := ParseCondition("instructions worse")
	if err != nil {
		t.Fatal(err)
	}
	const want = `no metric "instructions", because this machine does not count instructions for us: perf_event_open: no such file`
	if _, err := c.Holds(made.report(t)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v: want %q", err, want)
	}
}
