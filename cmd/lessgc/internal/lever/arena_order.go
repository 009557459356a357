package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// makes returns the objects of a function that the arena takes: literals whose address is taken, and those of new.
func (t *arenaTree) makes(in *inner) (all []ast.Expr) {
	ast.PreorderStack(in.p.file, nil, func(n ast.Node, stack []ast.Node) bool {
		if n.Pos() > in.decl.End() || n.End() < in.decl.Pos() {
			return false
		}
		e, ok := n.(ast.Expr)
		if !ok || n.Pos() < in.decl.Body.Pos() {
			return true
		}
		named := in.p.madeOf(spot{node: n})
		if named == nil || in.p.apart(stack) || !t.takes(named) || !in.p.plainMaking(e) || !t.onHeap(in, e, named) || !in.p.keepsOrder(e, stack) {
			return true
		}
		all = append(all, e)
		return true
	})
	return all
}

// takes reports whether the arena takes objects of a type: a small struct that the line's structure leads to, and that is
// dropped with it.
func (t *arenaTree) takes(named *types.Named) bool {
	s, ok := named.Underlying().(*types.Struct)
	if !ok || named.TypeArgs().Len() > 0 || hasTypeParameter(named) || t.p.pkg.TypesSizes == nil || hasLock(s, 0) {
		return false
	}
	if size := t.p.pkg.TypesSizes.Sizeof(named); size == 0 || size > mostInSlab || t.p.singled(named) {
		return false
	}
	if types.Identical(named, t.of) {
		return true
	}
	c := t.p.confine(named)
	return c.reaches(t.of) && c.dropsAll(t.drops)
}

// plainMaking reports whether the call of new or the literal is written without parentheses and comments where it changes, and the value
// of a literal, which a helper is given, may be copied.
func (p *Line) plainMaking(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		_, plain := e.Fun.(*ast.Ident)
		return plain && p.pkg.TypesInfo.Types[e.Args[0]].IsType() && !p.commentedBetween(e.Pos(), e.End())
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		if !ok || lit.Type == nil || p.commentedBetween(e.Pos(), lit.Lbrace) {
			return false
		}
		if len(lit.Elts) == 0 {
			return !p.commentedBetween(lit.Lbrace, lit.Rbrace)
		}
		return p.mayBeCopied(p.typeOf(lit))
	}
	return false
}

// onHeap reports whether an object is one of the line, leaves the function that makes it, or is one of many there: another one
// may be on the stack, where there is nothing to save.
func (t *arenaTree) onHeap(in *inner, e ast.Expr, named *types.Named) bool {
	if in.p.unit == t.p.unit && t.p.onSite(e.Pos()) {
		return true
	}
	fn := t.p.Program.fns[in.decl]
	return fn != nil && slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
			made, ok := i.(*ssa.Alloc)
			return ok && e.Pos() <= made.Pos() && made.Pos() < e.End() && types.Identical(elemOf(made), named) && (repeats(b) || !t.p.follow(made).stays())
		})
	})
}

// A doing is what evaluating an expression may do besides giving its value.
type doing int

const (
	doesNothing doing = iota
	mayRead           // memory that calls may change, or through a pointer that may be nil
	mayFail           // it may panic in its own way
	mayAct            // it calls functions, or receives: the language has an order for these
)

// keepsOrder reports whether it is unobservable that a call allocates an object where a literal stood: either nothing in
// the literal depends on when it is evaluated, or nothing else in the statement does.
func (p *Line) keepsOrder(e ast.Expr, stack []ast.Node) bool {
	var lit *ast.CompositeLit
	if u, ok := e.(*ast.UnaryExpr); ok {
		lit = ast.Unparen(u.X).(*ast.CompositeLit)
	}
	stmt := statementOf(stack)
	if stmt == nil {
		return false
	}
	if lit == nil || len(lit.Elts) == 0 {
		return true
	}
	around := slices.Clone(stack)
	inside, outside := map[int]doing{}, doesNothing // the most of each element
	allInside, allActs := doesNothing, true
	ast.PreorderStack(stmt, nil, func(n ast.Node, _ []ast.Node) bool {
		if n == e || n == lit || slices.Contains(around, n) {
			return true
		}
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		does, deeper := p.doingOf(x)
		if assignsTo(stmt, x) && p.steadyVariable(selected(x)) {
			return false
		}
		i := slices.IndexFunc(lit.Elts, func(el ast.Expr) bool { return el.Pos() <= n.Pos() && n.End() <= el.End() })
		if i < 0 {
			outside = max(outside, does)
		} else {
			inside[i], allInside = max(inside[i], does), max(allInside, does)
		}
		allActs = allActs && (does == doesNothing || does == mayAct)
		return deeper
	})
	several := 0
	for _, does := range inside {
		if does > doesNothing {
			several++
		}
	}
	switch {
	case allInside == doesNothing: // whenever it is evaluated, it is the same
		return true
	case outside == doesNothing && (several == 1 || allInside < mayAct): // the elements have the order that they had
		return true
	case allActs: // calls are in the order of the text
		return true
	}
	return max(allInside, outside) == mayRead // a nil pointer panics in one way
}

// statementOf is the simple statement around an expression; nil if it is part of another one.
func statementOf(stack []ast.Node) ast.Stmt {
	for i, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.SendStmt, *ast.DeclStmt:
			if of, ok := stack[i-1].(*ast.CommClause); ok && of.Comm == n { // a select evaluates all of its operands first
				return nil
			}
			return n.(ast.Stmt)
		case ast.Stmt:
			return nil
		}
	}
	return nil
}

// assignsTo reports whether an expression is all that a statement assigns to.
func assignsTo(s ast.Stmt, e ast.Expr) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && len(a.Lhs) == 1 && a.Lhs[0] == e
}

// selected is the expression of which another one is a field.
func selected(e ast.Expr) ast.Expr {
	if s, ok := e.(*ast.SelectorExpr); ok {
		return s.X
	}
	return e
}

// steadyVariable reports whether an expression is a local variable that calls cannot change.
func (p *Line) steadyVariable(e ast.Expr) bool {
	v := p.local(e)
	return v != nil && !p.addressTaken(v) && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return p.captured(m, v) })
}

// doingOf returns the effects of the evaluation of an expression, without those of its operands; deeper says whether these are evaluated.
func (p *Line) doingOf(e ast.Expr) (does doing, deeper bool) {
	if t, ok := p.pkg.TypesInfo.Types[e]; ok && (t.IsType() || t.Value != nil || t.IsNil()) {
		return doesNothing, false
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		return doesNothing, false
	case *ast.Ident:
		if v, ok := p.object(e).(*types.Var); ok && !v.IsField() && !p.steadyVariable(e) {
			return mayRead, false
		}
	case *ast.SelectorExpr:
		return p.selects(e), true
	case *ast.StarExpr:
		return mayRead, true
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return mayAct, true
		}
	case *ast.BinaryExpr:
		return p.computes(e), true
	case *ast.CompositeLit:
		if _, m := p.typeOf(e).Underlying().(*types.Map); m {
			return mayFail, true
		}
	case *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
		return mayFail, true
	case *ast.CallExpr:
		return p.callDoes(e), true
	}
	return doesNothing, true
}

// selects is doingOf of a selector.
func (p *Line) selects(e *ast.SelectorExpr) doing {
	s := p.pkg.TypesInfo.Selections[e]
	_, pointer := p.typeOf(e.X).Underlying().(*types.Pointer)
	switch {
	case s == nil: // of a package
		if _, variable := p.pkg.TypesInfo.Uses[e.Sel].(*types.Var); variable {
			return mayRead
		}
	case s.Kind() == types.FieldVal:
		if s.Indirect() {
			return mayRead
		}
	case len(s.Index()) > 1, types.IsInterface(p.typeOf(e.X)):
		return mayRead
	case s.Kind() == types.MethodVal:
		_, toPointer := s.Obj().(*types.Func).Signature().Recv().Type().Underlying().(*types.Pointer)
		if pointer && !toPointer {
			return mayRead
		}
	}
	return doesNothing
}

// computes is doingOf of an operator.
func (p *Line) computes(e *ast.BinaryExpr) doing {
	switch e.Op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		if !p.constant(e.Y) {
			return mayFail
		}
	case token.EQL, token.NEQ:
		if types.IsInterface(p.typeOf(e.X)) && types.IsInterface(p.typeOf(e.Y)) && !p.isNil(e.X) && !p.isNil(e.Y) || hasInterface(p.typeOf(e.X)) || hasInterface(p.typeOf(e.Y)) {
			return mayFail
		}
	}
	return doesNothing
}

// hasInterface reports whether values of a struct or array type may have interfaces in them.
func hasInterface(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// callDoes is doingOf of a call or conversion.
func (p *Line) callDoes(e *ast.CallExpr) doing {
	if p.pkg.TypesInfo.Types[e.Fun].IsType() {
		_, from := p.typeOf(e.Args[0]).Underlying().(*types.Slice)
		_, to := p.typeOf(e).Underlying().(*types.Slice)
		switch {
		case from && !to && !isString(p.typeOf(e)):
			return mayFail // a slice that is too short for the array
		case from && !to:
			return mayRead
		}
		return doesNothing
	}
	b, ok := p.object(e.Fun).(*types.Builtin)
	if !ok {
		return mayAct
	}
	switch b.Name() {
	case "new", "min", "max", "real", "imag", "complex":
		return doesNothing
	case "len", "cap":
		switch p.typeOf(e.Args[0]).Underlying().(type) {
		case *types.Map, *types.Chan, *types.Pointer:
			return mayRead
		}
		return doesNothing
	}
	return mayFail
}
