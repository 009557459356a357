package vetrun

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

// TestSerious checks which severities are.
func TestSerious(t *testing.T) {
	check := func(severities string, want bool) {
		t.Helper()
		r := &Report{}
		for _, s := range strings.Fields(severities) {
			r.Findings = append(r.Findings, Finding{Severity: s})
		}
		if got := r.Serious(); got != want {
			t.Errorf("%s: %v", severities, got)
		}
	}
	check("", false)
	check("note", false)
	check("note error note", true)
	check("warning", true)
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

// TestRules checks that every rule has what the outputs show of it.
func TestRules(t *testing.T) {
	for _, a := range Rules() {
		title := Title(a)
		if title == "" || strings.Contains(title, "\n") || len(title) > 110 {
			t.Errorf("%s: title %q", a.Name, title)
		}
		if a.URL == "" || ByName(a.Name) != a {
			t.Errorf("%s: incomplete", a.Name)
		}
	}
}
