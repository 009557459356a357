package lever

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

var cutText = &Lever{
	Name:    "cut",
	Title:   "cut the text in two with strings.Cut",
	Subject: "use strings.Cut",
	Looks:   "a strings.SplitN into two of which only the parts and whether there are two is used, a Split or SplitN of which only the first part is, and a Split of which only the number of parts is, which strings.Count tells.",
	Wrong:   "when the separator is not found and the code behind would have panicked.",
	Before: `kv := strings.SplitN(field, "=", 2)
if len(kv) == 2 {
	set(kv[0], kv[1])
}`,
	After: `key, value, ok := strings.Cut(field, "=")
if ok {
	set(key, value)
}`,
	Model:   "The slice goes whole, and with it what it takes to look for the size of it.",
	Saves:   Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0.1, 0.6}},
	Rewrite: "The separator is a constant and not empty, and the parts are named by constants, read and not set. The second is only read where a comparison of their number, on the way there, says that there are two: elsewhere it would panic. No other comparison, nor their number itself, is used, and no comparison is of a type of its own. A text whose first part is an operand of a statement is cut before it where the statement always evaluates it, once, and the text is a local variable that nothing changes meanwhile. Before Go 1.18, strings.Index finds the separator: of a text in a variable that is set once, where a comparison tells at each use of a part whether there are two." + otherStatements,
	find:    func(p *Line) Finding { return p.splitsAlike((*Line).cut, "1.0") },
}

// assignedOnce is the variable that the result of a call is assigned to, if nothing else is.
func (p *Line) assignedOnce(c called) *types.Var {
	assign, ok := c.parent().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return nil
	}
	v := p.local(assign.Lhs[0])
	if v == nil || v.Pos() != assign.Lhs[0].Pos() {
		return nil
	}
	if slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { _, ok := m.assigned(); return ok }) {
		return nil
	}
	return v
}

// cut is about a call of which only two parts, the first part, or the number of parts is used.
func (p *Line) cut(c called, sel *ast.SelectorExpr) (f Finding) {
	isSplit, two := c.fn.Name() == "Split", c.fn.Name() == "SplitN" && p.constantInt(c.call.Args[len(c.call.Args)-1]) == 2
	if !isSplit && !two || c.fn.Pkg().Path() != "strings" {
		return f
	}
	if sep, ok := p.stringOf(c.call.Args[1]); !ok || sep == "" {
		return f
	}
	if v := p.assignedOnce(c); v != nil {
		return p.cutVariable(c, sel, v, two)
	}
	cut := p.goes("1.18")
	args := p.oneLine(c.call.Args[0]) + ", " + p.oneLine(c.call.Args[1]) + ")"
	switch parent := c.parent().(type) {
	case *ast.CallExpr:
		if p.builtin(parent, "len") != nil && isSplit {
			f.Evidence = []Evidence{p.at(c.call.Pos(), "only the number of parts is used, and strings.Count returns that without making a slice")}
			f.Edits, _ = p.instead(map[ast.Node]string{parent: "(" + p.oneLine(sel.X) + ".Count(" + args + " + 1)"})
			f.What = "use strings.Count"
		}
	case *ast.IndexExpr:
		if !cut || p.constantInt(parent.Index) != 0 {
			return f
		}
		f.Evidence = []Evidence{p.at(c.call.Pos(), "only the first part is used, and strings.Cut returns that without making a slice")}
		stack := stackOf(p.file, parent)
		if assign, ok := innermost(stack).(*ast.AssignStmt); ok && len(assign.Lhs) == 1 && (assign.Tok == token.DEFINE || assign.Tok == token.ASSIGN) {
			left := assign.Lhs[0].End()
			if edits, ok := p.instead(map[ast.Node]string{parent: p.oneLine(sel.X) + ".Cut(" + args}); ok {
				f.Edits = append([]Edit{p.edit(left, left, ", _, _")}, edits...)
			}
		} else {
			f.Edits = p.cutBefore(c, parent, p.oneLine(sel.X)+".Cut("+args)
		}
	}
	return f
}

// constantInt is an integer constant; -1 if an expression is none.
func (u *unit) constantInt(e ast.Expr) int64 {
	if v := u.pkg.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.Int {
		if n, ok := constant.Int64Val(v); ok {
			return n
		}
	}
	return -1
}

// cutVariable is about parts in a variable, of which only the first, or both and whether there
// are two, are used.
func (p *Line) cutVariable(c called, sel *ast.SelectorExpr, v *types.Var, two bool) (f Finding) {
	x := &cutting{p: p, v: v, made: c.parent().(*ast.AssignStmt)}
	by := "strings.Cut returns"
	if !p.goes("1.18") {
		by = "strings.Index finds"
	}
	proved := !p.jumps(v.Pos())
	for _, m := range p.mentions(p.unit, v) {
		switch parent := m.parent().(type) {
		case *ast.IndexExpr:
			i := p.constantInt(parent.Index)
			if parent.X != m.id || i < 0 || i > 1 || i == 1 && !two {
				return f
			}
			x.use(int(i), m, parent, false)
			proved = proved && (i == 0 || p.knownBefore(m, v, true)) && !isSet(m, parent)
		case *ast.CallExpr:
			around, _ := innermost(m.stack[:slices.Index(m.stack, ast.Node(parent))]).(*ast.BinaryExpr)
			if p.builtin(parent, "len") == nil || around == nil || !two || ast.Unparen(around.X) != parent {
				return f
			}
			is, known := found(around.Op, p.constantInt(around.Y))
			if !known {
				return f
			}
			x.use(2, m, around, !is)
			proved = proved && types.Identical(types.Default(p.typeOf(around)), types.Typ[types.Bool])
		default:
			return f
		}
	}
	if len(x.uses[0])+len(x.uses[1])+len(x.uses[2]) == 0 || len(x.uses[1]) > 0 && len(x.uses[2]) == 0 {
		return f // it would panic where there is one part
	}
	f.Evidence = []Evidence{p.at(c.call.Pos(), fmt.Sprintf("%s allocates the slice %s, which is only used for what %s without one", c.name, v.Name(), by))}
	if !proved {
		return f
	}
	if !p.goes("1.18") {
		if f.Edits = x.atIndex(c, sel); f.Edits != nil {
			f.What = "use strings.Index"
			slices.SortStableFunc(f.Edits, byPlace)
		}
		return f
	}
	x.name()
	texts := x.texts()
	texts[c.call] = p.oneLine(sel.X) + ".Cut(" + p.oneLine(c.call.Args[0]) + ", " + p.oneLine(c.call.Args[1]) + ")"
	if edits, ok := p.instead(texts); ok && !p.commentedBetween(x.made.Pos(), c.call.Pos()) {
		f.Edits = slices.Concat([]Edit{p.edit(x.made.Pos(), x.made.TokPos+token.Pos(len(":=")), strings.Join(x.left[:], ", ")+" "+x.tok)}, x.edits, edits)
		slices.SortStableFunc(f.Edits, byPlace)
	}
	return f
}

// isSet reports whether a part is assigned to, or has its address taken.
func isSet(m mention, part *ast.IndexExpr) bool {
	switch n := innermost(m.stack[:slices.Index(m.stack, ast.Node(part))]).(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return ast.Unparen(e) == part })
	case *ast.RangeStmt:
		return ast.Unparen(n.X) != part
	case *ast.UnaryExpr:
		return n.Op == token.AND
	}
	return false
}

// knownBefore reports whether a mention of parts is only reached if there are two, or, with two false, if there are not: a condition says so.
func (p *Line) knownBefore(m mention, v *types.Var, two bool) bool {
	child := ast.Node(m.id)
	for _, n := range slices.Backward(m.stack) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Y == child && (n.Op == token.LAND || n.Op == token.LOR) && p.saysTwo(n.X, v, n.Op == token.LAND, two) {
				return true
			}
		case *ast.IfStmt:
			if n.Body == child && p.saysTwo(n.Cond, v, true, two) || n.Else == child && p.saysTwo(n.Cond, v, false, two) {
				return true
			}
		case *ast.BlockStmt:
			if p.leftUnless(n.List, child, v, two) {
				return true
			}
		case *ast.CaseClause:
			if p.leftUnless(n.Body, child, v, two) {
				return true
			}
		}
		child = n
	}
	return false
}

// leftUnless reports whether one of the statements before another leaves their list unless there are two parts, or unless there are not.
func (p *Line) leftUnless(list []ast.Stmt, before ast.Node, v *types.Var, two bool) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		cond, ok := s.(*ast.IfStmt)
		if !ok || s.End() > before.Pos() || cond.Else != nil || len(cond.Body.List) == 0 || !p.saysTwo(cond.Cond, v, false, two) {
			return false
		}
		switch last := cond.Body.List[len(cond.Body.List)-1].(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			return last.Tok == token.CONTINUE || last.Tok == token.BREAK
		case *ast.ExprStmt:
			return p.builtin(last.X, "panic") != nil
		}
		return false
	})
}

// saysTwo reports whether there are two parts if a condition has a value, or, with two false, whether there are not.
func (p *Line) saysTwo(cond ast.Expr, v *types.Var, value, two bool) bool {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.NOT && p.saysTwo(e.X, v, !value, two)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			x, y := p.saysTwo(e.X, v, value, two), p.saysTwo(e.Y, v, value, two)
			return x && y || (x || y) && value == (e.Op == token.LAND)
		}
		length, ok := ast.Unparen(e.X).(*ast.CallExpr)
		if !ok || p.builtin(length, "len") == nil || p.local(length.Args[0]) != v {
			return false
		}
		is, known := found(e.Op, p.constantInt(e.Y))
		return known && (is == value) == two
	}
	return false
}

// found reports whether a comparison of the number of parts, which is 1 or 2, is true if there are two, and false if there is one, or
// the contrary; ok is false if neither is known.
func found(op token.Token, n int64) (is, ok bool) {
	switch {
	case op == token.EQL && n == 2, op == token.GTR && n == 1, op == token.GEQ && n == 2, op == token.NEQ && n == 1:
		return true, true
	case op == token.NEQ && n == 2, op == token.LSS && n == 2, op == token.LEQ && n == 1, op == token.EQL && n == 1:
		return false, true
	}
	return false, false
}

// splitsIn counts what splits texts in a function, by its name.
func splitsIn(fn ast.Node) (n int) {
	ast.Inspect(fn, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok && strings.HasPrefix(id.Name, "Split") {
			n++
		}
		return true
	})
	return n
}

// freeNames are names for the results of strings.Cut: plain ones, if nothing means something else by these in the function, which
// splits no more than this.
func (p *Line) freeNames(v *types.Var) []string {
	names := []string{"before", "after", "found"}
	fn := p.top(p.unit, v.Pos()).node
	if splitsIn(fn) > 1 || slices.ContainsFunc(names, func(name string) bool { return p.taken(fn, name) }) {
		return []string{v.Name() + "Before", v.Name() + "After", v.Name() + "Found"}
	}
	return names
}
