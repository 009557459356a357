package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"lessgc/internal/longtest"
)

// agrees reports whether two numbers agree to eight digits.
func agrees(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-8*max(math.Abs(a), math.Abs(b), 1e-3)
}

// TestRandomEffects compares with figures of statsmodels 0.14 (combine_effects with method_re="iterated", which is
// Paule and Mandel's, and WLS with HC2 errors) and of SciPy, where the average of Expected is over 2000 variances and
// 400 errors. The first groups are the 13 trials of the BCG vaccine (Colditz and others 1994), log risk ratios and
// variances.
func TestRandomEffects(t *testing.T) {
	for _, c := range []struct {
		name   string
		y, v   []float64
		tau2   float64
		est    float64
		se     float64
		lo, hi float64
		p      float64
		expLo  float64
		expHi  float64
	}{
		{"vaccine", []float64{-0.8893, -1.5854, -1.3481, -1.4416, -0.2175, -0.7861, -1.6209, 0.0120, -0.4694, -1.3713, -0.3394, 0.4459, -0.0173},
			[]float64{0.3256, 0.1946, 0.4154, 0.0200, 0.0512, 0.0069, 0.2230, 0.0040, 0.0564, 0.0730, 0.0124, 0.5325, 0.0714},
			0.31808243987504614, -0.7149703054401031, 0.17973069166583208, -1.106569842326583, -0.32337076855362357, 0.0018328503259890535,
			-2.0589633428176426, 0.629022731937436},
		{"no variance between", []float64{0.030, 0.028, 0.033, 0.031}, []float64{1e-4, 1.44e-4, 0.81e-4, 1e-4},
			0, 0.03084367635506677, 0.001019932037448679, 0.027597797410847735, 0.0340895552992858, 7.942899428191879e-05,
			0.027417229587540674, 0.03427012312259286},
		{"two", []float64{0.05, -0.02}, []float64{1e-4, 4e-4}, 0.0022, 0.017142857142857144, 0.03493434074467853,
			-0.4267400286823178, 0.46102574296803206, 0.7095783511658998, math.Inf(-1), math.Inf(1)},
	} {
		var groups []Group
		for i, y := range c.y {
			groups = append(groups, Group{y, math.Sqrt(c.v[i]), 0})
		}
		s := RandomEffects(groups)
		got := []float64{s.Between * s.Between, s.Estimate, s.Error, s.Interval.Lo, s.Interval.Hi, s.P}
		want := []float64{c.tau2, c.est, c.se, c.lo, c.hi, c.p}
		for i := range got {
			if !agrees(got[i], want[i]) {
				t.Errorf("%s: figure %d is %v, want %v", c.name, i, got[i], want[i])
			}
		}
		if half, exact := s.Expected.Hi-s.Estimate, c.expHi-c.est; math.Abs(half-exact) > 0.06*exact && !math.IsInf(exact, 0) || math.IsInf(half, 0) != math.IsInf(exact, 0) {
			t.Errorf("%s: a further group within %v, want %v", c.name, half, exact)
		}
	}
	if s := RandomEffects([]Group{{0.1, 0.02, 0}}); s.Estimate != 0.1 || s.P != 1 || !math.IsInf(s.Interval.Hi, 1) || s.I2 != 0 {
		t.Errorf("one group: %+v", s)
	}
}

// TestShare checks I2 against its definition where all errors are the same.
func TestShare(t *testing.T) {
	groups := []Group{{0.1, 0.01, 0}, {0.2, 0.01, 0}, {0.3, 0.01, 0}, {0.15, 0.01, 0}}
	s := RandomEffects(groups)
	if want := s.Between * s.Between / (s.Between*s.Between + 1e-4); !agrees(s.I2, want) || s.I2 < 0.9 {
		t.Errorf("I2 is %v, want %v", s.I2, want)
	}
}

// TestQuantile compares with SciPy's.
func TestQuantile(t *testing.T) {
	for nu, want := range map[float64]float64{1: 12.706204736432095, 2: 4.302652729911275, 3: 3.182446305284263, 7: 2.3646242510102993, 49: 2.009575234489209} {
		if got := tQuantile(0.975, nu, fine); !agrees(got, want) {
			t.Errorf("%v degrees of freedom: %v, want %v", nu, got, want)
		}
	}
}

// TestSubgroups checks that classes with different means have them, and that two groups of a class
// tell something because another class tells how much groups differ.
func TestSubgroups(t *testing.T) {
	classes := [][]Group{
		{{-0.10, 0.01, 0}, {-0.12, 0.01, 0}},
		{{0.05, 0.01, 0}, {0.07, 0.01, 0}, {0.06, 0.02, 0}, {0.05, 0.02, 0}},
	}
	s := Subgroups(classes)
	if s[0].Interval.Hi > -0.07 || s[1].Interval.Lo < 0.03 || s[0].P > 0.01 || s[1].P > 0.01 {
		t.Errorf("%+v", s)
	}
	for _, c := range Subgroups([][]Group{{{1, 1, 0}}, {{2, 1, 0}}}) {
		if c.P != 1 || !math.IsInf(c.Interval.Lo, -1) {
			t.Errorf("one group a class: %+v", c)
		}
	}
}

// TestHostileGroups checks that extremes give numbers, and that what cannot be panics.
func TestHostileGroups(t *testing.T) {
	for _, groups := range [][]Group{
		{{0, 0, 0}, {0, 1e-300, 0}},
		{{0, 0, 10}, {0, 0, 10}, {0, 0, 1}},
		{{1, 0, 1}, {2, 0, 1}, {3, 0, 1}},
		{{1e100, 1e-9, 0}, {-1e100, 1e-9, 0}, {0, 1, 0}},
		{{1, 1e-12, 8}, {1, 1e12, 2}},
	} {
		s := RandomEffects(groups)
		for _, x := range []float64{s.Estimate, s.Between, s.I2, s.P} {
			if math.IsNaN(x) {
				t.Errorf("%v: %+v", groups, s)
			}
		}
	}
	for _, groups := range [][]Group{nil, {{math.NaN(), 1, 0}}, {{1, -1, 0}}, {{1, 1, -1}}, {{1, math.Inf(1), 0}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: no panic", groups)
				}
			}()
			RandomEffects(groups)
		}()
	}
}

// TestMachineCoverage checks that the interval of 95 % holds the truth in about as many cases, with errors that are
// estimates from few rounds with outliers, with and without variance between machines, of which some are much
// noisier.
func TestMachineCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	const rounds = 8
	samples := 1000
	if longtest.Wanted() {
		samples = 4000
	}
	for _, machines := range []int{3, 8, 50} {
		for _, between := range []float64{0, 0.005, 0.02} {
			held := 0
			for range samples {
				var groups []Group
				for m := range machines {
					noise := 0.02 * float64(1+m%3)
					centre := between * rng.NormFloat64()
					d := make([]float64, rounds)
					for i := range d {
						if d[i] = centre + noise*rng.NormFloat64(); rng.Float64() < 0.05 {
							d[i] += 5 * noise * rng.NormFloat64()
						}
					}
					est, ci := HodgesLehmann(d, 0.95)
					groups = append(groups, Group{est, (ci.Hi - ci.Lo) / 2 / t975(rounds-1), rounds})
				}
				if s := RandomEffects(groups); s.Interval.Lo <= 0 && s.Interval.Hi >= 0 {
					held++
				}
			}
			if share := float64(held) / float64(samples); share < 0.92 || share > 0.975 {
				t.Errorf("%d machines, %v between them: the interval holds the truth in %.3f", machines, between, share)
			} else {
				t.Logf("%d machines, %v between them: %.3f", machines, between, share)
			}
		}
	}
}
