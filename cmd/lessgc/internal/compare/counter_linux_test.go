package compare

import (
	"math"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/trial/countertest"
	"lessgc/cmd/lessgc/internal/verdict"
)

// TestCounter goes all the way from the kernel to a verdict, with a clock of the kernel's
// as the counter: 20 % more work are so many more instructions.
func TestCounter(t *testing.T) {
	t.Setenv(countertest.Variable, countertest.Clock)
	clock, err := countertest.Open()
	if err != nil {
		t.Skip(err)
	}
	clock.Close()
	r := measure(t, "Compute", 50*time.Millisecond, "plain: COPY=1", "slow: PLANTED=1")
	values := map[string]map[int]float64{} // by metric, by cell
	for _, v := range r.Values {
		name := r.Metrics[v.Metric].Name
		if values[name] == nil {
			values[name] = map[int]float64{}
		}
		values[name][v.Cell] = v.Median
	}
	for cell, cpu := range values["cpu"] {
		if n := values["instructions"][cell] / 1e9; math.Abs(n/cpu-1) > 0.05 {
			t.Errorf("cell %d: counted %g, CPU time %g", cell, n, cpu)
		}
	}
	for _, c := range r.Comparisons {
		if r.Metrics[c.Metric].Name == "instructions" && !r.Cells[c.Cell].AA && c.Word != verdict.Worse {
			t.Errorf("%+v", c)
		}
	}
	if len(values["instructions"]) != 3 {
		t.Errorf("%v", values)
	}
}
