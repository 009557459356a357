package misuse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSplit takes apart what go commands print, old and new.
func TestSplit(t *testing.T) {
	check := func(text string, objects, lines []string) {
		t.Helper()
		var gotObjects, gotLines []string
		err := split(strings.NewReader(text), func(data []byte) { gotObjects = append(gotObjects, string(data)) }, func(line string) { gotLines = append(gotLines, line) })
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff([][]string{objects, lines}, [][]string{gotObjects, gotLines}); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
	check("", nil, nil)
	check("{}\n{}\n", []string{"{}", "{}"}, nil)
	check("{\n\t\"a\": {\n\t}\n}\n{}", []string{"{\n\t\"a\": {\n\t}\n}\n", "{}"}, nil)
	check("# a\n{\n\t\"x\": 1\n}\n# b\r\nb.go:1:2: no\r\n\n", []string{"{\n\t\"x\": 1\n}\n"}, []string{"# a", "# b", "b.go:1:2: no"})
	check("last line", nil, []string{"last line"})
	check("{\n\t\"torn\": ", nil, nil)
}

// TestAsTool checks that only what go vet says makes a tool of the command.
func TestAsTool(t *testing.T) {
	check := func(line string, want bool) {
		t.Helper()
		if got := asTool(strings.Fields(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	check("-V=full", true)
	check("-flags", true)
	check("/tmp/vet.cfg", true)
	check("-json -advice -poolalias=false /tmp/b001/vet.cfg", true)
	check("", false)
	check("vet ./...", false)
	check("vet x.cfg", false)
	check("-h", false)
	check("-flags ./...", false)
	check("compare -V=full", false)
}

func TestPosition(t *testing.T) {
	check := func(text, file string, line, column int) {
		t.Helper()
		if f, l, c := position(text); f != file || l != line || c != column {
			t.Errorf("%s: %s, %d, %d", text, f, l, c)
		}
	}
	check("/a/b.go:12:3", "/a/b.go", 12, 3)
	check(`C:\a\b.go:12:3`, `C:\a\b.go`, 12, 3)
	check("/a/b.y:12", "/a/b.y", 12, 0)
	check("/a/b.go", "/a/b.go", 0, 0)
	check("-", "-", 0, 0)
	check("", "", 0, 0)
}

// TestSummary checks the last line, with its numbers.
func TestSummary(t *testing.T) {
	check := func(severities string, packages int, want string, serious bool) {
		t.Helper()
		r := &Report{Packages: packages}
		for _, s := range strings.Fields(severities) {
			r.Findings = append(r.Findings, Finding{Severity: s})
		}
		if got := r.Summary(); got != want || r.Serious() != serious {
			t.Errorf("%s: %s, %v", severities, got, r.Serious())
		}
	}
	check("", 12, "nothing found in 12 packages", false)
	check("note", 1, "1 note in 1 package", false)
	check("error note error", 2, "2 errors and 1 note in 2 packages", true)
	check("warning note error", 2, "1 error, 1 warning and 1 note in 2 packages", true)
}

// TestSort checks that what is found in a package, and again with its tests, is one.
func TestSort(t *testing.T) {
	at := func(file string, line int, rule string) Finding {
		return Finding{Rule: rule, Span: Span{File: file, Line: line}}
	}
	r := &Report{Findings: []Finding{at("b.go", 1, "x"), at("a.go", 9, "x"), at("a.go", 10, "y"), at("a.go", 9, "x"), at("a.go", 10, "x")},
		Problems: []Problem{{"b", "x"}, {"a", "x"}, {"b", "x"}}}
	r.sort()
	want := &Report{Findings: []Finding{at("a.go", 9, "x"), at("a.go", 10, "x"), at("a.go", 10, "y"), at("b.go", 1, "x")}, Problems: []Problem{{"a", "x"}, {"b", "x"}}}
	if diff := cmp.Diff(want.Findings, r.Findings); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want.Problems, r.Problems); diff != "" {
		t.Error(diff)
	}
}

// TestText checks the blocks of findings, with and without colours.
func TestText(t *testing.T) {
	f := Finding{Rule: "poolalias", Severity: "error", Message: "it is bad", Span: Span{File: "a.go", Line: 3, Column: 4},
		Related: []Related{{Span{File: "a.go", Line: 1, Column: 2}, "acquired here"}, {Span{File: "b.y", Line: 7}, "released here"}}}
	check := func(text Text, want string) {
		t.Helper()
		var b strings.Builder
		if err := text.Findings(&b, []Finding{f}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Error(diff)
		}
	}
	check(Text{}, "a.go:3:4: error: it is bad [poolalias]\n    a.go:1:2: acquired here\n    b.y:7: released here\n")
	check(Text{Color: true}, "\x1b[1ma.go:3:4\x1b[0m: \x1b[31merror:\x1b[0m it is bad \x1b[2m[poolalias]\x1b[0m\n    a.go:1:2: acquired here\n    b.y:7: released here\n")
}

// TestRules checks that every rule has what the outputs show of it.
func TestRules(t *testing.T) {
	for _, a := range Rules() {
		title := Title(a)
		if title == "" || strings.Contains(title, "\n") || len(title) > 110 {
			t.Errorf("%s: title %q", a.Name, title)
		}
		if a.URL == "" || ByName(a.Name) != a || Markdown(a) == "" {
			t.Errorf("%s: incomplete", a.Name)
		}
		var b strings.Builder
		if err := Explain(&b, a, 80); err != nil || !strings.HasPrefix(b.String(), a.Name+" ") {
			t.Errorf("%s: %v, %s", a.Name, err, &b)
		}
	}
}
