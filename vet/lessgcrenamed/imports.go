package lessgcrenamed

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// fixes computes the fixes of one file together. Each fix that adds an import, or removes the
// last uses of one, carries the same import edits, which drivers apply once.
type fileFixes struct {
	file  *ast.File
	uses  []*use
	names map[string]string // local names of packages that fixes refer to, by import path
	added map[string]bool   // import paths to add
}

// newFixes returns the fixes of each use.
func newFixes(file *ast.File, uses []*use) [][]analysis.SuggestedFix {
	all := make([][]analysis.SuggestedFix, len(uses))
	if len(uses) == 0 {
		return all
	}
	f := &fileFixes{file, uses, map[string]string{}, map[string]bool{}}
	f.name()
	edits := make([][]analysis.TextEdit, len(uses))
	for i, u := range uses {
		if name := f.names[u.to]; u.to == "" || name != "" {
			edits[i] = u.edits(name)
		}
	}
	unused := f.unused(slices.Concat(edits...))
	imports := f.imports(unused)
	for i, u := range uses {
		if len(edits[i]) == 0 {
			continue
		}
		if f.added[u.to] || drops(edits[i], unused) {
			edits[i] = append(edits[i], imports...)
		}
		now := u.now[strings.LastIndex(u.now, " or ")+1:] // the last alternative
		now = "Use " + strings.TrimPrefix(strings.TrimPrefix(now, "or "), "use ")
		all[i] = []analysis.SuggestedFix{{Message: now, TextEdits: edits[i]}}
	}
	return all
}

// name chooses local names for the packages that fixes refer to: those of existing imports, or
// names that are not declared at any of the uses.
func (f *fileFixes) name() {
	where := map[string][]*use{}
	for _, u := range f.uses {
		if u.to != "" && u.edits("p") != nil {
			where[u.to] = append(where[u.to], u)
		}
	}
	for to, uses := range where {
		pass := uses[0].pass
		free := func(name string, want types.Object) bool {
			return !slices.ContainsFunc(uses, func(u *use) bool {
				_, o := pass.Pkg.Scope().Innermost(u.expr.Pos()).LookupParent(name, u.expr.Pos())
				return o != want
			})
		}
		for _, spec := range f.file.Imports {
			p := pass.TypesInfo.PkgNameOf(spec)
			if p != nil && p.Imported().Path() == to && f.names[to] == "" && free(p.Name(), p) {
				f.names[to] = p.Name()
			}
		}
		for _, name := range []string{path.Base(to), "lessgc" + path.Base(to)} {
			if f.names[to] == "" && free(name, nil) {
				f.names[to], f.added[to] = name, true
			}
		}
	}
}

// packageNames returns the identifiers in the file that denote packages.
func (f *fileFixes) packageNames() map[*ast.Ident]*types.PkgName {
	all := map[*ast.Ident]*types.PkgName{}
	for n := range ast.Preorder(f.file) {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				if p := f.uses[0].pkgName(id); p != nil {
					all[id] = p
				}
			}
		}
	}
	return all
}

// unused returns the imports without a use after some edits, with their former uses.
func (f *fileFixes) unused(edits []analysis.TextEdit) map[*types.PkgName][]*ast.Ident {
	used, gone := map[*types.PkgName]bool{}, map[*types.PkgName][]*ast.Ident{}
	for id, p := range f.packageNames() {
		if inside(edits, id) {
			gone[p] = append(gone[p], id)
		} else {
			used[p] = true
		}
	}
	maps.DeleteFunc(gone, func(p *types.PkgName, _ []*ast.Ident) bool {
		return used[p] || f.names[p.Imported().Path()] == p.Name()
	})
	return gone
}

// inside reports whether edits replace an identifier.
func inside(edits []analysis.TextEdit, id *ast.Ident) bool {
	return slices.ContainsFunc(edits, func(e analysis.TextEdit) bool { return e.Pos <= id.Pos() && id.End() <= e.End })
}

// drops reports whether edits replace a former use of an unused import.
func drops(edits []analysis.TextEdit, unused map[*types.PkgName][]*ast.Ident) bool {
	for _, ids := range unused {
		if slices.ContainsFunc(ids, func(id *ast.Ident) bool { return inside(edits, id) }) {
			return true
		}
	}
	return false
}

// imports returns the edits that remove unused imports and add others.
func (f *fileFixes) imports(unused map[*types.PkgName][]*ast.Ident) []analysis.TextEdit {
	var drop []*ast.ImportSpec
	for _, spec := range f.file.Imports {
		if unused[f.uses[0].pass.TypesInfo.PkgNameOf(spec)] != nil {
			drop = append(drop, spec)
		}
	}
	var ours, std []string // import specs
	for to := range f.added {
		spec := strconv.Quote(to)
		if name := f.names[to]; name != path.Base(to) {
			spec = name + " " + spec
		}
		if strings.HasPrefix(to, root) {
			ours = append(ours, spec)
		} else {
			std = append(std, spec)
		}
	}
	slices.Sort(ours)
	slices.Sort(std)
	edits := map[token.Pos]*analysis.TextEdit{}
	if len(ours) > 0 && len(drop) > 0 { // keeps its position and comments
		spec := drop[0]
		edits[spec.Pos()] = &analysis.TextEdit{Pos: spec.Pos(), End: spec.Path.End(), NewText: []byte(strings.Join(ours, f.separator(spec)))}
		drop, ours = drop[1:], nil
	}
	f.remove(edits, drop)
	f.add(edits, std, func(importPath string) bool {
		first, _, _ := strings.Cut(importPath, "/")
		return !strings.Contains(first, ".") && !strings.HasPrefix(importPath, root)
	})
	f.add(edits, ours, func(importPath string) bool { return strings.HasPrefix(importPath, root) })
	var all []analysis.TextEdit
	for _, e := range edits {
		all = append(all, *e)
	}
	slices.SortFunc(all, func(a, b analysis.TextEdit) int { return int(a.Pos - b.Pos) })
	return all
}

// declaration returns the declaration of a spec.
func (f *fileFixes) declaration(spec *ast.ImportSpec) *ast.GenDecl {
	for _, d := range f.file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Pos() <= spec.Pos() && spec.End() <= d.End() {
			return d
		}
	}
	return nil
}

// separator returns what separates a spec from the next one.
func (f *fileFixes) separator(spec *ast.ImportSpec) string {
	if f.declaration(spec).Lparen.IsValid() {
		return "\n\t"
	}
	return "\nimport "
}

// add adds imports after the last one that is like them, else in a group of their own before the
// first, else after the package clause.
func (f *fileFixes) add(edits map[token.Pos]*analysis.TextEdit, specs []string, like func(importPath string) bool) {
	if len(specs) == 0 {
		return
	}
	put := func(pos token.Pos, text string) {
		if e := edits[pos]; e != nil {
			e.NewText = append(e.NewText, text...)
			return
		}
		edits[pos] = &analysis.TextEdit{Pos: pos, End: pos, NewText: []byte(text)}
	}
	var after *ast.ImportSpec
	for _, spec := range f.file.Imports {
		if importPath, err := strconv.Unquote(spec.Path.Value); err == nil && importPath != "C" && like(importPath) {
			after = spec
		}
	}
	switch {
	case after != nil:
		end := after.Path.End()
		if after.Comment != nil {
			end = after.Comment.End()
		}
		sep := f.separator(after)
		put(end, sep+strings.Join(specs, sep))
	case len(f.file.Imports) > 0 && f.declaration(f.file.Imports[0]).Lparen.IsValid():
		put(f.declaration(f.file.Imports[0]).Lparen+1, "\n\t"+strings.Join(specs, "\n\t")+"\n")
	case len(f.file.Imports) > 0:
		d := f.declaration(f.file.Imports[0])
		pos := d.Pos()
		if d.Doc != nil {
			pos = d.Doc.Pos()
		}
		put(pos, "import "+strings.Join(specs, "\nimport ")+"\n\n")
	default:
		put(f.afterName(), "\n\nimport "+strings.Join(specs, "\nimport "))
	}
}

// afterName returns the end of the package clause, including comments in its line.
func (f *fileFixes) afterName() token.Pos {
	end := f.file.Name.End()
	for _, g := range f.file.Comments {
		if g.Pos() >= end && f.uses[0].line(g.Pos()) == f.uses[0].line(end) {
			end = g.End()
		}
	}
	return end
}

// remove removes imports, with their lines if those hold nothing else.
func (f *fileFixes) remove(edits map[token.Pos]*analysis.TextEdit, specs []*ast.ImportSpec) {
	for _, spec := range specs {
		var node ast.Node = spec
		d := f.declaration(spec)
		kept := slices.ContainsFunc(d.Specs, func(s ast.Spec) bool { return !slices.Contains(specs, s.(*ast.ImportSpec)) })
		if !d.Lparen.IsValid() || !kept && !f.commented(d) {
			node = d
		}
		pos, end := f.wholeLines(node)
		edits[pos] = &analysis.TextEdit{Pos: pos, End: end}
	}
}

// commented reports whether a comment stands in a declaration.
func (f *fileFixes) commented(d *ast.GenDecl) bool {
	return slices.ContainsFunc(f.file.Comments, func(g *ast.CommentGroup) bool { return d.Pos() <= g.Pos() && g.End() <= d.End() })
}

// wholeLines returns the lines of an import, or only the import if they hold anything else.
func (f *fileFixes) wholeLines(n ast.Node) (pos, end token.Pos) {
	line := f.uses[0].line
	first, last := line(n.Pos()), line(n.End())
	beside := func(pos, end token.Pos) bool {
		return line(pos) <= last && first <= line(end) && (end <= n.Pos() || n.End() <= pos)
	}
	others := []ast.Node{f.file.Name}
	for _, d := range f.file.Decls {
		others = append(others, d)
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			for _, s := range d.Specs {
				others = append(others, s)
			}
			if d.Lparen.IsValid() && (beside(d.Lparen, d.Lparen) || beside(d.Rparen, d.Rparen)) {
				return n.Pos(), n.End()
			}
		}
	}
	for _, g := range f.file.Comments {
		others = append(others, g)
	}
	if slices.ContainsFunc(others, func(o ast.Node) bool { return beside(o.Pos(), o.End()) }) {
		return n.Pos(), n.End()
	}
	file := f.uses[0].pass.Fset.File(n.Pos())
	if last == file.LineCount() {
		return file.LineStart(first), n.End()
	}
	return file.LineStart(first), file.LineStart(last + 1)
}
