package render

import (
	"fmt"
	"io"
	"math"
	"strings"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"

	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// Summary writes every cell against its baseline in benchstat's columns:
// median and its confidence interval on both sides by benchstat's own rules,
// and then what benchstat does not have, the paired estimate with its interval
// and p-value.
func Summary(w io.Writer, r *verdict.Report) error {
	r = visible.All(r, visible.Terminal)
	var b strings.Builder
	for c, cell := range r.Cells {
		if !cell.Compared() && !(cell.AA && cell.Ref >= 0) {
			continue
		}
		for m, metric := range r.Metrics {
			lines := summaryLines(r, c, m)
			if len(lines) == 0 {
				continue
			}
			fmt.Fprintf(&b, "%s against %s, %s (%s)\n", cell.Name, r.Cells[cell.Ref].Name, metric.Title, metric.Unit)
			align(&b, append([][]string{{"", r.Cells[cell.Ref].Name, cell.Name, "paired change", "95 % interval", "p (Holm)", "verdict"}}, lines...))
			b.WriteByte('\n')
		}
	}
	if r.Tool != "" {
		fmt.Fprintf(&b, "Made by %s.\n", r.Tool)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func summaryLines(r *verdict.Report, c, m int) [][]string {
	var lines [][]string
	for row := range r.Rows {
		x, v := find(r, row, c, m), value(r, row, c, m)
		if x == nil || v == nil {
			continue
		}
		unit := r.Metrics[m].Unit
		lines = append(lines, append([]string{r.Rows[row].Name, center(value(r, row, x.Ref, m), unit), center(v, unit)}, summaryChange(x)...))
	}
	if x := find(r, verdict.Geomean, c, m); x != nil {
		lines = append(lines, append([]string{"geometric mean", "", ""}, summaryChange(x)...))
	}
	return lines
}

func summaryChange(x *verdict.Comparison) []string {
	if !x.Bounded {
		return []string{verdict.Percent(x.Ratio), "", "", string(x.Word)}
	}
	return []string{verdict.Percent(x.Ratio), verdict.Range(x.Lo, x.Hi), fmt.Sprintf("p=%.3f (%.3f) n=%d", x.P, x.Adjusted, x.N), string(x.Word)}
}

// center is benchstat's "412.0n ± 2%".
func center(v *verdict.Value, unit string) string {
	thresholds := benchmath.DefaultThresholds
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(append([]float64(nil), v.Trials...), &thresholds), 0.95)
	spread := s.PctRangeString()
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		spread = "∞"
	}
	return benchunit.Scale(s.Center, benchunit.ClassOf(unit)) + " ± " + spread
}
