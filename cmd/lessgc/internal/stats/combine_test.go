package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestCombine(t *testing.T) {
	one := Part{10, 0.3, Interval{0.1, 0.5}}
	est, ci, p := Combine([]Part{one})
	if !near(est, 0.3) || !near(ci.Lo, 0.1) || !near(ci.Hi, 0.5) || p < 0.001 || p > 0.05 {
		t.Errorf("of one part: %v %v %v", est, ci, p)
	}
	est, ci, _ = Combine([]Part{one, one, one, one})
	if nu := 36.; !near(est, 0.3) || !near(ci.Hi-est, 0.2/t975(9)/2*t975(nu)) {
		t.Errorf("of four equal parts: %v %v", est, ci)
	}
	exact := Part{8, 0.2, Interval{0.2, 0.2}}
	if est, ci, p = Combine([]Part{exact, exact}); est != 0.2 || ci != (Interval{0.2, 0.2}) || p != 0 {
		t.Errorf("of parts without spread: %v %v %v", est, ci, p)
	}
	if est, ci, p = Combine(nil); !math.IsNaN(est) || !math.IsInf(ci.Hi-ci.Lo, 1) || p != 1 {
		t.Errorf("of none: %v %v %v", est, ci, p)
	}
}

// Coverage and level hold for parts of different lengths and spreads.
func TestCombineCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	const samples = 3000
	covered, called := 0, 0
	for range samples {
		var parts []Part
		for i, n := range []int{8, 8, 12, 30} {
			d := noise(rng, n)
			for k := range d {
				d[k] *= float64(1 + i)
			}
			est, ci := HodgesLehmann(d, 0.95)
			parts = append(parts, Part{n, est, ci})
		}
		_, ci, p := Combine(parts)
		if ci.Lo <= 0 && 0 <= ci.Hi {
			covered++
		}
		if p <= 0.01 {
			called++
		}
	}
	if rate := float64(covered) / samples; rate < 0.935 || rate > 0.985 {
		t.Errorf("the 95 %% interval covers the mean in %.1f %% of the samples", 100*rate)
	}
	if rate := float64(called) / samples; rate > 0.014 {
		t.Errorf("%.2f %% are called at 1 %%", 100*rate)
	}
}
