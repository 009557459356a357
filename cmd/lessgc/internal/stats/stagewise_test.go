package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// evenly are n differences with a mean and a standard deviation of 1 that show the same of
// both in every part.
func evenly(n int, mean float64) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = mean + []float64{-1.3, 1.3, -0.6, 0.6, -0.2, 0.2}[i%6]*1.19
	}
	return d
}

func TestStagewise(t *testing.T) {
	const level = 0.0027 // of 3 standard errors
	looks := []Look{{12, level}, {24, level}, {48, level}}
	same := func(name string, looks []Look, d []float64) {
		t.Helper()
		wantEst, wantCI := HodgesLehmann(d, 0.95)
		if est, ci := Stagewise(d, looks); est != wantEst || ci != wantCI {
			t.Errorf("%s: %v %v, want %v %v", name, est, ci, wantEst, wantCI)
		}
	}
	d := evenly(96, 0.32) // 3.1 standard errors away
	same("without looks", nil, d)
	same("looks at which nothing could end", []Look{{12, 1e-300}, {24, 1e-300}}, d)
	same("looks with too few, and with all", []Look{{5, level}, {96, level}, {100, level}}, d)
	same("far away", looks, evenly(96, 3))
	same("far enough at a look", looks, evenly(96, 0.6))
	same("without width", looks, slices.Repeat([]float64{3}, 96))
	same("without ends", looks, []float64{1, 2, 3})

	est, ci := HodgesLehmann(d, 0.95)
	less, lower := Stagewise(d, looks)
	se := (ci.Hi - ci.Lo) / 2 / z975
	if !(less < est-0.01*se && less > est-0.3*se && lower.Lo < ci.Lo-0.01*se && lower.Lo > ci.Lo-0.4*se && lower.Hi < ci.Hi && lower.Hi > ci.Hi-0.2*se) {
		t.Errorf("after three looks: %v %v, without %v %v", less, lower, est, ci)
	}
	again, twice := Stagewise(d, []Look{{12, level}, {12, level}, {24, level}, {48, level}, {36, level}})
	if again != less || twice != lower {
		t.Errorf("with looks at the same: %v %v, want %v %v", again, twice, less, lower)
	}
	for i := range d {
		d[i] = -d[i]
	}
	if more, upper := Stagewise(d, looks); math.Abs(more+less) > 1e-3*se || math.Abs(upper.Lo+lower.Hi) > 1e-3*se || math.Abs(upper.Hi+lower.Lo) > 1e-3*se {
		t.Errorf("below 0: %v %v, above %v %v", more, upper, less, lower)
	}
}

// The interval holds the truth in 95 % of the comparisons, and the estimate is above it
// in half, wherever they end; without Stagewise neither is so.
func TestStagewiseCoverage(t *testing.T) {
	const (
		samples = 500 // of 4000: covered 94.6 to 96.1 %, above in 47.2 to 50.1 %
		level   = 0.001
	)
	ends := []int{8, 12, 18, 27, 40, 60}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, drift := range []float64{0, 1, 2.5, 4, 8, 16} { // of the whole
		covered, above, plain, plainAbove := 0, 0, 0, 0
		truth := drift / math.Sqrt(60)
		for range samples {
			var d []float64
			var looks []Look
			for i, n := range ends {
				for len(d) < n {
					d = append(d, truth+rng.NormFloat64())
				}
				if i == len(ends)-1 || Student(d) <= level {
					break
				}
				looks = append(looks, Look{n, level})
			}
			est, ci := Stagewise(d, looks)
			simple, simpleCI := HodgesLehmann(d, 0.95)
			if ci.Lo <= truth && truth <= ci.Hi {
				covered++
			}
			if est > truth {
				above++
			}
			if simpleCI.Lo <= truth && truth <= simpleCI.Hi {
				plain++
			}
			if simple > truth {
				plainAbove++
			}
		}
		share := func(n int) float64 { return 100 * float64(n) / samples }
		t.Logf("drift %v: covered %.1f %%, above %.1f %%; without %.1f and %.1f %%", drift, share(covered), share(above), share(plain), share(plainAbove))
		if c := share(covered); c < 92 || c > 98 {
			t.Errorf("drift %v: the interval holds the truth in %.1f %%", drift, c)
		}
		if a := share(above); a < 43 || a > 57 {
			t.Errorf("drift %v: the estimate is above the truth in %.1f %%", drift, a)
		}
	}
}

// The grid is fine enough: the chances of all ends add up to 1.
func TestStagewiseGrid(t *testing.T) {
	s := &stages{last: points{0, []float64{0}, []float64{1}}}
	for _, n := range []int{8, 12, 18, 27, 40, 60, 90, 135} {
		bound, blur := boundOf(Look{n, 0.001})
		s.add(float64(n)/200, bound, blur)
	}
	for _, drift := range []float64{0, 1, 3, 6} {
		above := s.chance(-40, drift)
		below := 0.0
		for _, look := range s.looks { // by symmetry
			below += look.ended.chance(-drift) + look.before.above(look.time, look.top, -drift)
		}
		if sum := above + below; math.Abs(sum-1) > 1e-3 {
			t.Errorf("drift %v: all chances are %v", drift, sum)
		}
	}
}

func BenchmarkStagewise(b *testing.B) {
	d := evenly(200, 0.2)
	var looks []Look
	for _, n := range []int{8, 12, 18, 27, 40, 60, 90, 135} {
		looks = append(looks, Look{n, 0.001})
	}
	for b.Loop() {
		Stagewise(d, looks)
	}
}
