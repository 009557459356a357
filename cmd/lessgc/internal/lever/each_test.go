package lever

import (
	"testing"

	"lessgc/cmd/lessgc/internal/site"
)

// TestEach checks by which operations the objects of a line are divided: those of the benchmark that the site is of, if that
// is known, and not those of other sub-benchmarks of its function.
func TestEach(t *testing.T) {
	of := map[string]int64{"x.BenchmarkA": 1000}
	for name, c := range map[string]struct {
		program Program
		site    site.Site
		want    float64
	}{
		"one benchmark":              {Program{Ops: 10}, site.Site{Objects: 30}, 3},
		"one of several":             {Program{OpsOf: of}, site.Site{Objects: 30, Ops: 10, Benchmarks: map[string]int64{"x.BenchmarkA": 30}}, 3},
		"several, by their function": {Program{OpsOf: of}, site.Site{Objects: 3000, Benchmarks: map[string]int64{"x_test.BenchmarkA": 3000}}, 3},
		"not known":                  {Program{}, site.Site{Objects: 30, Benchmarks: map[string]int64{"x.BenchmarkA": 30}}, 0},
	} {
		p := &Line{Program: &c.program, site: &c.site}
		if got := p.each(); got != c.want {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}
