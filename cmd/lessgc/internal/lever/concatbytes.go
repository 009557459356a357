package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

var concatBytes = &Lever{
	Name:  "concat-bytes",
	Title: "append the texts to the bytes, without a string in between",
	Looks: "texts that are put together by + and then turned into bytes, and nothing else: they are copied twice.",
	Wrong: "when the line is rarely run, and the shorter one reads better.",
	Before: `key += "\x00"
return []byte(key)`,
	After: `b := make([]byte, 0, len(key)+1)
b = append(b, key...)
return append(b, 0)`,
	Model: "The string in between goes whole.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}},
	find:  findConcatBytes,
}

func findConcatBytes(p *Line) (f Finding) {
	for _, s := range p.spots() {
		switch n := s.node.(type) {
		case *ast.CallExpr:
			f = p.convertsSum(n)
		case *ast.AssignStmt:
			f = p.sumForBytes(s, n)
		}
		if f.Share > 0 && len(f.Evidence) > 0 {
			return f
		}
	}
	return Finding{}
}

// convertsSum is about a conversion of texts that are put together in it.
func (p *Line) convertsSum(call *ast.CallExpr) (f Finding) {
	const largestOnStack = 32 // bytes of a string that does not leave
	if !p.copiesText(call) || !p.isBytes(call) || p.objectSize() <= largestOnStack {
		return f
	}
	sum, ok := ast.Unparen(call.Args[0]).(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD || p.constant(sum) {
		return f
	}
	f.Share = p.alone(func(n ast.Node) bool { return call.Pos() <= n.Pos() && n.End() <= call.End() }) / 2
	f.Evidence = []Evidence{p.at(call.Pos(), fmt.Sprintf("%s is a string that is only copied into bytes", types.ExprString(sum)))}
	return f
}

// sumForBytes is about a variable to which a text is added, and that is only turned into bytes then.
func (p *Line) sumForBytes(s spot, assign *ast.AssignStmt) (f Finding) {
	if len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return f
	}
	v := p.local(assign.Lhs[0])
	_, sums := ast.Unparen(assign.Rhs[0]).(*ast.BinaryExpr)
	if v == nil || !isString(v.Type()) || assign.Tok != token.ADD_ASSIGN && !sums || len(loopsSince(s.stack, assign, v.Pos())) > 0 {
		return f
	}
	var at *ast.CallExpr
	for _, m := range p.mentions(p.unit, v) {
		if m.id.Pos() < assign.End() {
			continue
		}
		call, ok := m.parent().(*ast.CallExpr)
		if !ok || at != nil || !p.copiesText(call) || !p.isBytes(call) || within(m.stack, v.Pos()) != nil || len(loopsSince(m.stack, m.id, v.Pos())) > 0 {
			return f
		}
		at = call
	}
	if at == nil || slices.ContainsFunc(s.stack, func(n ast.Node) bool {
		_, branch := n.(*ast.IfStmt)
		return branch && (at.Pos() < n.Pos() || n.End() < at.End())
	}) {
		return f
	}
	f.Share = p.alone(func(n ast.Node) bool { return assign.Pos() <= n.Pos() && n.End() <= assign.End() })
	f.Evidence = []Evidence{p.at(at.Pos(), v.Name()+" is only copied into bytes after this: append its parts to them")}
	return f
}
