package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

func (s *stage) exprs(all []ast.Expr) bool {
	return !slices.ContainsFunc(all, func(e ast.Expr) bool { return !s.expr(e) })
}

// expr reports whether evaluating an expression changes nothing, and notes what it reads and whether it may panic.
func (s *stage) expr(e ast.Expr) bool {
	if s.p.constant(e) || s.p.isNil(e) {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return s.name(e)
	case *ast.SelectorExpr:
		return s.selected(e)
	case *ast.BinaryExpr:
		s.fails = s.fails || s.operationFails(e)
		return s.expr(e.X) && s.expr(e.Y)
	case *ast.UnaryExpr:
		_, literal := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op != token.ARROW && (e.Op != token.AND || literal) && s.expr(e.X)
	case *ast.IndexExpr:
		return s.indexed(e)
	case *ast.SliceExpr:
		_, array := s.p.typeOf(e.X).Underlying().(*types.Array)
		s.fails = true
		return !array && s.expr(e.X) && s.exprs(slices.DeleteFunc([]ast.Expr{e.Low, e.High, e.Max}, func(e ast.Expr) bool { return e == nil }))
	case *ast.StarExpr:
		s.fails = true
		return s.expr(e.X)
	case *ast.TypeAssertExpr:
		s.fails = true
		return e.Type != nil && s.expr(e.X)
	case *ast.CompositeLit:
		return s.literal(e)
	case *ast.CallExpr:
		return s.call(e)
	}
	return false
}

func (s *stage) name(e *ast.Ident) bool {
	switch object := s.p.object(e).(type) {
	case *types.Var:
		if v := s.p.local(e); v != nil && s.outside(v) {
			s.reads[v] = true
		}
		return object != s.filled
	case *types.Func:
		return true
	}
	return e.Name == "_"
}

// selected is about a field, or a variable or function of another package.
func (s *stage) selected(e *ast.SelectorExpr) bool {
	selection := s.p.pkg.TypesInfo.Selections[e]
	if selection == nil {
		return true
	}
	s.fails = s.fails || selection.Indirect()
	return selection.Kind() == types.FieldVal && s.expr(e.X)
}

// operationFails reports whether an operation may panic.
func (s *stage) operationFails(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		return !s.p.constant(e.Y)
	case token.EQL, token.NEQ:
		return !s.p.isNil(e.X) && !s.p.isNil(e.Y) && !comparesAlways(s.p.typeOf(e.X)) || !s.p.isNil(e.Y) && !s.p.isNil(e.X) && !comparesAlways(s.p.typeOf(e.Y))
	}
	return false
}

// indexed is about elements: those of a map are there, or zero.
func (s *stage) indexed(e *ast.IndexExpr) bool {
	switch t := s.p.typeOf(e.X).Underlying().(type) {
	case *types.Map:
		s.fails = s.fails || !immutable(t.Key())
	case *types.Array:
		s.fails = s.fails || !s.p.constant(e.Index)
	case *types.Slice, *types.Basic:
		s.fails = true
	default:
		return false
	}
	return s.expr(e.X) && s.expr(e.Index)
}

func (s *stage) literal(lit *ast.CompositeLit) bool {
	t := s.p.typeOf(lit).Underlying()
	m, isMap := t.(*types.Map)
	s.fails = s.fails || isMap && !immutable(m.Key())
	_, isStruct := t.(*types.Struct)
	for _, x := range lit.Elts {
		if pair, ok := x.(*ast.KeyValueExpr); ok {
			if !isStruct && !s.expr(pair.Key) {
				return false
			}
			x = pair.Value
		}
		if !s.expr(x) {
			return false
		}
	}
	return true
}

// call is about a conversion, a builtin that only computes, or a function that is quiet.
func (s *stage) call(call *ast.CallExpr) bool {
	if s.p.pkg.TypesInfo.Types[call.Fun].IsType() {
		_, slice := s.p.typeOf(call.Args[0]).Underlying().(*types.Slice)
		s.fails = s.fails || slice && !isString(s.p.typeOf(call))
		return s.expr(call.Args[0])
	}
	if b, ok := s.p.object(call.Fun).(*types.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "min", "max":
			return s.exprs(call.Args)
		}
		return false
	}
	c := s.conductAt(call)
	s.fails, s.null = s.fails || c.fails, s.null || c.null
	return c.quiet && s.function(call.Fun) && s.exprs(call.Args)
}

// function is about what stands before the arguments of a call.
func (s *stage) function(fun ast.Expr) bool {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return s.name(fun)
	case *ast.SelectorExpr:
		selection := s.p.pkg.TypesInfo.Selections[fun]
		if selection == nil {
			return true
		}
		s.fails = s.fails || selection.Indirect()
		return s.expr(fun.X)
	case *ast.FuncLit:
		return true
	}
	return false
}

// conductAt is what a call does: that of the function that it names, or of all that its function value may be.
func (s *stage) conductAt(call *ast.CallExpr) (c conduct) {
	if fn := s.p.callee(call); fn != nil {
		if s.p.declared(fn) == nil {
			plain := !slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !plainType(s.p.typeOf(e)) })
			return conduct{quiet: plain && computes(fn.FullName())}
		}
		if fn.Signature().TypeParams().Len() > 0 || fn.Signature().RecvTypeParams().Len() > 0 {
			return c
		}
		if f := s.p.fns[s.p.declared(fn).node]; f != nil {
			return s.p.conductOfFunc(f)
		}
		return c
	}
	if c, ok := s.given[s.p.local(call.Fun)]; ok {
		return c
	}
	if in := s.p.ssaCall(call); in != nil && !in.Call.IsInvoke() {
		if _, builtin := in.Call.Value.(*ssa.Builtin); !builtin {
			return s.p.conductOf(in.Call.Value)
		}
	}
	return c
}
