package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/doc/comment"
	"io"
	"strings"

	"golang.org/x/tools/go/analysis"

	"lessgc/cmd/lessgc/internal/vetrun"
	"lessgc/cmd/lessgc/internal/visible"
)

// Findings writes findings, each with the places that belong to it indented beneath.
func (t Text) Findings(w io.Writer, all []vetrun.Finding) error {
	var b strings.Builder
	for _, f := range visible.All(all, visible.Terminal) {
		t.finding(&b, f)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Text) finding(b *strings.Builder, f vetrun.Finding) {
	severity := f.Severity + ":"
	if code := map[string]string{"error": "31", "warning": "33", "note": "36"}[f.Severity]; code != "" {
		severity = t.sgr(code, severity)
	}
	fmt.Fprintf(b, "%s: %s %s %s\n", t.sgr("1", spanText(f.Span)), severity, f.Message, t.sgr("2", "["+f.Rule+"]"))
	for _, r := range f.Related {
		fmt.Fprintf(b, "    %s: %s\n", spanText(r.Span), r.Message)
	}
}

// Beliefs writes what the rules believe of functions, the lines of each indented beneath its name.
func (t Text) Beliefs(w io.Writer, all []vetrun.Belief) error {
	var b strings.Builder
	last := ""
	for _, f := range visible.All(all, visible.Terminal) {
		if at := spanText(f.Span) + ": " + f.Function; at != last {
			fmt.Fprintf(&b, "%s\n", t.sgr("1", at))
			last = at
		}
		for i, line := range f.Lines {
			if i == 0 {
				line = t.sgr("2", f.What+":") + " " + line
			}
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// spanText is a place as editors understand it.
func spanText(s vetrun.Span) string {
	switch {
	case s.Line == 0:
		return s.File
	case s.Column == 0:
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Column)
}

// Repaired writes what became of findings, in their order.
func (t Text) Repaired(w io.Writer, all []vetrun.Result) error {
	var b strings.Builder
	for _, f := range visible.All(all, visible.Terminal) {
		switch f.Fate {
		case vetrun.Applied:
			t.outcome(&b, f.Finding, "32", "fixed:", f.Fixes[0].Message)
		case vetrun.Beside:
			t.outcome(&b, f.Finding, "32", "fixed:", "another fix has changed this")
		case vetrun.Unchanged:
			t.outcome(&b, f.Finding, "33", "no longer reported, though nothing was changed there:", f.Message)
			notFixed(&b, f.Why)
		default:
			t.left(&b, vetrun.Left{Finding: f.Finding, Why: f.Why})
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// outcome writes one line on a finding.
func (t Text) outcome(b *strings.Builder, f vetrun.Finding, code, what, message string) {
	fmt.Fprintf(b, "%s: %s %s %s\n", t.sgr("1", spanText(f.Span)), t.sgr(code, what), message, t.sgr("2", "["+f.Rule+"]"))
}

// Left writes what was not repaired, and why.
func (t Text) Left(w io.Writer, all []vetrun.Left) error {
	var b strings.Builder
	for _, f := range visible.All(all, visible.Terminal) {
		t.left(&b, f)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Text) left(b *strings.Builder, l vetrun.Left) {
	t.finding(b, l.Finding)
	notFixed(b, l.Why)
}

// notFixed writes the reason why a finding was not fixed, if there is one.
func notFixed(b *strings.Builder, reason string) {
	if reason != "" {
		fmt.Fprintf(b, "    not fixed: %s\n", reason)
	}
}

// VetSummary reports in one line what was found: 2 errors and 1 note in 12 packages.
func VetSummary(r *vetrun.Report) string {
	var parts []string
	for _, severity := range []string{"error", "warning", "note"} {
		n := 0
		for _, f := range r.Findings {
			if f.Severity == severity {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, plural(n, severity))
		}
	}
	found := "nothing found"
	switch n := len(parts); {
	case n == 1:
		found = parts[0]
	case n > 1:
		found = strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return found + " in " + plural(r.Packages, "package")
}

// VetJSON writes all of a report, with all names as they are. Characters that a terminal would
// obey are written by escapes.
func VetJSON(w io.Writer, r *vetrun.Report) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return err
	}
	_, err := w.Write(visible.JSON(b.Bytes()))
	return err
}

// VetRule writes the description of a rule for a terminal.
func VetRule(w io.Writer, a *analysis.Analyzer, width int) error {
	_, err := w.Write((&comment.Printer{TextWidth: min(width, 100)}).Text(new(comment.Parser).Parse(a.Doc)))
	return err
}
