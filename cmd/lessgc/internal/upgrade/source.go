package upgrade

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// documented reads what a toolchain knows of experiments: by name, the first sentence of
// the documentation of its field in internal/goexperiment's Flags, "" for none. The result
// is nil if the distribution has no such source, or one that is written in another way.
func documented(root string) map[string]string {
	file := filepath.Join(root, "src", "internal", "goexperiment", "flags.go")
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var flags *ast.StructType
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == "Flags" {
			flags, _ = spec.Type.(*ast.StructType)
		}
		return flags == nil
	})
	if flags == nil {
		return nil
	}
	known := map[string]string{}
	for _, field := range flags.Fields.List {
		for _, name := range field.Names {
			known[strings.ToLower(name.Name)] = new(doc.Package).Synopsis(field.Doc.Text())
		}
	}
	return known
}
