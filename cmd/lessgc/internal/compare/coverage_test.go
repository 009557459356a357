package compare

import (
	"math"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/verdict"
)

// The intervals of rows that end at different times hold the truth, and so does that of
// their mean, which would add up what each owes to its end.
func TestSimulatedCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("it simulates comparisons of many rows")
	}
	for _, c := range []struct {
		sd      float64
		budget  time.Duration
		effects []float64
	}{
		{0.08, 2 * time.Minute, []float64{1.03}},
		{0.2, 2 * time.Minute, []float64{1.05}},
		{0.02, 2 * time.Minute, []float64{1.5}},
		{0.08, 12 * time.Minute, []float64{1.04, 1.04, 1.04, 1.04, 1.04, 1.04, 1.04, 1.04}},
		{0.08, 12 * time.Minute, []float64{1.04, 1.02, 1.06, 0.96, 1.1, 1, 1.3, 1.05}},
	} {
		mean := 0.0
		for _, e := range c.effects {
			mean += math.Log(e) / float64(len(c.effects))
		}
		type misses struct{ n, below, above int }
		var rows, means misses
		off := 0.0
		for seed := range *tables / 2 {
			_, r, _ := simulated(t, uint64(seed), c.sd, c.budget, c.effects...)
			for _, x := range r.Comparisons {
				if r.Metrics[x.Metric].Name != "cpu" || x.Cell != 1 {
					continue
				}
				truth, m := math.Exp(mean), &means
				if x.Row != verdict.Geomean {
					truth, m = c.effects[x.Row], &rows
				}
				m.n++
				if x.Lo > truth {
					m.above++
				}
				if x.Hi < truth {
					m.below++
				}
				if m == &means {
					off += math.Log(x.Ratio/truth) / math.Log(x.Hi/x.Lo)
				}
			}
		}
		for name, m := range map[string]misses{"rows": rows, "mean": means} {
			if m.n == 0 {
				continue
			}
			share := func(k int) float64 { return 100 * float64(k) / float64(m.n) }
			t.Logf("noise %v, %v: interval of %s above the truth in %.1f %%, below in %.1f %%", c.sd, c.effects, name, share(m.above), share(m.below))
			if missed, most := float64(m.above+m.below), float64(m.n)/14; missed > most+2*math.Sqrt(most)+1 {
				t.Errorf("noise %v, %v: %v of %d intervals of %s do not hold the truth", c.sd, c.effects, missed, m.n, name)
			}
		}
		if n := float64(means.n); n > 0 {
			t.Logf("the mean is off by %.2f of its interval, on average", off/n)
			if math.Abs(off/n) > 0.03+0.5/math.Sqrt(n) {
				t.Errorf("noise %v, %v: the mean is off by %.2f of its interval, on average", c.sd, c.effects, off/n)
			}
		}
	}
}
