package misuse

import (
	"fmt"
	"io"
	"strings"

	"lessgc/cmd/lessgc/internal/visible"
)

// Text is how to write for people.
type Text struct{ Color bool }

// Findings writes findings, each with the places that belong to it indented beneath.
func (t Text) Findings(w io.Writer, all []Finding) error {
	var b strings.Builder
	for _, f := range visible.All(all, visible.Terminal) {
		t.finding(&b, f)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t Text) finding(b *strings.Builder, f Finding) {
	colors := map[string]string{"error": "31", "warning": "33", "note": "36"}
	fmt.Fprintf(b, "%s: %s %s %s\n", t.sgr("1", f.Span.String()), t.sgr(colors[f.Severity], f.Severity+":"), f.Message, t.sgr("2", "["+f.Rule+"]"))
	for _, r := range f.Related {
		fmt.Fprintf(b, "    %s: %s\n", r.Span, r.Message)
	}
}

// String is a place as editors understand it.
func (s Span) String() string {
	switch {
	case s.Line == 0:
		return s.File
	case s.Column == 0:
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Column)
}

func (t Text) sgr(code, s string) string {
	if !t.Color || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Fixed writes what was repaired.
func (t Text) Fixed(w io.Writer, all []Finding) error {
	var b strings.Builder
	for _, f := range visible.All(all, visible.Terminal) {
		fmt.Fprintf(&b, "%s: %s %s %s\n", t.sgr("1", f.Span.String()), t.sgr("32", "fixed:"), how(f), t.sgr("2", "["+f.Rule+"]"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// how is how a finding was fixed.
func how(f Finding) string {
	if len(f.Fixes) == 0 {
		return "gone with what was fixed beside it"
	}
	return f.Fixes[0].Message
}

// Left writes what was not, and why.
func (t Text) Left(w io.Writer, all []Left) error {
	var b strings.Builder
	for _, f := range visible.All(all, visible.Terminal) {
		t.finding(&b, f.Finding)
		if f.Why != "" {
			fmt.Fprintf(&b, "    not fixed: %s\n", f.Why)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
