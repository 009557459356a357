package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A runeCopy is a conversion of a text to runes that are only gone over, or counted: the text itself has them.
type runeCopy struct {
	call *ast.CallExpr
	of   string // the text, as Go source
	v    *types.Var
	made *ast.AssignStmt // of v; nil if the runes are gone over at once
}

// withoutRunes replaces runes that a conversion on the line makes by the text itself: nil if anything else is done with them.
func (p *Line) withoutRunes() []Edit {
	var found *ast.CallExpr
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || !p.makesRunes(call) {
			continue
		}
		if found != nil {
			return nil
		}
		found = call
	}
	if found == nil || p.jumps(found.Pos()) {
		return nil
	}
	stack := stackOf(p.file, found)
	x := runeCopy{call: found, of: p.text(found.Args[0])}
	if strings.Contains(x.of, "{") {
		x.of = "(" + x.of + ")" // a block would begin there
	}
	switch parent := innermost(stack).(type) {
	case *ast.RangeStmt:
		texts, imports := p.gone(x, parent, found)
		if texts == nil {
			return nil
		}
		edits, _ := p.instead(texts, imports...)
		return edits
	case *ast.AssignStmt:
		x.v, x.made = p.local(parent.Lhs[0]), parent
		if parent.Tok != token.DEFINE || len(parent.Lhs) != 1 || x.v == nil {
			return nil
		}
		return p.withoutRunesIn(x)
	}
	return nil
}

// makesRunes reports whether a call converts a string to a slice of runes.
func (p *Line) makesRunes(call *ast.CallExpr) bool {
	if !p.copiesText(call) || !isString(p.typeOf(call.Args[0])) {
		return false
	}
	s, ok := types.Unalias(p.typeOf(call)).(*types.Slice) // of no package, whose import would stay
	return ok && types.Identical(s.Elem(), types.Typ[types.Rune])
}

// countOf is the number of runes, as Go source; "" if the text is of a type of its own.
func (p *Line) countOf(x runeCopy) string {
	if types.Default(types.Unalias(p.typeOf(x.call.Args[0]))) != types.Typ[types.String] {
		return ""
	}
	return p.qualify("unicode/utf8") + ".RuneCountInString(" + x.of + ")"
}

// gone goes over a text instead of its runes, unless the number of a rune is taken together with it: nil if that is so.
func (p *Line) gone(x runeCopy, loop *ast.RangeStmt, runes ast.Expr) (texts map[ast.Node]string, imports []string) {
	switch {
	case ast.Unparen(loop.X) != runes:
		return nil, nil
	case loop.Key == nil || isBlank(loop.Key):
		return map[ast.Node]string{loop.X: x.of}, nil
	case loop.Value == nil && p.goes("1.22"):
		if count := p.countOf(x); count != "" {
			return map[ast.Node]string{loop.X: count}, []string{"unicode/utf8"}
		}
	}
	return nil, nil
}

// withoutRunesIn replaces runes in a variable, which are gone over and counted only, by those of a text that stays as it is.
func (p *Line) withoutRunesIn(x runeCopy) []Edit {
	if edits := p.countedRunes(x); edits != nil {
		return edits
	}
	text := p.local(x.call.Args[0])
	if !p.constant(x.call.Args[0]) && (text == nil || !p.setOnce(text)) {
		return nil
	}
	texts, imports := map[ast.Node]string{}, []string(nil)
	for _, m := range p.mentions(p.unit, x.v) {
		if p.meansOther(x.call.Args[0], m) {
			return nil
		}
		switch parent := m.parent().(type) {
		case *ast.RangeStmt:
			more, needs := p.gone(x, parent, m.id)
			if more == nil {
				return nil
			}
			texts[parent.X] = more[parent.X]
			imports = append(imports, needs...)
		case *ast.CallExpr:
			if p.builtin(parent, "len") == nil || len(loopsAround(m.stack, x.made)) > 0 {
				return nil // it would be counted again and again
			}
			if texts[parent] = p.countOf(x); texts[parent] == "" {
				return nil
			}
			imports = append(imports, "unicode/utf8")
		default:
			return nil
		}
	}
	before, ok := p.withoutStatement(x.made)
	if !ok || len(texts) == 0 {
		return nil
	}
	slices.Sort(imports)
	edits, ok := p.instead(texts, slices.Compact(imports)...)
	if !ok {
		return nil
	}
	return append([]Edit{before}, edits...)
}

// countedRunes has a variable for the number of runes that are counted more than once, and nothing else: nil if they are not.
func (p *Line) countedRunes(x runeCopy) []Edit {
	count := p.countOf(x)
	all := p.mentions(p.unit, x.v)
	name := x.v.Name() + "Len"
	if count == "" || len(all) < 2 || p.taken(p.top(p.unit, x.v.Pos()).node, name) || p.commentedBetween(x.made.Pos(), x.made.End()) {
		return nil
	}
	texts := map[ast.Node]string{x.call: count}
	for _, m := range all {
		call, ok := m.parent().(*ast.CallExpr)
		if !ok || p.builtin(call, "len") == nil {
			return nil
		}
		texts[call] = name
	}
	edits, ok := p.instead(texts, "unicode/utf8")
	if !ok {
		return nil
	}
	return append([]Edit{p.edit(x.made.Lhs[0].Pos(), x.made.Lhs[0].End(), name)}, edits...)
}

// countedBeside adds to the edits of countedRunes those of the statement behind or before, which counts another text: a reader would ask why it is left.
func (p *Line) countedBeside(f Finding) Finding {
	at := slices.IndexFunc(p.spots(), func(s spot) bool {
		call, ok := s.node.(*ast.CallExpr)
		return ok && p.makesRunes(call)
	})
	if at < 0 {
		return f
	}
	here := stmtOf(stackOf(p.file, p.spots()[at].node))
	list := statements(innermost(stackOf(p.file, here)))
	i := slices.Index(list, here)
	for _, j := range []int{i - 1, i + 1} {
		if i < 0 || j < 0 || j >= len(list) {
			continue
		}
		other, ok := list[j].(*ast.AssignStmt)
		if !ok || other.Tok != token.DEFINE || len(other.Lhs) != 1 || len(other.Rhs) != 1 {
			continue
		}
		call, ok := other.Rhs[0].(*ast.CallExpr)
		if !ok || !p.makesRunes(call) || p.local(other.Lhs[0]) == nil {
			continue
		}
		more := p.countedRunes(runeCopy{call: call, of: p.text(call.Args[0]), v: p.local(other.Lhs[0]), made: other})
		more = slices.DeleteFunc(more, func(e Edit) bool { return slices.Contains(f.Edits, e) })
		if more == nil || conflict(f.Edits, more) {
			continue
		}
		if f.Alone == nil {
			f.Alone = f.Edits
		}
		f.Edits, f.InPlace = slices.Concat(f.Edits, more), true
		f.Evidence = append(f.Evidence, p.at(other.Pos(), ChangesAlike))
	}
	return f
}

// loopsAround are the loops, with their conditions, that hold a mention and not the statement that it is about.
func loopsAround(stack []ast.Node, made ast.Stmt) (all []ast.Node) {
	for _, n := range stack {
		if loopBody(n) != nil && (made.Pos() < n.Pos() || n.End() <= made.Pos()) {
			all = append(all, n)
		}
	}
	return all
}

// meansOther reports whether the names of a text mean something else where a mention stands, or a function literal is called when
// they may.
func (p *Line) meansOther(text ast.Expr, m mention) bool {
	return below(text, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		of := p.object(id)
		if _, packaged := of.(*types.PkgName); of == nil || !packaged && of.Parent() == nil {
			return false // it is selected from a package
		}
		return p.objectAt(id.Name, m.id.Pos()) != of || p.local(id) != nil && within(m.stack, of.Pos()) != nil
	})
}

// withoutStatement takes away a statement of a list that is not the last, if no comment goes with it.
func (p *Line) withoutStatement(stmt ast.Stmt) (Edit, bool) {
	stack := stackOf(p.file, stmt)
	if len(stack) == 0 {
		return Edit{}, false
	}
	list := statements(stack[len(stack)-1])
	i := slices.Index(list, stmt)
	if i < 0 || i+1 >= len(list) || p.commentedBetween(stmt.Pos(), list[i+1].Pos()) {
		return Edit{}, false
	}
	return p.edit(stmt.Pos(), list[i+1].Pos(), ""), true
}
