package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A fusion is a slice that one loop fills and one later loop in the same list of statements goes over.
type fusion struct {
	v        *types.Var
	decl     ast.Stmt // of the slice, empty
	from     ast.Stmt // the loop that fills it
	add      *ast.AssignStmt
	value    ast.Expr   // that is appended
	between  []ast.Stmt // the loops
	to       *ast.RangeStmt
	produces *stage
	consumes *stage
}

// fused are the edits that make one loop of the one that fills a slice and the one that goes over it; nil if it cannot be
// shown that they may be interleaved.
func (p *Line) fused(v *types.Var) []Edit {
	f, ok := p.fusionOf(v)
	if !ok || p.jumps(v.Pos()) || !p.stagesOf(f) || !f.interleaves() || !p.movesUp(f.between, f.from) || !p.namesStay(f) {
		return nil
	}
	return p.fusedEdits(f)
}

// fusionOf finds all uses of a slice, if there are no others than those of two loops.
func (p *Line) fusionOf(v *types.Var) (f *fusion, ok bool) {
	f = &fusion{v: v}
	for _, m := range p.mentions(p.unit, v) {
		if within(m.stack, v.Pos()) != nil {
			return nil, false
		}
		switch parent := m.parent().(type) {
		case *ast.AssignStmt:
			if len(parent.Lhs) != 1 || parent.Lhs[0] != ast.Expr(m.id) || f.add != nil && f.add != parent {
				return nil, false
			}
			f.add = parent
		case *ast.CallExpr:
			if p.builtin(parent, "append") == nil || len(parent.Args) != 2 || parent.Args[0] != ast.Expr(m.id) || parent.Ellipsis.IsValid() || f.value != nil {
				return nil, false
			}
			f.value = parent.Args[1]
		case *ast.RangeStmt:
			if parent.X != ast.Expr(m.id) || f.to != nil {
				return nil, false
			}
			f.to = parent
		default:
			return nil, false
		}
	}
	if f.add == nil || f.value == nil || f.to == nil || f.add.Tok != token.ASSIGN || f.add.Rhs[0].Pos() > f.value.Pos() || f.value.End() > f.add.End() {
		return nil, false
	}
	return f, p.listed(f)
}

// listed finds the statements of a fusion in one list.
func (p *Line) listed(f *fusion) bool {
	list := p.listOf(f.to)
	state := 0 // nothing, the declaration, and the first loop have been found
	for _, s := range list {
		switch {
		case state == 0 && p.declaresEmpty(s, f.v):
			f.decl, state = s, 1
		case state == 1 && s.Pos() <= f.add.Pos() && f.add.End() <= s.End():
			f.from, state = s, 2
		case state == 2 && s == ast.Stmt(f.to):
			return loopBody(f.from) != nil && f.add.Pos() > loopBody(f.from).Pos()
		case state == 2:
			f.between = append(f.between, s)
		}
	}
	return false
}

// listOf is the list of statements that has a statement.
func (p *Line) listOf(s ast.Stmt) []ast.Stmt {
	stack := stackOf(p.file, s)
	if len(stack) == 0 {
		return nil
	}
	return statements(stack[len(stack)-1])
}

// declaresEmpty reports whether a statement declares a slice, alone and without elements, in a way that cannot panic.
func (p *Line) declaresEmpty(s ast.Stmt, v *types.Var) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok == token.DEFINE && len(s.Lhs) == 1 && s.Lhs[0].Pos() == v.Pos() && p.emptySlice(s.Rhs[0])
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		if !ok || len(d.Specs) != 1 {
			return false
		}
		spec, ok := d.Specs[0].(*ast.ValueSpec)
		return ok && len(spec.Names) == 1 && spec.Names[0].Pos() == v.Pos() && (len(spec.Values) == 0 || p.emptySlice(spec.Values[0]))
	}
	return false
}

// emptySlice reports whether an expression makes a slice without elements, and cannot panic.
func (p *Line) emptySlice(e ast.Expr) bool {
	e = ast.Unparen(e)
	if _, slice := p.typeOf(e).Underlying().(*types.Slice); !slice {
		return false
	}
	if p.empty(e) {
		return true
	}
	call := p.builtin(e, "make")
	return call != nil && len(call.Args) == 3 && p.isZero(call.Args[1]) && p.roomOnly(call.Args[2])
}

// roomOnly reports whether an expression is a number that make takes as room: a constant, or the size of a variable.
func (p *Line) roomOnly(e ast.Expr) bool {
	if p.constant(e) {
		return p.constantInt(e) >= 0
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && (p.builtin(call, "len") != nil || p.builtin(call, "cap") != nil) && p.object(call.Args[0]) != nil && p.pure(call.Args[0])
}

// stagesOf looks at the two loops.
func (p *Line) stagesOf(f *fusion) (ok bool) {
	if f.produces, ok = p.stageOf(f.from, f.v, f.add, f.to.End()); !ok {
		return false
	}
	key, named := f.to.Key.(*ast.Ident)
	if f.to.Key != nil && (!named || key.Name != "_") {
		return false // it is an index
	}
	f.consumes, ok = p.stageOf(f.to, f.v, nil, f.to.End())
	return ok
}

// interleaves reports whether the iterations of the second loop may come between those of the first.
func (f *fusion) interleaves() bool {
	from, to := f.produces, f.consumes
	fails := from.fails || from.null || from.leaves
	return apart(from, to) && (!fails || !to.fails && !to.null) && f.endsAlike()
}

// apart reports whether neither of two stages sets what the other one uses.
func apart(a, b *stage) bool {
	for v := range a.sets {
		if b.reads[v] {
			return false
		}
	}
	for v := range b.sets {
		if a.reads[v] {
			return false
		}
	}
	return true
}

// endsAlike reports whether a loop that ends early ends the same things: the second loop leaves nothing undone of the first, and
// its break and continue mean the same inside of it.
func (f *fusion) endsAlike() bool {
	from, to := f.produces, f.consumes
	if (to.leaves || to.breaks) && (from.fails || from.null || from.leaves || len(from.sets) > 0) {
		return false
	}
	return !to.breaks && !to.goesOn || f.endsIteration()
}

// endsIteration reports whether nothing comes after the append in an iteration of the first loop, and only conditions are around it.
func (f *fusion) endsIteration() bool {
	list := loopBody(f.from).List
	for {
		if len(list) == 0 {
			return false
		}
		switch last := list[len(list)-1].(type) {
		case *ast.AssignStmt:
			return last == f.add
		case *ast.IfStmt:
			if last.Else != nil || f.add.Pos() < last.Body.Pos() {
				return false
			}
			list = last.Body.List
		default:
			return false
		}
	}
}

// movesUp reports whether statements may as well stand before a loop: each declares variables with what is the same there.
func (p *Line) movesUp(between []ast.Stmt, loop ast.Stmt) bool {
	names := map[string]bool{}
	for _, s := range between {
		declared, ok := p.settledDeclaration(s)
		if !ok {
			return false
		}
		for _, name := range declared {
			names[name] = true
		}
	}
	return !below(loop, func(n ast.Node) bool { id, ok := n.(*ast.Ident); return ok && names[id.Name] })
}

// settledDeclaration returns the names that a statement declares with values that do not depend on when.
func (p *Line) settledDeclaration(s ast.Stmt) (names []string, ok bool) {
	var values []ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			return nil, false
		}
		values = s.Rhs
		for _, e := range s.Lhs {
			id, ok := e.(*ast.Ident)
			if !ok || p.pkg.TypesInfo.Defs[id] == nil {
				return nil, false
			}
			names = append(names, id.Name)
		}
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			return nil, false
		}
		for _, spec := range d.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				names = append(names, id.Name)
			}
			values = append(values, spec.(*ast.ValueSpec).Values...)
		}
	}
	return names, len(names) > 0 && !slices.ContainsFunc(values, func(e ast.Expr) bool { return !p.total(e) })
}

// element is the variable of the second loop that gets the elements, or nil.
func (f *fusion) element() *ast.Ident {
	id, _ := f.to.Value.(*ast.Ident)
	if id == nil || id.Name == "_" {
		return nil
	}
	return id
}

// namesStay reports whether all names in the body of the second loop mean the same at the append.
func (p *Line) namesStay(f *fusion) bool {
	return !p.renamesBelow(f.to.Body, f.to, f.add.Pos(), f.from)
}

// renamesBelow reports whether a name in some code that is declared outside of what is around it, a loop, means something
// else at a position in another loop.
func (p *Line) renamesBelow(code ast.Node, around ast.Node, pos token.Pos, loop ast.Node) bool {
	scope := p.pkg.Types.Scope().Innermost(pos)
	selected := selectedIn(code)
	return scope == nil || below(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || selected[id] {
			return false
		}
		object := p.pkg.TypesInfo.Uses[id]
		if object == nil || object.Parent() == nil || around.Pos() <= object.Pos() && object.Pos() < around.End() {
			return false
		}
		_, there := scope.LookupParent(id.Name, pos)
		later := object.Pos() > loop.End() // it is declared between the loops, and moves
		return there != object && (!later || there != nil && loop.Pos() <= there.Pos() && there.Pos() < loop.End())
	})
}

// selectedIn holds the names in some code that are selected of something: they have no other meaning elsewhere.
func selectedIn(code ast.Node) map[*ast.Ident]bool {
	all := map[*ast.Ident]bool{}
	ast.Inspect(code, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			all[sel.Sel] = true
		}
		return true
	})
	return all
}
