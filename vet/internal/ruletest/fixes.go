package ruletest

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

var update = flag.Bool("update", false, "write the fixes that rules suggest to testdata/fixes.txt")

// golden is the file that holds all fixes of a rule.
var golden = filepath.Join("testdata", "fixes.txt")

// CompareFixes compares the fixes that package analysistest has got of an analyzer with its golden file
// and with its page, as Run does. Dir is the absolute path of testdata.
func CompareFixes(t *testing.T, a *analysis.Analyzer, dir string, results []*analysistest.Result) {
	t.Helper()
	var found []Finding
	for _, r := range results {
		file := func(pos token.Pos) token.Position { return r.Action.Package.Fset.PositionFor(pos, false) }
		for _, d := range r.Action.Diagnostics {
			f := Finding{Category: d.Category, Posn: file(d.Pos).String(), Message: d.Message}
			for _, x := range d.SuggestedFixes {
				fix := Fix{Message: x.Message}
				for _, e := range x.TextEdits {
					fix.Edits = append(fix.Edits, Edit{file(e.Pos).Filename, file(e.Pos).Offset, file(e.End).Offset, string(e.NewText)})
				}
				f.Fixes = append(f.Fixes, fix)
			}
			found = append(found, f)
		}
	}
	compareFixes(t, a, dir, found)
}

// compareFixes compares the fixes of a rule with its golden file and with its page.
func compareFixes(t *testing.T, a *analysis.Analyzer, dir string, found []Finding) {
	t.Helper()
	got := described(t, dir, found)
	switch promised := strings.Contains(a.Doc, "\nFix: "); {
	case promised && len(got) == 0:
		t.Errorf("the page of %s has a paragraph on its fix, and no case has one", a.Name)
	case !promised && len(got) > 0:
		t.Errorf("%s suggests fixes, and its page has no paragraph that begins with Fix", a.Name)
	}
	if *update {
		if !wantLong() {
			t.Fatal("-update needs LESSGC_LONG=1, or fixes of some cases would be lost")
		}
		if err := write(strings.Join(got, "\n")); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(golden)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var want []string
	for entry := range strings.SplitSeq(string(data), "\n\n") {
		file, _, _ := strings.Cut(entry, ":")
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file))); file != "" && err == nil { // not one of long cases that are left out
			want = append(want, strings.TrimSuffix(entry, "\n")+"\n")
		}
	}
	for _, text := range want {
		if !slices.Contains(got, text) {
			t.Errorf("this fix of %s is gone:\n%s", golden, text)
		}
	}
	for _, text := range got {
		if !slices.Contains(want, text) {
			t.Errorf("this fix is not in %s; -update writes it:\n%s", golden, text)
		}
	}
}

// write makes the golden file, or removes it if there is nothing to keep.
func write(text string) error {
	if text == "" {
		if err := os.Remove(golden); !os.IsNotExist(err) {
			return err
		}
		return nil
	}
	return os.WriteFile(golden, []byte(text), 0o666)
}

// described returns a text for each fix of all findings: the position of the finding, the message
// of the fix and the lines that it changes. The fixes of a package and of its test variant are one.
func described(t *testing.T, dir string, found []Finding) []string {
	t.Helper()
	type entry struct {
		file string
		line int
		text string
	}
	var all []entry
	for _, f := range found {
		file, line := f.Position()
		file = filepath.ToSlash(strings.TrimPrefix(file, dir+string(filepath.Separator)))
		for _, fix := range f.Fixes {
			var b strings.Builder
			fmt.Fprintf(&b, "%s:%d: %s\n", file, line, fix.Message)
			describe(t, &b, fix)
			all = append(all, entry{file, line, b.String()})
		}
	}
	slices.SortFunc(all, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.line, y.line), cmp.Compare(x.text, y.text))
	})
	var texts []string
	for _, e := range slices.Compact(all) {
		texts = append(texts, e.text)
	}
	return texts
}

// describe writes the lines that a fix changes, as they were and as they would be, before gofmt.
func describe(t *testing.T, b *strings.Builder, fix Fix) {
	t.Helper()
	edits := slices.Clone(fix.Edits)
	slices.SortStableFunc(edits, func(x, y Edit) int {
		return cmp.Or(cmp.Compare(x.Filename, y.Filename), cmp.Compare(x.Start, y.Start))
	})
	for len(edits) > 0 {
		name := edits[0].Filename
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		first := bytes.LastIndexByte(data[:edits[0].Start], '\n') + 1
		at, end := first, first // of what is copied, and of the lines that the edits so far touch
		var after []byte
		for {
			e := edits[0]
			after = slices.Concat(after, data[at:e.Start], []byte(e.New))
			at, end, edits = e.End, lineEnd(data, e.End), edits[1:]
			if len(edits) == 0 || edits[0].Filename != name || edits[0].Start > end {
				break
			}
		}
		lines(b, "-", data[first:end])
		lines(b, "+", append(after, data[at:end]...))
	}
}

// lineEnd returns the offset of the end of the line around at, before its newline.
func lineEnd(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(data)
}

// lines writes each line of text behind a mark, without "want" comments and trailing space.
func lines(b *strings.Builder, mark string, text []byte) {
	for line := range bytes.Lines(text) {
		fmt.Fprintf(b, "%s\n", bytes.TrimRight(append([]byte(mark), wantComment.ReplaceAll(line, nil)...), " \t\n"))
	}
}
