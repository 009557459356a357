package advice

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/lever"
)

func TestChange(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.go")
	const text = "package x\n\nimport (\n\t\"fmt\"\n)\n\nfunc f(in []int) {\n\tvar all []int\n\tfor range in {\n\t\tall = append(all, 1)\n\t}\n}"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	files := input.NewSources(dir)
	edit := func(from, old, is string) lever.Edit {
		at := strings.Index(text, from)
		return lever.Edit{File: file, Pos: at, End: at + len(old), Text: is}
	}
	for _, c := range []struct {
		edits []lever.Edit
		want  []string // sign, line, text
	}{
		{[]lever.Edit{edit("var all", "var all []int", "all := make([]int, 0, len(in))")},
			[]string{"-8 var all []int", "+8 all := make([]int, 0, len(in))"}},
		{ // in another order, and two in one line
			[]lever.Edit{edit("all, 1", "all", "every"), edit("all = app", "all", "every"), edit("\n\t\"fmt\"", "", "\n\t\"slices\"")},
			[]string{"+4 \"slices\"", "-10     all = append(all, 1)", "+10     every = append(every, 1)"},
		},
		{ // over several lines, to the end of the file
			[]lever.Edit{edit("for range", "for range in {\n\t\tall = append(all, 1)\n\t}\n}", "_ = in\n}")},
			[]string{"-9 for range in {", "-10     all = append(all, 1)", "-11 }", "+9 _ = in"},
		},
		{[]lever.Edit{edit("}", "}", "}\n")}, []string{"+12 "}},
		{[]lever.Edit{{File: file, Pos: len(text), End: len(text) + 1}}, nil},
		{[]lever.Edit{{File: file, Pos: -1, End: 0, Text: "x"}}, nil},
		{[]lever.Edit{{File: file, Pos: 5, End: 4}}, nil},
		{[]lever.Edit{edit("var", "var all", "x"), edit("all []", "all", "y")}, nil},
		{[]lever.Edit{{File: filepath.Join(dir, "y.go"), Text: "x"}}, nil},
		{[]lever.Edit{{File: "/etc/passwd", Text: "x"}}, nil},
	} {
		var got []string
		for _, l := range Change(files, c.edits) {
			got = append(got, fmt.Sprintf("%c%d %s", "-+"[b2i(l.New)], l.Line, l.Text))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v:\n%s\nwant\n%s", c.edits, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
