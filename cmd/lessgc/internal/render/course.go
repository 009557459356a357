package render

import (
	"fmt"
	"io"
	"math"
	"strings"

	"lessgc/cmd/lessgc/internal/history"
	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// CourseJSON writes the course of a history, with all names as they are.
func CourseJSON(w io.Writer, c *history.Course) error { return indented(w, c) }

// Bounds of what is drawn for people; JSON has all.
const (
	textRuns  = 12 // of each row
	sparkRuns = 60
)

// Course writes the course of a history: the runs, and for each metric and cell its rows, with
// a bar of each run and the interval of each of the last ones. The newest is the last.
func (t Text) Course(w io.Writer, c *history.Course) error {
	if t.Width == 0 {
		t.Width = 100
	}
	c = visible.All(c, visible.Terminal)
	var b strings.Builder
	first := max(0, len(c.Runs)-textRuns)
	fmt.Fprintf(&b, "%s%s\n", t.bold(plural(len(c.Runs), "run")), t.dim("  the newest last"))
	if first > 0 {
		fmt.Fprintf(&b, "  %s; -html and -json have more of them\n", plural(first, "earlier run"))
	}
	var lines [][]string
	for i, s := range c.Runs[first:] {
		lines = append(lines, []string{fmt.Sprint(first + i + 1), s.Time.Format("2006-01-02 15:04"), orNone(shortCommit(s.Commit)), "against " + orNone(shortCommit(s.Base)), plural(s.Rounds, "round"), machines(s)})
		if s.Base == "" {
			lines[len(lines)-1][3] = ""
		}
	}
	align(&b, lines)
	b.WriteByte('\n')
	for _, table := range c.Tables {
		fmt.Fprintf(&b, "%s%s\n", t.bold(courseHeading(table)), t.dim("  each run against its own baseline; each row has its own scale"))
		for _, row := range table.Rows {
			t.courseRow(&b, c, table, row)
		}
	}
	for _, n := range c.Notes {
		t.wrap(&b, "note: ", "  ", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// courseRow writes a row: its name, a bar for each run, and a line for each of the last runs.
func (t Text) courseRow(b *strings.Builder, c *history.Course, table history.Table, row history.Row) {
	strip := min(41, max(15, t.Width-66)) | 1
	axis := courseAxis(row, sparkRuns)
	axis.from, axis.to = 0, float64(strip-1)
	fmt.Fprintf(b, "  %s  %s\n", rowName(row), courseBars(row.Points[max(0, len(row.Points)-sparkRuns):], axis))
	var lines [][]string
	for i := max(0, len(c.Runs)-textRuns); i < len(c.Runs); i++ {
		p, name := row.Points[i], orNone(shortCommit(c.Runs[i].Commit))
		if p == nil {
			lines = append(lines, []string{"  " + fmt.Sprint(i+1), name, "", "–"})
			continue
		}
		change, interval, word := pointWords(table, p)
		lines = append(lines, []string{"  " + fmt.Sprint(i+1), name, bracket(p, axis, strip), change, interval, strings.Replace(word, string(p.Word), t.word(p.Word), 1), pointMedian(table, p)})
	}
	align(b, lines)
	b.WriteByte('\n')
}

// rowName is the name of a row for people.
func rowName(row history.Row) string {
	if row.Mean {
		return "geometric mean"
	}
	return row.Name
}

func courseHeading(t history.Table) string {
	heading := t.Title + ": " + t.Cell
	if t.Group != "" {
		heading += ", against " + t.Group
	}
	return heading
}

// shortCommit is the beginning of a hash, with the + that may be behind it.
func shortCommit(commit string) string {
	const most = 12
	hash, dirty := strings.CutSuffix(commit, "+")
	if runes := []rune(hash); len(runes) > most {
		hash = string(runes[:most])
	}
	if dirty {
		hash += "+"
	}
	return hash
}

// machines names those of a run.
func machines(s history.Stop) string {
	var all []string
	counts := map[string]int{}
	for _, m := range s.Machines {
		name := fmt.Sprintf("%s (%s/%s, %s)", orNone(m.CPU), m.OS, m.Arch, plural(m.NumCPU, "CPU"))
		if counts[name]++; counts[name] == 1 {
			all = append(all, name)
		}
	}
	for i, name := range all {
		if n := counts[name]; n > 1 {
			all[i] = fmt.Sprintf("%d of %s", n, name)
		}
	}
	return strings.Join(all, "; ")
}

// pointWords formats what one run says.
func pointWords(t history.Table, p *history.Point) (change, interval, word string) {
	change, word = verdict.Percent(p.Ratio), string(p.Word)
	if t.Exact && p.Ratio == 1 {
		change = "="
	}
	if p.Bounded {
		interval = "[" + verdict.Range(p.Lo, p.Hi) + "]"
	}
	if p.Withheld != "" {
		word += " (wall time disagrees)"
	}
	return change, interval, word
}

// pointMedian is the median of the cell; "" for a mean.
func pointMedian(t history.Table, p *history.Point) string {
	if p.Median == 0 && p.Baseline == 0 {
		return ""
	}
	return Number(p.Median, t.Unit)
}

// courseAxis holds what the last runs say of a row, up to a factor of 20, and some percent at least, which are noise as a
// rule. A row has its own: its course would not be seen on that of one that has changed tenfold. from and to
// are left to the drawing.
func courseAxis(row history.Row, last int) svgAxis {
	reach := 1.8 * math.Log1p(0.03)
	for _, p := range row.Points[max(0, len(row.Points)-last):] {
		if p == nil {
			continue
		}
		ends := []float64{p.Ratio}
		if p.Bounded {
			ends = append(ends, p.Lo, p.Hi)
		}
		for _, end := range ends {
			if l := math.Abs(math.Log(end)); l <= math.Log(20) {
				reach = max(reach, 1.08*l)
			}
		}
	}
	return svgAxis{reach: reach}
}

// courseBars draws a bar for each run, half as high as a line where nothing changed.
func courseBars(points []*history.Point, axis svgAxis) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	axis.from, axis.to = 0, float64(len(bars)-1)
	var b strings.Builder
	for _, p := range points {
		if p == nil {
			b.WriteRune('·')
			continue
		}
		at, _ := axis.at(p.Ratio)
		b.WriteRune(bars[int(math.Round(float64(at)))])
	}
	return b.String()
}

// bracket draws an interval in a line of columns, with a bar in the middle for no change. What
// lies beyond the ends has an arrow.
func bracket(p *history.Point, axis svgAxis, columns int) string {
	line := []rune(strings.Repeat(" ", columns))
	column := func(ratio float64) (int, bool) {
		at, cut := axis.at(ratio)
		return int(math.Round(float64(at))), cut
	}
	line[columns/2] = '│'
	if p.Bounded {
		lo, cutLo := column(p.Lo)
		hi, cutHi := column(p.Hi)
		for i := lo; i <= hi; i++ {
			line[i] = '─'
		}
		if line[columns/2] == '─' {
			line[columns/2] = '┼'
		}
		if cutLo {
			line[lo] = '←'
		}
		if cutHi {
			line[hi] = '→'
		}
	}
	at, _ := column(p.Ratio)
	line[at] = '●'
	return string(line)
}
