package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A filter is a loop that appends each element of a slice of which a condition holds to a new slice.
type filter struct {
	p       *Line
	decl    ast.Stmt // of the new slice
	loop    *ast.RangeStmt
	from    *types.Var // the slice that it goes over
	each    *types.Var // the element
	out     *types.Var // the new slice
	cond    ast.Expr
	without bool // the condition is one for leaving the element out
}

// A stageCall is a statement that filters a slice: by a function, or in a loop over conditions.
type stageCall struct {
	stmt   ast.Stmt
	from   *types.Var     // the slice that is filtered
	to     *types.Var     // the variable that gets the result
	over   *ast.RangeStmt // the loop over conditions, or nil
	filter *filter
	call   *ast.CallExpr // of the filter's function, or nil
	params map[*types.Var]ast.Expr
}

// A chain is statements that filter a slice, one what the other returns, and the loop that goes over what is left.
type chain struct {
	stages  []*stageCall // in order
	between []ast.Stmt   // those between the stages and the loop that declare variables
	to      *ast.RangeStmt
	element *ast.Ident
	names   []string // those of variables that are declared for arguments
}

// filterOf finds a filter in two statements: the new slice is declared, and filled by a loop.
func (p *Line) filterOf(decl, loop ast.Stmt) *filter {
	f := &filter{p: p, decl: decl}
	var ok bool
	if f.loop, ok = loop.(*ast.RangeStmt); !ok || f.loop.Tok != token.DEFINE || f.loop.Value == nil || f.loop.Key.(*ast.Ident).Name != "_" {
		return nil
	}
	f.from, f.each = p.local(f.loop.X), p.local(f.loop.Value)
	add := f.parts(f.loop.Body.List)
	if add == nil || f.from == nil || f.each == nil {
		return nil
	}
	f.out = p.local(add.Lhs[0])
	call := p.builtin(ast.Unparen(add.Rhs[0]), "append")
	if f.out == nil || call == nil || len(call.Args) != 2 || p.local(call.Args[0]) != f.out || p.local(call.Args[1]) != f.each || !p.declaresEmpty(decl, f.out) {
		return nil
	}
	if !types.Identical(f.each.Type(), f.out.Type().Underlying().(*types.Slice).Elem()) {
		return nil
	}
	return f
}

// parts finds the condition and the append in the body of a loop.
func (f *filter) parts(list []ast.Stmt) *ast.AssignStmt {
	if len(list) == 0 || len(list) > 2 {
		return nil
	}
	cond, ok := list[0].(*ast.IfStmt)
	if !ok || cond.Init != nil || cond.Else != nil || len(cond.Body.List) != 1 {
		return nil
	}
	f.cond = cond.Cond
	inner := cond.Body.List[0]
	if len(list) == 2 {
		next, ok := inner.(*ast.BranchStmt)
		if !ok || next.Tok != token.CONTINUE || next.Label != nil {
			return nil
		}
		f.without, inner = true, list[1]
	}
	add, ok := inner.(*ast.AssignStmt)
	if !ok || add.Tok != token.ASSIGN || len(add.Lhs) != 1 || len(add.Rhs) != 1 {
		return nil
	}
	return add
}

// filterFunc is the filter that a function is, and nothing else.
func (p *Line) filterFunc(fn *function) *filter {
	list := fn.body.List
	if len(list) != 3 {
		return nil
	}
	there := &Line{p.Program, fn.unit, p.site, fn, nil}
	f := there.filterOf(list[0], list[1])
	ret, ok := list[2].(*ast.ReturnStmt)
	if f == nil || !ok || len(ret.Results) != 1 || there.local(ret.Results[0]) != f.out || len(there.mentions(fn.unit, f.out)) != 3 {
		return nil
	}
	return f
}

// stageHere is the filtering that a statement does, or nil.
func (p *Line) stageHere(s ast.Stmt) *stageCall {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if c := p.stageOfCall(s); c != nil && (s.Tok == token.DEFINE && p.pkg.TypesInfo.Defs[s.Lhs[0].(*ast.Ident)] != nil || s.Tok == token.ASSIGN && c.from == c.to) {
			return c
		}
	case *ast.RangeStmt:
		return p.stageOver(s)
	}
	return nil
}

// stageOfCall is about a variable that gets what a filter function returns.
func (p *Line) stageOfCall(s *ast.AssignStmt) *stageCall {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok || call.Ellipsis.IsValid() {
		return nil
	}
	fn := p.callee(call)
	if fn == nil || fn.Signature().Recv() != nil || fn.Signature().Variadic() || p.declared(fn) == nil {
		return nil
	}
	f := p.filterFunc(p.declared(fn))
	if f == nil {
		return nil
	}
	c := &stageCall{stmt: s, filter: f, call: call, to: p.local(s.Lhs[0]), params: map[*types.Var]ast.Expr{}}
	for i, arg := range call.Args {
		v := fn.Origin().Signature().Params().At(i)
		if v == f.from {
			c.from = p.local(arg)
		} else {
			c.params[v] = arg
		}
	}
	if c.from == nil || c.to == nil || !types.Identical(c.from.Type().Underlying(), c.to.Type().Underlying()) {
		return nil
	}
	return c
}

// stageOver is about a loop over conditions that replaces a slice by what each leaves of it.
func (p *Line) stageOver(loop *ast.RangeStmt) *stageCall {
	if loop.Tok != token.DEFINE || loop.Value == nil || loop.Key.(*ast.Ident).Name != "_" || p.local(loop.X) == nil || p.local(loop.Value) == nil {
		return nil
	}
	switch list := loop.Body.List; len(list) {
	case 1:
		set, ok := list[0].(*ast.AssignStmt)
		if !ok || set.Tok != token.ASSIGN {
			return nil
		}
		if c := p.stageOfCall(set); c != nil && c.from == c.to {
			c.stmt, c.over = loop, loop
			return c
		}
	case 3:
		f := p.filterOf(list[0], list[1])
		set, ok := list[2].(*ast.AssignStmt)
		if f == nil || !ok || set.Tok != token.ASSIGN || len(set.Lhs) != 1 || p.local(set.Lhs[0]) != f.from || p.local(set.Rhs[0]) != f.out || len(p.mentions(p.unit, f.out)) != 3 {
			return nil
		}
		if types.Identical(f.from.Type().Underlying(), f.out.Type().Underlying()) {
			return &stageCall{stmt: loop, from: f.from, to: f.from, over: loop, filter: f}
		}
	}
	return nil
}

// chainTo finds the stages before a loop, in the same list of statements.
func (p *Line) chainTo(to *ast.RangeStmt) *chain {
	list := p.listOf(to)
	at := slices.Index(list, ast.Stmt(to))
	c := &chain{to: to}
	next := p.local(to.X)
	if at < 0 || next == nil || to.Tok != token.DEFINE || to.Value == nil || to.Key.(*ast.Ident).Name != "_" {
		return nil
	}
	if c.element, _ = to.Value.(*ast.Ident); c.element == nil || c.element.Name == "_" {
		return nil
	}
	for _, s := range slices.Backward(list[:at]) {
		if stage := p.stageHere(s); stage != nil && stage.to == next {
			c.stages = append(c.stages, stage)
			next = stage.from
			continue
		}
		if _, ok := p.settledDeclaration(s); !ok {
			break
		}
		c.between = append(c.between, s)
	}
	slices.Reverse(c.stages)
	if len(c.stages) == 0 {
		return nil
	}
	c.between = slices.DeleteFunc(c.between, func(s ast.Stmt) bool { return s.Pos() < c.stages[0].stmt.Pos() })
	return c
}

// onlyChained reports whether only the stages and the loop of a chain use its slices.
func (p *Line) onlyChained(c *chain) bool {
	first := c.stages[0].stmt
	for _, stage := range c.stages {
		for _, v := range []*types.Var{stage.from, stage.to} {
			if v == c.stages[0].from && !slices.ContainsFunc(c.stages, func(s *stageCall) bool { return s.to == v }) {
				continue // it stays as it is
			}
			if p.isNamedResult(v) || p.addressTaken(v) || len(loopsSince(stackOf(p.file, first), first, v.Pos())) > 0 {
				return false
			}
			if slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
				return within(m.stack, v.Pos()) != nil || m.id.Pos() >= first.Pos() && !c.has(p, m)
			}) {
				return false
			}
		}
	}
	return true
}

// isNamedResult reports whether a variable is a result of a function, which a return gives back without a mention of it.
func (p *Line) isNamedResult(v *types.Var) bool {
	found := false
	ast.Inspect(p.file, func(n ast.Node) bool {
		if n == nil || n.Pos() > v.Pos() || v.Pos() >= n.End() {
			return false
		}
		if typ, ok := n.(*ast.FuncType); ok && typ.Results != nil {
			found = found || typ.Results.Pos() <= v.Pos() && v.Pos() < typ.Results.End()
		}
		return true
	})
	return found
}

// has reports whether a mention of a slice is the one of a stage, or of the loop at the end.
func (c *chain) has(p *Line, m mention) bool {
	if ast.Unparen(c.to.X) == m.id {
		return true
	}
	for _, s := range c.stages {
		if m.id.Pos() < s.stmt.Pos() || s.stmt.End() <= m.id.Pos() {
			continue
		}
		inCondition := s.over != nil && s.over.X.Pos() <= m.id.Pos() && m.id.End() <= s.over.X.End() ||
			s.call == nil && s.filter.cond.Pos() <= m.id.Pos() && m.id.End() <= s.filter.cond.End()
		if inCondition {
			return false
		}
		if s.call == nil {
			return true
		}
		n := slices.IndexFunc(s.call.Args, func(e ast.Expr) bool { return e.Pos() <= m.id.Pos() && m.id.End() <= e.End() })
		return n < 0 || p.local(s.call.Args[n]) == s.from && !isParam(s, s.call.Args[n])
	}
	return false
}

// isParam reports whether an argument of a stage is another one than the slice.
func isParam(s *stageCall, e ast.Expr) bool {
	for _, arg := range s.params {
		if arg == e {
			return true
		}
	}
	return false
}
