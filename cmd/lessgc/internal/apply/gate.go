package apply

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/lever"
)

// A span is the lines of a function.
type span struct {
	file     string
	from, to int
}

func (s span) holds(file string, line int) bool {
	return s.file == file && s.from <= line && line <= s.to
}

// touchable checks that edits are where apply may make them, and returns the functions that they change.
func (t *Tree) touchable(edits []lever.Edit) (spans []span, names []string, err error) {
	for _, e := range edits {
		name, err := filepath.Rel(t.Top, e.File)
		switch {
		case err != nil || !filepath.IsLocal(name):
			return nil, nil, errors.New("it is outside of the checkout")
		case strings.HasSuffix(name, "_test.go"):
			return nil, nil, errors.New("it is a test")
		case slices.Contains(strings.Split(filepath.ToSlash(name), "/"), "vendor"):
			return nil, nil, errors.New("it is vendored")
		}
		s, fn, err := around(e)
		if err != nil {
			return nil, nil, err
		}
		if fn != "" && !slices.Contains(names, fn) {
			spans, names = append(spans, s), append(names, fn)
		}
	}
	return spans, names, nil
}

// around returns the function that an edit is in, as F, T.M or (*T).M; "" for one outside of functions, or that removes a function. The error says
// why nothing may be changed there.
func around(e lever.Edit) (s span, name string, err error) {
	data, err := os.ReadFile(e.File)
	if err != nil {
		return s, "", err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, e.File, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return s, "", err
	}
	if ast.IsGenerated(file) {
		return s, "", errors.New("the file is generated")
	}
	for _, spec := range file.Imports {
		if path := strings.Trim(spec.Path.Value, "`\""); path == "unsafe" || path == "C" {
			return s, "", fmt.Errorf("the file imports %s", path)
		}
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || e.End < fset.PositionFor(d.Pos(), false).Offset || e.Pos > fset.PositionFor(d.End(), false).Offset {
			continue
		}
		if fn.Doc != nil && slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") }) {
			return s, "", fmt.Errorf("%s has a //go: directive", fn.Name.Name)
		}
		if inAssembly(filepath.Dir(e.File), fn.Name.Name) {
			return s, "", fmt.Errorf("assembly refers to %s", fn.Name.Name)
		}
		if e.Text == "" && e.Pos <= fset.PositionFor(d.Pos(), false).Offset && fset.PositionFor(d.End(), false).Offset <= e.End {
			return s, "", nil
		}
		return span{e.File, fset.PositionFor(d.Pos(), false).Line, fset.PositionFor(d.End(), false).Line}, qualified(fn), nil
	}
	return s, "", nil
}

// qualified is the name of a function with its receiver.
func qualified(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := ast.Unparen(fn.Recv.List[0].Type)
	form := "%s.%s"
	if star, ok := t.(*ast.StarExpr); ok {
		t, form = ast.Unparen(star.X), "(*%s).%s"
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	name := "_"
	if id, ok := t.(*ast.Ident); ok {
		name = id.Name
	}
	return fmt.Sprintf(form, name, fn.Name.Name)
}

// inAssembly reports whether an assembly file of a folder mentions a Go function.
func inAssembly(dir, name string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.s")) // the pattern is right
	return slices.ContainsFunc(files, func(file string) bool {
		data, err := os.ReadFile(file)
		return err != nil || bytes.Contains(data, []byte("·"+name+"(SB)"))
	})
}
