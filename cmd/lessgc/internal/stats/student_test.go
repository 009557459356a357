package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestStudent(t *testing.T) {
	check := func(name string, d []float64, want float64) {
		t.Helper()
		if got := Student(d); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: p = %v, want %v", name, got, want)
		}
	}
	// By the closed forms for 1, 2 and 3 degrees of freedom.
	check("two", []float64{1, 3}, 1-2/math.Pi*math.Atan(2))
	check("three", []float64{1, 2, 3}, 1-math.Sqrt(12)/math.Sqrt(2+12))
	v := 2.5 * math.Sqrt(12.0/5)
	check("four", []float64{1, 2, 3, 4}, 1-2/math.Pi*(math.Atan(v/math.Sqrt(3))+v/math.Sqrt(3)/(1+v*v/3)))
	check("none", nil, 1)
	check("one", []float64{5}, 1)
	check("zeros", []float64{0, 0, 0}, 1)
	check("equal", []float64{2, 2, 2}, 0)
	check("symmetric", []float64{-1, 1, -2, 2}, 1)
}

// What the doc comment of Student says of distributions that are not normal.
func TestStudentLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	const samples, level = 40_000, 0.001
	noises := map[string]func() float64{
		"normal":  rng.NormFloat64,
		"heavy":   func() float64 { return rng.ExpFloat64() - rng.ExpFloat64() },
		"uniform": func() float64 { return rng.Float64() - 0.5 },
	}
	check := func(name string, n int, most float64) {
		t.Helper()
		called := 0
		d := make([]float64, n)
		for range samples {
			for i := range d {
				d[i] = noises[name]()
			}
			if Student(d) <= level {
				called++
			}
		}
		if rate := float64(called) / samples / level; rate > most {
			t.Errorf("%s, n = %d: called %.1f times as often as it should be", name, n, rate)
		}
	}
	check("normal", 8, 1.6)
	check("heavy", 8, 1)
	check("uniform", 6, 5)
	check("uniform", 14, 4)
}
