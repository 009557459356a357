package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lessgc/cmd/lessgc/internal/vetrun"
)

// TestFindings checks the blocks of findings, with and without colours.
func TestFindings(t *testing.T) {
	f := vetrun.Finding{Rule: "poolalias", Severity: "error", Message: "it is bad", Span: vetrun.Span{File: "a.go", Line: 3, Column: 4},
		Related: []vetrun.Related{{Span: vetrun.Span{File: "a.go", Line: 1, Column: 2}, Message: "acquired here"}, {Span: vetrun.Span{File: "b.y", Line: 7}, Message: "released here"}}}
	check := func(text Text, want string) {
		t.Helper()
		var b strings.Builder
		if err := text.Findings(&b, []vetrun.Finding{f}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Error(diff)
		}
	}
	check(Text{}, "a.go:3:4: error: it is bad [poolalias]\n    a.go:1:2: acquired here\n    b.y:7: released here\n")
	check(Text{Color: true}, "\x1b[1ma.go:3:4\x1b[0m: \x1b[31merror:\x1b[0m it is bad \x1b[2m[poolalias]\x1b[0m\n    a.go:1:2: acquired here\n    b.y:7: released here\n")
}

// TestVetSummary checks the last line, with its numbers.
func TestVetSummary(t *testing.T) {
	check := func(severities string, packages int, want string) {
		t.Helper()
		r := &vetrun.Report{Packages: packages}
		for _, s := range strings.Fields(severities) {
			r.Findings = append(r.Findings, vetrun.Finding{Severity: s})
		}
		if got := VetSummary(r); got != want {
			t.Errorf("%s: %s", severities, got)
		}
	}
	check("", 12, "nothing found in 12 packages")
	check("note", 1, "1 note in 1 package")
	check("error note error", 2, "2 errors and 1 note in 2 packages")
	check("warning note error", 2, "1 error, 1 warning and 1 note in 2 packages")
}

// TestVetRule checks that every rule has a page.
func TestVetRule(t *testing.T) {
	for _, a := range vetrun.Rules() {
		var b strings.Builder
		if err := VetRule(&b, a, 80); err != nil || !strings.HasPrefix(b.String(), a.Name+" ") {
			t.Errorf("%s: %v, %s", a.Name, err, &b)
		}
	}
}
