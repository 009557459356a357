package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

var splitLocal = &Lever{
	Name:    "split-local",
	Subject: "split without a slice",
	Title:   "go over the text itself, without a slice of its parts",
	Looks:   "strings.Split, SplitN, Fields and the like (also those of package bytes) whose result does not leave the function, and of which it reads parts by constant numbers, from the end, or one after the other in one loop, also after it has reversed them, when cut and split-seq do not fit.",
	Wrong:   "when the text has few parts, is rarely split, or the loop over it would be hard to read.",
	Before: `labels := strings.Split(host, ".")
for i := len(labels) - 1; i >= 0; i-- {
	n = n.child(labels[i])
}`,
	After: `for host != "" {
	i := strings.LastIndexByte(host, '.')
	n = n.child(host[i+1:])
	host = host[:max(i, 0)]
}`,
	Model: "The slice goes whole, and with it what it takes to count the parts.",
	Saves: Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0, 0.5}},
	Rewrite: "The parts are those that strings.Split makes by a constant separator that is not empty. Only the last part and their number are read, outside of loops, of a text in a variable that is set once: strings.LastIndexByte and Count find them. Or one loop goes over them, in order, by range, with a variable for the part, and nothing else uses them but their number, once, outside of loops: it is that of the separators and one. " +
		"The text is evaluated once: in the head of the loop if that is the next statement and nothing asks for the number of parts, and else where it was, for a variable that nothing sets from the call to the loop, of the same function; a string is never changed, and its parts are the same memory. strings.Cut gives the same parts: of an empty text one that is empty. The loop does not set the number of a part; " +
		"before Go 1.22, where all iterations have the same variables, no function literal has these, and no address is taken. New names are those of nothing in the function and its package, and the names of the package, the separator and the part mean the same in the loop." + otherStatements,
	find: func(p *Line) Finding { return p.splitsAlike((*Line).readApart, "1.18") },
}

// splitters are the functions that make a slice of the parts of a text.
var splitters = map[string]bool{"Split": true, "SplitN": true, "SplitAfter": true, "SplitAfterN": true, "Fields": true, "FieldsFunc": true}

// readApart is about parts that are read one after the other, and by nobody else.
func (p *Line) readApart(c called, sel *ast.SelectorExpr) (f Finding) {
	name := c.fn.Name()
	if !splitters[name] || c.fn.Pkg().Path() == "bytes" || len(p.cut(c, sel).Evidence) > 0 {
		return f
	}
	v := p.assignedOnce(c)
	if edits := p.lastAndNumber(c, sel, v); edits != nil {
		return Finding{Edits: edits, Saves: Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0.4, 0.98}}, Evidence: []Evidence{p.at(c.call.Pos(), "only the last part and the length of "+v.Name()+" are read, which can be found in the text, without a slice")}}
	}
	seq, edits := p.ranged(c, sel), p.cutsOff(c, sel, v)
	if len(seq.Evidence) > 0 && len(edits) > 0 && (len(seq.Edits) == 0 || !p.goes("1.24")) {
		return Finding{Evidence: seq.Evidence, Edits: edits}
	}
	if p.goes("1.24") && len(seq.Evidence) > 0 {
		return f
	}
	fields := name == "Fields" || name == "FieldsFunc"
	if v == nil || !fields && !p.separates(c.call.Args[1]) {
		return f
	}
	if len(c.call.Args) == 3 && p.constantInt(c.call.Args[2]) < 2 {
		return f
	}
	u := &partUse{p: p, v: v}
	for _, m := range p.mentions(p.unit, v) {
		if !u.add(m) {
			return f
		}
	}
	if u.by == "" || (u.number > 0 || fields && u.numbered) && !u.counted {
		return f // it would panic without the part
	}
	if u.reversed && u.loop == nil {
		return f // numbers say nothing of where a part stands
	}
	if u.reversed {
		u.by += " after reversing them, in which order strings.LastIndexByte finds them"
	}
	f.Edits = edits
	f.Evidence = []Evidence{p.at(c.call.Pos(), fmt.Sprintf("the slice %s does not leave the function, which only reads its elements %s, so it need not be made", v.Name(), u.by))}
	return f
}

// separates reports whether an expression is a constant text, as a string or as bytes, that is not empty.
func (p *Line) separates(e ast.Expr) bool {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(call.Args) == 1 && p.copiesText(call) {
		e = call.Args[0]
	}
	text, ok := p.stringOf(e)
	return ok && text != ""
}

// A partUse describes how a function reads the parts of a text.
type partUse struct {
	p        *Line
	v        *types.Var
	loop     ast.Node // the one that goes over them
	by       string   // in words; "" if they are not read
	number   int64    // the largest constant one
	numbered bool     // there is one
	counted  bool     // their number is compared with something
	reversed bool     // their order is changed
}

// add takes a mention of the parts; false if they could not be read without the slice then.
func (u *partUse) add(m mention) bool {
	loops := loopsSince(m.stack, m.id, u.v.Pos())
	if within(m.stack, u.v.Pos()) != nil || len(loops) > 1 {
		return false
	}
	if u.turnsRound(m) {
		return true
	}
	switch n := m.parent().(type) {
	case *ast.CallExpr:
		_, compared := innermost(m.stack[:slices.Index(m.stack, ast.Node(n))]).(*ast.BinaryExpr)
		u.counted = u.counted || compared && !u.within(m.stack)
		return u.p.builtin(n, "len") != nil
	case *ast.RangeStmt:
		return n.X == m.id && len(loops) == 0 && u.goesOver(n, "one after the other")
	case *ast.IndexExpr:
		around := innermost(m.stack[:slices.Index(m.stack, ast.Node(n))])
		return n.X == m.id && !stores(around, n) && u.index(n.Index, loops)
	}
	return false
}

// turnsRound reports whether a mention only changes the order of the parts: two are exchanged, or all are
// reversed by package slices.
func (u *partUse) turnsRound(m mention) bool {
	switch n := stmtOf(m.stack).(type) {
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		fn := u.p.callee(call)
		reverses := fn != nil && fn.Origin().FullName() == "slices.Reverse"
		u.reversed = u.reversed || reverses
		return reverses
	case *ast.AssignStmt:
		parts := slices.Concat(n.Lhs, n.Rhs)
		swaps := len(n.Lhs) == 2 && len(n.Rhs) == 2 && n.Tok == token.ASSIGN && !slices.ContainsFunc(parts, func(e ast.Expr) bool { return !u.isPart(e) }) &&
			types.ExprString(n.Lhs[0]) == types.ExprString(n.Rhs[1]) && types.ExprString(n.Lhs[1]) == types.ExprString(n.Rhs[0])
		u.reversed = u.reversed || swaps
		return swaps
	}
	return false
}

// isPart reports whether an expression is one of the parts.
func (u *partUse) isPart(e ast.Expr) bool {
	index, ok := ast.Unparen(e).(*ast.IndexExpr)
	return ok && u.p.local(index.X) == u.v
}

// stmtOf is the innermost statement around a node; nil if there is none.
func stmtOf(stack []ast.Node) ast.Stmt {
	for _, n := range slices.Backward(stack) {
		if s, ok := n.(ast.Stmt); ok {
			return s
		}
	}
	return nil
}

// within reports whether a node is in the number of a part.
func (u *partUse) within(stack []ast.Node) bool {
	return slices.ContainsFunc(stack, func(n ast.Node) bool {
		index, ok := n.(*ast.IndexExpr)
		return ok && u.p.local(index.X) == u.v
	})
}

// stores reports whether a node sets an element, or takes its address.
func stores(around ast.Node, element ast.Expr) bool {
	switch n := around.(type) {
	case *ast.UnaryExpr:
		return n.Op == token.AND
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return ast.Unparen(e) == element })
	case *ast.IncDecStmt:
		return true
	case *ast.IndexExpr, *ast.SliceExpr: // bytes of a part may be set
		return false
	case *ast.RangeStmt:
		return n.Key != nil && ast.Unparen(n.Key) == element || n.Value != nil && ast.Unparen(n.Value) == element
	}
	return false
}

// goesOver notes the loop over the parts; false if there is another.
func (u *partUse) goesOver(loop ast.Node, how string) bool {
	if u.loop != nil && u.loop != loop {
		return false
	}
	u.loop, u.by = loop, how
	return true
}

// index takes the number of a part.
func (u *partUse) index(e ast.Expr, loops []ast.Node) bool {
	e = ast.Unparen(e)
	if i := u.p.constantInt(e); i >= 0 {
		u.number, u.numbered = max(u.number, i), true
		if u.by == "" {
			u.by = "by number"
		}
		return true
	}
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.SUB && u.isLen(b.X) {
		if i := u.p.constantInt(b.Y); i > 0 {
			u.number, u.numbered = max(u.number, i-1), true
			if u.by == "" {
				u.by = "from the end"
			}
			return true
		}
	}
	return len(loops) == 1 && u.counter(e, loops[0])
}

// isLen reports whether an expression is the number of parts.
func (u *partUse) isLen(e ast.Expr) bool {
	call := u.p.builtin(ast.Unparen(e), "len")
	return call != nil && u.p.local(call.Args[0]) == u.v
}

// counter takes the variable that a loop counts in, or the same from the end.
func (u *partUse) counter(e ast.Expr, loop ast.Node) bool {
	how := "one after the other"
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.SUB { // len(parts)-1-i
		if first, ok := ast.Unparen(b.X).(*ast.BinaryExpr); ok && first.Op == token.SUB && u.isLen(first.X) && u.p.constantInt(first.Y) == 1 {
			e, how = b.Y, "one after the other from the end"
		}
	}
	v := u.p.local(e)
	if v == nil || slices.ContainsFunc(u.p.mentions(u.p.unit, v), func(m mention) bool { _, set := m.assigned(); return set }) {
		return false
	}
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		if loop.Key == nil || u.p.local(loop.Key) != v {
			return false
		}
		if _, counts := u.p.typeOf(loop.X).Underlying().(*types.Map); counts {
			return false
		}
	case *ast.ForStmt:
		post, ok := loop.Post.(*ast.IncDecStmt)
		if !ok || u.p.local(post.X) != v || u.p.steps(loop.Body, v) {
			return false
		}
		if post.Tok == token.DEC {
			how = "one after the other from the end"
		}
	}
	return u.goesOver(loop, how)
}

// steps reports whether a loop counts a variable in its body, too.
func (p *Line) steps(body *ast.BlockStmt, v *types.Var) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		s, ok := n.(*ast.IncDecStmt)
		found = found || ok && p.local(s.X) == v
		return !found
	})
	return found
}
