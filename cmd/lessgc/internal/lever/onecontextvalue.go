package lever

import (
	"go/ast"
	"go/types"
)

var oneContextValue = &Lever{
	Name:  "one-context-value",
	Title: "put one value with all fields into the context",
	Looks: "two or more calls of context.WithValue, one on the result of the other, in a row.",
	Wrong: "when other modules look for the values by their keys.",
	Before: `ctx = context.WithValue(ctx, userKey, user)
ctx = context.WithValue(ctx, traceKey, trace)`,
	After: `ctx = context.WithValue(ctx, requestKey, &request{user, trace})`,
	Model: "Each context is 48 bytes, each value that is not a pointer as much as it has; one of each remains. Looking for a value has fewer contexts to ask.",
	Risk:  API,
	Saves: Saves{Alloc: Range{0.3, 0.9}, Collect: Range{0.3, 0.9}},
	find:  findOneContextValue,
}

func findOneContextValue(p *Line) (f Finding) {
	const name = "context.WithValue"
	share := p.through(name)
	if share == 0 {
		return f
	}
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || p.callee(call) == nil || p.callee(call).FullName() != name || !p.ownKey(call) {
			continue
		}
		if before := p.valueBefore(s, call); before != nil {
			return Finding{Share: share, Evidence: []Evidence{
				p.at(before.Pos(), "a value is put into the context"),
				p.at(call.Pos(), "and another one into the result, which is not used in between"),
			}}
		}
	}
	return f
}

// ownKey reports whether the key of a value is of a type of the package, which others cannot have.
func (p *Line) ownKey(call *ast.CallExpr) bool {
	named, ok := types.Unalias(p.typeOf(call.Args[1])).(*types.Named)
	if pointer, is := types.Unalias(p.typeOf(call.Args[1])).(*types.Pointer); is {
		named, ok = types.Unalias(pointer.Elem()).(*types.Named)
	}
	return ok && named.Obj().Pkg() == p.pkg.Types && !named.Obj().Exported()
}

// valueBefore is the call of WithValue, in the statement before, whose result a call is about.
func (p *Line) valueBefore(s spot, call *ast.CallExpr) *ast.CallExpr {
	inner := func(e ast.Expr) *ast.CallExpr {
		c, ok := ast.Unparen(e).(*ast.CallExpr)
		if ok && p.callee(c) != nil && p.callee(c).FullName() == "context.WithValue" && p.ownKey(c) {
			return c
		}
		return nil
	}
	if c := inner(call.Args[0]); c != nil {
		return c
	}
	assign, ok := s.parent().(*ast.AssignStmt)
	if !ok {
		return nil
	}
	b, ok := p.blockOf(assign)
	if !ok || b.at == 0 {
		return nil
	}
	before, ok := b.list[b.at-1].(*ast.AssignStmt)
	if !ok || len(before.Lhs) != 1 || len(before.Rhs) != 1 || p.local(before.Lhs[0]) == nil || p.local(before.Lhs[0]) != p.local(call.Args[0]) {
		return nil
	}
	return inner(before.Rhs[0])
}
