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
	Name:  "cut",
	Title: "cut the text in two with strings.Cut",
	Looks: "a strings.SplitN into two of which only the parts and whether there are two is used, a Split or SplitN of which only the first part is, and a Split of which only the number of parts is, which strings.Count tells.",
	Wrong: "when the separator is not found and the code behind would have panicked.",
	Before: `kv := strings.SplitN(field, "=", 2)
if len(kv) == 2 {
	set(kv[0], kv[1])
}`,
	After: `key, value, ok := strings.Cut(field, "=")
if ok {
	set(key, value)
}`,
	Model: "The slice goes whole, and with it what it takes to look for the size of it.",
	Saves: Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}, Work: Range{0.1, 0.6}},
	find:  func(p *Line) Finding { return p.splits((*Line).cut, "1.18") },
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
	args := p.oneLine(c.call.Args[0]) + ", " + p.oneLine(c.call.Args[1]) + ")"
	switch parent := c.parent().(type) {
	case *ast.CallExpr:
		if p.builtin(parent, "len") != nil && isSplit {
			f.Evidence = []Evidence{p.at(c.call.Pos(), "only the number of parts is used, which strings.Count tells")}
			f.Edits, _ = p.instead(map[ast.Node]string{parent: "(" + p.oneLine(sel.X) + ".Count(" + args + " + 1)"})
		}
	case *ast.IndexExpr:
		if p.constantInt(parent.Index) != 0 {
			return f
		}
		f.Evidence = []Evidence{p.at(c.call.Pos(), "only the first part is used, which strings.Cut returns")}
		stack := stackOf(p.file, parent)
		if assign, ok := innermost(stack).(*ast.AssignStmt); ok && len(assign.Lhs) == 1 && (assign.Tok == token.DEFINE || assign.Tok == token.ASSIGN) {
			left := assign.Lhs[0].End()
			f.Edits, _ = p.instead(map[ast.Node]string{parent: p.oneLine(sel.X) + ".Cut(" + args})
			f.Edits = append([]Edit{p.edit(left, left, ", _, _")}, f.Edits...)
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
	names := []string{"_", "_", "_"}
	free := p.freeNames(v)
	texts := map[ast.Node]string{}
	for _, m := range p.mentions(p.unit, v) {
		switch parent := m.parent().(type) {
		case *ast.IndexExpr:
			i := p.constantInt(parent.Index)
			if parent.X != m.id || i < 0 || i > 1 || i == 1 && !two {
				return f
			}
			names[i], texts[parent] = free[i], free[i]
		case *ast.CallExpr:
			around, _ := innermost(m.stack[:slices.Index(m.stack, ast.Node(parent))]).(*ast.BinaryExpr)
			if p.builtin(parent, "len") == nil || around == nil || !two || ast.Unparen(around.X) != parent {
				return f
			}
			text := found(around.Op, p.constantInt(around.Y), free[2])
			if text == "" {
				return f
			}
			names[2], texts[around] = free[2], text
		default:
			return f
		}
	}
	if names[0] == "_" && names[1] == "_" && names[2] == "_" || names[1] != "_" && names[2] == "_" {
		return f // it would panic where there is one part
	}
	f.Evidence = []Evidence{p.at(c.call.Pos(), fmt.Sprintf("of %s only what strings.Cut returns is used", v.Name()))}
	texts[c.call] = p.oneLine(sel.X) + ".Cut(" + p.oneLine(c.call.Args[0]) + ", " + p.oneLine(c.call.Args[1]) + ")"
	if edits, ok := p.instead(texts); ok {
		left := c.parent().(*ast.AssignStmt).Lhs[0]
		f.Edits = append([]Edit{p.edit(left.Pos(), left.End(), strings.Join(names, ", "))}, edits...)
	}
	return f
}

// found returns the condition that there are two parts, or not, for a comparison of their number,
// which is 1 or 2; "" if it is not known.
func found(op token.Token, n int64, name string) string {
	switch {
	case op == token.EQL && n == 2, op == token.GTR && n == 1, op == token.GEQ && n == 2, op == token.NEQ && n == 1:
		return name
	case op == token.NEQ && n == 2, op == token.LSS && n == 2, op == token.LEQ && n == 1, op == token.EQL && n == 1:
		return "!" + name
	}
	return ""
}

// freeNames are names for the results of strings.Cut: plain ones, if nothing in the file has these and
// the function splits no more than this.
func (p *Line) freeNames(v *types.Var) []string {
	names := []string{"before", "after", "found"}
	fn := p.top(p.unit, v.Pos())
	splits := 0
	ast.Inspect(p.file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && strings.HasPrefix(id.Name, "Split") && fn.node.Pos() <= id.Pos() && id.End() <= fn.node.End() {
			splits++
		}
		if ok && slices.Contains(names, id.Name) || splits > 1 {
			names = []string{v.Name() + "Before", v.Name() + "After", v.Name() + "Found"}
		}
		return true
	})
	return names
}
