package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A cutLoop goes over the parts of a text that a call of strings.Split makes, and can cut them off one by one.
type cutLoop struct {
	p     *Line
	c     called
	sel   *ast.SelectorExpr // strings.Split
	v     *types.Var        // has the parts; nil if the loop has the call itself
	loop  *ast.RangeStmt
	count *ast.CallExpr // len of the parts; nil if that is not asked
	whole string        // the text that is split, as the loop has it
	edits []Edit
}

// cutsOff makes the loop cut the parts off the text: nil if the parts are used otherwise than by one loop and for their number.
func (p *Line) cutsOff(c called, sel *ast.SelectorExpr, v *types.Var) []Edit {
	l := &cutLoop{p: p, c: c, sel: sel, v: v}
	if c.fn.FullName() != "strings.Split" || !p.separates(c.call.Args[1]) || p.oneLine(c.call.Args[1]) == "" || p.jumps(c.call.Pos()) || p.commentedBetween(c.call.Pos(), c.call.End()) || !l.find() || !l.sameVariables() {
		return nil
	}
	rest, more := p.freeName("rest", "remaining"), p.freeName("more", "another")
	if rest == "" || more == "" || !l.keepsText() || !l.counts() {
		return nil
	}
	value := l.loop.Value.(*ast.Ident).Name
	names, values, post := rest+", "+more, l.whole+", true", ""
	if key, ok := l.loop.Key.(*ast.Ident); ok && key.Name != "_" {
		names, values, post = key.Name+", "+names, "0, "+values, " "+key.Name+"++"
	}
	file := p.fset.File(l.loop.Pos())
	brace, first := file.Line(l.loop.Body.Lbrace), l.loop.Body.List[0]
	indent, ok := p.indentOf(first)
	if !ok || file.Line(first.Pos()) == brace {
		return nil
	}
	begin := file.LineStart(brace + 1)
	if p.insideComment(begin) {
		return nil
	}
	cut := fmt.Sprintf("%svar %s string\n%s%s, %s, %s = %s.Cut(%s, %s)\n", indent, value, indent, value, rest, more, p.text(sel.X), rest, p.oneLine(c.call.Args[1]))
	return append(l.edits,
		p.edit(l.loop.Key.Pos(), l.loop.X.End(), fmt.Sprintf("%s := %s; %s;%s", names, values, more, post)),
		p.edit(begin, begin, cut))
}

// find finds the loop, and where the number of parts is asked: once, as strings.Split counts them once.
func (l *cutLoop) find() bool {
	if l.v == nil {
		l.loop, _ = l.c.parent().(*ast.RangeStmt)
		return l.loop != nil && l.loop.X == ast.Expr(l.c.call)
	}
	made, ok := l.c.parent().(ast.Stmt)
	if !ok {
		return false
	}
	for _, m := range l.p.mentions(l.p.unit, l.v) {
		if l.p.captured(m, l.v) || len(loopsAround(m.stack[:len(m.stack)-1], made)) > 0 {
			return false
		}
		switch n := m.stack[len(m.stack)-1].(type) {
		case *ast.RangeStmt:
			if l.loop != nil || n.X != ast.Expr(m.id) {
				return false
			}
			l.loop = n
		case *ast.CallExpr:
			if l.count != nil || l.p.builtin(n, "len") == nil {
				return false
			}
			l.count = n
		default:
			return false
		}
	}
	return l.loop != nil
}

// sameVariables reports whether the variables of the loop may be those of another kind of loop: the number is not set in it, and where
// all iterations have the same variables nothing has them after one.
func (l *cutLoop) sameVariables() bool {
	value, ok := l.loop.Value.(*ast.Ident)
	key, isKey := l.loop.Key.(*ast.Ident)
	if !ok || !isKey || value.Name == "_" || l.loop.Tok != token.DEFINE || len(l.loop.Body.List) == 0 || l.p.hasName(l.loop.Body, value.Name) || l.p.commentedBetween(l.loop.Pos(), l.loop.Body.Lbrace) {
		return false
	}
	for _, id := range []*ast.Ident{key, value} {
		v := l.p.local(id)
		if v == nil {
			continue // it has no name
		}
		if id == key && !l.p.setOnce(v) || l.p.addressTaken(v) && !l.p.goes("1.22") {
			return false
		}
		for _, m := range l.p.mentions(l.p.unit, v) {
			if l.p.captured(m, v) && !l.p.goes("1.22") {
				return false
			}
		}
		if hasName(l.sel.X, id.Name) || hasName(l.c.call.Args[1], id.Name) {
			return false
		}
	}
	at := l.loop.Body.Lbrace + 1
	return !l.p.renamesAt(at, l.sel.X) && !l.p.renamesAt(at, l.c.call.Args[1]) && l.p.means(at, "string(", "string") && l.p.means(l.loop.Pos(), "true(", "true")
}

// keepsText puts the text in the place of its parts: into the head of the loop if that comes right behind, and else it stays in its own
// variable if that is set once.
func (l *cutLoop) keepsText() bool {
	text := l.c.call.Args[0]
	if l.v == nil {
		l.whole = l.inHead(text)
		return l.whole != ""
	}
	assign := l.c.parent().(*ast.AssignStmt)
	if start, end, ok := l.p.linesOf(assign); ok && l.p.behind(assign) == "" && !l.p.commentedBetween(assign.Pos(), l.c.call.Pos()) {
		commented, next := l.p.linesAbove(assign) != nil, l.follows(assign)
		if id, ok := text.(*ast.Ident); ok && l.p.local(id) != nil && l.keeps(l.p.local(id)) && !l.p.renamesAt(l.loop.Pos(), id) && (l.count == nil || !l.p.renamesAt(l.count.Pos(), id)) {
			l.whole = id.Name
			switch {
			case !commented:
				l.edits = []Edit{l.p.edit(start, end, "")}
				return true
			case next == nil:
				if l.edits = l.commentAtLoop(assign, end); l.edits != nil {
					return true
				}
			}
		}
		if next != nil && l.count == nil && (!commented || l.p.line(next.Pos()) == l.p.line(assign.End())+1) && !l.p.renamesAt(l.loop.Pos(), text) && types.Identical(l.p.typeOf(text), types.Typ[types.String]) {
			if head := l.inHead(text); head != "" && columns(l.p.indent(l.loop)+"for i, rest, more := 0, "+head+", true; more; i++ {") <= lineColumns {
				l.whole, l.edits = head, []Edit{l.p.edit(start, end, "")}
				return true
			}
		}
	}
	l.whole = l.p.freeName("text", "all")
	l.edits = []Edit{l.p.edit(assign.Lhs[0].Pos(), assign.Lhs[0].End(), l.whole), l.p.edit(l.c.call.Pos(), text.Pos(), ""), l.p.edit(text.End(), l.c.call.End(), "")}
	return l.whole != "" && types.Identical(l.p.typeOf(text), types.Typ[types.String])
}

// commentAtLoop takes the statement that splits the text away, up to a position, and puts the comment above it above the loop: nil if the loop has one,
// or is not in the same list.
func (l *cutLoop) commentAtLoop(split *ast.AssignStmt, end token.Pos) []Edit {
	group := l.p.linesAbove(split)
	indent, first := l.p.indentOf(l.loop)
	if innermost(stackOf(l.p.file, split)) != innermost(stackOf(l.p.file, l.loop)) || l.p.linesAbove(l.loop) != nil || !first {
		return nil
	}
	start := l.p.fset.File(group.Pos()).LineStart(l.p.line(group.Pos()))
	return []Edit{l.p.edit(start, end, ""), l.p.edit(l.loop.Pos(), l.loop.Pos(), l.p.text(group)+"\n"+indent)}
}

// keeps reports whether a variable has the text that is split up to where the loop begins, and up to where the parts are counted.
func (l *cutLoop) keeps(v *types.Var) bool {
	if l.p.setOnce(v) {
		return true
	}
	if within(stackOf(l.p.file, l.c.call), v.Pos()) != nil {
		return false // the function around it may set the text meanwhile
	}
	end := l.loop.X.End()
	if l.count != nil {
		end = max(end, l.count.End())
	}
	return !l.p.addressTaken(v) && !l.p.capturedAndChanged(v) && !slices.ContainsFunc(l.p.mentions(l.p.unit, v), func(m mention) bool {
		_, set := m.assigned()
		loop, ok := m.parent().(*ast.RangeStmt)
		set = set || ok && loop.X != ast.Expr(m.id)
		return set && l.c.call.Pos() < m.id.Pos() && m.id.Pos() < end
	})
}

// inHead is the text as the head of the loop may have it; "" if it takes several lines, or has a literal with braces.
func (l *cutLoop) inHead(text ast.Expr) string {
	if hasLiteral(text) {
		return ""
	}
	return l.p.oneLine(text)
}

// follows returns the loop, or its label, if it is the statement right behind the one that splits the text; nil if it is not.
func (l *cutLoop) follows(split *ast.AssignStmt) ast.Stmt {
	list := statements(innermost(stackOf(l.p.file, split)))
	i := slices.Index(list, ast.Stmt(split)) + 1
	if i == 0 || i == len(list) {
		return nil
	}
	inner := list[i]
	if label, ok := inner.(*ast.LabeledStmt); ok {
		inner = label.Stmt
	}
	if inner != ast.Stmt(l.loop) {
		return nil
	}
	return list[i]
}

// counts makes the number of parts that of separators.
func (l *cutLoop) counts() bool {
	if l.count == nil {
		return true
	}
	count := fmt.Sprintf("%s.Count(%s, %s)", l.p.text(l.sel.X), l.whole, l.p.oneLine(l.c.call.Args[1]))
	text := count + "+1"
	switch around := innermost(stackOf(l.p.file, l.count)).(type) {
	case *ast.BinaryExpr:
		if around.Op.Precedence() >= token.ADD.Precedence() {
			text = "(" + count + " + 1)"
		}
	case *ast.UnaryExpr:
		text = "(" + count + " + 1)"
	}
	l.edits = append(l.edits, l.p.edit(l.count.Pos(), l.count.End(), text))
	return !l.p.commentedBetween(l.count.Pos(), l.count.End()) && !l.p.renamesAt(l.count.Pos(), l.sel.X) && !l.p.renamesAt(l.count.Pos(), l.c.call.Args[1])
}
