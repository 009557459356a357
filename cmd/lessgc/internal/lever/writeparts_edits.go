package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// splitsWrite is about a call on the line that writes a text which is put together for it to a buffer in memory.
func (p *Line) splitsWrite() (f Finding) {
	for _, c := range p.called() {
		writer, text := p.writeOf(c)
		if text == nil || p.constant(text) || p.textTaker(writer) == "" {
			continue
		}
		what, share := p.madeText(text, c.call)
		if share == 0 {
			continue
		}
		f = Finding{Share: share, Evidence: []Evidence{p.at(text.Pos(), fmt.Sprintf("%s is made only to be written to a %s, which takes the parts one by one", what, p.textTaker(writer)))}}
		w, ok := p.writing(c.call, writer, []ast.Expr{text})
		if !ok {
			return f
		}
		if join, ok := text.(*ast.CallExpr); ok && p.callee(join) != nil && p.callee(join).FullName() == "strings.Join" {
			f.Edits = w.joined(join)
		} else if pieces, ok := p.textPieces(text); ok {
			f.Edits = w.edits(merged(pieces))
		}
		return f
	}
	return f
}

// writeOf returns the writer and the text of a call that writes a string, or bytes made of one; nil if it does not.
func (p *Line) writeOf(c called) (writer, text ast.Expr) {
	args := c.call.Args
	switch {
	case c.name == "io.WriteString" && len(args) == 2:
		writer, text = args[0], args[1]
	case c.fn.Signature().Recv() != nil && len(args) == 1 && (c.fn.Name() == "WriteString" || c.fn.Name() == "Write"):
		sel, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr)
		if !ok {
			return nil, nil
		}
		writer, text = sel.X, args[0]
		if call, ok := ast.Unparen(text).(*ast.CallExpr); ok && c.fn.Name() == "Write" && p.copiesText(call) && types.Identical(p.typeOf(call.Args[0]), types.Typ[types.String]) {
			text = call.Args[0]
		}
	default:
		return nil, nil
	}
	return writer, ast.Unparen(text)
}

// madeText says in words how a text is made that need not be, with the share of the bytes that it takes.
func (p *Line) madeText(e ast.Expr, in *ast.CallExpr) (what string, share float64) {
	alone := func() float64 {
		return p.alone(func(n ast.Node) bool { return in.Lparen < n.Pos() && n.End() <= in.Rparen })
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD && isString(p.typeOf(e)) {
			return "a sum of strings", alone()
		}
	case *ast.CompositeLit:
		if p.isBytes(e) && len(e.Elts) > 0 && len(e.Elts) <= mostBytes {
			return "a literal of bytes", alone()
		}
	case *ast.CallExpr:
		if p.isCharacter(e) {
			return "the text of a character", alone()
		}
		if fn := p.callee(e); fn != nil && fn.FullName() == "strings.Join" && len(e.Args) == 2 {
			return "what strings.Join puts together", p.below(fn)
		}
	}
	return "", 0
}

// mostBytes is the number of bytes that are written one by one.
const mostBytes = 4

// isCharacter reports whether a call is the conversion of a rune or byte to a string.
func (p *Line) isCharacter(call *ast.CallExpr) bool {
	if len(call.Args) != 1 || !p.pkg.TypesInfo.Types[call.Fun].IsType() || !isString(p.typeOf(call)) {
		return false
	}
	return isOneOf(p.typeOf(call.Args[0]), []types.BasicKind{types.Rune, types.Byte})
}

// textPieces are the parts of a text, or bytes of a literal; ok is false if they are not known.
func (p *Line) textPieces(e ast.Expr) (all []piece, ok bool) {
	if lit, ok := e.(*ast.CompositeLit); ok {
		for _, b := range lit.Elts {
			if _, keyed := b.(*ast.KeyValueExpr); keyed {
				return nil, false
			}
			src := p.oneLine(b)
			x := piece{arg: true, byte: true, text: src, expr: b}
			x.as = func(name string) piece { return piece{arg: true, byte: true, text: name} }
			all = append(all, x)
		}
		return all, true
	}
	for _, part := range flat(e) {
		x, ok := p.textPiece(ast.Unparen(part))
		if !ok {
			return nil, false
		}
		all = append(all, x)
	}
	return all, true
}

// textPiece is a part of a text.
func (p *Line) textPiece(e ast.Expr) (x piece, ok bool) {
	if text, ok := p.stringOf(e); ok && isWritten(e) {
		return piece{text: text}, true
	}
	if call, ok := e.(*ast.CallExpr); ok {
		fn := p.callee(call)
		if p.isCharacter(call) {
			return p.plain(call.Args[0], 'c', "")
		}
		if fn != nil && fn.FullName() == "strconv.Itoa" && !p.constant(call.Args[0]) {
			return p.plain(call.Args[0], 'd', "")
		}
	}
	if !types.Identical(p.typeOf(e), types.Typ[types.String]) {
		return x, false
	}
	x = piece{arg: true, text: p.oneLine(e), expr: e, as: func(name string) piece { return piece{arg: true, text: name} }}
	return x, x.text != ""
}

// isWritten reports whether a text is made of literals: a constant with a name may be another one on another system, and says what it is.
func isWritten(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.BinaryExpr:
		return isWritten(e.X) && isWritten(e.Y)
	}
	return false
}

// joined writes strings in a loop, with a separator between them.
func (w *writing) joined(join *ast.CallExpr) []Edit {
	p := w.p
	parts, sep := ast.Unparen(join.Args[0]), ast.Unparen(join.Args[1])
	between, constant := p.stringOf(sep)
	constant = constant && isWritten(sep)
	if !constant && !p.settled(sep) || !w.exists() || !p.simple(parts) && !p.cutOnce(parts) || w.err != nil {
		return nil
	}
	part, i := p.loopName("part", w.call), p.loopName("i", w.call)
	src := p.oneLine(parts)
	if part == "" || src == "" {
		return nil
	}
	if constant && between == "" {
		edits, _ := p.instead(map[ast.Node]string{w.stmt: fmt.Sprintf("for _, %s := range %s {\n%s.WriteString(%s)\n}", part, src, w.to, part)})
		return edits
	}
	line := w.to + ".WriteString(" + p.oneLine(sep) + ")"
	if constant {
		line, _ = w.line(piece{text: between})
	}
	if i == "" {
		return nil
	}
	edits, _ := p.instead(map[ast.Node]string{w.stmt: fmt.Sprintf("for %s, %s := range %s {\nif %s > 0 {\n%s\n}\n%s.WriteString(%s)\n}", i, part, src, i, line, w.to, part)})
	return edits
}

// exists reports whether the writer is no nil: a loop without iterations would not find out.
func (w *writing) exists() bool {
	p := w.p
	e := w.writer
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	v := p.local(e)
	_, pointer := p.typeOf(e).Underlying().(*types.Pointer)
	if v == nil {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		return ok && !pointer && w.holds(sel, nil)
	}
	if !pointer {
		return true
	}
	once := !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { _, set := m.assigned(); return set })
	d, ok := p.define(p.unit, v)
	return once && (ok && d.value != nil && p.newBuffer(d.value) || p.lookedAt(v, w.call))
}

// cutOnce reports whether an expression makes a slice that a loop may go over: a call, or part of a variable.
func (p *Line) cutOnce(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return true
	case *ast.SliceExpr:
		return p.simple(e.X)
	}
	return false
}

// loopName is a name for a variable of a loop, which hides none that the loop uses: "" if it might.
func (p *Line) loopName(name string, call *ast.CallExpr) string {
	if slices.Contains([]string{"strconv", "utf8"}, name) || uses(call, name) {
		return ""
	}
	return name
}
