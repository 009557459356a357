package lever

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// edits returns the change: the root makes an arena and frees it, the functions between get it, their objects are made in it, and
// all other calls of them give nil, which is the heap. It returns nil if that cannot be written.
func (t *arenaTree) edits() (all []Edit) {
	root := t.fns[t.root]
	opening := root.opening()
	helper := t.helperName()
	if opening == nil || helper == "" {
		return nil
	}
	all = append(all, opening...)
	literals := false
	for _, f := range t.order() {
		in := t.fns[f]
		name, imports, _ := in.p.importing(arenaPath)
		all = append(all, imports...)
		if f != t.root {
			all = append(all, in.parameter(name))
		}
		for _, e := range in.made {
			edits, literal := in.making(e, name, helper)
			all = append(all, edits...)
			literals = literals || literal
		}
	}
	for _, c := range t.calls {
		if !t.given[c.callee] {
			continue
		}
		arg := "nil"
		if c.direct && (c.caller == t.root || t.given[c.caller]) {
			arg = t.fns[c.caller].arena
		} else if !t.nilMeans(c) {
			return nil
		}
		all = append(all, t.p.argument(c.call, arg))
	}
	if literals {
		all = append(all, t.helper(helper)...)
	}
	return joined(all)
}

// joined returns edits in order, where what is put in front of another edit is part of it.
func joined(all []Edit) (out []Edit) {
	slices.SortStableFunc(all, func(a, b Edit) int { return cmp.Or(byPlace(a, b), cmp.Compare(a.End, b.End)) })
	for _, e := range slices.Compact(all) {
		if n := len(out) - 1; n >= 0 && out[n].File == e.File && out[n].Pos == e.Pos && out[n].End == e.Pos {
			out[n].End, out[n].Text = e.End, out[n].Text+e.Text
			continue
		}
		out = append(out, e)
	}
	return out
}

// order holds the root and the functions that are given the arena, in the order of the source.
func (t *arenaTree) order() []*types.Func {
	all := []*types.Func{t.root}
	for f := range t.given {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *types.Func) int { return int(a.Pos() - b.Pos()) })
	return all
}

// opening makes the arena before the first statement of the root, and frees it at its end; nil where a comment is in the way.
func (in *inner) opening() []Edit {
	body := in.decl.Body
	if len(body.List) == 0 {
		return nil
	}
	name, _, _ := in.p.importing(arenaPath)
	text := fmt.Sprintf("%s := %s.NewArena()\n\tdefer %[1]s.Free()\n", in.arena, name)
	line := in.p.fset.PositionFor(body.Lbrace, false).Line
	if in.p.fset.PositionFor(body.List[0].Pos(), false).Line == line {
		if in.p.commentedBetween(body.Lbrace, body.List[0].Pos()) {
			return nil
		}
		return []Edit{in.p.edit(body.Lbrace+1, body.List[0].Pos(), "\n\t"+text+"\t")}
	}
	start := in.p.fset.File(body.Pos()).LineStart(line + 1)
	if in.p.insideComment(start) {
		return nil
	}
	return []Edit{in.p.edit(start, start, "\t"+text)}
}

// insideComment reports whether a position is in a comment: what is put there is part of it.
func (u *unit) insideComment(pos token.Pos) bool {
	return slices.ContainsFunc(u.file.Comments, func(c *ast.CommentGroup) bool { return c.Pos() < pos && pos < c.End() })
}

// parameter puts the arena before the other parameters.
func (in *inner) parameter(arena string) Edit {
	params := in.decl.Type.Params
	text := fmt.Sprintf("%s *%s.Arena", in.arena, arena)
	if len(params.List) == 0 {
		return in.p.edit(params.Closing, params.Closing, text)
	}
	return in.p.edit(params.List[0].Pos(), params.List[0].Pos(), text+", ")
}

// argument puts an argument before the others.
func (p *Program) argument(call *ast.CallExpr, arg string) Edit {
	if len(call.Args) == 0 {
		return p.edit(call.Rparen, call.Rparen, arg)
	}
	return p.edit(call.Args[0].Pos(), call.Args[0].Pos(), arg+", ")
}

// nilMeans reports whether nil is that of the language where a call stands.
func (t *arenaTree) nilMeans(c ownCall) bool {
	scope := c.pkg.Types.Scope().Innermost(c.call.Pos())
	if scope == nil {
		scope = c.pkg.TypesInfo.Scopes[c.file]
	}
	return universal(scope, "nil")
}

// universal reports whether a name is that of the language in a scope, whatever is declared there and where.
func universal(scope *types.Scope, name string) bool {
	_, object := scope.LookupParent(name, token.NoPos)
	return ofLanguage(object)
}

// making has an object allocated in the arena; literal says whether it is a literal with elements, which the helper copies.
func (in *inner) making(e ast.Expr, arena, helper string) (edits []Edit, literal bool) {
	switch e := e.(type) {
	case *ast.CallExpr:
		of := e.Args[0]
		return []Edit{in.p.edit(e.Pos(), of.Pos(), arena+".New["), in.p.edit(of.End(), e.End(), "]("+in.arena+")")}, false
	case *ast.UnaryExpr:
		lit := e.X.(*ast.CompositeLit)
		if len(lit.Elts) == 0 {
			return []Edit{in.p.edit(e.Pos(), lit.Pos(), arena+".New["), in.p.edit(lit.Lbrace, lit.End(), "]("+in.arena+")")}, false
		}
		return []Edit{in.p.edit(e.Pos(), lit.Pos(), helper+"("+in.arena+", "), in.p.edit(e.End(), e.End(), ")")}, true
	}
	return nil, false
}

// helperText is the function that makes a literal an object in an arena.
const helperText = `
// %[1]s returns a pointer to a copy of v in a, or on the heap if a is nil.
func %[1]s[T any](a *%[2]s.Arena, v T) *T {
	p := %[2]s.New[T](a)
	*p = v
	return p
}
`

// helperName is the name of the function that makes a literal an object in an arena: of the one that the package has already,
// or a new one, which nothing has that the package, its tests and the functions of the tree name.
func (t *arenaTree) helperName() string {
	if name := t.knownHelper(); name != "" {
		return name
	}
	root := t.fns[t.root]
	name := (&pooling{p: root.p, decl: root.decl}).newName("inArena")
	if t.hidden(name) || !universal(t.p.pkg.TypesInfo.Scopes[root.p.file], "any") {
		return ""
	}
	return name
}

// hidden reports whether a name is that of something else in a function of the tree.
func (t *arenaTree) hidden(name string) bool {
	return slices.ContainsFunc(t.order(), func(f *types.Func) bool {
		in := t.fns[f]
		return in.names(name) || in.p.pkg.TypesInfo.Scopes[in.p.file].Lookup(name) != nil
	})
}

// knownHelper is the name of the helper that an earlier change has left in the package: "" for none.
func (t *arenaTree) knownHelper() string {
	return t.p.knownHelper(helperText, arenaPath, t.hidden)
}

// helper adds the helper at the end of the root's file, unless the package has it.
func (t *arenaTree) helper(name string) []Edit {
	if t.knownHelper() == name {
		return nil
	}
	return []Edit{t.fns[t.root].p.addHelper(helperText, name, arenaPath)}
}
