package lever

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// anyOrder reports whether expressions have the same values, effects and panics if conversions and calls of strconv stand
// between them: calls stay in their order, and what is no call is not changed by one.
func (p *Line) anyOrder(all []ast.Expr) bool {
	open, calls, mixed, fails := 0, false, false, false
	for _, e := range all {
		if below(e, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			return ok && b.Op == token.SHL // of a number whose type is what it is converted to
		}) && !p.constant(e) {
			return false
		}
		if p.settled(e) {
			continue
		}
		open++
		if below(e, p.isCall) {
			calls = true
		}
		mixed = mixed || !p.isCall(ast.Unparen(e)) // a conversion may be of what a call changes
		fails = fails || below(e, p.failsInWords)
	}
	return open < 2 || !fails && (!calls || !mixed)
}

// settled reports whether an expression cannot panic, and nothing changes it until it is evaluated: it is made of
// constants, and of local variables and their fields to which nothing points.
func (p *Line) settled(e ast.Expr) bool {
	if p.constant(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := p.local(e)
		return v != nil && !p.capturedAndChanged(v) && !p.changedInLiteral(v) && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return p.elementTaken(m.id, m.stack) })
	case *ast.SelectorExpr:
		selection := p.pkg.TypesInfo.Selections[e]
		return selection != nil && selection.Kind() == types.FieldVal && !selection.Indirect() && p.settled(e.X)
	case *ast.BinaryExpr:
		_, basic := p.typeOf(e.X).Underlying().(*types.Basic)
		return basic && !p.failsInWords(e) && p.settled(e.X) && p.settled(e.Y)
	case *ast.CallExpr:
		return p.ofValueAlone(e) && p.settled(e.Args[0])
	}
	return false
}

// ofValueAlone reports whether a call is the length of an operand or a conversion of it, of nothing that the operand refers to: the
// entries of a map and the elements of a slice may change while the operand does not.
func (p *Line) ofValueAlone(call *ast.CallExpr) bool {
	if len(call.Args) != 1 {
		return false
	}
	switch t := p.typeOf(call.Args[0]).Underlying().(type) {
	case *types.Basic, *types.Array:
		return p.builtin(call, "len") != nil || p.pkg.TypesInfo.Types[call.Fun].IsType() && p.cannotPanic(call)
	case *types.Pointer:
		_, array := t.Elem().Underlying().(*types.Array)
		return array && p.builtin(call, "len") != nil
	case *types.Slice:
		return p.builtin(call, "len") != nil
	}
	return false
}

// failsInWords reports whether an operation may panic with words of its own, other than by way of a nil pointer: a division by a constant does not.
func (u *unit) failsInWords(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
		return true
	case *ast.BinaryExpr:
		switch n.Op {
		case token.QUO, token.REM:
			v := u.pkg.TypesInfo.Types[n.Y].Value
			return v == nil || constant.Sign(v) == 0
		case token.SHL, token.SHR:
			return !u.constant(n.Y)
		}
	}
	return false
}

// isCall reports whether a node may run code of others: a call of anything but builtins and conversions, or a receive.
func (p *Line) isCall(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.CallExpr:
		_, builtin := p.object(n.Fun).(*types.Builtin)
		return !builtin && !p.pkg.TypesInfo.Types[n.Fun].IsType()
	}
	return false
}

// below reports whether something is below a node, or is the node.
func below(n ast.Node, is func(ast.Node) bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		found = found || n != nil && is(n)
		return !found
	})
	return found
}

// hasName reports whether a node has a name below it, whatever it means.
func hasName(n ast.Node, name string) bool {
	return below(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && id.Name == name
	})
}

// definesName reports whether a node defines a name, also as the variable of a type switch, for something else than an object.
func (p *Line) definesName(n ast.Node, name string, but types.Object) bool {
	return below(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || id.Name != name {
			return false
		}
		object, defined := p.pkg.TypesInfo.Defs[id] // nil for the variable of a type switch
		return defined && (object == nil || object != but)
	})
}
