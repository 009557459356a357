package apply

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/imports"

	"lessgc/cmd/lessgc/internal/lever"
)

// edited returns the content of the files that edits change, by their names in the checkout: formatted, if they were,
// and with no import that is no longer used.
func (t *Tree) edited(edits []lever.Edit) (map[string][]byte, error) {
	byFile := map[string][]lever.Edit{}
	for _, e := range edits {
		byFile[e.File] = append(byFile[e.File], e)
	}
	out := map[string][]byte{}
	for file, all := range byFile {
		name, err := filepath.Rel(t.Top, file)
		if err != nil || !filepath.IsLocal(name) {
			return nil, fmt.Errorf("the change is in %s, outside of the checkout", file)
		}
		old, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		now, err := splice(old, all)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if now, err = tidy(file, old, now); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[filepath.ToSlash(name)] = now
	}
	return out, nil
}

// splice makes edits in a text.
func splice(text []byte, edits []lever.Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b lever.Edit) int { return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.End, b.End)) })
	edits = slices.CompactFunc(edits, func(a, b lever.Edit) bool { return a == b })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.Pos < at || e.End < e.Pos || e.End > len(text) {
			return nil, fmt.Errorf("edits overlap, or lie outside of the file, at byte %d", e.Pos)
		}
		out.Write(text[at:e.Pos])
		out.WriteString(e.Text)
		at = e.End
	}
	out.Write(text[at:])
	return out.Bytes(), nil
}

// tidy formats a file that was formatted before, and drops imports that only the old text used.
func tidy(file string, old, now []byte) ([]byte, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, now, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("the change does not parse: %w", err)
	}
	formatted := false
	if clean, err := format.Source(old); err == nil {
		formatted = bytes.Equal(clean, old)
	}
	was, err := parser.ParseFile(token.NewFileSet(), file, old, 0)
	if err != nil {
		return nil, err
	}
	unused := false
	for _, spec := range parsed.Imports {
		path := strings.Trim(spec.Path.Value, "`\"")
		unused = unused || named(spec) && astutil.UsesImport(was, path) && !astutil.UsesImport(parsed, path)
	}
	switch {
	case unused: // imports.Process knows the names of packages; what is missing is not looked for, as nothing is
		return imports.Process(file, now, &imports.Options{Comments: true, TabIndent: true, TabWidth: 8})
	case formatted:
		return format.Source(now)
	}
	return now, nil
}

// named reports whether an import gives its package a name to use.
func named(spec *ast.ImportSpec) bool {
	return spec.Name == nil || spec.Name.Name != "_" && spec.Name.Name != "."
}
