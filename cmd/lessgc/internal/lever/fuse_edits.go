package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// fusedEdits make the first loop do for each value what the second does; nil if a comment would be lost, or if a line has
// more than one statement.
func (p *Line) fusedEdits(f *fusion) []Edit {
	binding, ok := p.bindingOf(f)
	indent, alone := p.indentOf(f.add)
	outer, first := p.indentOf(f.from)
	_, last := p.indentOf(f.to)
	if !ok || !alone || !first || !last || p.line(f.add.Pos()) != p.line(f.add.End()) || p.losesComments(f) || p.leavesUnused(f.decl) {
		return nil
	}
	text := strings.TrimRight(p.textBetween(f.to.Body.Lbrace+1, f.to.Body.Rbrace), " \t\n")
	if binding != "" {
		text = "\n" + indent + binding + text
	}
	if p.needsBlock(f, binding != "") {
		text = "{" + text + "\n" + indent + "}"
	}
	edits := []Edit{p.withoutLine(f.decl), p.edit(f.add.Pos(), f.add.End(), strings.TrimLeft(text, "\n \t"))}
	moved, comment := "", p.commentAbove(f)
	if comment == nil {
		edits = append(edits, p.withoutLine(f.to))
	} else {
		moved = p.text(comment) + "\n" + outer
		edits = append(edits, p.withoutLines(comment.Pos(), f.to.End()))
	}
	for _, s := range slices.Backward(f.between) {
		moved = p.text(s) + "\n" + outer + moved
		edits = append(edits, p.withoutLine(s))
	}
	if moved != "" {
		edits = append(edits, p.edit(f.from.Pos(), f.from.Pos(), moved))
	}
	return edits
}

// withoutLines takes a part out of a file, with its lines if these have nothing else.
func (p *Line) withoutLines(pos, end token.Pos) Edit {
	file := p.fset.File(pos)
	start, next := file.LineStart(file.Line(pos)), file.Line(end)+1
	if next <= file.LineCount() && strings.TrimSpace(p.textBetween(start, pos)+p.textBetween(end, file.LineStart(next))) == "" {
		return p.edit(start, file.LineStart(next), "")
	}
	return p.edit(pos, end, "")
}

// bindingOf is the statement that names the value as the second loop does; "" if it has that name.
func (p *Line) bindingOf(f *fusion) (text string, ok bool) {
	value := p.oneLine(f.value)
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(p.fset, p.pkg.Types, f.value.Pos(), f.value, &info); err != nil || value == "" || len(f.to.Body.List) == 0 {
		return "", false
	}
	elem := f.v.Type().Underlying().(*types.Slice).Elem()
	if t := info.Types[f.value].Type; t == nil || !types.Identical(types.Default(t), elem) {
		return "", false // a variable that is declared with it would have another type
	}
	id := f.element()
	if id == nil {
		return "_ = " + value, true
	}
	v := p.local(id)
	if same, isName := f.value.(*ast.Ident); isName && same.Name == id.Name && v != nil && !p.setsAnyPart(f.to.Body, v) {
		return "", p.local(same) != nil
	}
	return id.Name + " := " + value, true
}

// setsAnyPart reports whether some code may change a variable, or a part of it.
func (p *Line) setsAnyPart(code ast.Node, v *types.Var) bool {
	root := func(e ast.Expr) bool {
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.SelectorExpr:
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			default:
				return p.local(x) == v
			}
		}
	}
	return p.addressTaken(v) || below(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, root)
		case *ast.IncDecStmt:
			return root(n.X)
		}
		return false
	})
}

// needsBlock reports whether the body of the second loop needs a block of its own at the append: something follows there, or the
// names that it declares are taken.
func (p *Line) needsBlock(f *fusion, bound bool) bool {
	list := p.listOf(f.add)
	if len(list) == 0 || list[len(list)-1] != ast.Stmt(f.add) {
		return true
	}
	there, body := p.pkg.Types.Scope().Innermost(f.add.Pos()), p.pkg.TypesInfo.Scopes[f.to.Body]
	if there == nil || body == nil {
		return true
	}
	names := body.Names()
	if bound && f.element() != nil {
		if slices.Contains(names, f.element().Name) {
			return true
		}
		names = append(names, f.element().Name)
	}
	return slices.ContainsFunc(names, func(name string) bool { return there.Lookup(name) != nil })
}

// commentAbove is the comments right above the second loop, which go with it, or nil.
func (p *Line) commentAbove(f *fusion) ast.Node {
	before := p.lastBefore(f)
	var all []ast.Node
	for _, c := range p.file.Comments {
		if before.End() <= c.Pos() && c.End() <= f.to.Pos() && p.line(c.Pos()) > p.line(before.End()) {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return span{all[0].Pos(), all[len(all)-1].End()}
}

// lastBefore is the statement before the second loop.
func (p *Line) lastBefore(f *fusion) ast.Stmt {
	if len(f.between) > 0 {
		return f.between[len(f.between)-1]
	}
	return f.from
}

// A span is a part of a file.
type span struct{ pos, end token.Pos }

func (s span) Pos() token.Pos { return s.pos }
func (s span) End() token.Pos { return s.end }

// losesComments reports whether a comment would be about something that is gone, or be taken from what it is about.
func (p *Line) losesComments(f *fusion) bool {
	before := p.lastBefore(f)
	return slices.ContainsFunc(p.file.Comments, func(c *ast.CommentGroup) bool {
		first, last := p.line(c.Pos()), p.line(c.End())
		switch {
		case p.aboutStatement(c, f.decl):
			return true
		case f.from.End() <= c.Pos() && c.Pos() < f.to.Pos():
			return len(f.between) > 0 && first <= p.line(before.End())
		case f.to.Pos() <= c.Pos() && c.Pos() < f.to.Body.Lbrace:
			return true
		}
		return f.to.End() <= c.Pos() && first == p.line(f.to.End()) || last < first
	})
}

// aboutStatement reports whether a comment is in a statement, on its line or right above it.
func (p *Line) aboutStatement(c *ast.CommentGroup, s ast.Stmt) bool {
	return p.line(c.Pos()) <= p.line(s.End()) && p.line(s.Pos()) <= p.line(c.End())+1
}

// leavesUnused reports whether a statement has the only mention of a variable, which does not compile without it.
func (p *Line) leavesUnused(s ast.Stmt) bool {
	return below(s, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || p.pkg.TypesInfo.Uses[id] == nil {
			return false
		}
		v := p.local(id)
		return v != nil && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return m.id.Pos() < s.Pos() || s.End() <= m.id.Pos() })
	})
}
