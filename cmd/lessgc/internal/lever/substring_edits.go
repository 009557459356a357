package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A rejoin is a call of strings.Join of parts of a text that strings.Split has made at the same separator.
type rejoin struct {
	join  *ast.CallExpr
	split *ast.CallExpr
	parts *types.Var // that has the parts; nil if they are joined at once
	text  *types.Var // that is split
	sep   string
}

// joinsNothing replaces a call of strings.Join by a slice of the text that was split: nil unless it is of all parts, of all but the first
// or of all but the last.
func (p *Line) joinsNothing(c called, split *ast.CallExpr, parts *types.Var, sep string) []Edit {
	x := rejoin{c.call, split, parts, p.local(split.Args[0]), sep}
	stack := stackOf(p.file, c.call)
	sel, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr)
	if !ok || p.text(sel.X) != "strings" || !p.isFresh(x, stack) || p.jumps(c.call.Pos()) || !hasUse(innermost(stack)) {
		return nil
	}
	cut, _ := ast.Unparen(c.call.Args[0]).(*ast.SliceExpr)
	pkg, of := p.text(sel.X), "("+x.text.Name()+", "+p.text(c.call.Args[1])+")"
	var before []Edit
	text := x.text.Name()
	switch {
	case !p.splitsTwo(split):
		return nil
	case cut == nil:
	case p.leavesFirst(cut):
		stmt := stmtOf(stack)
		name := p.nameForRest(c.call)
		if name == "" || stmt == nil || !inList(stack, stmt) || isClause(stmt) || p.objectAt(x.text.Name(), stmt.Pos()) != x.text {
			return nil
		}
		insert, ok := p.insert(stmt, "_, "+name+", _ := "+pkg+".Cut"+of)
		if !ok || !p.goes("1.18") {
			return nil
		}
		before, text = []Edit{insert}, name
	case p.leavesLast(x, cut):
		if !p.goes("1.21") || p.shadows("max", c.call.Pos()) {
			return nil
		}
		text += "[:max(" + pkg + ".LastIndex" + of + ", 0)]"
	default:
		return nil
	}
	gone, ok := p.withoutParts(x)
	if !ok {
		return nil
	}
	edits, ok := p.instead(map[ast.Node]string{c.call: text})
	if !ok {
		return nil
	}
	return slices.Concat(gone, before, edits)
}

// isFresh reports whether a text is a local variable of type string that is never set, by the same name where its parts are joined.
func (p *Line) isFresh(x rejoin, stack []ast.Node) bool {
	if x.text == nil || types.Unalias(x.text.Type()) != types.Typ[types.String] || !p.setOnce(x.text) || within(stack, x.text.Pos()) != nil {
		return false
	}
	return p.objectAt(x.text.Name(), x.join.Pos()) == x.text
}

// leavesFirst reports whether parts, of which there is one at least, are cut to all but the first.
func (p *Line) leavesFirst(cut *ast.SliceExpr) bool {
	return cut.Low != nil && p.constantInt(cut.Low) == 1 && cut.High == nil && cut.Max == nil
}

// splitsTwo reports whether a text is split wherever the separator is, or once at least.
func (p *Line) splitsTwo(split *ast.CallExpr) bool {
	if len(split.Args) == 2 {
		return true
	}
	n := p.pkg.TypesInfo.Types[split.Args[2]].Value
	return n != nil && (n.String() == "-1" || p.constantInt(split.Args[2]) >= 2)
}

// leavesLast reports whether parts are cut to all but the last, in front of which is the last separator: as separators that overlap
// are found from the left, it is one that cannot.
func (p *Line) leavesLast(x rejoin, cut *ast.SliceExpr) bool {
	less, ok := ast.Unparen(cut.High).(*ast.BinaryExpr)
	if !ok || cut.Low != nil && !p.isZero(cut.Low) || cut.Max != nil || less.Op != token.SUB || p.constantInt(less.Y) != 1 || x.parts == nil {
		return false
	}
	call := p.builtin(ast.Unparen(less.X), "len")
	if call == nil || p.local(call.Args[0]) != x.parts || len(x.split.Args) != 2 {
		return false
	}
	for i := 1; i < len(x.sep); i++ {
		if strings.HasPrefix(x.sep, x.sep[i:]) {
			return false
		}
	}
	return true
}

// nameForRest is a name for what is behind the first separator; "" if there is none.
func (p *Line) nameForRest(call *ast.CallExpr) string {
	n := 1
	ast.Inspect(p.top(p.unit, call.Pos()).node, func(node ast.Node) bool {
		if node != nil && node.Pos() < call.Pos() && p.isJoin(node) {
			n++
		}
		return true
	})
	return p.freeName(numbered("rest", n), numbered("after", n), numbered("tail", n))
}

// withoutParts takes away the parts, if nothing else uses them. It fails if others join them only, which may be replaced, too.
func (p *Line) withoutParts(x rejoin) ([]Edit, bool) {
	if x.parts == nil {
		return nil, true
	}
	joined := false
	for _, m := range p.mentions(p.unit, x.parts) {
		if x.join.Pos() <= m.id.Pos() && m.id.End() <= x.join.End() {
			continue
		}
		if !slices.ContainsFunc(m.stack, p.isJoin) {
			return nil, true
		}
		joined = true
	}
	if joined {
		return nil, false
	}
	assign, ok := innermost(stackOf(p.file, x.split)).(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 {
		return nil, false
	}
	gone, ok := p.withoutStatement(assign)
	return []Edit{gone}, ok
}

// isJoin reports whether a node is a call of strings.Join.
func (p *Line) isJoin(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := p.callee(call)
	return fn != nil && fn.FullName() == "strings.Join"
}

// isClause reports whether a statement is a case, in front of which no statement stands.
func isClause(stmt ast.Stmt) bool {
	switch stmt.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}
