package render

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/diff"
	"lessgc/cmd/lessgc/internal/visible"
)

// Diff writes the changes for people: at most n functions of each kind.
func (t Text) Diff(w io.Writer, r *diff.Report, n int) error {
	if t.Width == 0 {
		t.Width = 100
	}
	r = visible.All(r, visible.Terminal)
	var b strings.Builder
	t.part(&b, "CPU time", r.CPU, n)
	t.part(&b, "memory", r.Bytes, n)
	if len(r.Runtime) > 0 {
		b.WriteString(t.bold("what the runtime says of itself") + "\n")
		lines := [][]string{{"", "before", "after", "change"}}
		for _, c := range r.Runtime {
			lines = append(lines, []string{c.Name, quantity(c.Before, c.Unit), quantity(c.After, c.Unit), c.Percent()})
		}
		align(&b, lines)
		b.WriteByte('\n')
	}
	if r.Score != nil {
		t.score(&b, r.Score)
	}
	for _, note := range r.Notes {
		t.wrap(&b, "note: ", "  ", note)
	}
	_, err := io.WriteString(w, strings.ReplaceAll(b.String(), "\u00a0", " ")) // those are for pages
	return err
}

// DiffJSON writes all changes.
func DiffJSON(w io.Writer, r *diff.Report) error { return indented(w, r) }

// per names the unit of work of the values, for a heading.
func per(p *diff.Part) string {
	if p.Per == "" {
		return "in all of each profile"
	}
	return "per " + p.Per
}

func (t Text) part(b *strings.Builder, title string, p *diff.Part, n int) {
	if p == nil {
		return
	}
	fmt.Fprintf(b, "%s%s\n", t.bold(title), t.dim("  "+per(p)))
	lines := [][]string{{"", "before", "after", "change", "sampling"}}
	for _, c := range append([]diff.Change{p.Total}, p.Classes...) {
		lines = append(lines, []string{c.Name, quantity(c.Before, c.Unit), quantity(c.After, c.Unit), c.Percent(), interval(c)})
	}
	align(b, lines)
	b.WriteByte('\n')
	lines = [][]string{{"", "change", "before", "after", "ratio", "with calls", "ratio"}}
	for _, f := range p.Functions[:min(n, len(p.Functions))] {
		lines = append(lines, []string{f.Name, signed(f.Flat), quantity(f.Flat.Before, f.Flat.Unit), quantity(f.Flat.After, f.Flat.Unit), f.Flat.Percent(),
			quantity(f.Cum.Before, f.Cum.Unit) + " → " + quantity(f.Cum.After, f.Cum.Unit), f.Cum.Percent()})
	}
	align(b, lines)
	if more := len(p.Functions) - n; more > 0 {
		fmt.Fprintf(b, "  and %d more; -n %d shows them\n", more, len(p.Functions))
	}
	b.WriteByte('\n')
}

// quantity writes a value with three digits and its unit.
func quantity(v float64, unit string) string {
	switch unit {
	case "sec/sec":
		return amount(v, "sec") + "/s"
	case "1/sec":
		return fmt.Sprintf("%.3g/s", v)
	case "objects", "1":
		return fmt.Sprintf("%.3g", v)
	case "objects/sec":
		return amount(v, "") + "/s"
	}
	return amount(v, unit)
}

// signed returns the change of a value, with its sign.
func signed(c diff.Change) string {
	d := c.After - c.Before
	if d < 0 {
		return "-" + quantity(-d, c.Unit)
	}
	return "+" + quantity(d, c.Unit)
}

// interval formats the sampling interval of a change: "[-12, -8] %", or "" where there is none.
func interval(c diff.Change) string {
	if c.Hi == 0 || math.IsInf(c.Hi, 0) {
		return ""
	}
	return fmt.Sprintf("[%+.0f, %+.0f] %%", 100*(c.Lo-1), 100*(c.Hi-1))
}

func (t Text) score(b *strings.Builder, s *diff.Score) {
	b.WriteString(t.bold("predicted and measured") + t.dim("  "+scoreScope(s)) + "\n")
	lines := [][]string{{"", "lever", "predicted", "the function allocates"}}
	for _, a := range s.Applied {
		lines = append(lines, []string{appliedLocation(a), a.Lever, savings(a.Gain), changeOf(a)})
	}
	align(b, lines)
	fmt.Fprintf(b, "  together %s of the CPU time; measured %s: %s\n\n", savings(s.Predicted), t.bold(measuredSavings(s)), scoreText(s))
}

// changeOf returns the change of what the function of a lever allocates, in per cent.
func changeOf(a diff.Applied) string {
	if a.Bytes.Unit == "" {
		return "–"
	}
	return a.Bytes.Percent()
}

// scoreScope describes the levers that a score covers.
func scoreScope(s *diff.Score) string {
	if s.Named {
		return "by the advice for before, for the levers that were taken"
	}
	return "by the advice for before, for lines that are gone, or allocate at most half"
}

// appliedLocation returns the line on which a lever was taken.
func appliedLocation(a diff.Applied) string {
	if a.File == "" {
		return cmp.Or(a.Func, "the whole program")
	}
	return fmt.Sprintf("%s (%s)", a.Func, shortPlace(a.File, a.Line))
}

// measuredSavings formats the measured saving, with the error of sampling.
func measuredSavings(s *diff.Score) string {
	text := fmt.Sprintf("%.1f %%", 100*s.Estimate)
	if s.Measured != (advice.Range{}) {
		text += fmt.Sprintf(" [%.1f, %.1f]", 100*s.Measured.Lo, 100*s.Measured.Hi)
	}
	return text
}

// scoreText returns the outcome of a prediction, as text.
func scoreText(s *diff.Score) string {
	switch s.Word {
	case diff.Inside:
		return "inside the prediction"
	case diff.Outside:
		return "outside of the prediction"
	}
	return "too noisy to tell; profile for longer"
}

// savings is a range of what was saved: "3.1 to 7.9 %".
func savings(r advice.Range) string { return fmt.Sprintf("%.1f to %.1f %%", 100*r.Lo, 100*r.Hi) }
