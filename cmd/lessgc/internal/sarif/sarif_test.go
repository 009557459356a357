package sarif

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/vetrun"
)

// written returns what Write makes of a report of a file a b.go in a folder of a
// repository, whose second line has characters of several bytes.
func written(t *testing.T, r *vetrun.Report) run {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "dir")
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a b.go"), []byte("package a\nvar größe = \"ä€\" // x\nvar z int"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if got := Root(filepath.Join(dir, "sub")); got != root {
		t.Errorf("the root is %s, want %s", got, root)
	}
	var b strings.Builder
	if err := Write(&b, r, root, input.NewSources(root)); err != nil {
		t.Fatal(err)
	}
	var l log
	if err := json.Unmarshal([]byte(b.String()), &l); err != nil || l.Version != "2.1.0" || len(l.Runs) != 1 {
		t.Fatalf("%v\n%s", err, &b)
	}
	return l.Runs[0]
}

func TestResult(t *testing.T) {
	got := written(t, &vetrun.Report{Findings: []vetrun.Finding{{
		Rule: "poolalias", Severity: "error", Category: "corruption", Message: "it is bad", Package: "a",
		Span:    vetrun.Span{File: "a b.go", Line: 2, Column: 15, EndLine: 2, EndColumn: 22},
		Related: []vetrun.Related{{Span: vetrun.Span{File: "sub/c.go", Line: 7, Column: 3, EndLine: 7, EndColumn: 3}, Message: "acquired here"}},
		Fixes: []vetrun.Fix{
			{Message: "make it better", Edits: []vetrun.Edit{{File: "a b.go", Start: 24, End: 31, New: "1"}, {File: "a b.go", Start: 37, End: 37, New: "var y int\n"}}},
			{Message: "file is gone", Edits: []vetrun.Edit{{File: "sub/c.go", Start: 4, End: 9}}},
		},
	}}})
	file := artifact{"dir/a%20b.go", base}
	want := []result{{
		RuleID: "poolalias", RuleIndex: got.Results[0].RuleIndex, Level: "error", Message: message{Text: "it is bad"},
		Locations: []location{{Physical: physical{file, &region{2, 13, 2, 17}}}},
		Related:   []location{{1, physical{artifact{"dir/sub/c.go", base}, &region{StartLine: 7, StartColumn: 3}}, &message{Text: "acquired here"}}},
		Fixes: []fix{{message{Text: "make it better"}, []change{{file, []replacement{
			{region{2, 13, 2, 17}, &content{"1"}},
			{region{3, 1, 3, 1}, &content{"var y int\n"}},
		}}}}},
		Properties: map[string]string{"category": "corruption", "package": "a"},
	}}
	if diff := cmp.Diff(want, got.Results); diff != "" {
		t.Error(diff)
	}
	if id := got.Tool.Driver.Rules[got.Results[0].RuleIndex].ID; id != "poolalias" {
		t.Errorf("the index is that of %s", id)
	}
	if uri := got.Bases[base].URI; !strings.HasPrefix(uri, "file:///") || !strings.HasSuffix(uri, "/") {
		t.Errorf("the root is %s", uri)
	}
}

// TestProblems checks that what was not looked at makes the run one that did not succeed.
func TestProblems(t *testing.T) {
	got := written(t, &vetrun.Report{Problems: []vetrun.Problem{{Package: "x", Message: "does not compile: no"}}, Notes: []string{"look there, too"}})
	want := []invocation{{false, []notification{{"error", message{Text: "x does not compile: no"}}, {"note", message{Text: "look there, too"}}}}}
	if diff := cmp.Diff(want, got.Invocations); diff != "" {
		t.Error(diff)
	}
	if got := written(t, &vetrun.Report{}); !got.Invocations[0].Successful || got.Results == nil {
		t.Errorf("nothing found is %+v", got)
	}
}

// TestForeignFile checks that a file which a line directive names is not read if it lies
// outside of what may be: its columns stay as they are.
func TestForeignFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(file, []byte("ä b"), 0o666); err != nil {
		t.Fatal(err)
	}
	for sources, want := range map[*input.Sources]int{input.NewSources(filepath.Dir(file)): 3, input.NewSources(t.TempDir()): 4} {
		p := &writer{sources: sources, files: map[string][]byte{}}
		if got := p.column(file, 1, 4); got != want {
			t.Errorf("column %d, want %d", got, want)
		}
	}
}

// TestPlaces checks files that are elsewhere, and positions without a column.
func TestPlaces(t *testing.T) {
	p := &writer{root: "/repo", files: map[string][]byte{"/x/y.go": []byte("ä\nä b")}}
	check := func(s vetrun.Span, want physical) {
		t.Helper()
		if diff := cmp.Diff(want, p.physical(s)); diff != "" {
			t.Error(diff)
		}
	}
	elsewhere := artifact{URI: "file:///x/y.go"}
	check(vetrun.Span{File: "/x/y.go"}, physical{Artifact: elsewhere})
	check(vetrun.Span{File: "/x/y.go", Line: 2, EndLine: 2}, physical{elsewhere, &region{StartLine: 2}})
	check(vetrun.Span{File: "/x/y.go", Line: 2, Column: 4, EndLine: 2, EndColumn: 4}, physical{elsewhere, &region{StartLine: 2, StartColumn: 3}})
	check(vetrun.Span{File: "/x/y.go", Line: 9, Column: 4, EndLine: 9, EndColumn: 5}, physical{elsewhere, &region{9, 4, 9, 5}})
	check(vetrun.Span{File: "/repo/a/b.go", Line: 1, Column: 1, EndLine: 1, EndColumn: 1}, physical{artifact{"a/b.go", base}, &region{StartLine: 1, StartColumn: 1}})
}
