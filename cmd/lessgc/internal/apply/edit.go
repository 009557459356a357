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
	edits = oneBlock(slices.CompactFunc(edits, func(a, b lever.Edit) bool { return a == b }))
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

// oneBlock makes a block of variables that edits, which are in order, declare at the same place, in a line each.
func oneBlock(edits []lever.Edit) (all []lever.Edit) {
	for _, e := range edits {
		spec, ok := declaredInLine(e)
		if n := len(all); ok && n > 0 && all[n-1].File == e.File && all[n-1].Pos == e.Pos {
			if before, inBlock := strings.CutSuffix(all[n-1].Text, "\n)\n\n"); inBlock && strings.HasPrefix(before, "var (\n") {
				all[n-1].Text = before + "\n\t" + spec + "\n)\n\n"
				continue
			}
			if first, ok := declaredInLine(all[n-1]); ok {
				all[n-1].Text = "var (\n\t" + first + "\n\t" + spec + "\n)\n\n"
				continue
			}
		}
		all = append(all, e)
	}
	return all
}

// declaredInLine is what an edit declares that only adds the declaration of a variable, in one line.
func declaredInLine(e lever.Edit) (spec string, ok bool) {
	text, ends := strings.CutSuffix(e.Text, "\n\n")
	spec, ok = strings.CutPrefix(text, "var ")
	return spec, ok && ends && e.Pos == e.End && !strings.Contains(spec, "\n") && !strings.HasPrefix(spec, "(")
}

// tidy formats a file that was formatted before, drops imports of the standard library that only the old text used, and makes
// a block of those of a file that had one at most.
func tidy(file string, old, now []byte) ([]byte, error) {
	was, err := parser.ParseFile(token.NewFileSet(), file, old, 0)
	if err != nil {
		return nil, err
	}
	formatted := false
	if clean, err := format.Source(old); err == nil {
		formatted = bytes.Equal(clean, old)
	}
	fset := token.NewFileSet()
	is, err := parser.ParseFile(fset, file, now, 0)
	if err != nil {
		return nil, fmt.Errorf("the change does not parse: %w", err)
	}
	var unused []lever.Edit
	for _, d := range is.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.IMPORT {
			continue
		}
		if decl.Lparen.IsValid() && !bytes.Contains(old, []byte(onlyIndented)) {
			// An edit that removed an import left the indentation of its line.
			from, to := fset.PositionFor(decl.Lparen, false).Offset, fset.PositionFor(decl.Rparen, false).Offset
			for i := from; ; {
				n := bytes.Index(now[i:to], []byte(onlyIndented))
				if n < 0 {
					break
				}
				i += n + len(onlyIndented) - 1
				unused = append(unused, lever.Edit{Pos: i - 1, End: i + 1})
			}
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ImportSpec)
			path := strings.Trim(spec.Path.Value, "`\"")
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || spec.Name != nil || !astutil.UsesImport(was, path) || astutil.UsesImport(is, path) {
				continue
			}
			var n ast.Node = spec
			if len(decl.Specs) == 1 {
				n = decl
			}
			unused = append(unused, wholeLines(now, fset.PositionFor(n.Pos(), false).Offset, fset.PositionFor(n.End(), false).Offset))
		}
	}
	if now, err = splice(now, unused); err != nil {
		return nil, err
	}
	if now, err = joinImports(file, was, now); err != nil {
		return nil, err
	}
	if formatted {
		return format.Source(now)
	}
	return now, nil
}

// onlyIndented ends a line, and is another one that holds nothing but its indentation.
const onlyIndented = "\n\t\n"

// wholeLines is the edit that deletes a part of a text, with its line end if nothing else stands there.
func wholeLines(text []byte, from, to int) lever.Edit {
	begin := bytes.LastIndexByte(text[:from], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[to:], '\n'); i >= 0 {
		end = to + i + 1
	}
	if len(bytes.TrimSpace(text[begin:from])) == 0 && len(bytes.TrimSpace(text[to:end])) == 0 {
		from, to = begin, end
	}
	return lever.Edit{Pos: from, End: to}
}
