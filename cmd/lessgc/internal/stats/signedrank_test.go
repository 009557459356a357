package stats

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The numbers in the tables of this package's tests are printed by
// testdata/reference.py. It has runs and tied as well.

// runs returns 1, 2, ..., n, some negative.
func runs(n int) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = float64(i + 1)
		if 7*(i+1)%10 < 3 {
			d[i] = -d[i]
		}
	}
	return d
}

// tied returns n differences among seven values, one of them 0.
func tied(n int) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = float64((i+1)*(i+1)%11 - 3)
	}
	return d
}

// hamilton has the differences after-before of nine depressed patients on the
// Hamilton scale (HWC, table 3.1).
var hamilton = []float64{-0.952, 0.147, -1.022, -0.43, -0.62, -0.59, -0.49, 0.08, -0.01}

var signedRankTable = []struct {
	name string
	d    []float64
	p    float64
}{
	{"empty", nil, 1},
	{"only zeros", []float64{0, 0, math.Copysign(0, -1)}, 1},
	{"one", []float64{3}, 1},
	{"all of one sign", []float64{1, 2, 3, 4, 5, 6}, 2. / 64},

	// wilcoxon(d, method="exact")
	{"runs(5)", runs(5), 0.3125},
	{"runs(6)", runs(6), 0.84375},
	{"runs(10)", runs(10), 0.431640625},
	{"runs(20)", runs(20), 0.17685317993164062},
	{"runs(50)", runs(50), 0.01855822259070905},
	{"hamilton", hamilton, 0.0390625},
	{"zeros", []float64{0, 3, -1, 0, 4, 6, -2, 7, 0}, 0.15625},

	// All 2^n signs, and wilcoxon(d, method=PermutationMethod(n_resamples=inf)) up to tied(15).
	{"tied(6)", tied(6), 0.5},
	{"tied(10)", tied(10), 0.25},
	{"tied(15)", tied(15), 0.27783203125},
	{"tied(20)", tied(20), 0.099700927734375},

	// wilcoxon(d, method="approx", correction=False)
	{"runs(51)", runs(51), 0.012001877496829521},
	{"runs(200)", runs(200), 1.272024791831953e-06},
	{"tied(80)", tied(80), 0.038564261500797524},
	{"tied(300)", tied(300), 8.346603699917466e-05},
}

func TestSignedRank(t *testing.T) {
	for _, test := range signedRankTable {
		tolerance := 0.0 // the exact p is a fraction that a float64 holds
		if len(test.d) > maxExact {
			tolerance = 1e-12 * test.p
		}
		if p := SignedRank(test.d); !(math.Abs(p-test.p) <= tolerance) {
			t.Errorf("%s: p = %v, want %v", test.name, p, test.p)
		}
	}
}

// bruteForce computes the two-sided p by its definition: the share of the 2^n
// signs that put T+ at least as far from its mean.
func bruteForce(d []float64) float64 {
	d = slices.DeleteFunc(slices.Clone(d), func(v float64) bool { return v == 0 })
	rank := make([]float64, len(d))
	mean, observed := 0.0, 0.0
	for i, a := range d {
		rank[i] = 0.5
		for _, b := range d {
			switch {
			case math.Abs(b) < math.Abs(a):
				rank[i]++
			case math.Abs(b) == math.Abs(a):
				rank[i] += 0.5
			}
		}
		mean += rank[i] / 2
		if a > 0 {
			observed += rank[i]
		}
	}
	extreme := 0
	for signs := range 1 << len(d) {
		plus := 0.0
		for i := range rank {
			if signs>>i&1 == 1 {
				plus += rank[i]
			}
		}
		if math.Abs(plus-mean) >= math.Abs(observed-mean) {
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<len(d))
}

func TestSignedRankBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		d := make([]float64, rng.IntN(13))
		values := 1 + rng.IntN(12) // the fewer values, the more ties and zeros
		for i := range d {
			d[i] = float64(rng.IntN(2*values+1)-values) / 8
		}
		if got, want := SignedRank(d), bruteForce(d); got != want {
			t.Errorf("SignedRank(%v) = %v, want %v", d, got, want)
		}
	}
}

// Neither the order nor the direction nor the unit of d matters.
func TestSignedRankInvariant(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, test := range signedRankTable {
		d := slices.Clone(test.d)
		want := SignedRank(d)
		rng.Shuffle(len(d), func(i, j int) { d[i], d[j] = d[j], d[i] })
		for i := range d {
			d[i] *= -4
		}
		if got := SignedRank(d); got != want {
			t.Errorf("%s: p = %v after shuffling and scaling by -4, %v before", test.name, got, want)
		}
	}
}

// With 10 differences the largest p <= 0.05 is 0.0488, the probability of a
// false alarm. Four standard errors of 20000 samples are 0.006.
func TestSignedRankFalseAlarms(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const samples = 20000
	alarms := 0
	for range samples {
		if SignedRank(noise(rng, 10)) <= 0.05 {
			alarms++
		}
	}
	if rate := float64(alarms) / samples; rate < 0.043 || rate > 0.055 {
		t.Errorf("p <= 0.05 in %.2f %% of the samples, want about 4.9 %%", 100*rate)
	}
}

// noise returns n differences of two exponential variables: each is skewed, as
// running times are, and their difference is symmetric about 0.
func noise(rng *rand.Rand, n int) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = rng.ExpFloat64() - rng.ExpFloat64()
	}
	return d
}

func TestInputsUnmodified(t *testing.T) {
	check := func(name string, call func(x []float64)) {
		x := []float64{0.75, 0, 0.25, 1, 0.5, 0.25, 0}
		want := slices.Clone(x)
		call(x)
		if diff := cmp.Diff(want, x); diff != "" {
			t.Errorf("%s changes its input (-before +after):\n%s", name, diff)
		}
	}
	check("SignedRank", func(x []float64) { SignedRank(x) })
	check("HodgesLehmann", func(x []float64) { HodgesLehmann(x, 0.95) })
	check("Median", func(x []float64) { Median(x) })
	check("Holm", func(x []float64) { Holm(x) })
}

func TestPanics(t *testing.T) {
	check := func(want string, call func()) {
		t.Helper()
		defer func() {
			t.Helper()
			if got := recover(); got != want {
				t.Errorf("panic %q, want %q", got, want)
			}
		}()
		call()
	}
	nan, inf := math.NaN(), math.Inf(1)
	check("stats: element 1 of the sample is NaN; samples must be finite", func() { SignedRank([]float64{1, nan}) })
	check("stats: element 0 of the sample is -Inf; samples must be finite", func() { HodgesLehmann([]float64{-inf}, 0.95) })
	check("stats: element 2 of the sample is +Inf; samples must be finite", func() { Median([]float64{1, 2, inf}) })
	check("stats: confidence 95 is not between 0 and 1", func() { HodgesLehmann(nil, 95) })
	check("stats: confidence NaN is not between 0 and 1", func() { HodgesLehmann(nil, nan) })
	check("stats: p[1] = 1.5 is not a probability", func() { Holm([]float64{0, 1.5}) })
	check("stats: p[0] = NaN is not a probability", func() { Holm([]float64{nan}) })
	check("stats: alpha 0 is not between 0 and 1", func() { MinRounds(0, 1) })
	check("stats: alpha 5 is not between 0 and 1", func() { RoundsNeeded(10, 0, Interval{-1, 1}, 0, 5, 1) })
	check("stats: 0 comparisons; there must be at least one", func() { MinRounds(0.05, 0) })
}

// FuzzSignedRank reads d as 16-bit integers, in thousandths, so that mutation
// finds ties and zeros.
func FuzzSignedRank(f *testing.F) {
	for _, test := range signedRankTable {
		var data []byte
		for _, v := range test.d {
			data = binary.LittleEndian.AppendUint16(data, uint16(int16(math.Round(1000*v))))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var d []float64
		for ; len(data) >= 2 && len(d) < 12; data = data[2:] {
			d = append(d, float64(int16(binary.LittleEndian.Uint16(data)))/1000)
		}
		if got, want := SignedRank(d), bruteForce(d); got != want {
			t.Errorf("SignedRank(%v) = %v, want %v", d, got, want)
		}
	})
}
