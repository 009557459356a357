package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A stage is a loop that is made one with another: what its code reads and sets of variables that are declared outside of
// it, and how it may end other than after the last iteration. It changes no memory but that of local variables, and calls
// only functions that change none.
type stage struct {
	p      *Line
	loop   ast.Stmt
	until  token.Pos              // the end of the later loop: what leads to the stage's own memory has not left before
	filled *types.Var             // the slice between the stages
	append ast.Stmt               // of the slice, if the stage fills it
	inner  []ast.Node             // loops and switches around what is looked at
	given  map[*types.Var]conduct // what functions do that are parameters
	reads  map[*types.Var]bool
	sets   map[*types.Var]bool
	fails  bool // it may panic, or not end
	null   bool // it may call a function that is nil
	leaves bool // it may return
	breaks bool
	goesOn bool // it may continue with the next iteration of its own loop
}

// stageOf looks at a loop; ok is false if it does what is not understood.
func (p *Line) stageOf(loop ast.Stmt, filled *types.Var, add ast.Stmt, until token.Pos) (s *stage, ok bool) {
	s = &stage{p: p, loop: loop, until: until, filled: filled, append: add, reads: map[*types.Var]bool{}, sets: map[*types.Var]bool{}}
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		ok = s.ranges(loop) && (add == nil || s.expr(loop.X)) && s.block(loop.Body)
	case *ast.ForStmt:
		ok = (loop.Init == nil || s.stmt(loop.Init)) && (loop.Cond == nil || s.expr(loop.Cond)) && (loop.Post == nil || s.stmt(loop.Post)) && s.block(loop.Body)
		s.fails = s.fails || p.upTo(loop) == nil
	}
	return s, ok
}

// ranges reports whether a loop goes over something that ends and runs no code of others, with variables of its own.
func (s *stage) ranges(loop *ast.RangeStmt) bool {
	if loop.Key != nil && loop.Tok != token.DEFINE {
		return false
	}
	switch t := s.p.typeOf(loop.X).Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map:
		return true
	case *types.Basic:
		return t.Info()&(types.IsString|types.IsInteger) != 0
	}
	return false
}

func (s *stage) block(b *ast.BlockStmt) bool {
	return b == nil || !slices.ContainsFunc(b.List, func(x ast.Stmt) bool { return !s.stmt(x) })
}

func (s *stage) stmts(list []ast.Stmt) bool {
	return !slices.ContainsFunc(list, func(x ast.Stmt) bool { return !s.stmt(x) })
}

// stmt reports whether a statement is understood.
func (s *stage) stmt(x ast.Stmt) bool {
	switch x := x.(type) {
	case *ast.EmptyStmt:
		return true
	case *ast.BlockStmt:
		return s.block(x)
	case *ast.AssignStmt:
		if x == s.append {
			return s.expr(x.Rhs[0].(*ast.CallExpr).Args[1])
		}
		return s.assign(x)
	case *ast.IncDecStmt:
		return s.target(x.X)
	case *ast.DeclStmt:
		return s.declares(x)
	case *ast.ExprStmt:
		return s.expr(x.X)
	case *ast.IfStmt:
		return (x.Init == nil || s.stmt(x.Init)) && s.expr(x.Cond) && s.block(x.Body) && (x.Else == nil || s.stmt(x.Else))
	case *ast.ReturnStmt:
		s.leaves = true
		return (len(x.Results) > 0 || !s.namesResults()) && s.exprs(x.Results)
	case *ast.BranchStmt:
		return s.branch(x)
	}
	return s.nested(x)
}

// nested is about loops and switches.
func (s *stage) nested(x ast.Stmt) bool {
	s.inner = append(s.inner, x)
	defer func() { s.inner = s.inner[:len(s.inner)-1] }()
	switch x := x.(type) {
	case *ast.SwitchStmt:
		return (x.Init == nil || s.stmt(x.Init)) && (x.Tag == nil || s.expr(x.Tag) && comparesAlways(s.p.typeOf(x.Tag))) && s.clauses(x.Body)
	case *ast.RangeStmt:
		return s.ranges(x) && s.expr(x.X) && s.block(x.Body)
	case *ast.ForStmt:
		s.fails = s.fails || s.p.upTo(x) == nil
		return (x.Init == nil || s.stmt(x.Init)) && (x.Cond == nil || s.expr(x.Cond)) && (x.Post == nil || s.stmt(x.Post)) && s.block(x.Body)
	}
	return false
}

func (s *stage) clauses(b *ast.BlockStmt) bool {
	return !slices.ContainsFunc(b.List, func(x ast.Stmt) bool {
		c := x.(*ast.CaseClause)
		return !s.exprs(c.List) || !s.stmts(c.Body)
	})
}

// branch notes what a break or continue is of.
func (s *stage) branch(x *ast.BranchStmt) bool {
	loops := slices.ContainsFunc(s.inner, func(n ast.Node) bool { return loopBody(n) != nil })
	switch {
	case x.Label != nil:
		return false
	case x.Tok == token.BREAK:
		s.breaks = s.breaks || len(s.inner) == 0
	case x.Tok == token.CONTINUE:
		s.goesOn = s.goesOn || !loops
	}
	return x.Tok != token.GOTO
}

// namesResults reports whether a return without values returns some.
func (s *stage) namesResults() bool {
	for _, n := range slices.Backward(stackOf(s.p.file, s.loop)) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return n.Type.Results != nil
		case *ast.FuncLit:
			return n.Type.Results != nil
		}
	}
	return true
}

func (s *stage) declares(x *ast.DeclStmt) bool {
	d, ok := x.Decl.(*ast.GenDecl)
	return ok && d.Tok == token.VAR && !slices.ContainsFunc(d.Specs, func(spec ast.Spec) bool { return !s.exprs(spec.(*ast.ValueSpec).Values) })
}

func (s *stage) assign(x *ast.AssignStmt) bool {
	if v := s.p.local(x.Lhs[0]); v != nil && len(x.Lhs) == 1 && x.Tok == token.ASSIGN {
		if call := s.p.builtin(ast.Unparen(x.Rhs[0]), "append"); call != nil && s.p.local(call.Args[0]) == v {
			return s.owns(v) && s.target(x.Lhs[0]) && s.exprs(call.Args[1:])
		}
	}
	switch x.Tok {
	case token.QUO_ASSIGN, token.REM_ASSIGN, token.SHL_ASSIGN, token.SHR_ASSIGN:
		s.fails = s.fails || !s.p.constant(x.Rhs[0])
	}
	return s.exprs(x.Rhs) && !slices.ContainsFunc(x.Lhs, func(e ast.Expr) bool { return !s.target(e) })
}

// target notes that something is assigned to: a local variable that no function literal and no pointer leads to, a part of it,
// or an element of its own map.
func (s *stage) target(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if e.Name == "_" {
			return true
		}
		v := s.p.local(e)
		if v == nil || v == s.filled || s.p.addressTaken(v) || s.keptUntilEnd(v) || slices.ContainsFunc(s.p.mentions(s.p.unit, v), func(m mention) bool { return within(m.stack, v.Pos()) != nil }) {
			return false
		}
		if s.outside(v) {
			s.sets[v], s.reads[v] = true, true
		}
		return true
	case *ast.SelectorExpr:
		selection := s.p.pkg.TypesInfo.Selections[e]
		return selection != nil && selection.Kind() == types.FieldVal && !selection.Indirect() && s.target(e.X)
	case *ast.IndexExpr:
		m, ok := s.p.typeOf(e.X).Underlying().(*types.Map)
		v := s.p.local(e.X)
		return ok && immutable(m.Key()) && v != nil && s.owns(v) && s.target(e.X) && s.expr(e.Index)
	}
	return false
}

// outside reports whether a variable is declared outside of the loop.
func (s *stage) outside(v *types.Var) bool { return v.Pos() < s.loop.Pos() || s.loop.End() <= v.Pos() }

// keptUntilEnd reports whether a variable may be seen after a panic: a result, in a function that defers something.
func (s *stage) keptUntilEnd(v *types.Var) bool {
	top := s.p.top(s.p.unit, v.Pos())
	if top == nil {
		return true
	}
	return s.p.isNamedResult(v) && below(top.node, func(n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok })
}

// owns reports whether a slice or map has memory of its own, that only the stage has a name for until the loops are over.
func (s *stage) owns(v *types.Var) bool {
	d, ok := s.p.define(s.p.unit, v)
	if !ok || d.param || s.p.pkg.TypesInfo.Scopes[s.p.file] == v.Parent() {
		return false
	}
	_, isMap := v.Type().Underlying().(*types.Map)
	if d.value == nil && isMap || d.value != nil && !s.p.freshMemory(d.value) {
		return false
	}
	stack := stackOf(s.p.file, s.loop)
	if s.outside(v) && len(loopsSince(stack, s.loop, v.Pos())) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.p.mentions(s.p.unit, v), func(m mention) bool {
		within := s.loop.Pos() <= m.id.Pos() && m.id.End() <= s.loop.End()
		if isMap && within && m.id.Pos() != v.Pos() && !s.looksInto(m) {
			return true // what gets the map may see what is put into it later
		}
		value, assigned := m.assigned()
		grown := s.p.builtin(value, "append")
		if assigned && (isMap || grown == nil || s.p.local(grown.Args[0]) != v) {
			return true
		}
		return m.id.Pos() < s.until && !within
	})
}

// looksInto reports whether a mention of a map is one of its entries, its length, or a loop over it.
func (s *stage) looksInto(m mention) bool {
	switch n := m.parent().(type) {
	case *ast.IndexExpr:
		return ast.Unparen(n.X) == m.id
	case *ast.RangeStmt:
		return ast.Unparen(n.X) == m.id
	case *ast.CallExpr:
		return s.p.builtin(n, "len") != nil || s.p.builtin(n, "delete") != nil
	}
	return false
}

// freshMemory reports whether an expression makes a slice or map that nothing else refers to, or a nil slice.
func (u *unit) freshMemory(e ast.Expr) bool {
	e = ast.Unparen(e)
	if lit, ok := e.(*ast.CompositeLit); ok {
		return len(lit.Elts) == 0
	}
	_, slice := u.typeOf(e).Underlying().(*types.Slice)
	return u.builtin(e, "make") != nil || u.isNil(e) && slice
}
