package render

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/visible"
)

// ApplyJSON writes the report of lessgc apply as JSON.
func ApplyJSON(w io.Writer, r *attempt.Report) error { return indented(w, r) }

// Apply writes what was tried, kept and taken back.
func (t Text) Apply(w io.Writer, r *attempt.Report) error {
	if t.Width == 0 {
		t.Width = 100
	}
	r = visible.All(r, visible.Terminal)
	var b strings.Builder
	for i, a := range r.Attempts {
		fmt.Fprintf(&b, "%s %s at %s:%d\n", t.bold(fmt.Sprintf("%d. %s:", i+1, outcomeWord(r, a))), a.Lever, a.File, a.Line)
		if a.Why != "" {
			t.wrap(&b, "   ", "   ", a.Why)
		}
		for _, l := range a.Larger {
			t.wrap(&b, "   ", "     ", "before that, "+l.String())
		}
		for _, x := range a.Rows {
			t.wrap(&b, "   ", "     ", x.Name+": "+rowText(x))
		}
		if r.DryRun {
			for _, g := range a.Gains {
				t.wrap(&b, "   ", "     ", foreseen(g))
			}
			t.diff(&b, a.Diff)
		}
	}
	if len(r.Attempts) > 0 {
		b.WriteByte('\n')
	}
	summary := applySummary(r)
	if len(r.Total) > 0 {
		summary += " All kept changes together:"
	}
	t.wrap(&b, "", "", summary)
	for _, x := range r.Total {
		t.wrap(&b, "  ", "    ", x.Name+": "+rowText(x))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// mostDiff is the number of lines of a diff that are shown.
const mostDiff = 400

// diff writes a diff as it is, but for lines that nobody would read to their end.
func (t Text) diff(b *strings.Builder, text string) {
	n := 0
	for line := range strings.Lines(text) {
		if n++; n > mostDiff {
			fmt.Fprintf(b, "... and more than %d lines of it\n", mostDiff)
			break
		}
		b.WriteString("    " + clip(strings.TrimSuffix(line, "\n"), widest) + "\n")
	}
	b.WriteByte('\n')
}

func outcomeWord(r *attempt.Report, a attempt.Attempt) string {
	if r.DryRun && a.Outcome == "" {
		return "change"
	}
	if a.Outcome == attempt.Kept || a.Outcome == attempt.Refused {
		return string(a.Outcome)
	}
	return "taken back, " + string(a.Outcome)
}

func predictedText(p *advice.Range) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("%.1f to %.1f %%", 100*p.Lo, 100*p.Hi)
}

// foreseen is what a change is predicted to save in a benchmark.
func foreseen(g attempt.Gain) string {
	_, name := g.Split()
	text := cmp.Or(name, "together") + ": "
	if g.Bytes == 0 {
		return text + "it runs what is changed"
	}
	text += fmt.Sprintf("the line allocates about %.0f %% of its bytes", 100*g.Bytes)
	var saves []string
	if p := predictedText(g.Predicted); p != "" {
		saves = append(saves, p+" of its CPU time")
	}
	if p := predictedText(g.Memory); p != "" {
		saves = append(saves, p+" of its bytes")
	}
	if len(saves) > 0 {
		text += ", predicted to save " + strings.Join(saves, " and ")
	}
	return text
}

// rowText is what was measured of a benchmark, and what was predicted.
func rowText(x attempt.Row) string {
	text := fmt.Sprintf("CPU time %s", effectText(x.CPU))
	if p := predictedText(x.Predicted); p != "" {
		text += fmt.Sprintf(" (predicted to save %s)", p)
	}
	for _, m := range []struct {
		e    attempt.Effect
		unit string
	}{{x.Bytes, "B/op"}, {x.Allocs, "allocs/op"}} {
		if m.e.Word != "" {
			text += fmt.Sprintf(", %s -> %s %s", grouped(math.Round(m.e.Before)), grouped(math.Round(m.e.After)), m.unit)
			if p := predictedText(x.Memory); p != "" && m.unit == "B/op" {
				text += fmt.Sprintf(" (predicted %s less)", p)
			}
		}
	}
	return text
}

func effectText(e attempt.Effect) string { return e.Change() + " " + string(e.Word) }

// applySummary is one sentence or two about the whole run.
func applySummary(r *attempt.Report) string {
	if r.DryRun {
		return plural(len(r.Attempts), "change") + " would be tried; nothing was." + personText(r)
	}
	kept := r.Count(attempt.Kept)
	text := fmt.Sprintf("%s tried, %d kept", plural(len(r.Attempts), "change"), kept)
	if kept > 0 && r.Branch != "" {
		text += " on branch " + r.Branch
	}
	text += "."
	if r.Snapshot && kept > 0 {
		text += " Its first commit is your uncommitted work."
	}
	text += personText(r)
	if r.Problem != "" {
		text += " They could not be measured together: " + r.Problem + "."
	}
	return text
}

// personText is a sentence about the advice that apply does not carry out.
func personText(r *attempt.Report) string {
	switch n := len(r.Person); n {
	case 0:
		return ""
	case 1:
		return " Advice on one line needs a person: lessgc advise shows it."
	default:
		return fmt.Sprintf(" Advice on %d lines needs a person: lessgc advise shows it.", n)
	}
}
