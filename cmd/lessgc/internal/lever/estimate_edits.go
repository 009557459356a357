package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

// A sized is room for a number of elements, with a comment that says what it comes from.
type sized struct {
	n    int64
	note string
}

// estimated are the edits that give a slice room for what it was observed to end with, at the append of the line.
func (p *Line) estimated(call *ssa.Call) (edits []Edit, what string) {
	for _, s := range p.spots() {
		x := p.builtin(s.node, "append")
		if x == nil || x.Lparen != call.Pos() && x.Pos() != call.Pos() || within(s.stack, p.fn.body.Pos()) != nil {
			continue
		}
		if v, _ := p.appendsTo(s, x); v != nil {
			edits = p.estimatedLocal(v)
		} else {
			edits = p.estimatedField(s, x)
		}
		return edits, "presize " + withKindAs(types.ExprString(x.Args[0]), p.typeOf(x))
	}
	return nil, ""
}

// estimatedLocal gives room to a local slice.
func (p *Line) estimatedLocal(v *types.Var) []Edit {
	start, ok := p.startsEmpty(v)
	if !ok || hasTypeParameter(v.Type()) || p.returnedNamed(v) {
		return nil
	}
	own, first, last := p.ownAppends(v, start)
	var calls []ssa.Value
	lines := map[prof.Frame]bool{}
	var positions []token.Pos
	for _, m := range own {
		positions = append(positions, m.Pos(), m.Lparen)
		lines[p.frameOf(m.Lparen)] = true
	}
	for _, b := range p.blocksOf(p.fns[p.fn.node]) {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && callsBuiltin(c, "append") && slices.Contains(positions, c.Pos()) {
				calls = append(calls, c)
			}
		}
	}
	if len(calls) == 0 || len(calls) < len(own) || !p.roomUnseen(v, first, last, true) {
		return nil
	}
	u := p.unaskedValues(positions, calls...)
	size, ok := p.roomOfElements(v.Type(), lines)
	if u.asked || !ok {
		return nil
	}
	return p.madeWithRoom(v, own, u, size)
}

// returnedNamed reports whether a variable is a result with a name.
func (p *Line) returnedNamed(v *types.Var) bool {
	top := p.top(p.unit, v.Pos())
	return top == nil || v.Pos() < top.body.Pos()
}

// blocksOf are the blocks of a function; none if it is not known.
func (p *Line) blocksOf(fn *ssa.Function) []*ssa.BasicBlock {
	if fn == nil {
		return nil
	}
	return fn.Blocks
}

// frameOf is the line of a position.
func (p *Line) frameOf(pos token.Pos) prof.Frame {
	at := p.fset.Position(pos)
	return prof.Frame{File: at.Filename, Line: at.Line}
}

// ownAppends are the appends that make a variable longer, from where the first of them, or the loop that it is in, begins to where
// the last one ends.
func (p *Line) ownAppends(v *types.Var, start token.Pos) (all []*ast.CallExpr, first, last token.Pos) {
	for _, m := range p.mentions(p.unit, v) {
		value, assigned := m.assigned()
		if !assigned {
			continue
		}
		call := ast.Unparen(value).(*ast.CallExpr) // see startsEmpty
		all = append(all, call)
		pos, end := m.id.Pos(), call.End()
		if loops := loopsSince(m.stack, m.id, start); len(loops) > 0 {
			pos, end = loops[0].Pos(), max(end, loops[0].End())
		}
		if first == 0 || pos < first {
			first = pos
		}
		last = max(last, end)
	}
	return all, first, last
}

// roomOfElements is the room that slices of a type have in the end, which grow on some lines.
func (p *Line) roomOfElements(t types.Type, lines map[prof.Frame]bool) (s sized, ok bool) {
	o, ok := p.observe(lines, p.elemBytes(t) < tinyBlock && !holdsPointers(t), directly)
	if !ok {
		return s, false
	}
	s.n, s.note, ok = o.elements(p.elemBytes(t))
	return s, ok
}

// onStack is the size in bytes up to which a slice that does not leave its function is made there with its room.
const onStack = 4 << 10

// madeWithRoom are the edits that make a slice with room: where it is declared, if it is unobservable that it is not nil then, and if
// something is appended on every way or the memory is on the stack; or else right before what is appended.
func (p *Line) madeWithRoom(v *types.Var, own []*ast.CallExpr, u *unasked, size sized) []Edit {
	d, ok := p.define(p.unit, v)
	if !ok {
		return nil
	}
	stack := !u.given && size.n*p.elemBytes(v.Type()) <= onStack
	nilSeen := d.value == nil || p.isNil(d.value)
	if nilSeen {
		nilSeen = u.nil || slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return p.useOf(m, v) == asksForNil })
	}
	if !nilSeen && (stack || p.sureAfter(d.pos, own)) {
		if edits := p.madeWith(v, d, fmt.Sprint(size.n)); edits != nil {
			return p.noted(p.unit, edits, size.note)
		}
	}
	if stack || len(own) != 1 || own[0].Ellipsis.IsValid() {
		return nil
	}
	test := "cap(" + v.Name() + ") == 0"
	if d.value == nil {
		test = v.Name() + " == nil"
	}
	return p.madeBefore(own[0], test, v.Name(), v.Type(), size)
}

// sureAfter reports whether one of some calls stands in the block of a declaration itself, and nothing leaves it before.
func (p *Line) sureAfter(declared token.Pos, calls []*ast.CallExpr) bool {
	b, ok := p.statement(declared)
	if !ok {
		return false
	}
	for _, s := range b.list[b.at+1:] {
		if _, plain := s.(*ast.AssignStmt); plain && slices.ContainsFunc(calls, func(c *ast.CallExpr) bool { return s.Pos() <= c.Pos() && c.End() <= s.End() }) {
			return true
		}
		if exits(s) {
			return false
		}
	}
	return false
}

// madeBefore puts a statement before one that appends, which makes the slice if it has no memory.
func (p *Line) madeBefore(call *ast.CallExpr, test, name string, t types.Type, size sized) []Edit {
	typ := p.typeText(t)
	made := fmt.Sprintf("%s = make(%s, 0, %d)", name, typ, size.n)
	if typ == "" || !p.means(call.Pos(), test+made, "make", "cap") || p.commentsOn(call.Pos()) || strings.Contains(test, "nil") && !p.nilMeans(call.Pos()) {
		return nil
	}
	b, ok := p.blockOf(call)
	if !ok || b.list[b.at].Pos() != p.assignOf(call) {
		return nil
	}
	pos := b.list[b.at].Pos()
	indent := p.textBetween(pos-token.Pos(p.fset.PositionFor(pos, false).Column-1), pos)
	lines := slices.Concat([]string{"if " + test + " {"}, indented(withNote(indent+"\t", made, size.note)), []string{"}"})
	e, ok := p.insert(b.list[b.at], strings.Join(lines, "\n"+indent))
	if !ok {
		return nil
	}
	return []Edit{e}
}

// commentsOn reports whether a comment that belongs to a line may stand right above it.
func (p *Line) commentsOn(pos token.Pos) bool {
	return slices.ContainsFunc(p.file.Comments, func(c *ast.CommentGroup) bool {
		column := p.fset.PositionFor(c.Pos(), false).Column
		behind := strings.TrimSpace(p.textBetween(c.Pos()-token.Pos(column-1), c.Pos())) != "" // another statement
		return p.line(c.End()) == p.line(pos)-1 && c.Pos() > p.fn.body.Pos() && !behind
	})
}

// nilMeans reports whether nil is that of the language at a position.
func (p *Line) nilMeans(pos token.Pos) bool {
	return ofLanguage(p.objectAt("nil", pos))
}

// assignOf is the position of the assignment that has a call on its right side, alone; 0 if there is none.
func (p *Line) assignOf(call *ast.CallExpr) token.Pos {
	if assign, ok := innermost(stackOf(p.file, call)).(*ast.AssignStmt); ok && len(assign.Rhs) == 1 {
		return assign.Pos()
	}
	return 0
}

// noted adds a comment to the last of some edits: behind its line, where nothing follows on it, or else within. Above the line it is where that
// would be too wide, and begins with a statement without a comment.
func (p *Line) noted(u *unit, edits []Edit, note string) []Edit {
	last := &edits[len(edits)-1]
	file := p.fset.File(u.file.Package)
	end := file.Pos(last.End)
	rest := p.textBetween(end, token.Pos(file.Base()+file.Size()))
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	at := file.Pos(last.Pos)
	start := file.LineStart(file.Line(at))
	line := p.textBetween(start, at) + last.Text + strings.TrimRight(rest, " \t\r")
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if len(withNote("", line, note)) > 1 && p.uncommented(u, start+token.Pos(len(indent))) {
		return append(edits, p.edit(start, start, indent+strings.Join(comment(indent, note), "\n"+indent)+"\n"))
	}
	if strings.TrimSpace(rest) == "" {
		last.Text += " // " + note
		return edits
	}
	if !strings.HasSuffix(last.Text, ")") {
		return nil
	}
	last.Text = strings.TrimSuffix(last.Text, ")") + " /* " + note + " */)"
	return edits
}

// uncommented reports whether a statement begins at a position, and no comment ends on the line above.
func (p *Line) uncommented(u *unit, pos token.Pos) bool {
	path, _ := astutil.PathEnclosingInterval(u.file, pos, pos)
	return slices.ContainsFunc(path, func(n ast.Node) bool {
		_, ok := n.(ast.Stmt)
		return ok && n.Pos() == pos
	}) && !slices.ContainsFunc(u.file.Comments, func(c *ast.CommentGroup) bool { return p.line(c.End()) == p.line(pos)-1 })
}

// estimatedField gives room to a slice in a field.
func (p *Line) estimatedField(s spot, call *ast.CallExpr) []Edit {
	assign, ok := s.parent().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || assign.Tok != token.ASSIGN || len(call.Args) < 2 {
		return nil
	}
	left, ok := ast.Unparen(assign.Lhs[0]).(*ast.SelectorExpr)
	if !ok || types.ExprString(left) != types.ExprString(call.Args[0]) || !p.pure(left) {
		return nil
	}
	field, ok := p.pkg.TypesInfo.ObjectOf(left.Sel).(*types.Var)
	named := namedOf(p.typeOf(left.X))
	if !ok || !field.IsField() || named == nil || named.TypeParams().Len() > 0 || hasTypeParameter(field.Type()) || !p.isOwn(field, named) {
		return nil
	}
	u := p.unaskedField(field, named)
	if u.asked || u.wrote || len(u.grows) == 0 {
		return nil
	}
	lines := map[prof.Frame]bool{}
	for _, g := range u.grows {
		lines[p.frameOf(g.Pos())] = true
	}
	size, ok := p.roomOfElements(field.Type(), lines)
	if !ok {
		return nil
	}
	made := slices.DeleteFunc(slices.Clone(u.makes), func(v ssa.Value) bool { _, zero := v.(*ssa.Const); return zero })
	if len(made) == 1 {
		return p.roomWhereMade(made[0], size)
	}
	if len(made) > 0 || len(u.grows) != 1 || call.Ellipsis.IsValid() || p.mayPanic(call.Args[1:]) {
		return nil
	}
	return p.madeBefore(call, p.text(left)+" == nil", p.text(left), field.Type(), size)
}

// isOwn reports whether a field is declared by a struct type itself: an embedded struct has others as well.
func (p *Line) isOwn(field *types.Var, named *types.Named) bool {
	t, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range t.Fields() {
		if f == field {
			return true
		}
	}
	return false
}

// mayPanic reports whether something other than variables, fields of local structs and constants is in some expressions: where
// it panics, what stands before it has been done already.
func (p *Line) mayPanic(all []ast.Expr) bool {
	return slices.ContainsFunc(all, func(e ast.Expr) bool {
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			return false
		case *ast.BasicLit:
			return false
		default:
			return !p.constant(e)
		}
	})
}

// roomWhereMade gives room to an empty slice where it is made.
func (p *Line) roomWhereMade(made ssa.Value, size sized) (edits []Edit) {
	u := p.unitOf(made.Pos())
	if u == nil || u.pkg != p.pkg || p.inTest(made.Pos()) || p.generated(u) {
		return nil
	}
	ast.Inspect(u.file, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || edits != nil {
			return edits == nil
		}
		text := ""
		switch x := e.(type) {
		case *ast.CallExpr:
			if (x.Lparen == made.Pos() || x.Pos() == made.Pos()) && u.builtin(x, "make") != nil && len(x.Args) == 2 && u.isZero(x.Args[1]) {
				text = p.text(x.Args[0])
			}
		case *ast.CompositeLit:
			if (x.Lbrace == made.Pos() || x.Pos() == made.Pos()) && len(x.Elts) == 0 && x.Type != nil {
				text = p.text(x.Type)
			}
		}
		if text == "" || u.hasComment(e) || !p.means(e.Pos(), "make(", "make") {
			return true
		}
		edits = p.noted(u, []Edit{p.edit(e.Pos(), e.End(), fmt.Sprintf("make(%s, 0, %d)", text, size.n))}, size.note)
		return false
	})
	return edits
}

// hasComment reports whether a comment stands in a node of a file.
func (u *unit) hasComment(n ast.Node) bool {
	return slices.ContainsFunc(u.file.Comments, func(c *ast.CommentGroup) bool { return n.Pos() <= c.Pos() && c.End() <= n.End() })
}
