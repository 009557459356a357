package render

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// A csvColumn is a column of a table for programs.
type csvColumn[T any] struct {
	title string
	text  func(line T) string
}

func writeCSV[T any](w io.Writer, columns []csvColumn[T], lines []T) error {
	out := csv.NewWriter(w)
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.title
	}
	out.Write(cells)
	for _, line := range lines {
		for i, c := range columns {
			cells[i] = c.text(line)
		}
		out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// exact writes a number with all its digits.
func exact(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// CSV writes one row per benchmark, cell and metric. Cells without a
// comparison (baselines, and metrics that cannot be compared) have the median
// only. Values are in base units: seconds, bytes. No name is cut, and none is a formula
// to a spreadsheet.
func CSV(w io.Writer, r *verdict.Report) error {
	r = tabular(r)
	var lines []result
	for i, v := range r.Values {
		lines = append(lines, result{r, v.Row, v.Cell, v.Metric, &r.Values[i], find(r, v.Row, v.Cell, v.Metric)})
	}
	for i, x := range r.Comparisons {
		if x.Row == verdict.Geomean {
			lines = append(lines, result{r, x.Row, x.Cell, x.Metric, nil, &r.Comparisons[i]})
		}
	}
	return writeCSV(w, resultColumns, lines)
}

// A result refers to a row, or the geometric mean, in a cell and a metric.
type result struct {
	r                 *verdict.Report
	row, cell, metric int
	v                 *verdict.Value      // nil for the mean
	x                 *verdict.Comparison // nil for none
}

var resultColumns = []csvColumn[result]{
	{"package", func(l result) string { return csvPackage(l.r, l.row) }},
	{"benchmark", func(l result) string { return csvName(l.r, l.row) }},
	{"mode", func(l result) string { return l.r.Cells[l.cell].Name }},
	{"baseline", func(l result) string {
		return l.compared(func(x *verdict.Comparison) string { return l.r.Cells[x.Ref].Name })
	}},
	{"metric", func(l result) string { return l.r.Metrics[l.metric].Name }},
	{"unit", func(l result) string { return l.r.Metrics[l.metric].Unit }},
	{"median", func(l result) string { return csvMedian(l.v) }},
	{"baseline median", func(l result) string {
		return l.compared(func(x *verdict.Comparison) string { return csvMedian(value(l.r, x.Row, x.Ref, l.metric)) })
	}},
	{"ratio", func(l result) string {
		return l.compared(func(x *verdict.Comparison) string { return exact(x.Ratio) })
	}},
	{"low", func(l result) string { return l.bounded(func(x *verdict.Comparison) float64 { return x.Lo }) }},
	{"high", func(l result) string { return l.bounded(func(x *verdict.Comparison) float64 { return x.Hi }) }},
	{"p", func(l result) string { return l.bounded(func(x *verdict.Comparison) float64 { return x.P }) }},
	{"p holm", func(l result) string { return l.bounded(func(x *verdict.Comparison) float64 { return x.Adjusted }) }},
	{"noise floor", func(l result) string { return l.bounded(func(x *verdict.Comparison) float64 { return x.Floor }) }},
	{"verdict", func(l result) string {
		return l.compared(func(x *verdict.Comparison) string { return string(x.Word) })
	}},
	{"rounds", result.rounds},
	{"rounds needed", func(l result) string {
		return l.compared(func(x *verdict.Comparison) string {
			if x.Machines > 0 {
				return ""
			}
			return positive(x.Need)
		})
	}},
	{"machines", func(l result) string {
		return l.compared(func(x *verdict.Comparison) string { return positive(x.Machines) })
	}},
	{"machines needed", func(l result) string {
		return l.compared(func(x *verdict.Comparison) string {
			if x.Machines == 0 {
				return ""
			}
			return positive(x.Need)
		})
	}},
	{"expected low", func(l result) string {
		return l.predicted(func(x *verdict.Comparison) float64 { return x.ExpectLo })
	}},
	{"expected high", func(l result) string {
		return l.predicted(func(x *verdict.Comparison) float64 { return x.ExpectHi })
	}},
	{"I2", func(l result) string { return l.predicted(func(x *verdict.Comparison) float64 { return x.I2 }) }},
	{"tool", func(l result) string { return l.r.Tool }},
}

// predicted is a number of a comparison that has an interval for another machine; "" for others.
func (l result) predicted(number func(*verdict.Comparison) float64) string {
	if l.x == nil || !l.x.Predicted {
		return ""
	}
	return exact(number(l.x))
}

// positive is a number above 0; "" for others.
func positive(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// compared is a text of the comparison; "" if there is none.
func (l result) compared(text func(*verdict.Comparison) string) string {
	if l.x == nil {
		return ""
	}
	return text(l.x)
}

// bounded is a number of a comparison that has an interval; "" for others.
func (l result) bounded(number func(*verdict.Comparison) float64) string {
	if l.x == nil || !l.x.Bounded {
		return ""
	}
	return exact(number(l.x))
}

// rounds returns the number of rounds compared, or else of those measured.
func (l result) rounds() string {
	switch {
	case l.x != nil:
		return strconv.Itoa(l.x.N)
	case l.v != nil:
		return strconv.Itoa(len(l.v.Trials))
	}
	return ""
}

func csvPackage(r *verdict.Report, row int) string {
	if row == verdict.Geomean {
		return ""
	}
	return r.Rows[row].Package
}

func csvName(r *verdict.Report, row int) string {
	if row == verdict.Geomean {
		return "geomean"
	}
	return r.Rows[row].Name
}

func csvMedian(v *verdict.Value) string {
	if v == nil {
		return ""
	}
	return exact(v.Median)
}

// tabular is a report whose names can stand in the cells of a table.
func tabular(r *verdict.Report) *verdict.Report {
	r = visible.All(r, 0)
	for i := range r.Rows {
		r.Rows[i].Package, r.Rows[i].Name = quoted(r.Rows[i].Package), quoted(r.Rows[i].Name)
	}
	for i := range r.Cells {
		r.Cells[i].Name = quoted(r.Cells[i].Name)
	}
	for i := range r.Metrics {
		r.Metrics[i].Name, r.Metrics[i].Unit = quoted(r.Metrics[i].Name), quoted(r.Metrics[i].Unit)
	}
	r.Tool = quoted(r.Tool)
	return r
}

// quoted is a text that no spreadsheet computes: those that begin with a character of
// formulas get the apostrophe that spreadsheets have for that. Tabs and carriage returns
// are visible already. It is for names only; -1.8 is a number where this package wrote it.
func quoted(s string) string {
	if s != "" && strings.IndexByte("=+-@", s[0]) >= 0 {
		return "'" + s
	}
	return s
}
