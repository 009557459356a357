package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMinRounds(t *testing.T) {
	check := func(alpha float64, m, want int) {
		t.Helper()
		if got := MinRounds(alpha, m); got != want {
			t.Errorf("MinRounds(%v, %d) = %d, want %d", alpha, m, got, want)
		}
	}
	check(0.05, 1, 6)
	check(0.05, 8, 9)
	check(0.05, 12, 9)
	check(0.05, 25, 10)
	check(0.05, 26, 11)
	check(0.03125, 1, 6) // 2/2^6
	check(0.03124, 1, 7)
	check(0.999, 1, 2)
}

// MinRounds differences of one sign are enough, and one fewer is not.
func TestMinRoundsReached(t *testing.T) {
	for m := 1; m <= 100; m++ {
		n := MinRounds(0.05, m)
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(i + 1)
		}
		if p := SignedRank(d); p > 0.05/float64(m) {
			t.Errorf("m = %d: p = %v with %d rounds", m, p, n)
		}
		if p := SignedRank(d[1:]); p <= 0.05/float64(m) {
			t.Errorf("m = %d: p = %v with %d rounds", m, p, n-1)
		}
	}
}

func TestRoundsNeeded(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	check := func(n int, est, lo, hi, margin float64, m, want int) {
		t.Helper()
		if got := RoundsNeeded(n, est, Interval{lo, hi}, margin, 0.05, m); got != want {
			t.Errorf("RoundsNeeded(%d, %v, [%v, %v], %v, 0.05, %d) = %d, want %d", n, est, lo, hi, margin, m, got, want)
		}
	}
	// A difference: 31.48, 55.11, 31.48 and 256.99 before rounding up.
	check(10, 0.05, -0.02, 0.12, 0.01, 1, 32)
	check(10, 0.05, -0.02, 0.12, 0.01, 12, 56)
	check(10, -0.05, -0.12, 0.02, 0.01, 1, 32)
	check(10, 0.01, -0.03, 0.05, 0.01, 1, 257) // |est| = margin
	// The same: 42.76, 136.76 and 36.14; m does not count here.
	check(10, 0.001, -0.03, 0.032, 0.02, 1, 43)
	check(20, 0.009, -0.012, 0.03, 0.02, 8, 137)
	check(10, 0, -0.03, 0.03, 0.02, 1, 37)
	// The floors.
	check(10, 0.05, 0.049, 0.051, 0.01, 1, 11)
	check(6, 0.05, 0.05, 0.05, 0, 26, 11)
	check(6, 0, 0, 0, 0.01, 1, 7)
	// No useful number.
	check(10, 0.001, -0.3, 0.302, 0.01, 1, 0)
	check(10, 0, -0.03, 0.03, 0, 1, 0)
	check(1000, 0.05, 0.04, 0.06, 0.01, 1, 0)
	check(5, 0.05, -inf, inf, 0.01, 1, 0)
	check(10, inf, -0.02, 0.12, 0.01, 1, 0)
	check(10, 0.05, -0.02, 0.12, inf, 1, 0)
	check(10, 0.05, -0.02, inf, 0.01, 1, 0)
	check(10, nan, nan, nan, nan, 1, 0)
	check(1, 0.05, 0.04, 0.06, 0.01, 1, 0)
	check(0, nan, -inf, inf, 0.01, 1, 0)
}

// The plan keeps its promise for normal differences: with the rounds it asks
// for, the test is significant in about 80 % of the samples. This is 92 rounds
// for one comparison and 160 for twelve; see the note in plan.go on fewer.
func TestRoundsNeededPower(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	const samples = 2000
	for _, m := range []int{1, 12} {
		const sd, est = 1, 0.3
		h := t975(9) * sd / math.Sqrt(10)
		n := RoundsNeeded(10, est, Interval{est - h, est + h}, 0, 0.05, m)
		clear := 0
		for range samples {
			d := make([]float64, n)
			for i := range d {
				d[i] = est + sd*rng.NormFloat64()
			}
			if SignedRank(d) <= 0.05/float64(m) {
				clear++
			}
		}
		if rate := float64(clear) / samples; rate < 0.75 || rate > 0.85 {
			t.Errorf("m = %d: clear in %.1f %% of the samples with %d rounds", m, 100*rate, n)
		}
	}
}

// The wanted values are t.ppf(0.975, nu) of scipy.
func TestT975(t *testing.T) {
	check := func(nu, want float64) {
		t.Helper()
		if got := t975(nu); math.Abs(got/want-1) > 1.2e-4 {
			t.Errorf("t975(%v) = %v, want %v", nu, got, want)
		}
	}
	check(5, 2.5705818356363146)
	check(6, 2.4469118511449786)
	check(9, 2.262157162798205)
	check(19, 2.0930240544083087)
	check(99, 1.9842169515864174)
}
