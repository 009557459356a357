package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

var reuseTimer = &Lever{
	Name:  "reuse-timer",
	Title: "make one timer before the loop, and reset it",
	Looks: "time.After in a select statement of a loop, or time.NewTimer in a loop for a variable of the iteration, of which only its channel, Stop and Reset are used.",
	Wrong: "when the module's go.mod has a version below go 1.23: then a timer has to be stopped, and its channel drained, before Reset.",
	Before: `for {
	select {
	case v := <-values:
		use(v)
	case <-time.After(idle):
		return
	}
}`,
	After: `timer := time.NewTimer(idle)
defer timer.Stop()
for {
	timer.Reset(idle)
	select {
	case v := <-values:
		use(v)
	case <-timer.C:
		return
	}
}`,
	Model: "A timer and its channel are about 250 bytes; Reset needs none. What is left is the time of setting it.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}},
	find:  findReuseTimer,
}

func findReuseTimer(p *Line) (f Finding) {
	if !p.since(23) {
		return f
	}
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || p.callee(call) == nil {
			continue
		}
		loop := innerLoop(s.stack, call)
		name := p.callee(call).FullName()
		if loop == nil || p.through(name) == 0 {
			continue
		}
		switch name {
		case "time.After":
			if !waits(s) || !comesAgain(s) {
				continue
			}
		case "time.NewTimer":
			if v := p.result(s); v == nil || !p.onlyResets(v) {
				continue
			}
		default:
			continue
		}
		return Finding{Share: p.through(name), Evidence: []Evidence{p.at(call.Pos(), name+" makes a timer and a channel"), p.at(loop.Pos(), "in each iteration of a loop")}}
	}
	return f
}

// olderThan reports whether a version of the language is older than Go 1.minor.
func olderThan(version string, minor int) bool {
	parts := strings.Split(version, ".")
	if len(parts) < 2 || parts[0] != "1" {
		return parts[0] == "1" || parts[0] == "0"
	}
	n := 0
	for _, c := range parts[1] {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int(c-'0')
	}
	return n < minor
}

// innerLoop is the innermost loop whose body has a node, in the same function.
func innerLoop(stack []ast.Node, node ast.Node) ast.Node {
	for _, n := range slices.Backward(stack) {
		if _, ok := n.(*ast.FuncLit); ok {
			return nil
		}
		if body := loopBody(n); body != nil && body.Pos() <= node.Pos() && node.End() <= body.End() {
			return n
		}
	}
	return nil
}

// waits reports whether a call is what a case of a select statement receives from.
func waits(s spot) bool {
	u, ok := s.parent().(*ast.UnaryExpr)
	if !ok {
		return false
	}
	i := slices.Index(s.stack, ast.Node(u))
	switch innermost(s.stack[:i]).(type) {
	case *ast.ExprStmt, *ast.AssignStmt:
		clause := innermost(s.stack[:i-1])
		_, ok := clause.(*ast.CommClause)
		return ok
	}
	return false
}

// comesAgain reports whether another case of the select statement around a node may go on with the loop.
func comesAgain(s spot) bool {
	for _, n := range slices.Backward(s.stack) {
		wait, ok := n.(*ast.SelectStmt)
		if !ok {
			continue
		}
		return slices.ContainsFunc(wait.Body.List, func(c ast.Stmt) bool {
			clause := c.(*ast.CommClause)
			return (clause.Pos() > s.node.Pos() || clause.End() < s.node.End()) && !ends(clause.Body)
		})
	}
	return false
}

// ends reports whether statements end with one that leaves the function or the loop.
func ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.GOTO || s.Tok == token.BREAK && s.Label != nil
	}
	return false
}

// usedAtOnce reports whether a timer's channel is received from, and a method of it called, where they
// stand.
func usedAtOnce(m mention, sel *ast.SelectorExpr) bool {
	switch up := innermost(m.stack[:slices.Index(m.stack, ast.Node(sel))]).(type) {
	case *ast.UnaryExpr:
		return up.Op == token.ARROW
	case *ast.CallExpr:
		return ast.Unparen(up.Fun) == sel
	}
	return false
}

// onlyResets reports whether nobody else gets a timer.
func (p *Line) onlyResets(v *types.Var) bool {
	return !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		sel, ok := m.parent().(*ast.SelectorExpr)
		if !ok || !usedAtOnce(m, sel) {
			return true
		}
		return within(m.stack, v.Pos()) != nil || !slices.Contains([]string{"C", "Stop", "Reset"}, sel.Sel.Name)
	})
}
