package lever

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sortKeyForms are bodies of a comparison of two elements of s, and what becomes of them; "" if they stay.
var sortKeyForms = map[string]string{
	"if s[i].x != s[j].x {\n\t\t\treturn s[i].x < s[j].x\n\t\t}\n\t\treturn s[i].name > s[j].name":                                                                       "if c := cmp.Compare(a.x, b.x); c != 0 {\n\t\t\treturn c\n\t\t}\n\t\treturn strings.Compare(b.name, a.name)",
	"if s[j].x != s[i].x {\n\t\t\treturn s[j].x < s[i].x\n\t\t}\n\t\tif s[i].name != s[j].name {\n\t\t\treturn s[i].name < s[j].name\n\t\t}\n\t\treturn s[i].y < s[j].y": "if c := cmp.Compare(b.x, a.x); c != 0 {\n\t\t\treturn c\n\t\t}\n\t\tif c := strings.Compare(a.name, b.name); c != 0 {\n\t\t\treturn c\n\t\t}\n\t\treturn cmp.Compare(a.y, b.y)",
	"if s[i].x == s[j].x {\n\t\t\treturn s[i].y > s[j].y\n\t\t}\n\t\treturn s[i].x > s[j].x":                                                                             "if c := cmp.Compare(b.x, a.x); c != 0 {\n\t\t\treturn c\n\t\t}\n\t\treturn cmp.Compare(b.y, a.y)",
	"return s[i].x < s[j].x || s[i].x == s[j].x && s[i].y < s[j].y":                                                                                                      "if c := cmp.Compare(a.x, b.x); c != 0 {\n\t\t\treturn c\n\t\t}\n\t\treturn cmp.Compare(a.y, b.y)",
	"return s[i].x < s[j].x || (s[j].x == s[i].x && (s[i].y < s[j].y || (s[i].y == s[j].y && s[j].name > s[i].name)))":                                                   "if c := cmp.Compare(a.x, b.x); c != 0 {\n\t\t\treturn c\n\t\t}\n\t\tif c := cmp.Compare(a.y, b.y); c != 0 {\n\t\t\treturn c\n\t\t}\n\t\treturn strings.Compare(a.name, b.name)",
	"if s[i].name != s[j].name {\n\t\t\treturn s[i].name < s[j].name\n\t\t}\n\t\treturn s[i].x < s[j].x || s[i].x == s[j].x && s[i].y < s[j].y":                          "if c := strings.Compare(a.name, b.name); c != 0 {\n\t\t\treturn c\n\t\t}\n\t\tif c := cmp.Compare(a.x, b.x); c != 0 {\n\t\t\treturn c\n\t\t}\n\t\treturn cmp.Compare(a.y, b.y)",

	"if s[i].x != s[j].x {\n\t\t\treturn s[i].y < s[j].y\n\t\t}\n\t\treturn s[i].name < s[j].name":                                                 "", // another key
	"if s[i].x == s[j].x {\n\t\t\treturn s[i].x < s[j].x\n\t\t}\n\t\treturn s[i].y < s[j].y":                                                       "", // the other way round
	"if s[i].x == s[j].x {\n\t\t\treturn s[i].y < s[j].y\n\t\t}\n\t\tif s[i].x != s[j].x {\n\t\t\treturn s[i].x < s[j].x\n\t\t}\n\t\treturn false": "", // more follows
	"if s[i].x < s[j].x {\n\t\t\treturn s[i].x < s[j].x\n\t\t}\n\t\treturn s[i].y < s[j].y":                                                        "", // it is not where they differ
	"if s[i].x != s[i].x {\n\t\t\treturn s[i].x < s[j].x\n\t\t}\n\t\treturn s[i].y < s[j].y":                                                       "", // of one element
	"if s[i].x != s[j].x {\n\t\t\treturn s[i].x < s[j].x\n\t\t} else {\n\t\t\treturn s[i].y < s[j].y\n\t\t}":                                       "", // an else
	"if s[i].x != s[j].x {\n\t\t\treturn s[i].x <= s[j].x\n\t\t}\n\t\treturn s[i].y < s[j].y":                                                      "", // <=
	"if s[i].x != s[j].x {\n\t\t\tcalls++\n\t\t\treturn s[i].x < s[j].x\n\t\t}\n\t\treturn s[i].y < s[j].y":                                        "", // a statement
	"if calls++; s[i].x != s[j].x {\n\t\t\treturn s[i].x < s[j].x\n\t\t}\n\t\treturn s[i].y < s[j].y":                                              "", // an init
	"if s[i].x != s[j].x {\n\t\t\t// first x\n\t\t\treturn s[i].x < s[j].x\n\t\t}\n\t\treturn s[i].y < s[j].y":                                     "", // a comment
	"return s[i].x < s[j].x || s[i].y == s[j].y && s[i].y < s[j].y":                                                                                "", // another key is the same
	"return s[i].x < s[j].x || s[i].x != s[j].x && s[i].y < s[j].y":                                                                                "", // not the same
	"return s[i].x < s[j].x && s[i].x == s[j].x || s[i].y < s[j].y":                                                                                "", // another order
	"return s[i].x < s[j].x || s[i].x == s[j].x":                                                                                                   "", // no second key
	"return s[i].x < s[j].x || s[i].x == s[j].x && other[i].y < other[j].y":                                                                        "", // another slice
	"if s[i].x != s[j].x {\n\t\t\treturn s[i].x < s[j].x\n\t\t}\n\t\treturn s[i].key() < s[j].key()":                                               "", // a method
}

// TestSortKeys checks what becomes of a comparison by several keys, and that slices are sorted as before, with the order of equal elements.
func TestSortKeys(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	var b, calls strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"math/rand\"\n\t\"sort\"\n)\n\ntype t struct {\n\tx, y uint8\n\tname string\n\tat   int\n}\n\nfunc (a t) key() int { return a.at }\n\nvar calls int\n\n")
	forms := slices.Sorted(maps.Keys(sortKeyForms))
	marks := map[string]string{}
	for k, form := range forms {
		for _, fn := range []string{"Slice", "SliceStable"} {
			name := fmt.Sprintf("sort%d%s", k, fn)
			fmt.Fprintf(&b, "func %s(s, other []t) {\n\tsort.%s(s, func(i, j int) bool {\n\t\t%s\n\t})\n}\n\n", name, fn, form)
			fmt.Fprintf(&calls, "\t\ts = copied(all)\n\t\t%s(s, all)\n\t\tsum = sum*31 + order(s)\n", name)
			marks[name] = sortKeyForms[form]
		}
	}
	b.WriteString("func copied(s []t) []t { return append([]t(nil), s...) }\n\nfunc order(s []t) (sum int) {\n\tfor _, x := range s {\n\t\tsum = sum*1000003 + x.at\n\t}\n\treturn sum\n}\n\n" +
		"func main() {\n\tr, sum := rand.New(rand.NewSource(1)), 0\n\tfor n := 0; n < 200; n++ {\n\t\tall := make([]t, n)\n\t\tfor i := range all {\n\t\t\tall[i] = t{x: uint8(r.Intn(3)), y: uint8(r.Intn(3)), name: \"abc\"[r.Intn(3):], at: i}\n\t\t}\n\t\tvar s []t\n" + calls.String() + "\t}\n\tfmt.Println(sum)\n}\n")
	source := b.String()
	file := filepath.Join(dir, "m.go")
	for name, text := range map[string]string{file: source, filepath.Join(dir, "go.mod"): "module example.com/m\n\ngo 1.21\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sum := func() string {
		cmd := exec.Command("go", "run", ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	before := sum()
	program, err := Load(t.Context(), dir, []string{"."}, false)
	if err != nil {
		t.Fatal(err)
	}
	var edits []Edit
	rewritten := 0
	for name, want := range marks {
		head, _, _ := strings.Cut(source, "func "+name+"(")
		f := everything(program, file, 2+strings.Count(head, "\n"), sortFunc)
		text := ""
		for _, e := range f.Edits {
			if _, after, ok := strings.Cut(e.Text, " t) int {\n"); ok {
				text = strings.NewReplacer("\t", "", "\n})", "").Replace(after)
			}
		}
		if want = strings.ReplaceAll(want, "\t", ""); text != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, text, want)
		}
		if len(f.Edits) > 0 {
			rewritten++
		}
		for _, e := range f.Edits {
			if !slices.Contains(edits, e) {
				edits = append(edits, e)
			}
		}
	}
	if rewritten != 12 {
		t.Errorf("%d calls are rewritten", rewritten)
	}
	data := []byte(source)
	for _, e := range slices.Backward(slices.SortedFunc(slices.Values(edits), byPlace)) {
		data = slices.Concat(data[:e.Pos], []byte(e.Text), data[e.End:])
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if after := sum(); after != before {
		t.Errorf("sorted as %s, and before as %s\n%s", after, before, data)
	}
}
