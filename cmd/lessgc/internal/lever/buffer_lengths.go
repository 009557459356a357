package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// lengths returns the room that some statements are sure to need, as the sum of the lengths of strings at hand; "" unless the first of them
// writes, and all that is sure to be written is known but for short numbers. observed is the room that most texts of the profile need.
//
// What is written in some cases only is not in the sum. For that there are up to 16 bytes more, but no more than was observed, unless the text
// may be empty. The first write is sure, so without room it allocates as well, and growing goes on from at least what that would have: there are
// no more allocations than without room, and where the few bytes suffice there is one.
func (m madeBuffer) lengths(list []ast.Stmt, observed int64) string {
	const few = 16
	t := m.asTarget()
	var constant int64
	var terms []string
	more, leaves := false, false
	for i, s := range list {
		call := m.p.addition(t, s)
		switch {
		case call != nil && !leaves:
			text := call.Args[len(call.Args)-1]
			if n, ok := m.p.constantLength(call); ok {
				constant += n
			} else if m.p.isNumber(text) && i > 0 {
				more = true
			} else if isName(text) && m.p.pure(text) && m.sameSince(list[:i], text, call, list[0].Pos()) {
				terms = append(terms, "len("+types.ExprString(text)+")")
			} else {
				return ""
			}
		case m.p.adds(t, s):
			if i == 0 || !m.sometimes(s) {
				return ""
			}
			more = true
		}
		leaves = leaves || exits(s) || continues(s)
	}
	if len(terms) == 0 {
		return ""
	}
	if more && constant > 0 { // or else the text may be empty
		constant = max(constant, min(observed, (constant+few)/8*8))
	}
	return sum(constant, terms)
}

// isName reports whether an expression is a variable or a field: the sum of two strings is made to ask for its length.
func isName(e ast.Expr) bool {
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return true
	}
	return false
}

func (m madeBuffer) asTarget() target { return target{v: m.v, kind: m.kind, start: m.v.Pos()} }

// sometimes reports whether a statement is a branch that may leave out what it writes, and writes in no loop.
func (m madeBuffer) sometimes(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
		return !m.sure(s) && !below(s, func(n ast.Node) bool { return loopBody(n) != nil && m.p.hasBelow(n, m.v) })
	}
	return false
}

// sameSince reports whether a text that a call writes, behind some statements, can be asked for its length before the first of them: it is the
// same there, and no pointer on the way to it is nil, unless that is seen before anything else is done.
func (m madeBuffer) sameSince(between []ast.Stmt, text ast.Expr, call *ast.CallExpr, at token.Pos) bool {
	all, plain := m.p.variables(text)
	for _, v := range all {
		if v.Pos() >= at || m.p.sharedVariable(v) || slices.ContainsFunc(between, func(s ast.Stmt) bool { return m.p.changes(s, v) }) {
			return false
		}
	}
	if plain {
		return true
	}
	in, ok := m.callInstruction(call)
	if !ok {
		return false
	}
	e := evaluation{program: m.p.Program, from: text.Pos(), to: text.End(), read: map[string]bool{}}
	v := in.Call.Args[len(in.Call.Args)-1]
	other := slices.IndexFunc(between, func(s ast.Stmt) bool {
		call := m.p.addition(m.asTarget(), s)
		return call == nil || !m.p.constant(call.Args[0]) && !m.p.pure(call.Args[0])
	})
	if !e.operand(v, 0) || other >= 0 && !m.reached(v, in, between[other].Pos()) {
		return false
	}
	w := rewrites{program: m.p.Program, read: e.read, seen: map[*ssa.Function]bool{}}
	return w.leaves(in, func(x ssa.Instruction) bool {
		c, isCall := x.(*ssa.Call)
		own := isCall && isMethodOfBuffer(c) && m.p.madeBy(c.Call.Args[0], nil, 0) == m.root
		return !own && (!x.Pos().IsValid() || x.Pos() >= at)
	})
}

// reached reports whether every pointer that leads to a text, which a call writes, has been followed to a field before a position.
func (m madeBuffer) reached(v ssa.Value, call *ssa.Call, until token.Pos) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL && m.reached(v.X, call, until)
	case *ssa.FieldAddr:
		switch x := v.X.(type) {
		case *ssa.FieldAddr, *ssa.Global:
			return m.reached(x, call, until)
		case *ssa.Alloc:
			return true
		}
		return v.X.Referrers() != nil && slices.ContainsFunc(*v.X.Referrers(), func(in ssa.Instruction) bool {
			other, ok := in.(*ssa.FieldAddr)
			return ok && other.Pos() < until && other.Block().Dominates(call.Block()) && slices.ContainsFunc(*other.Referrers(), isLoad)
		})
	case *ssa.Field:
		return m.reached(v.X, call, until)
	case *ssa.Alloc, *ssa.Global, *ssa.Parameter, *ssa.Const:
		return true
	}
	return false
}

// isLoad reports whether an instruction reads the memory at an address.
func isLoad(in ssa.Instruction) bool {
	load, ok := in.(*ssa.UnOp)
	return ok && load.Op == token.MUL
}
