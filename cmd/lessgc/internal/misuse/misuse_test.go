package misuse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

const formatted = "package a\n\nfunc f() int {\n\treturn 1\n}\n"

// planned are the contents of the files that a report with fixes would change, and why
// other fixes are left.
func planned(t *testing.T, files map[string]string, fixes ...[]Edit) (map[string]string, []string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := &Report{started: time.Now().Add(time.Hour)}
	for _, edits := range fixes {
		r.Findings = append(r.Findings, Finding{Fixes: []Fix{{"fix it", edits}}})
	}
	p, wrong := r.plan(nil)
	if len(wrong) > 0 {
		p, wrong = r.plan(wrong)
		if len(wrong) > 0 {
			t.Fatalf("wrong again: %v", wrong)
		}
	}
	after := map[string]string{}
	for _, f := range p.Files {
		after[f.Name] = string(f.New)
	}
	var left []string
	for _, l := range p.Left {
		left = append(left, l.Why)
	}
	return after, left
}

// TestPlan checks which fixes go together, and what becomes of the files.
func TestPlan(t *testing.T) {
	check := func(name, text, want, why string, fixes ...[]Edit) {
		t.Helper()
		after, left := planned(t, map[string]string{"a.go": text}, fixes...)
		if diff := cmp.Diff(want, after["a.go"]); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if got := strings.Join(left, "; "); got != why {
			t.Errorf("%s: left because %q, want %q", name, got, why)
		}
	}
	one := strings.Index(formatted, "1")
	replace := func(old, new string) []Edit {
		at := strings.Index(formatted, old)
		return []Edit{{"a.go", at, at + len(old), new}}
	}
	check("one", formatted, strings.ReplaceAll(formatted, "1", "2"), "", replace("1", "2"))
	check("formatted stays so", formatted, strings.ReplaceAll(formatted, "1", "f()"), "", replace("1", "  f( )"))
	check("unformatted stays so", "package a\nfunc f() int {return 1}", "package a\nfunc f() int {return   2}", "",
		[]Edit{{"a.go", 31, 32, "  2"}})
	check("two", formatted, "package a\n\nfunc g() int {\n\treturn 2\n}\n", "", replace("1", "2"), replace("f()", "g()"))
	check("the same twice", formatted, strings.ReplaceAll(formatted, "1", "2"), "", replace("1", "2"), replace("1", "2"))
	check("the same place", formatted, strings.ReplaceAll(formatted, "1", "2"), "the fix of another finding is in the way; run lessgc vet -fix again",
		replace("1", "2"), replace("return 1", "panic(1)"))
	check("insertions at the same place", formatted, strings.ReplaceAll(formatted, "1", "21"), "the fix of another finding is in the way; run lessgc vet -fix again",
		[]Edit{{"a.go", one, one, "2"}}, []Edit{{"a.go", one, one, "3"}})
	check("all or nothing", formatted, strings.ReplaceAll(formatted, "1", "2"), "the fix of another finding is in the way; run lessgc vet -fix again",
		replace("1", "2"), append(replace("f()", "g()"), replace("1", "3")...))
	check("beside it", formatted, strings.ReplaceAll(formatted, "return 1", "panic(-1)"), "",
		replace("return ", "panic("), []Edit{{"a.go", one, one, "-"}}, []Edit{{"a.go", one + 1, one + 1, ")"}})
	check("nothing that does not parse", formatted, "", "the file would not parse: 5:1: expected declaration, found '}'", replace("1", "}"))
	check("outside", formatted, "", "the fix does not fit the file", []Edit{{"a.go", 10, 1000, ""}})
	check("generated", "// Code generated by x. DO NOT EDIT.\n\n"+formatted, "", "the file is generated", replace("1", "2"))
	check("line directives", formatted+"\n//line a.y:1\n", "", "the file has line directives, so that it is not clear where the fix belongs", replace("1", "2"))
	check("cgo", "package a\n\nimport \"C\"\n", "", "the file uses cgo, which moves the code around", []Edit{{"a.go", 0, 0, " "}})
	check("broken", "package", "", "the file does not parse", []Edit{{"a.go", 0, 0, " "}})
}

// TestFixOfTwoFiles checks that a fix that does not fit one of its files leaves the other.
func TestFixOfTwoFiles(t *testing.T) {
	after, left := planned(t, map[string]string{"a.go": formatted, "b.go": "// Code generated by x. DO NOT EDIT.\n\npackage a\n"},
		[]Edit{{"a.go", 0, 0, "// a\n"}, {"b.go", 0, 0, "// b\n"}})
	if len(after) > 0 || len(left) != 1 || left[0] != "the file is generated" {
		t.Errorf("changed are %v, left because of %v", after, left)
	}
}

// TestWrite checks that a file keeps its mode and its links, and is not written over if
// somebody else has changed it.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.go"), filepath.Join(dir, "link.go")
	if err := os.WriteFile(real, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.go", link); err != nil {
		t.Skip(err)
	}
	r := &Repair{Files: []File{{link, []byte("old"), []byte("new")}}}
	if err := r.Write(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(real)
	if err != nil || string(data) != "new" {
		t.Errorf("%s, %v", data, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode has changed: %v, %v", info, err)
	}
	if err := r.Write(); err == nil || !strings.Contains(err.Error(), "it was changed meanwhile") {
		t.Errorf("written over: %v", err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 2 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

// TestReal checks that nobody reads the names of the files that go vet sees.
func TestReal(t *testing.T) {
	p := &plan{Repair: Repair{Files: []File{{Name: "x/a.go"}, {Name: "x/b.go"}}}}
	got := p.real("/tmp/lessgc-fix-17", "../../tmp/lessgc-fix-17/1.go:4:2: no (see /tmp/lessgc-fix-17/7.go)")
	if want := "x/b.go:4:2: no (see /tmp/lessgc-fix-17/7.go)"; got != want {
		t.Errorf("%s, want %s", got, want)
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
