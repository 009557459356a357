package lever

import (
	"go/ast"
	"go/types"
	"strconv"
)

// atIndex are the edits of a module whose Go has no strings.Cut: strings.Index finds the separator, and the parts are slices of the text, which is a
// variable that is set once. They are nil where nothing tells whether there is a second part, and so whether the first one is all of the text. An if
// statement for another number of parts than one and two goes.
func (c *cutting) atIndex(made called, sel *ast.SelectorExpr) []Edit {
	p := c.p
	text, ok := ast.Unparen(made.call.Args[0]).(*ast.Ident)
	if !ok || len(c.uses[2]) == 0 {
		return nil
	}
	if v := p.local(text); v == nil || !p.setOnce(v) {
		return nil
	}
	fn := p.top(p.unit, c.v.Pos()).node
	name, names := "", []string{"i", "at", c.v.Name() + "At"}
	if splitsIn(fn) > 1 {
		names = names[2:]
	}
	for _, n := range names {
		if !p.taken(fn, n) {
			name = n
			break
		}
	}
	if name == "" || c.renamed(text) || c.renamed(made.call.Args[1]) {
		return nil
	}
	var gone []ast.Stmt
	for _, u := range c.uses[2] {
		if !p.knownBefore(u.m, c.v, true) && !p.knownBefore(u.m, c.v, false) {
			continue
		}
		never, ok := innermost(stackOf(p.file, u.node)).(*ast.IfStmt)
		if !ok || !u.negate || never.Cond != u.node || never.Init != nil || never.Else != nil || !p.knownBefore(u.m, c.v, true) {
			return nil
		}
		start, end, ok := p.linesOf(never)
		if !ok || p.commentedBetween(start, end) || p.linesAbove(never) != nil || p.behind(never) != "" {
			return nil
		}
		if below(never.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return false
			}
			_, imported := p.object(id).(*types.PkgName)
			return imported || p.local(id) != nil
		}) {
			return nil // nothing else may use it
		}
		gone = append(gone, never)
		c.edits = append(c.edits, p.edit(start, end, ""))
	}
	goes := func(n ast.Node) bool {
		for _, s := range gone {
			if s.Pos() <= n.Pos() && n.End() <= s.End() {
				return true
			}
		}
		return false
	}
	behind := "1"
	if sep, _ := p.stringOf(made.call.Args[1]); len(sep) != 1 {
		behind = strconv.Itoa(len(sep))
		if _, literal := ast.Unparen(made.call.Args[1]).(*ast.BasicLit); !literal {
			behind = "len(" + p.oneLine(made.call.Args[1]) + ")"
		}
	}
	texts := map[ast.Node]string{made.call: p.oneLine(sel.X) + ".Index(" + text.Name + ", " + p.oneLine(made.call.Args[1]) + ")"}
	for i, all := range c.uses {
		for _, u := range all {
			switch {
			case goes(u.node):
			case i == 2 && u.negate:
				texts[u.node] = name + " < 0"
			case i == 2:
				texts[u.node] = name + " >= 0"
			case i == 1:
				texts[u.node] = text.Name + "[" + name + "+" + behind + ":]"
			case p.knownBefore(u.m, c.v, true):
				texts[u.node] = text.Name + "[:" + name + "]"
			case p.knownBefore(u.m, c.v, false):
				texts[u.node] = text.Name
			default:
				return nil
			}
		}
	}
	edits, ok := p.instead(texts)
	if !ok {
		return nil
	}
	return append(append([]Edit{p.edit(c.made.Lhs[0].Pos(), c.made.Lhs[0].End(), name)}, edits...), c.edits...)
}

// renamed reports whether a name in an expression, of the text or the separator, means something else where a part is used.
func (c *cutting) renamed(e ast.Expr) bool {
	for _, all := range c.uses {
		for _, u := range all {
			if c.p.renamesAt(u.node.Pos(), e) {
				return true
			}
		}
	}
	return false
}
