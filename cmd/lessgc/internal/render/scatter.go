package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"lessgc/cmd/lessgc/internal/verdict"
)

// A scatter is all trials of one benchmark.
type scatter struct {
	Name, Package, Title string
	X, Y                 []svgTick
	Series               []scatterSeries
}

type scatterSeries struct{ Name, Class, Path string }

// Scatters show the leading metric of each benchmark, trial by trial.
func (p *page) Scatters() []scatter {
	m := p.leading()
	var all []scatter
	for row := range p.Rows {
		if s := p.scatter(row, m); len(s.Series) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// leading is the metric that the answers rest on first.
func (p *page) leading() int {
	return max(0, slices.IndexFunc(p.Metrics, func(m verdict.Metric) bool { return m.Decides }))
}

// Leading is its heading, or "" if nothing was measured.
func (p *page) Leading() string {
	if len(p.Metrics) == 0 {
		return ""
	}
	return p.heading(p.leading())
}

// Legend names the series of all scatters. Those of several groups that have
// one name have one colour.
func (p *page) Legend() []scatterSeries {
	var all []scatterSeries
	for _, c := range slices.Concat(p.byGroup()...) {
		if s := (scatterSeries{Name: p.Cells[c].Name, Class: p.series(c)}); p.Cells[c].Err == "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

func (p *page) scatter(row, m int) scatter {
	s := scatter{Name: p.Rows[row].Name, Package: p.packageOf(row)}
	var values []*verdict.Value
	for c := range p.Cells {
		if v := p.values[pageSpot{row, c, m}]; v != nil && len(v.Trials) > 0 {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return s
	}
	first, last, lo, hi := extent(values)
	x := func(round, series int) px {
		aside := 0.5 * ((float64(series)+0.5)/float64(len(values)) - 0.5) // dots of one round stand side by side
		return px(scatterLeft + 8 + (scatterRight-scatterLeft-16)*(float64(round-first)+0.25+aside)/(float64(last-first)+0.5))
	}
	y := func(v float64) px { return px(scatterFoot - (scatterFoot-scatterTop)*(v-lo)/(hi-lo)) }
	for i, v := range values {
		var path strings.Builder
		for j, trial := range v.Trials {
			fmt.Fprintf(&path, "%c%v %v", "ML"[min(j, 1)], x(v.Rounds[j], i), y(trial))
		}
		if len(v.Trials) == 1 {
			path.WriteString("h0")
		}
		s.Series = append(s.Series, scatterSeries{p.Cells[v.Cell].Name, p.series(v.Cell), path.String()})
	}
	for _, round := range roundTicks(first, last) {
		s.X = append(s.X, svgTick{x(round, len(values)/2), strconv.Itoa(round)})
	}
	s.Y = valueTicks(lo, hi, p.Metrics[m].Unit, y)
	return s
}

// extent is the range of rounds and of values, the latter with some air.
func extent(values []*verdict.Value) (first, last int, lo, hi float64) {
	first, lo, hi = math.MaxInt, math.Inf(1), math.Inf(-1)
	for _, v := range values {
		first, last = min(first, slices.Min(v.Rounds)), max(last, slices.Max(v.Rounds))
		lo, hi = min(lo, slices.Min(v.Trials)), max(hi, slices.Max(v.Trials))
	}
	air := cmp.Or((hi-lo)*0.06, math.Abs(hi)*0.05, 1)
	return first, last, lo - air, hi + air
}

// roundTicks are at most ten rounds, evenly spaced.
func roundTicks(first, last int) []int {
	step := 1
	for _, step = range []int{1, 2, 5, 10, 20, 50, 100} {
		if (last-first)/step < 10 {
			break
		}
	}
	var rounds []int
	for round := first; round <= last; round++ {
		if round%step == 0 || round == first && step < 3 {
			rounds = append(rounds, round)
		}
	}
	return rounds
}

// valueTicks are round values between lo and hi, with one prefix for all.
func valueTicks(lo, hi float64, unit string, y func(float64) px) []svgTick {
	step := math.Pow(10, math.Floor(math.Log10(hi-lo)))
	for _, part := range []float64{0.5, 0.4, 0.5} { // a half, a fifth, a tenth
		if (hi-lo)/step < 3 {
			step *= part
		}
	}
	scale := benchunit.CommonScale([]float64{hi}, benchunit.ClassOf(unit))
	digits := max(0, int(math.Ceil(-math.Log10(step/scale.Factor)-1e-9)))
	var ticks []svgTick
	for n := math.Ceil(lo / step); n*step <= hi && len(ticks) < 10; n++ {
		ticks = append(ticks, svgTick{y(n * step), scaled(n*step, scale, digits, unit)})
	}
	return ticks
}
