// Package render shows a verdict.Report: on a terminal, as CSV and TSV, as
// JSON, in the manner of benchstat, and as one HTML page. It selects and
// formats; it computes nothing.
package render

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchunit"

	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// A Text writes reports for people.
type Text struct {
	Color bool   // ANSI colours
	Width int    // columns, for wrapping and bars; 0 means 100
	Plot  bool   // bar charts behind the tables
	Dir   string // the current folder: files below it are named from there
}

// Write writes the answers, the table of each deciding metric and wall time,
// and the notes.
func (t Text) Write(w io.Writer, r *verdict.Report) error {
	if t.Width == 0 {
		t.Width = 100
	}
	r = visible.All(r, visible.Terminal)
	var b strings.Builder
	t.legend(&b, r)
	for m, metric := range r.Metrics {
		if metric.Tabled() {
			for _, cells := range compared(r, m) {
				if r.Cells[cells[0]].Without == "" { // of an upgrade: Text.upgrade has those
					t.table(&b, r, m, cells)
				}
			}
		}
	}
	if t.Plot {
		t.plots(&b, r)
	}
	t.latency(&b, r)
	t.gc(&b, r)
	t.machines(&b, r)
	t.upgrade(&b, r)
	t.answers(&b, r)
	t.notes(&b, r)
	_, err := io.WriteString(w, b.String())
	return err
}

// legend explains modes whose names say nothing to a newcomer, and the A/A cell beside
// them.
func (t Text) legend(b *strings.Builder, r *verdict.Report) {
	var lines [][]string
	for _, cell := range r.Cells {
		if cell.Explained != "" && !cell.AA {
			lines = append(lines, []string{cell.Name, cell.Explained})
		}
	}
	if len(lines) == 0 {
		return
	}
	align(b, append(lines, []string{"A/A noise", "how far two runs of the same code lie apart: less is not called a difference"}))
	b.WriteByte('\n')
}

// Number formats a value with its unit: 412.0ns, 1.500Ki, 10.
func Number(v float64, unit string) string {
	switch form := verdict.FormOf(unit); {
	case v == 0:
		return "0"
	case form == verdict.FormCount:
		return fmt.Sprintf("%.6g", v)
	case form == verdict.FormShare:
		return fmt.Sprintf("%.1f %%", 100*v)
	}
	s := benchunit.Scale(v, benchunit.ClassOf(unit))
	switch base, _, _ := strings.Cut(unit, "/"); {
	case base == "sec" || strings.HasSuffix(base, "-sec"):
		return s + "s"
	case base == "B" || strings.HasSuffix(base, "-bytes"):
		return s + "B"
	}
	return s
}

// answers writes the last and most important part.
func (t Text) answers(b *strings.Builder, r *verdict.Report) {
	if len(r.Answers) > 0 {
		b.WriteString(t.bold(question(r)) + "\n")
	}
	group := ""
	for _, a := range r.Answers {
		if g := r.Cells[a.Cell].Group; g != group {
			group = g
			fmt.Fprintf(b, " against %s:\n", g)
		}
		t.wrap(b, "  ", "    ", fmt.Sprintf("%s: %s. %s", t.bold(r.Cells[a.Cell].Name), t.bold(a.Short), a.Text))
	}
	b.WriteByte('\n')
}

func question(r *verdict.Report) string {
	if r.Upgrade != nil {
		return "Should I upgrade to " + r.Upgrade.To + "?"
	}
	for _, c := range r.Cells {
		if c.Compared() && strings.HasSuffix(c.Name, "working tree") {
			return "Is the working tree better?"
		}
	}
	return "Should I turn it on?"
}

// latency writes what the requests of all rounds saw.
func (t Text) latency(b *strings.Builder, r *verdict.Report) {
	if len(r.Latencies) == 0 {
		return
	}
	lines := [][]string{{"", "", "50 %", "90 %", "99 %", "99.9 %", "longest", "requests"}}
	last := -1
	for _, l := range r.Latencies {
		if r.Cells[l.Cell].AA {
			continue
		}
		name := ""
		if l.Row != last {
			name, last = r.Rows[l.Row].Name, l.Row
		}
		line := []string{name, r.Cells[l.Cell].Name}
		for _, v := range l.Percentiles() {
			line = append(line, Number(v, "sec"))
		}
		lines = append(lines, append(line, fmt.Sprint(l.Requests)))
	}
	fmt.Fprintln(b, t.bold("latency at a constant rate")+t.dim("  from when a request was due, all rounds together"))
	align(b, lines)
	b.WriteByte('\n')
}

// gc writes the medians of the collector's figures.
func (t Text) gc(b *strings.Builder, r *verdict.Report) {
	var ms []int
	head := []string{"", ""}
	for m, metric := range r.Metrics {
		if metric.Show().Collector {
			ms = append(ms, m)
			head = append(head, metric.Title)
		}
	}
	lines := [][]string{head}
	for row := range r.Rows {
		name := r.Rows[row].Name
		for c, cell := range r.Cells {
			if cell.AA || cell.Err != "" {
				continue
			}
			line, measured := []string{name, cell.Name}, false
			for _, m := range ms {
				text := "–"
				if v := value(r, row, c, m); v != nil {
					text, measured = Number(v.Median, r.Metrics[m].Unit), true
				}
				line = append(line, text)
			}
			if measured {
				lines = append(lines, line)
				name = ""
			}
		}
	}
	if len(lines) == 1 {
		return
	}
	fmt.Fprintln(b, t.bold("garbage collection")+t.dim("  "+gcScope(r)+", medians over the rounds"))
	align(b, lines)
	b.WriteByte('\n')
}

// gcScope names what the collector's figures are of.
func gcScope(r *verdict.Report) string {
	if r.Load {
		return "at a constant rate, per trial"
	}
	return "per trial"
}

func (t Text) notes(b *strings.Builder, r *verdict.Report) {
	for _, p := range r.Problems {
		t.wrap(b, "not measured: ", "  ", p.Text)
	}
	for _, n := range r.Notes {
		t.wrap(b, "note: ", "  ", n)
	}
	fmt.Fprintf(b, "%s, %s\n", rounds(r), measuredOn(r))
}

// rounds describes the number of rounds, also of rows that became clear at different times.
func rounds(r *verdict.Report) string {
	most := r.Rounds
	for _, v := range r.Values {
		most = max(most, len(v.Trials))
	}
	text := plural(most, "round")
	if most > r.Rounds {
		text = fmt.Sprintf("%d to %d rounds", r.Rounds, most)
	}
	if r.Orders > 0 {
		text += ", functions in " + plural(r.Orders, "order")
	}
	return text
}

// wrap writes text in lines of at most t.Width columns.
func (t Text) wrap(b *strings.Builder, first, rest, text string) {
	line := first
	empty := true
	text = strings.ReplaceAll(text, " %", "\u00a0%") // a number and its unit stay together
	for word := range strings.SplitSeq(text, " ") {
		word = strings.ReplaceAll(word, "\u00a0", " ")
		if !empty && width(line)+1+width(word) > t.Width {
			b.WriteString(line + "\n")
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	b.WriteString(line + "\n")
}

func (t Text) bold(s string) string { return t.sgr("1", s) }
func (t Text) dim(s string) string  { return t.sgr("2", s) }

func (t Text) word(w verdict.Word) string {
	switch w {
	case verdict.Better:
		return t.sgr("32", string(w))
	case verdict.Worse:
		return t.sgr("31", string(w))
	}
	return string(w)
}

func (t Text) sgr(code, s string) string {
	if !t.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
