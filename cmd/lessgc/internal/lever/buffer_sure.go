package lever

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// sureIn reports whether some statements write to the buffer whenever the first of them is reached, unless one panics.
func (m madeBuffer) sureIn(list []ast.Stmt) bool {
	for _, s := range list {
		if m.sure(s) {
			return true
		}
		if m.mayLeave(s) {
			return false
		}
	}
	return false
}

// mayLeave reports whether a statement may end the statements around it before it has written to the buffer.
func (m madeBuffer) mayLeave(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return !m.sureIn(s.List) && (exits(s) || continues(s))
	case *ast.IfStmt:
		return m.mayLeave(s.Body) || s.Else != nil && m.mayLeave(s.Else)
	case *ast.SwitchStmt:
		return slices.ContainsFunc(s.Body.List, func(s ast.Stmt) bool {
			c, ok := s.(*ast.CaseClause)
			return !ok || !m.sureIn(c.Body) && (exits(c) || continues(c))
		})
	}
	return exits(s) || continues(s)
}

// sure reports whether a statement writes to the buffer whenever it is executed.
func (m madeBuffer) sure(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.DeclStmt:
		return m.writtenIn(s)
	case *ast.BlockStmt:
		return m.sureIn(s.List)
	case *ast.IfStmt:
		if s.Init != nil && m.writtenIn(s.Init) || m.writtenIn(s.Cond) {
			return true
		}
		return s.Else != nil && m.sureIn(s.Body.List) && m.sure(s.Else)
	case *ast.ForStmt:
		return s.Init != nil && m.writtenIn(s.Init) || s.Cond == nil && m.sureIn(s.Body.List)
	case *ast.SwitchStmt:
		return s.Init != nil && m.writtenIn(s.Init) || s.Tag != nil && m.writtenIn(s.Tag) || m.sureInClauses(s.Body.List)
	}
	return false
}

// sureInClauses reports whether all clauses of a switch write to the buffer, and one of them is its default.
func (m madeBuffer) sureInClauses(list []ast.Stmt) bool {
	rest := false
	for _, s := range list {
		c, ok := s.(*ast.CaseClause)
		if !ok || !m.sureIn(c.Body) {
			return false
		}
		rest = rest || c.List == nil
	}
	return rest
}

// writtenIn reports whether a call below a node, which is made whenever the node is executed, writes to the buffer.
func (m madeBuffer) writtenIn(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				found = found || m.writtenIn(n.X)
				return false
			}
		case *ast.CallExpr:
			found = found || m.writes(n)
		}
		return !found
	})
	return found
}

// writes reports whether a call is sure to write to the buffer.
func (m madeBuffer) writes(call *ast.CallExpr) bool {
	in, ok := m.callInstruction(call)
	if !ok || m.some && !(isMethodOfBuffer(in) && writesSome(in)) && !m.printsSome(call) {
		return false
	}
	return slices.ContainsFunc(in.Call.Args, func(v ssa.Value) bool { return m.p.madeBy(v, nil, 0) == m.root && m.p.mustWriteTo(in, v, 0) })
}

// verb matches what fmt replaces in a format by an operand.
var verb = regexp.MustCompile(`%[^A-Za-z%]*[A-Za-z%]`)

// printsSome reports whether a call has fmt print something, whatever its operands are: the end of a line, or text of its format.
func (m madeBuffer) printsSome(call *ast.CallExpr) bool {
	fn := m.p.callee(call)
	if fn == nil || len(call.Args) < 2 {
		return false
	}
	switch fn.FullName() {
	case "fmt.Fprintln":
		return true
	case "fmt.Fprintf":
		format, ok := m.p.stringOf(call.Args[1])
		return ok && verb.ReplaceAllString(format, "") != ""
	}
	return false
}

// callInstruction is the instruction of a call in the function that makes the buffer.
func (m madeBuffer) callInstruction(call *ast.CallExpr) (*ssa.Call, bool) {
	for _, b := range m.root.Parent().Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && c.Pos() == call.Lparen {
				return c, true
			}
		}
	}
	return nil, false
}

// isMethodOfBuffer reports whether a call is of a method of a builder or buffer of the standard library.
func isMethodOfBuffer(call *ssa.Call) bool {
	callee := call.Call.StaticCallee()
	return callee != nil && callee.Signature.Recv() != nil && bufferKind(callee.Signature.Recv().Type()) != ""
}
