package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// A counting is a slice of the parts of a text, of which only the last one and their number are read.
type counting struct {
	p         *Line
	v         *types.Var
	text      *types.Var
	pkg       *ast.Ident // that the package strings has
	separator *ast.BasicLit
	last      string // the expression for where the last separator is; "" for a separator of several bytes
	edits     []Edit
}

// lastAndNumber are the edits that find the last part of a text, and the number of its parts, in the text itself: nil if anything else is done with
// the slice of the parts, or if the text is not a variable that keeps its value.
func (p *Line) lastAndNumber(c called, sel *ast.SelectorExpr, v *types.Var) []Edit {
	if v == nil || c.fn.FullName() != "strings.Split" || len(c.call.Args) != 2 {
		return nil
	}
	n := counting{p: p, v: v, text: p.local(c.call.Args[0])}
	n.pkg, _ = sel.X.(*ast.Ident)
	n.separator, _ = ast.Unparen(c.call.Args[1]).(*ast.BasicLit)
	if n.text == nil || n.pkg == nil || n.separator == nil || !p.keepsValue(n.text) {
		return nil
	}
	sep, ok := p.stringOf(n.separator)
	if !ok || sep == "" {
		return nil
	}
	if len(sep) == 1 && sep[0] < 0x80 {
		n.last = n.pkg.Name + ".LastIndexByte(" + n.text.Name() + ", " + strconv.QuoteRune(rune(sep[0])) + ")"
	}
	b, ok := p.statement(v.Pos())
	if !ok {
		return nil
	}
	gone, ok := p.withoutDeclaration(b.list[b.at])
	if !ok {
		return nil
	}
	n.edits = []Edit{gone}
	for _, m := range p.mentions(p.unit, v) {
		if len(loopsSince(m.stack, m.id, v.Pos())) > 0 || within(m.stack, v.Pos()) != nil || !n.reads(m) {
			return nil
		}
	}
	return n.edits
}

// keepsValue reports whether a local variable or parameter is set once, and its address is not taken.
func (p *Line) keepsValue(v *types.Var) bool {
	d, ok := p.define(p.unit, v)
	return ok && !p.addressTaken(v) && (d.param || d.value != nil) && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		switch parent := m.parent().(type) {
		case *ast.RangeStmt:
			return parent.X != m.id
		case *ast.IncDecStmt:
			return true
		}
		_, assigned := m.assigned()
		return assigned
	})
}

// reads adds the edit for a mention of the slice; false if it is not one that reads the number of the parts or the last one.
func (n *counting) reads(m mention) bool {
	if n.p.objectAt(n.text.Name(), m.id.Pos()) != n.text || n.p.objectAt(n.pkg.Name, m.id.Pos()) != n.p.object(n.pkg) {
		return false
	}
	i := slices.Index(m.stack, m.parent())
	switch parent := m.parent().(type) {
	case *ast.IndexExpr:
		if parent.X != m.id || n.last == "" || stores(innermost(m.stack[:i]), parent) || !n.isLast(parent.Index) || n.p.hasComment(parent) {
			return false
		}
		n.ends(parent, m.stack[:i])
		return true
	case *ast.CallExpr:
		if n.p.builtin(parent, "len") == nil || n.p.hasComment(parent) {
			return false
		}
		for _, around := range m.stack[:i] {
			if index, ok := around.(*ast.IndexExpr); ok && n.p.local(index.X) == n.v {
				return true // it goes with that
			}
		}
		n.counts(parent, innermost(m.stack[:i]))
		return true
	}
	return false
}

// ends adds the edit for the last part, or for its length and one, which is the distance from the last separator to the end of the text.
func (n *counting) ends(last *ast.IndexExpr, stack []ast.Node) {
	if call, ok := innermost(stack).(*ast.CallExpr); ok && n.p.builtin(call, "len") != nil && len(stack) > 1 {
		if one, ok := stack[len(stack)-2].(*ast.BinaryExpr); ok && one.Op == token.ADD && one.X == call && isOne(one.Y) && !n.p.hasComment(one) {
			n.edits = append(n.edits, n.p.edit(one.Pos(), one.End(), "len("+n.text.Name()+") - "+n.last))
			return
		}
	}
	n.edits = append(n.edits, n.p.edit(last.Pos(), last.End(), n.text.Name()+"["+n.last+"+1:]"))
}

// isLast reports whether an expression is the number of the parts, or a variable that has it, less 1.
func (n *counting) isLast(e ast.Expr) bool {
	less, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || less.Op != token.SUB || !isOne(less.Y) {
		return false
	}
	if call := n.p.builtin(less.X, "len"); call != nil {
		return n.p.local(call.Args[0]) == n.v
	}
	number := n.p.local(less.X)
	if number == nil || !n.p.keepsValue(number) {
		return false
	}
	d, _ := n.p.define(n.p.unit, number)
	if d.value == nil {
		return false
	}
	call := n.p.builtin(ast.Unparen(d.value), "len")
	return call != nil && n.p.local(call.Args[0]) == n.v && n.readElsewhere(number)
}

// readElsewhere reports whether a variable is used by more than the indexes of the slice, which go.
func (n *counting) readElsewhere(number *types.Var) bool {
	return slices.ContainsFunc(n.p.mentions(n.p.unit, number), func(m mention) bool {
		return !slices.ContainsFunc(m.stack, func(around ast.Node) bool {
			index, ok := around.(*ast.IndexExpr)
			return ok && n.p.local(index.X) == n.v
		})
	})
}

// isOne reports whether an expression is written as 1: a constant may be another one in another build.
func isOne(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok && lit.Value == "1"
}

// counts adds the edit for the number of the parts: that of the separators and one.
func (n *counting) counts(call *ast.CallExpr, around ast.Node) {
	count := n.pkg.Name + ".Count(" + n.text.Name() + ", " + n.separator.Value + ")"
	pos, end, text := call.Pos(), call.End(), count+" + 1"
	switch around := around.(type) {
	case *ast.BinaryExpr:
		switch {
		case around.Op == token.SUB && around.X == call && isOne(around.Y):
			end, text = around.End(), count
		case around.Op.Precedence() >= token.ADD.Precedence():
			text = "(" + text + ")"
		}
	case *ast.UnaryExpr, *ast.SelectorExpr:
		text = "(" + text + ")"
	}
	n.edits = append(n.edits, n.p.edit(pos, end, text))
}
