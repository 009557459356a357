package lever

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// TestAmongImports checks that an import stands where gofmt would have it, also in a file that gofmt has not seen.
func TestAmongImports(t *testing.T) {
	for before, after := range map[string]string{
		"(\n\t\"bytes\"\n\t\"time\"\n)":                    "(\n\t\"bytes\"\n\t\"sync\"\n\t\"time\"\n)",
		"(\n\t\"time\"\n)":                                 "(\n\t\"sync\"\n\t\"time\"\n)",
		"(\n\t\"bytes\" // first\n)":                       "(\n\t\"bytes\" // first\n\t\"sync\"\n)",
		"(\n\t\"bytes\"\n\n\t\"example.com/a\"\n)":         "(\n\t\"bytes\"\n\t\"sync\"\n\n\t\"example.com/a\"\n)",
		"(\n\t\"bytes\"\n\t// clocks\n\ttimes \"time\"\n)": "(\n\t\"bytes\"\n\t\"sync\"\n\t// clocks\n\ttimes \"time\"\n)",
		"()":                    "(\n\t\"sync\")",
		"(\"bytes\"; \"time\")": "(\"bytes\"; \"sync\"\n\t\"time\")",
	} {
		const head = "package p\n\nimport "
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", head+before, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		p := &Line{Program: &Program{fset: fset}}
		pos, text := p.amongImports(file.Decls[0].(*ast.GenDecl), `"sync"`)
		at := fset.Position(pos).Offset - len(head)
		if got := before[:at] + text + before[at:]; got != after {
			t.Errorf("%q became %q, want %q", before, got, after)
		}
	}
}

// TestEndOfLine checks that an import comes behind the comment of the package clause.
func TestEndOfLine(t *testing.T) {
	for text, want := range map[string]int{
		"package p\n\nvar x int\n":                       9,
		"package p // import \"x/p\"\n\nvar x int\n":     25,
		"package p; import \"x\"\n\nvar x int\n":         -1,
		"package p /* of x */\n\nvar x int\n":            -1,
		"package p // from elsewhere\r\n\r\nvar x int\n": -1,
	} {
		name := filepath.Join(t.TempDir(), "p.go")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := &Line{Program: &Program{fset: fset}}
		got := -1
		if pos, ok := p.endOfLine(file.Name.End()); ok {
			got = fset.Position(pos).Offset
		}
		if got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
