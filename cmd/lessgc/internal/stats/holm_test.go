package stats

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The wanted values are multipletests(p, method="holm") of statsmodels, but for
// the empty ones and the zeros and ones.
func TestHolm(t *testing.T) {
	check := func(p, want []float64) {
		t.Helper()
		if diff := cmp.Diff(want, Holm(p), cmp.Comparer(near)); diff != "" {
			t.Errorf("Holm(%v) (-want +got):\n%s", p, diff)
		}
	}
	check(nil, []float64{})
	check([]float64{}, []float64{})
	check([]float64{0.05}, []float64{0.05})
	check([]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02})
	check([]float64{0.5, 0.001, 0.02, 0.02, 0.9, 0.3}, []float64{1, 0.006, 0.1, 0.1, 1, 0.9})
	check([]float64{0.01, 0.01, 0.01}, []float64{0.03, 0.03, 0.03})
	check([]float64{1, 0, 1}, []float64{1, 0, 1})
}

// Rejecting adjusted values at alpha is Holm's procedure in its own words: from
// the smallest p up, reject while p <= alpha/(number of tests left).
func TestHolmProcedure(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	const alpha = 0.0625
	for range 1000 {
		p := make([]float64, rng.IntN(10))
		for i := range p {
			p[i] = rng.Float64() * rng.Float64() / 10
		}
		sorted := slices.Sorted(slices.Values(p))
		step := 0
		for step < len(p) && sorted[step] <= alpha/float64(len(p)-step) {
			step++
		}
		for i, adjusted := range Holm(p) {
			want := slices.Index(sorted, p[i]) < step
			if got := adjusted <= alpha; got != want {
				t.Errorf("Holm(%v)[%d] = %v, rejected by the procedure: %v", p, i, adjusted, want)
			}
		}
	}
}
