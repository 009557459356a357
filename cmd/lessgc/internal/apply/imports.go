package apply

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/lever"
)

// joinImports makes one block of the imports of a file that had no more than one, and none in parentheses: sorted, those of
// the standard library first. Where a comment would not mean the same in the block, as the lines before that of C, the file stays as it is.
func joinImports(file string, was *ast.File, now []byte) ([]byte, error) {
	before := importsOf(was)
	if len(before) > 1 || len(before) == 1 && before[0].Lparen.IsValid() {
		return now, nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, now, parser.ParseComments|parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	all := importsOf(f)
	if len(all) < 2 {
		return now, nil
	}
	at := func(pos token.Pos) int { return fset.PositionFor(pos, false).Offset }
	place := 0 // of the one that was there
	var edits []lever.Edit
	var lines []importLine
	for i, d := range all {
		spec := d.Specs[0].(*ast.ImportSpec)
		if len(before) == 1 && sameImport(spec, before[0].Specs[0].(*ast.ImportSpec)) {
			place = i
		}
		whole := lever.Edit{Pos: at(d.Pos()), End: at(d.End())}
		text := string(now[at(spec.Pos()):whole.End])
		if d.Doc != nil {
			whole.Pos = at(d.Doc.Pos())
			text = string(now[whole.Pos:at(d.TokPos)]) + text
		}
		if spec.Comment != nil {
			text += " " + string(now[at(spec.Comment.Pos()):at(spec.Comment.End())])
			whole.End = at(spec.Comment.End())
		}
		if d.Lparen.IsValid() || spec.Path.Value == `"C"` || !plainComments(d.Doc) || !plainComments(spec.Comment) || !alone(now, whole) {
			return now, nil
		}
		lines = append(lines, importLine{spec.Path.Value, text})
		edits = append(edits, whole)
	}
	slices.SortStableFunc(lines, func(a, b importLine) int {
		return cmp.Or(cmp.Compare(a.group(), b.group()), cmp.Compare(a.path, b.path))
	})
	block := "import ("
	for i, l := range lines {
		if i > 0 && l.group() != lines[i-1].group() {
			block += "\n"
		}
		block += "\n\t" + strings.ReplaceAll(l.text, "\n", "\n\t")
	}
	for i := range edits {
		if i == place {
			edits[i].Text = block + "\n)"
		} else {
			edits[i] = wholeLines(now, edits[i].Pos, edits[i].End)
		}
	}
	return splice(now, edits)
}

// An importLine is an import in a block, with its comments.
type importLine struct{ path, text string }

// group is 0 for paths of the standard library, as goimports tells.
func (l importLine) group() int {
	if first, _, _ := strings.Cut(l.path, "/"); strings.Contains(first, ".") {
		return 1
	}
	return 0
}

// importsOf are the declarations of imports.
func importsOf(f *ast.File) (all []*ast.GenDecl) {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT && len(d.Specs) > 0 {
			all = append(all, d)
		}
	}
	return all
}

func sameImport(a, b *ast.ImportSpec) bool {
	return a.Path.Value == b.Path.Value && (a.Name == nil) == (b.Name == nil) && (a.Name == nil || a.Name.Name == b.Name.Name)
}

// plainComments reports whether comments are text on lines of their own, and no directives, which count at the beginning of a line.
func plainComments(g *ast.CommentGroup) bool {
	return g == nil || !slices.ContainsFunc(g.List, func(c *ast.Comment) bool { return c.Text != "//" && !strings.HasPrefix(c.Text, "// ") })
}

// alone reports whether nothing else is on the lines of part of a text.
func alone(text []byte, e lever.Edit) bool {
	lines := wholeLines(text, e.Pos, e.End)
	return lines != e && lines.Pos <= e.Pos
}
