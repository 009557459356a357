package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/verdict"
)

// table writes one metric of one group: a line per benchmark and a column per
// cell, or, if that is too wide, a line per benchmark and cell.
func (t Text) table(b *strings.Builder, r *verdict.Report, m int, cells []int) {
	metric := r.Metrics[m]
	lines := [][]string{t.header(r, m, cells)}
	for _, row := range rowsAndGeomean(r) {
		if line := t.row(r, row, m, cells); line != nil {
			lines = append(lines, line)
		}
	}
	if tableWidth(lines) > t.Width {
		lines = t.long(r, m, cells)
	}
	fmt.Fprintf(b, "%s%s\n", t.bold(heading(r, metric)+against(r, cells)), t.explain(metric))
	align(b, lines)
	b.WriteByte('\n')
}

func rowsAndGeomean(r *verdict.Report) []int {
	var rows []int
	for row := range r.Rows {
		rows = append(rows, row)
	}
	return append(rows, verdict.Geomean)
}

// long is the table with a line per benchmark and cell.
func (t Text) long(r *verdict.Report, m int, cells []int) [][]string {
	header := t.header(r, m, cells)[:2]
	lines := [][]string{{"", "verdict", "against " + header[1], "95 % interval", "median"}}
	if r.Metrics[m].Exact {
		lines[0] = []string{"", "verdict", "against " + header[1], "median"}
	}
	for _, row := range rowsAndGeomean(r) {
		line := t.row(r, row, m, cells)
		if line == nil {
			continue
		}
		first := []string{line[0], "", "", line[1]}
		if !r.Metrics[m].Exact {
			first = []string{line[0], t.dim("A/A noise"), line[2], "", line[1]}
		}
		lines = append(lines, first)
		for _, c := range cells {
			if x := find(r, row, c, m); x != nil {
				lines = append(lines, slices.Concat([]string{"  " + r.Cells[c].Name}, t.parts(r, x), []string{t.measured(r, x)}))
			}
		}
	}
	return lines
}

// measured is the median of a comparison's cell.
func (t Text) measured(r *verdict.Report, x *verdict.Comparison) string {
	if v := value(r, x.Row, x.Cell, x.Metric); v != nil {
		return Number(v.Median, r.Metrics[x.Metric].Unit)
	}
	return ""
}

func heading(r *verdict.Report, m verdict.Metric) string {
	switch {
	case !strings.HasSuffix(m.Unit, "/op"):
		return m.Title
	case r.Load:
		return m.Title + " per request"
	}
	return m.Title + " per op"
}

func (t Text) explain(m verdict.Metric) string {
	switch {
	case m.Exact:
		return t.dim("  counted, compared exactly")
	case m.Name == "cpu":
		return t.dim("  the deciding figure")
	}
	return ""
}

// compared lists the cells that have a comparison in metric m, by group.
func compared(r *verdict.Report, m int) [][]int {
	var groups [][]int
	for c, cell := range r.Cells {
		if !cell.Compared() || !slices.ContainsFunc(r.Comparisons, func(x verdict.Comparison) bool { return x.Cell == c && x.Metric == m }) {
			continue
		}
		if last := len(groups) - 1; last >= 0 && r.Cells[groups[last][0]].Group == cell.Group {
			groups[last] = append(groups[last], c)
		} else {
			groups = append(groups, []int{c})
		}
	}
	return groups
}

// against names the group of cells in a heading, if there are several groups.
func against(r *verdict.Report, cells []int) string {
	if group := r.Cells[cells[0]].Group; group != "" {
		return ", against " + group
	}
	return ""
}

// header names the baseline, its floor and the cells.
func (t Text) header(r *verdict.Report, m int, cells []int) []string {
	line := []string{""}
	if ref, one := commonRef(r, cells); one {
		line = append(line, r.Cells[ref].Name)
	} else {
		line = append(line, "baseline")
	}
	if !r.Metrics[m].Exact {
		line = append(line, "A/A noise")
	}
	for _, c := range cells {
		line = append(line, r.Cells[c].Name)
	}
	return line
}

// commonRef is the cell that all the others are compared with, if it is one.
func commonRef(r *verdict.Report, cells []int) (ref int, one bool) {
	ref = r.Cells[cells[0]].Ref
	for _, c := range cells {
		if r.Cells[c].Ref != ref {
			return ref, false
		}
	}
	return ref, true
}

// row writes one benchmark, or the geometric mean; nil if nothing is compared
// in it.
func (t Text) row(r *verdict.Report, row, m int, cells []int) []string {
	name, base, floor := "geometric mean", "", ""
	var line []string
	any := false
	for _, c := range cells {
		x := find(r, row, c, m)
		if x == nil {
			line = append(line, "–")
			continue
		}
		any = true
		if floor == "" && x.Floor > 0 {
			floor = fmt.Sprintf("±%.1f %%", 100*x.Floor)
		}
		if v := value(r, row, x.Ref, m); v != nil && base == "" {
			base = Number(v.Median, r.Metrics[m].Unit)
		}
		line = append(line, t.change(r, x))
	}
	if !any {
		return nil
	}
	if row != verdict.Geomean {
		name = r.Rows[row].Name
	}
	if !r.Metrics[m].Exact {
		line = slices.Insert(line, 0, floor)
	}
	return append([]string{name, base}, line...)
}

// change is one comparison in words.
func (t Text) change(r *verdict.Report, x *verdict.Comparison) string {
	parts := slices.DeleteFunc(t.parts(r, x), func(s string) bool { return s == "" })
	if r.Metrics[x.Metric].Exact && x.Ratio != 1 {
		parts = append(parts, "("+t.measured(r, x)+")")
	}
	return strings.Join(parts, " ")
}

// parts are the verdict, the change, and its interval if the metric can have one.
func (t Text) parts(r *verdict.Report, x *verdict.Comparison) []string {
	word, need := t.word(x.Word), ""
	if x.Withheld != "" {
		word += " (wall time disagrees)"
	}
	if n := needs(x); n != "" {
		need = " (needs " + n + ")"
	} else if of := byClass(r, x); of != "" {
		need = " (" + of + ")"
	}
	switch {
	case r.Metrics[x.Metric].Exact && x.Ratio == 1:
		return []string{word, ""}
	case r.Metrics[x.Metric].Exact:
		return []string{word, verdict.Percent(x.Ratio)}
	case !x.Bounded:
		return []string{word, verdict.Percent(x.Ratio), ""}
	}
	return []string{word, verdict.Percent(x.Ratio), "[" + verdict.Range(x.Lo, x.Hi) + "]" + need}
}

// find returns a comparison, or nil.
func find(r *verdict.Report, row, cell, m int) *verdict.Comparison {
	i := slices.IndexFunc(r.Comparisons, func(x verdict.Comparison) bool { return x.Row == row && x.Cell == cell && x.Metric == m })
	if i < 0 {
		return nil
	}
	return &r.Comparisons[i]
}

// value returns what was measured, or nil.
func value(r *verdict.Report, row, cell, m int) *verdict.Value {
	i := slices.IndexFunc(r.Values, func(v verdict.Value) bool { return v.Row == row && v.Cell == cell && v.Metric == m })
	if i < 0 {
		return nil
	}
	return &r.Values[i]
}

// widest is the most columns that a cell of a table takes.
const widest = 200

// align writes lines in columns, all flush left: they hold words, cut where a column
// would be wider than any terminal.
func align(b *strings.Builder, lines [][]string) {
	for i, line := range lines {
		lines[i] = make([]string, len(line))
		for j, s := range line {
			lines[i][j] = clip(s, widest)
		}
	}
	widths := columnWidths(lines)
	for _, line := range lines {
		var out strings.Builder
		for i, s := range line {
			out.WriteString("  " + s + strings.Repeat(" ", widths[i]-width(s)))
		}
		b.WriteString(strings.TrimRight(out.String(), " ") + "\n")
	}
}

func columnWidths(lines [][]string) []int {
	var widths []int
	for _, line := range lines {
		for i, s := range line {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(s))
		}
	}
	return widths
}

// tableWidth returns the width of the lines that align makes, in characters.
func tableWidth(lines [][]string) int {
	total := 0
	for _, w := range columnWidths(lines) {
		total += w + 2
	}
	return total
}

// width counts the columns of s, colours left out.
func width(s string) int {
	n := 0
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return n + utf8.RuneCountInString(s)
		}
		n += utf8.RuneCountInString(s[:i])
		end := strings.IndexByte(s[i:], 'm')
		if end < 0 {
			return n
		}
		s = s[i+end+1:]
	}
}
