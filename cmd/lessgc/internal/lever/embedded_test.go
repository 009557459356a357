package lever

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// TestLineNotEmbedded checks that no struct embeds a Line: each that did had its hundreds of methods compiled once more, twice over, and
// these were four fifths of the functions of the package and two thirds of its compile time.
func TestLineNotEmbedded(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	fset := token.NewFileSet()
	for _, file := range files {
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			for _, field := range s.Fields.List {
				embedded := field.Type
				if star, ok := embedded.(*ast.StarExpr); ok {
					embedded = star.X
				}
				if id, ok := embedded.(*ast.Ident); ok && len(field.Names) == 0 && id.Name == "Line" {
					t.Errorf("%s: a struct embeds a Line; give the field a name", fset.Position(field.Pos()))
				}
			}
			return true
		})
	}
}
