package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// knownHelper is the name of a function that an earlier change has left in the package: "" for none. format is its text, with the
// function's name and that of the package with the path, if there is one; hidden reports whether a name means something else where it would be called.
func (p *Line) knownHelper(format, path string, hidden func(name string) bool) string {
	for _, u := range p.units {
		if u.pkg != p.pkg || p.forSome(u) || p.inTest(u.file.Package) {
			continue
		}
		for _, d := range u.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Doc == nil {
				continue
			}
			there := &Line{p.Program, u, p.site, &function{u, fn, fn.Body, fn.Type}, nil}
			if text := there.helperText(format, fn.Name.Name, path); sameSource("\n"+p.textBetween(fn.Doc.Pos(), fn.End())+"\n", text) && !hidden(fn.Name.Name) {
				return fn.Name.Name
			}
		}
	}
	return ""
}

// addHelper adds a function at the end of the line's file, see knownHelper.
func (p *Line) addHelper(format, name, path string) Edit {
	file := p.fset.File(p.file.Package)
	end := token.Pos(file.Base() + file.Size())
	text := p.helperText(format, name, path)
	if !strings.HasSuffix(p.textBetween(p.file.Package, end), "\n") {
		text = "\n" + text
	}
	return p.edit(end, end, text)
}

// helperText is the text of such a function, whose comment is wrapped; "" if the file cannot import the package.
func (p *Line) helperText(format, name, path string) string {
	doc, source, _ := strings.Cut(format, "\nfunc ")
	names := []any{name}
	if path != "" {
		pkg, _, ok := p.importing(path)
		if !ok {
			return ""
		}
		names = append(names, pkg)
	}
	return "\n" + documented(fmt.Sprintf(strings.ReplaceAll(doc, "//", ""), name), fmt.Sprintf("func "+source, names...))
}
