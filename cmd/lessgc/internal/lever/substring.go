package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

var substring = &Lever{
	Name:  "substring",
	Title: "slice the text, instead of putting its parts together again",

	Subject: "slice the string, do not rejoin it",
	Looks:   "parts of a text that strings.Split made and that are joined again with the same separator: by strings.Join of some that follow each other, or one more in each iteration of a loop over all of them, with path.Join or +.",
	Wrong:   "when the text that is sliced is much larger, and the part is kept long: it keeps all of it. path.Join also cleans the path: ask path.Clean first whether it is clean, and keep the old way if not.",
	Before: `parent := ""
for _, part := range strings.Split(name, "/") {
	parent = path.Join(parent, part)
	visit(parent)
}`,
	After: `for i := range len(name) + 1 {
	if i == len(name) || name[i] == '/' {
		visit(name[:i])
	}
}`,
	Model: "The joined text goes whole, and what it takes to copy it.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}, Work: Range{0.3, 0.9}},
	Rewrite: "The text is a local variable that is never set, and the separator a constant that is not empty. The parts of strings.Split are only read; all of them are joined, or all but the first, which are what strings.Cut finds behind the first separator, " +
		"or all but the last, which are what is in front of the last separator: it cannot overlap itself. Where there is no separator, both are empty. " +
		"Parts that nothing else uses are not made. The part keeps the memory of the text, as each of the parts that strings.Split makes does.",
	find: findSubstring,
}

func findSubstring(p *Line) (f Finding) {
	for _, c := range p.called() {
		share := p.below(c.fn)
		if share == 0 {
			continue
		}
		switch c.name {
		case "strings.Join":
			f = p.joinsParts(c)
		case "path.Join":
			f = p.joinsPrefix(c)
		}
		if len(f.Evidence) > 0 {
			f.Share, f.Calls = share, []string{c.name}
			return f
		}
	}
	for _, s := range p.spots() {
		assign, ok := s.node.(*ast.AssignStmt)
		if !ok {
			continue
		}
		share := p.alone(func(n ast.Node) bool { return assign.Pos() <= n.Pos() && n.End() <= assign.End() })
		if f = p.addsPart(s, assign); share > 0 && len(f.Evidence) > 0 {
			f.Share = share
			return f
		}
	}
	return Finding{}
}

// joinsParts is about a call of strings.Join of parts that follow each other.
func (p *Line) joinsParts(c called) (f Finding) {
	parts := ast.Unparen(c.call.Args[0])
	var in *types.Var
	if cut, ok := parts.(*ast.SliceExpr); ok {
		parts = ast.Unparen(cut.X)
	}
	split, _ := parts.(*ast.CallExpr)
	if v := p.local(parts); v != nil {
		split, in = p.partsOf(v), v
	}
	sep, ok := p.stringOf(c.call.Args[1])
	if split == nil || !ok || !p.splitsAt(split, sep) {
		return f
	}
	text := types.ExprString(split.Args[0])
	f.Evidence = []Evidence{
		p.at(split.Pos(), fmt.Sprintf("%s is split at %q here", text, sep)),
		p.at(c.call.Pos(), fmt.Sprintf("consecutive parts are joined with %q again, as they stand in %s, so a slice of that needs no copy", sep, text)),
	}
	if p.callee(split).Name() != "SplitSeq" {
		f.Edits = p.joinsNothing(c, split, in, sep)
	}
	return f
}

// splitsAt reports whether a call splits a text at a separator.
func (p *Line) splitsAt(call *ast.CallExpr, sep string) bool {
	fn := p.callee(call)
	if fn == nil || fn.FullName() != "strings.Split" && fn.FullName() != "strings.SplitN" && fn.FullName() != "strings.SplitSeq" {
		return false
	}
	at, ok := p.stringOf(call.Args[1])
	return ok && at == sep && sep != ""
}

// partsOf is the call that makes the parts which a variable has, if they stay as they are.
func (p *Line) partsOf(v *types.Var) *ast.CallExpr {
	d, ok := p.define(p.unit, v)
	if !ok || d.value == nil {
		return nil
	}
	call, _ := ast.Unparen(d.value).(*ast.CallExpr)
	for _, m := range p.mentions(p.unit, v) {
		if !p.onlyReads(m) {
			return nil
		}
	}
	return call
}

// onlyReads reports whether a mention of a slice neither changes it nor gives it to somebody who may.
func (p *Line) onlyReads(m mention) bool {
	var node ast.Node = m.id
	for i, n := range slices.Backward(m.stack) {
		switch n := n.(type) {
		case *ast.ParenExpr:
		case *ast.SliceExpr:
			if n.X != node {
				return true // it is in an index
			}
		case *ast.IndexExpr:
			return n.X != node || !stores(innermost(m.stack[:i]), n)
		case *ast.RangeStmt:
			return n.X == node
		case *ast.BinaryExpr:
			return true
		case *ast.CallExpr:
			fn := p.callee(n)
			return p.builtin(n, "len") != nil || fn != nil && (fn.FullName() == "strings.Join" || fn.FullName() == "slices.Contains" || fn.FullName() == "slices.Index")
		default:
			return false
		}
		node = n
	}
	return false
}

// joinsPrefix is about a call of path.Join that adds the next part to those before it.
func (p *Line) joinsPrefix(c called) (f Finding) {
	assign, ok := c.parent().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(c.call.Args) != 2 || assign.Tok != token.ASSIGN {
		return f
	}
	sum, part := p.local(assign.Lhs[0]), p.local(c.call.Args[1])
	if sum == nil || part == nil || p.local(c.call.Args[0]) != sum {
		return f
	}
	return p.prefix(sum, part, "/", c.stack)
}

// addsPart is about an assignment that puts the next part behind those before it.
func (p *Line) addsPart(s spot, assign *ast.AssignStmt) (f Finding) {
	if len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return f
	}
	sum := p.local(assign.Lhs[0])
	if sum == nil || !isString(sum.Type()) {
		return f
	}
	sep, part, ok := p.addedTo(sum, assign)
	if !ok || part == nil {
		return f
	}
	return p.prefix(sum, part, sep, s.stack)
}

// addedTo returns the additions of an assignment to a text: a separator, or a part, or both.
func (p *Line) addedTo(sum *types.Var, assign *ast.AssignStmt) (sep string, part *types.Var, ok bool) {
	operands := flat(assign.Rhs[0])
	if assign.Tok == token.ASSIGN {
		if call, is := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr); is {
			fn := p.callee(call)
			return "/", nil, fn != nil && fn.FullName() == "path.Join"
		}
		if len(operands) > 1 && p.local(operands[0]) != sum {
			return "", nil, false
		} else if len(operands) > 1 {
			operands = operands[1:]
		}
	}
	for i, e := range operands {
		if text, is := p.stringOf(e); is && i == 0 {
			sep = text
		} else if v := p.local(e); v != nil && v != sum && i == len(operands)-1 {
			part = v
		} else {
			return "", nil, false
		}
	}
	return sep, part, true
}

// flat are the operands of a sum.
func flat(e ast.Expr) []ast.Expr {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op == token.ADD {
		return append(flat(b.X), flat(b.Y)...)
	}
	return []ast.Expr{e}
}

// prefix is about a variable to which a loop over all parts of a text adds one after the other, and nobody anything
// else. sep is the separator, or "" if other assignments add it.
func (p *Line) prefix(sum, part *types.Var, sep string, stack []ast.Node) (f Finding) {
	var loop *ast.RangeStmt
	for _, n := range stack {
		if r, ok := n.(*ast.RangeStmt); ok && (r.Value != nil && p.local(r.Value) == part || r.Value == nil && r.Key != nil && p.local(r.Key) == part) {
			loop = r
		}
	}
	if loop == nil {
		return f
	}
	split, _ := ast.Unparen(loop.X).(*ast.CallExpr)
	if v := p.local(loop.X); v != nil {
		split = p.partsOf(v)
	}
	if sep == "" && split != nil && len(split.Args) > 1 {
		sep, _ = p.stringOf(split.Args[1])
	}
	d, ok := p.define(p.unit, sum)
	if split == nil || !p.splitsAt(split, sep) || !ok || d.param || d.value != nil && !p.isEmptyText(d.value) || !p.onlyAdds(sum, part, sep, loop) {
		return f
	}
	text := types.ExprString(split.Args[0])
	f.Evidence = []Evidence{
		p.at(loop.Pos(), fmt.Sprintf("the loop goes over the parts of %s between %q", text, sep)),
		p.at(stack[len(stack)-1].Pos(), fmt.Sprintf("%s is the beginning of %s up to the part, which %s[:i] is without a copy", sum.Name(), text, text)),
	}
	return f
}

func (p *Line) isEmptyText(e ast.Expr) bool {
	text, ok := p.stringOf(e)
	return ok && text == ""
}

// onlyAdds reports whether all assignments to a text stand in a loop, and add parts with a separator between them, none
// before the first.
func (p *Line) onlyAdds(sum, part *types.Var, sep string, loop *ast.RangeStmt) bool {
	guarded, separated := false, false
	for _, m := range p.mentions(p.unit, sum) {
		if _, set := m.assigned(); !set {
			continue
		}
		assign := m.parent().(*ast.AssignStmt)
		if len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || len(loopsSince(m.stack, m.id, sum.Pos())) != 1 || assign.Pos() < loop.Body.Pos() || assign.End() > loop.Body.End() {
			return false
		}
		text, added, ok := p.addedTo(sum, assign)
		if !ok || added != nil && added != part || text != "" && text != sep {
			return false
		}
		_, joins := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		conditional := slices.ContainsFunc(m.stack, func(n ast.Node) bool {
			_, is := n.(*ast.IfStmt)
			return is && loop.Body.Pos() <= n.Pos() && n.End() <= loop.Body.End()
		})
		if text != "" && !joins && !conditional {
			return false
		}
		guarded = guarded || joins || conditional
		separated = separated || text == sep
	}
	return guarded && separated
}
