package ruletest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"lessgc/vet/internal/flow/debug"
)

// compareSummaries compares what the analysis flow believes of functions with the lines "summary: ..."
// in their doc comments.
func compareSummaries(t *testing.T, dir string, found []Finding) {
	t.Helper()
	believed := map[string]string{} // by file:line
	for _, f := range found {
		if f.Category == debug.Summary {
			file, line := f.Position()
			_, summary, _ := strings.Cut(f.Message, "\n")
			believed[fmt.Sprintf("%s:%d", file, line)] = summary
		}
	}
	fset := token.NewFileSet()
	walk(t, dir, func(path string, data []byte) {
		file, err := parser.ParseFile(fset, path, data, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Doc == nil {
				continue
			}
			for line := range strings.Lines(fn.Doc.Text()) {
				expected, ok := strings.CutPrefix(strings.TrimSpace(line), "summary: ")
				if !ok {
					continue
				}
				if got := believed[fmt.Sprintf("%s:%d", path, fset.Position(fn.Name.Pos()).Line)]; got != expected {
					rel := strings.TrimPrefix(path, dir+string(filepath.Separator))
					t.Errorf("testdata/%s: %s: the summary is %q, not %q", filepath.ToSlash(rel), fn.Name.Name, got, expected)
				}
			}
		}
	})
}
