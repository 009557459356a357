package lever

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var hoistClosure = &Lever{
	Name:  "hoist-closure",
	Title: "make the function literal once, before the loop",
	Looks: "a function literal, or a method as a value, made in each iteration of a loop, that captures only variables from before the loop.",
	Wrong: "when most loops end in the first iteration.",
	Before: `for _, u := range users {
	visit(u, func(f Field) { total += f.Size })
}`,
	After: `add := func(f Field) { total += f.Size }
for _, u := range users {
	visit(u, add)
}`,
	Model: "The literal is allocated once for each loop. What it captures is so already.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.8, 1}},

	Subject: "hoist the closure out of the loop",
	Rewrite: "All variables, types and constants that the function literal names are declared before the loop, or in the literal itself: it captures variables, and not their values, so that one that is made before the loop does in each iteration what a new one would. Nothing tells two function values apart. " +
		"A method value is that of a pointer, a local variable that is never set again and whose address is not taken, and of a method of its own type with a pointer as the receiver: it is evaluated without a panic, and copies nothing. " +
		"It is not called where it stands, also not by defer or go, and no condition stands between it and the loop: a loop with iterations makes no more than before. There is no goto that a new variable could be in the way of, and its name is none of the function's.",
	find: findHoistClosure,
}

func findHoistClosure(p *Line) (f Finding) {
	in, share := p.only()
	made, ok := in.(*ssa.MakeClosure)
	if !ok || share == 0 || !repeats(made.Block()) {
		return f
	}
	for _, s := range p.spots() {
		loop, text := p.hoistable(s)
		if loop == nil {
			continue
		}
		return Finding{Share: share, Evidence: []Evidence{p.at(s.node.Pos(), text), p.at(loop.Pos(), "one function, made before the loop, serves all iterations")}, Edits: p.hoistedClosure(s, loop)}
	}
	return f
}

// hoistable is the outermost loop before which a function literal, or a method as a value, could
// be made, and what it is. nil if there is none.
func (p *Line) hoistable(s spot) (ast.Node, string) {
	switch n := s.node.(type) {
	case *ast.FuncLit:
		if loop := p.before(n, n.Body, s.stack); loop != nil {
			return loop, "a closure is allocated in each iteration, although it captures nothing of the iteration"
		}
	case *ast.SelectorExpr:
		call, called := s.parent().(*ast.CallExpr)
		selection := p.pkg.TypesInfo.Selections[n]
		if selection == nil || selection.Kind() != types.MethodVal || called && ast.Unparen(call.Fun) == n {
			return nil, ""
		}
		recv := selection.Obj().(*types.Func).Signature().Recv()
		if _, pointer := types.Unalias(recv.Type()).(*types.Pointer); !pointer || len(selection.Index()) != 1 {
			return nil, "" // the value copies or loads its receiver where it stands
		}
		if _, pointer := p.typeOf(n.X).Underlying().(*types.Pointer); !pointer || p.local(n.X) == nil || p.set(p.local(n.X)) {
			return nil, ""
		}
		if loop := p.before(n, n.X, s.stack); loop != nil {
			return loop, "a method value is allocated in each iteration, although its receiver is the same"
		}
	}
	return nil, ""
}

// before is the outermost loop around a node, in its function, that declares nothing which a part
// of it uses; nil if there is none.
func (p *Line) before(n, used ast.Node, stack []ast.Node) (outer ast.Node) {
	for i := len(stack) - 1; i >= 0; i-- {
		if _, ok := stack[i].(*ast.FuncLit); ok {
			break
		}
		body := loopBody(stack[i])
		if body == nil || n.Pos() < body.Pos() {
			continue
		}
		if p.usesFrom(n, used, stack[i]) {
			break
		}
		outer = stack[i]
	}
	return outer
}

// usesFrom reports whether part of a node uses what a loop declares, outside of the node.
func (p *Line) usesFrom(n, used, loop ast.Node) bool {
	found := false
	ast.Inspect(used, func(x ast.Node) bool {
		id, ok := x.(*ast.Ident)
		if !ok || found {
			return !found
		}
		o := p.pkg.TypesInfo.Uses[id]
		if o != nil && loop.Pos() <= o.Pos() && o.Pos() < loop.End() && (o.Pos() < n.Pos() || n.End() <= o.Pos()) {
			found = true
		}
		return true
	})
	return found
}

// set reports whether a variable is assigned to, or its address taken, after it is declared.
func (p *Line) set(v *types.Var) bool {
	for _, m := range p.mentions(p.unit, v) {
		if sets(m) {
			return true
		}
		if u, ok := m.parent().(*ast.UnaryExpr); ok && u.Op == token.AND {
			return true
		}
	}
	return false
}
