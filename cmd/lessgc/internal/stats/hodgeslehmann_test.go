package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestHodgesLehmann(t *testing.T) {
	inf := math.Inf(1)
	check := func(name string, d []float64, conf, est, lo, hi float64) {
		t.Helper()
		gotEst, ci := HodgesLehmann(d, conf)
		if !near(gotEst, est) || !near(ci.Lo, lo) || !near(ci.Hi, hi) {
			t.Errorf("%s at %v: %v in [%v, %v], want %v in [%v, %v]", name, conf, gotEst, ci.Lo, ci.Hi, est, lo, hi)
		}
	}
	// HWC, example 3.3, has the estimate -0.46. The exact confidence of the four
	// intervals is 96.1, 94.5, 99.2 and 100 %.
	check("hamilton", hamilton, 0.95, -0.46, -0.786, -0.010)
	check("hamilton", hamilton, 0.94, -0.46, -0.771, -0.1415)
	check("hamilton", hamilton, 0.99, -0.46, -0.987, 0.1135)
	check("hamilton", hamilton, 0.999, -0.46, -inf, inf)

	check("runs(5)", runs(5), 0.95, 2, -inf, inf)
	check("runs(6)", runs(6), 0.95, 1, -6, 5)
	check("runs(6)", runs(6), 1-2./64, 1, -6, 5)
	check("runs(6)", runs(6), 0.97, 1, -inf, inf)
	check("runs(20)", runs(20), 0.95, 4.5, -2, 10)
	check("runs(50)", runs(50), 0.95, 11, 2, 20)
	check("runs(51)", runs(51), 0.95, 12, 2.5, 21)
	check("runs(200)", runs(200), 0.99, 45.5, 22, 68.5)
	check("tied(10)", tied(10), 0.95, 1, -0.5, 3.5)
	check("tied(80)", tied(80), 0.9, 1, 0, 1.5)

	check("empty", nil, 0.95, math.NaN(), -inf, inf)
	check("one", []float64{3}, 0.5, 3, -inf, inf)
	check("equal", []float64{2, 2, 2, 2, 2, 2}, 0.95, 2, 2, 2)
	check("huge", []float64{1e308, 1.5e308}, 0.95, 1.25e308, -inf, inf)
}

// near reports whether a and b differ by rounding at most, or both are NaN or
// the same infinity.
func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-12*math.Abs(b) || math.IsNaN(a) && math.IsNaN(b)
}

// With 10 differences the exact coverage of the 95 % interval is 0.9512.
func TestCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const samples, centre = 2000, 0.3
	covered := 0
	for range samples {
		d := noise(rng, 10)
		for i := range d {
			d[i] += centre
		}
		if _, ci := HodgesLehmann(d, 0.95); ci.Lo <= centre && centre <= ci.Hi {
			covered++
		}
	}
	if rate := float64(covered) / samples; rate < 0.94 || rate > 0.99 {
		t.Errorf("the 95 %% interval covers the centre in %.1f %% of the samples", 100*rate)
	}
}

// The exact coverage of the interval where the normal approximation makes it. A
// float64 holds counts up to 2^200 but for rounding.
func TestLargeCoverage(t *testing.T) {
	for n := maxExact + 1; n <= 200; n += n / 25 {
		ranks := make([]int, n)
		for i := range ranks {
			ranks[i] = i + 1
		}
		cum := cumulative(ranks, n*(n+1)/2)
		check := func(conf, atLeast float64) {
			k := rejected(n, 1-conf)
			if coverage := 1 - math.Ldexp(cum[k-1], 1-n); coverage < atLeast {
				t.Errorf("n = %d, conf = %v: coverage %v", n, conf, coverage)
			}
		}
		check(0.8, 0.7965)
		check(0.9, 0.899)
		check(0.95, 0.95)
		check(0.99, 0.99)
		check(0.998, 0.998)
	}
}

// The interval leaves out 0 exactly when the test rejects 0.
func TestDuality(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	outcomes := map[bool]int{}
	for i := range 2000 {
		n := 1 + i%60
		d := noise(rng, n)
		shift := rng.Float64() * 3 / math.Sqrt(float64(n))
		for i := range d {
			d[i] += shift
		}
		for _, conf := range []float64{0.5, 0.9, 0.95, 1 - 2./64, 0.99} {
			p := SignedRank(d)
			_, ci := HodgesLehmann(d, conf)
			rejects, excludes := p <= 1-conf, ci.Lo > 0 || ci.Hi < 0
			if rejects != excludes {
				t.Errorf("n = %d, conf = %v: p = %v, interval [%v, %v]", n, conf, p, ci.Lo, ci.Hi)
			}
			outcomes[rejects]++
		}
	}
	if outcomes[true] < 1000 || outcomes[false] < 1000 {
		t.Errorf("one-sided simulation: %v", outcomes)
	}
}

// A new order changes nothing; a change of sign reflects the result.
func TestHodgesLehmannInvariant(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, test := range signedRankTable {
		d := slices.Clone(test.d)
		est, ci := HodgesLehmann(d, 0.9)
		rng.Shuffle(len(d), func(i, j int) { d[i], d[j] = d[j], d[i] })
		for i := range d {
			d[i] = -d[i]
		}
		gotEst, got := HodgesLehmann(d, 0.9)
		if !near(-gotEst, est) || (got != Interval{-ci.Hi, -ci.Lo}) {
			t.Errorf("%s: %v in %v, reflected %v in %v", test.name, est, ci, gotEst, got)
		}
	}
}

func TestMedian(t *testing.T) {
	check := func(want float64, x ...float64) {
		t.Helper()
		if got := Median(x); !near(got, want) {
			t.Errorf("Median(%v) = %v, want %v", x, got, want)
		}
	}
	check(math.NaN())
	check(3, 3)
	check(2.5, 4, 1)
	check(2, 3, 1, 2)
	check(2.5, 4, 1, 3, 2)
	check(1.5e308, 1.5e308, 1.5e308)
}
