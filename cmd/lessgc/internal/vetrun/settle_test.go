package vetrun

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSettle checks what becomes of findings, and where they are then.
func TestSettle(t *testing.T) {
	const text = "package a\n\nfunc f() {\n\tone()\n\ttwo()\n\ttwo()\n\tthree()\n}\n"
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.go", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	find := func(rule string, line int, fixes ...Fix) Finding {
		return Finding{Rule: rule, Message: "m", Span: Span{File: "a.go", Line: line, Column: 2, EndLine: line, EndColumn: 3}, Fixes: fixes}
	}
	end := strings.Index(text, "one()") + len("one()")
	three := strings.Index(text, "three()")
	added := Fix{"add a line", []Edit{{"a.go", end, end, "\nreset()"}}}
	other := Fix{"call another", []Edit{{"a.go", three, three + len("three"), "four"}}}
	clashes := Fix{"delete it", []Edit{{"a.go", three - 1, three + len("three()"), ""}}}
	check := func(name string, before, after []Finding, want ...string) {
		t.Helper()
		r := vettedReport(t, map[string]string{"a.go": text})
		r.Findings = before
		p, wrong := r.plan(nil)
		if len(wrong) > 0 {
			t.Fatal(wrong)
		}
		p.after = after
		var got []string
		for _, x := range p.Settle() {
			got = append(got, fmt.Sprintf("%d %s %s", x.Line, x.Rule, x.Fate))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	check("nothing is changed", []Finding{find("x", 5), find("x", 6)}, nil, "5 x remaining", "6 x remaining")
	check("in one list", []Finding{find("x", 4, added), find("y", 5), find("z", 7, other)}, []Finding{find("y", 6)},
		"4 x applied", "6 y remaining", "8 z applied")
	check("gone for no reason", []Finding{find("x", 4, added), find("y", 5)}, nil, "4 x applied", "6 y unchanged")
	check("the one of two that is gone", []Finding{find("x", 4, added), find("y", 5), find("y", 6)}, []Finding{find("y", 7)},
		"4 x applied", "6 y unchanged", "7 y remaining")
	check("gone beside it", []Finding{find("x", 4), find("x", 7, other), find("y", 7), find("z", 7, clashes)}, []Finding{find("x", 4)},
		"4 x remaining", "7 x applied", "7 y beside", "7 z beside")
	check("its own fix was not applied", []Finding{find("x", 4, added), find("y", 4, Fix{"otherwise", []Edit{{"a.go", end, end, "\nelse()"}}})}, nil,
		"4 x applied", "4 y unchanged")
	check("at another line than expected", []Finding{find("x", 4, added), find("y", 5)}, []Finding{find("y", 9)}, "4 x applied", "9 y remaining")
}
