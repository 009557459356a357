package render

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/visible"
)

//go:embed apply.html.tmpl
var applySource string

var applyTemplate = parsed(func() (*template.Template, error) {
	return template.New("apply").Parse(applySource)
})

// ApplyHTML writes the report of lessgc apply as one page without scripts: what each kept change has brought, what was
// taken back and why, and what needs a person. An error is that of w.
func ApplyHTML(w io.Writer, r *attempt.Report) error {
	return applyTemplate().Execute(w, &applyPage{visible.All(r, visible.Page)})
}

type applyPage struct{ *attempt.Report }

func (p *applyPage) Style() template.CSS { return template.CSS(pageStyle) }
func (p *applyPage) Summary() string     { return applySummary(p.Report) }
func (p *applyPage) CommandLine() string {
	return commandLine(p.Command)
}
func (p *applyPage) Date() string { return p.Created.Format("2 January 2006, 15:04 MST") }

// An appliedChange is an attempt as the page shows it.
type appliedChange struct {
	attempt.Attempt
	Number int
}

func (c appliedChange) Rows() [][]string { return applyRows(c.Attempt.Rows) }

// Lines are the lines of the diff, each with its kind.
func (c appliedChange) Lines() (all []diffLine) {
	for line := range strings.Lines(c.Diff) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "), strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			continue
		case strings.HasPrefix(line, "+"):
			all = append(all, diffLine{"comes", line})
		case strings.HasPrefix(line, "-"):
			all = append(all, diffLine{"goes", line})
		default:
			all = append(all, diffLine{"", line})
		}
	}
	return all
}

type diffLine struct{ Kind, Text string }

func (p *applyPage) changes(wanted bool) (all []appliedChange) {
	for i, a := range p.Attempts {
		if (a.Outcome == attempt.Kept) == wanted {
			all = append(all, appliedChange{a, i + 1})
		}
	}
	return all
}

func (p *applyPage) Kept() []appliedChange  { return p.changes(true) }
func (p *applyPage) Taken() []appliedChange { return p.changes(false) }

// Totals is the table of all kept changes together.
func (p *applyPage) Totals() [][]string { return applyRows(p.Total) }

// applyRows are the rows of a comparison as a table, with its head. Predictions have columns if there are any.
func applyRows(rows []attempt.Row) [][]string {
	if len(rows) == 0 {
		return nil
	}
	all := [][]string{{"benchmark", "CPU time", "predicted saving", "bytes", "predicted saving", "allocations", "collections"}}
	for _, x := range rows {
		all = append(all, []string{x.Name, effectText(x.CPU), predictedText(x.Predicted), beforeAfter(x.Bytes), predictedText(x.Memory), beforeAfter(x.Allocs), collections(x.GC)})
	}
	for _, column := range []int{4, 2} {
		if slices.ContainsFunc(all[1:], func(row []string) bool { return row[column] != "" }) {
			continue
		}
		for i, row := range all {
			all[i] = slices.Delete(row, column, column+1)
		}
	}
	return all
}

// collections is the change of how many collections ran, in the same number of iterations; a trial of a few is too short to tell.
func collections(e *attempt.Effect) string {
	if e == nil || e.Word == "" {
		return "–"
	}
	return effectText(*e)
}

func beforeAfter(e attempt.Effect) string {
	if e.Word == "" {
		return "–"
	}
	return grouped(math.Round(e.Before)) + " → " + grouped(math.Round(e.After))
}

// A waterfall draws what is left of a benchmark's CPU time, or of its bytes, after each kept change, of what it was.
type waterfall struct {
	Title  string
	Steps  []fallStep
	Height px
}

// A fallStep is a bar, from what was left before it to what is left after it.
type fallStep struct {
	Label, Figure  string
	X, Width, Y    px
	TextY          px
	Total, Dearer  bool
	IntervalX, End px // of a total
}

// The frame of a waterfall.
const (
	fallLeft, fallRight = 190, 560
	fallStepHeight      = 26
)

// Waterfalls returns a figure for each benchmark that a kept change was measured in, of CPU time, and of bytes where they
// are known.
func (p *applyPage) Waterfalls() []waterfall {
	var names []string
	rows := map[string][]fallRow{}
	for i, a := range p.Attempts {
		if a.Outcome != attempt.Kept {
			continue
		}
		for _, x := range a.Rows {
			if rows[x.Name] == nil {
				names = append(names, x.Name)
			}
			rows[x.Name] = append(rows[x.Name], fallRow{fmt.Sprintf("%d. %s", i+1, a.Lever), x})
		}
	}
	var all []waterfall
	for _, name := range names[:min(len(names), mostFalls)] {
		var total *attempt.Row
		for i := range p.Total {
			if p.Total[i].Name == name {
				total = &p.Total[i]
			}
		}
		all = append(all, fall(name+", CPU time", rows[name], total, func(x *attempt.Row) attempt.Effect { return x.CPU }))
		if rows[name][0].Bytes.Word != "" {
			all = append(all, fall(name+", bytes", rows[name], total, func(x *attempt.Row) attempt.Effect { return x.Bytes }))
		}
	}
	return all
}

// mostFalls is the number of benchmarks with figures; the tables have all.
const mostFalls = 12

type fallRow struct {
	label string
	attempt.Row
}

func fall(title string, rows []fallRow, total *attempt.Row, of func(*attempt.Row) attempt.Effect) waterfall {
	w := waterfall{Title: title}
	x := func(share float64) px { return px(fallLeft + (fallRight-fallLeft)*min(share, 1.3)/1.3) }
	left := 1.0
	add := func(label, figure string, from, to float64, sum bool) {
		y := px(fallStepHeight * len(w.Steps))
		w.Steps = append(w.Steps, fallStep{Label: label, Figure: figure, X: x(min(from, to)), Width: max(1, x(max(from, to))-x(min(from, to))), Y: y + 4, TextY: y + 17,
			Total: sum, Dearer: to > from && !sum})
	}
	add("before", "100 %", 0, 1, true)
	for i := range rows {
		now := left * of(&rows[i].Row).Ratio
		add(shorten(rows[i].label, 28), fmt.Sprintf("%+.1f", 100*(now-left)), left, now, false)
		left = now
	}
	if total != nil {
		e := of(total)
		add("measured together", fmt.Sprintf("%.1f %%", 100*e.Ratio), 0, e.Ratio, true)
		if last := &w.Steps[len(w.Steps)-1]; e.Hi > 0 {
			last.IntervalX, last.End = x(e.Lo), x(e.Hi)
		}
	}
	w.Height = px(fallStepHeight*len(w.Steps) + 4)
	return w
}
