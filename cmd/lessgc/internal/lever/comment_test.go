package lever

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestComment checks where comments are wrapped, and when one stands above its statement.
func TestComment(t *testing.T) {
	long := strings.Repeat("x", 90)
	for _, c := range []struct {
		indent, text string
		want         []string
	}{
		{"", "ends.", []string{"// ends."}},
		{"", strings.Repeat("seven 7 ", 9) + "ends.", []string{"// " + strings.Repeat("seven 7 ", 8) + "seven 7 ends."}}, // 80 columns
		{"", strings.Repeat("seven 7 ", 9) + "ends..", []string{"// " + strings.Repeat("seven 7 ", 8) + "seven 7", "// ends.."}},
		{"\t", strings.Repeat("seven 7 ", 9) + "ends.", []string{"// " + strings.Repeat("seven 7 ", 8) + "seven 7", "// ends."}},
		{"", strings.Repeat("sieben ", 10) + "äöüßäöü", []string{"// " + strings.Repeat("sieben ", 10) + "äöüßäöü"}}, // 80, in more bytes
		{"", "has " + long + " in it", []string{"// has", "// " + long, "// in it"}},
		{"", long, []string{"// " + long}},
		{"", "a struct{\n\tx int\n}", []string{"// a struct{ x int }"}},
	} {
		if got := comment(c.indent, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
	const note = "few need more"
	fits := strings.Repeat("s", lineColumns-8-len(" // ")-len(note))
	for _, c := range []struct {
		statement string
		want      []string
	}{
		{fits, []string{fits + " // " + note}},
		{fits + "s", []string{"// " + note, fits + "s"}},
	} {
		if got := withNote("\t\t", c.statement, note); !slices.Equal(got, c.want) {
			t.Errorf("%q becomes %q, want %q", c.statement, got, c.want)
		}
	}
}

// TestNoted checks that a comment stands above a line which it would make too wide, if a statement without a comment begins there.
func TestNoted(t *testing.T) {
	t.Setenv("GOWORK", "off")
	const note = "few need more"
	const wide = "aVariableWithAVeryLongNameOfWords, anotherVariableOfMore"
	for _, c := range []struct{ lines, want string }{
		{"\ta, b := make([]int, 0), 1\n\t_, _ = a, b\n", "\ta, b := make([]int, 0, 16 /* " + note + " */), 1\n\t_, _ = a, b\n"},
		{"\ta, b := 1, make([]int, 0)\n\t_, _ = a, b\n", "\ta, b := 1, make([]int, 0, 16) // " + note + "\n\t_, _ = a, b\n"},
		{ // a comment above would be that of the function
			"}\n\nfunc ofALongName() (" + wide + " int) { return cap(make([]int, 0)), 1\n",
			"}\n\nfunc ofALongName() (" + wide + " int) { return cap(make([]int, 0, 16 /* " + note + " */)), 1\n",
		},
		{
			"\t" + wide + " := make([]int, 0), len(\"and text\")\n\t_, _ = " + wide + "\n",
			"\t// " + note + "\n\t" + wide + " := make([]int, 0, 16), len(\"and text\")\n\t_, _ = " + wide + "\n",
		},
		{
			"\t" + wide + " := len(\"and text\"), make([]int, 0)\n\t_, _ = " + wide + "\n",
			"\t// " + note + "\n\t" + wide + " := len(\"and text\"), make([]int, 0, 16)\n\t_, _ = " + wide + "\n",
		},
		{
			"\t// Two of them.\n\t" + wide + " := len(\"and text\"), make([]int, 0)\n\t_, _ = " + wide + "\n",
			"\t// Two of them.\n\t" + wide + " := len(\"and text\"), make([]int, 0, 16) // " + note + "\n\t_, _ = " + wide + "\n",
		},
		{
			"\t" + wide + " := len(`and\n\ttext of several lines, the last of which is as long as this one`), make([]int, 0)\n\t_, _ = " + wide + "\n",
			"\t" + wide + " := len(`and\n\ttext of several lines, the last of which is as long as this one`), make([]int, 0, 16) // " + note + "\n\t_, _ = " + wide + "\n",
		},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "m.go")
		const head = "package m\n\nfunc f() {\n"
		for name, text := range map[string]string{"m.go": head + c.lines + "}\n", "go.mod": "module example.com/m\n\ngo 1.26\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		program, err := Load(t.Context(), dir, []string{"."}, false)
		if err != nil {
			t.Fatal(err)
		}
		u := program.units[file]
		p := &Line{program, u, nil, nil, nil}
		var edits []Edit
		ast.Inspect(u.file, func(n ast.Node) bool {
			if call := u.builtin(n, "make"); call != nil {
				edits = p.noted(u, []Edit{p.edit(call.End()-1, call.End(), ", 16)")}, note)
			}
			return true
		})
		if got := string(withEdits(edits, []byte(head+c.lines+"}\n"))); !strings.Contains(got, c.want) || strings.Count(got, note) != 1 {
			t.Errorf("there is no\n%s\nin\n%s", c.want, got)
		}
	}
}
