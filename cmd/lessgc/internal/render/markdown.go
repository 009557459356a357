package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// mostLines bounds a table of Markdown: a comment on GitHub has at most 65,536 characters.
const mostLines = 40

// Markdown writes a report for a comment on a pull request, in GitHub's dialect: the
// answers, a table for each deciding metric and for each that is worse somewhere, the
// others in a section that is closed, and the notes. What a benchmark or a compiler has
// said cannot mention anyone, nor make tables or tags of its own.
func Markdown(w io.Writer, r *verdict.Report) error {
	r = visible.All(r, visible.Terminal)
	var b, closed strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", question(r))
	for _, a := range r.Answers {
		name := code(r.Cells[a.Cell].Name)
		if group := r.Cells[a.Cell].Group; group != "" {
			name += " against " + code(group)
		}
		fmt.Fprintf(&b, "- %s: **%s.** %s\n", name, plain(a.Short), plain(a.Text))
	}
	b.WriteByte('\n')
	markdownUpgrade(&b, r)
	for m, metric := range r.Metrics {
		if !metric.Tabled() {
			continue
		}
		to := &closed
		if metric.Decides || slices.ContainsFunc(r.Comparisons, func(x verdict.Comparison) bool {
			return x.Metric == m && x.Word == verdict.Worse
		}) {
			to = &b
		}
		for _, cells := range compared(r, m) {
			if r.Cells[cells[0]].Without != "" { // markdownUpgrade has those
				continue
			}
			markdownTable(to, r, m, cells)
		}
	}
	markdownMachines(&b, r)
	if closed.Len() > 0 {
		fmt.Fprintf(&b, "<details><summary>other metrics</summary>\n\n%s</details>\n\n", closed.String())
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "- not measured: %s\n", plain(p.Text))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "- note: %s\n", plain(n))
	}
	on := fmt.Sprintf("GOMAXPROCS=%d, %s/%s, %s", r.Procs, r.Host.OS, r.Host.Arch, r.Host.CPU)
	if len(r.Machines) > 0 {
		on = measuredOn(r)
	}
	fmt.Fprintf(&b, "\n<sub>%s: %s, %s</sub>\n", code("lessgc "+strings.Join(r.Command, " ")), rounds(r), plain(on))
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownTable writes one metric of one group, verdicts first, and those that are worse
// before all others.
func markdownTable(b *strings.Builder, r *verdict.Report, m int, cells []int) {
	metric := r.Metrics[m]
	type line struct {
		rank int
		text string
	}
	var lines []line
	for _, row := range rowsAndGeomean(r) {
		for _, c := range cells {
			x := find(r, row, c, m)
			if x == nil {
				continue
			}
			name := "geometric mean"
			if row != verdict.Geomean {
				name = code(r.Rows[row].Name)
			}
			if len(cells) > 1 {
				name += " in " + code(r.Cells[c].Name)
			}
			word := string(x.Word)
			rank := 1
			switch {
			case x.Withheld != "":
				word = "withheld: wall time disagrees"
			case x.Word == verdict.Worse:
				word, rank = "**worse**", 0
			case x.Word == verdict.Mixed:
				word, rank = "**mixed**", 0
				if of := byClass(r, x); of != "" {
					word += ": " + plain(of)
				}
			case x.Word == verdict.Better:
				word = "**better**"
			}
			change := verdict.Percent(x.Ratio)
			if x.Bounded {
				change += " [" + verdict.Range(x.Lo, x.Hi) + "]"
			}
			if metric.Exact && x.Ratio == 1 {
				change = "="
			}
			before, after := "", ""
			if v := value(r, row, x.Ref, m); v != nil {
				before = Number(v.Median, metric.Unit)
			}
			if v := value(r, row, c, m); v != nil {
				after = Number(v.Median, metric.Unit)
			}
			lines = append(lines, line{rank, fmt.Sprintf("| %s | %s | %s | %s | %s |\n", name, word, change, before, after)})
		}
	}
	if len(lines) == 0 {
		return
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.rank - b.rank })
	before := "baseline"
	if ref, one := commonRef(r, cells); one {
		before = code(r.Cells[ref].Name)
	}
	after := "other"
	if len(cells) == 1 {
		after = code(r.Cells[cells[0]].Name)
	}
	fmt.Fprintf(b, "| %s%s | verdict | change | %s | %s |\n|---|---|--:|--:|--:|\n", plain(heading(r, metric)), plain(against(r, cells)), before, after)
	for _, l := range lines[:min(len(lines), mostLines)] {
		b.WriteString(l.text)
	}
	b.WriteByte('\n')
	if more := len(lines) - mostLines; more > 0 {
		fmt.Fprintf(b, "%d more lines are in report.html.\n\n", more)
	}
}

// plain is text without meaning in Markdown.
func plain(s string) string {
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '@':
			b.WriteString("@<!-- -->") // or it would mention someone
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '&':
			b.WriteString("&amp;")
		case c == '\n' || c == '\r':
			b.WriteByte(' ')
		case strings.ContainsRune("\\`*_{}[]#|~$", c):
			b.WriteByte('\\')
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// code is text in a code span, in which only the end of the span and of a cell of a table
// mean something.
func code(s string) string {
	s = strings.NewReplacer("`", "'", "|", `\|`, "\n", " ", "\r", " ").Replace(s)
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return "`" + s + "`"
}
