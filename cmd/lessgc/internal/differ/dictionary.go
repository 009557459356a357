package differ

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	mostWords   = 300
	longestWord = 500
	mostNumber  = 1 << 20
	largestFile = 1 << 20
)

// findAdded finds the fields of structs that only the package after the change has.
func (a *asker) findAdded(was, is *program) {
	for name, d := range is.decls {
		object := d.typeName()
		before := was.decls[name]
		if object == nil || before == nil || before.typeName() == nil {
			continue
		}
		now, ok1 := object.Type().Underlying().(*types.Struct)
		then, ok2 := before.typeName().Type().Underlying().(*types.Struct)
		named, ok3 := object.Type().(*types.Named)
		if !ok1 || !ok2 || !ok3 || named.TypeParams() != nil {
			continue
		}
		had := map[string]bool{}
		for f := range then.Fields() {
			had[f.Name()] = true
		}
		for f := range now.Fields() {
			if !had[f.Name()] {
				a.added = append(a.added, [2]string{name, f.Name()})
			}
		}
	}
	slices.SortFunc(a.added, func(x, y [2]string) int { return strings.Compare(x[0]+"."+x[1], y[0]+"."+y[1]) })
}

// collect takes the constants of a piece of syntax into the words and numbers that inputs are made of.
func (in *inputs) collect(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok {
			_, imports := n.(*ast.ImportSpec)
			return !imports
		}
		switch lit.Kind {
		case token.STRING, token.CHAR:
			text, err := strconv.Unquote(lit.Value)
			if err == nil && text != "" && len(text) <= longestWord && len(in.words) < mostWords && !slices.Contains(in.words, text) {
				in.words = append(in.words, text)
			}
		case token.INT:
			n, err := strconv.ParseInt(lit.Value, 0, 64)
			if err == nil && n < mostNumber && len(in.numbers) < mostWords && !slices.Contains(in.numbers, n) {
				in.numbers = append(in.numbers, n)
			}
		}
		return true
	})
}

// collectTests takes the constants of the package's tests.
func (in *inputs) collectTests(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || info.Size() > largestFile {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // it is for the go command to say what is wrong with it
		}
		in.collect(file)
	}
	return nil
}
