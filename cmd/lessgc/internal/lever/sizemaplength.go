package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// mostOver is how many times the number that was observed a length may be to be the size instead.
const mostOver = 1.25

// lengthFor is the size of a map that a loop over a slice or text fills, as "len(entries)": "" if the loop may set more than one entry for
// each element, if the length is not surely the same where the map is made, or if it may be far more than n, the number of entries that
// was observed.
func (p *Line) lengthFor(use *mapUse, made *ssa.MakeMap, n int64) string {
	fn := p.fns[p.fn.node]
	if fn == nil || made.Parent() != fn || p.jumps(made.Pos()) || slices.ContainsFunc(use.updates, func(in *ssa.MapUpdate) bool { return in != use.updates[0] || in.Parent() != fn }) {
		return ""
	}
	for _, s := range p.spots() {
		index := p.setsElement(s)
		if index == nil || index.Lbrack != use.updates[0].Pos() {
			continue
		}
		loops := loopsSince(s.stack, index, made.Pos())
		if len(loops) != 1 {
			return ""
		}
		loop, ok := loops[0].(*ast.RangeStmt)
		if !ok || exits(loop.Body) || !p.sameLength(loop, made.Pos()) || !p.affordable(loop, slotOf(mapType(made))) {
			return ""
		}
		times, ok := p.executed(loop.Body.List[0].Pos())
		if makes, known := p.executed(made.Pos()); ok && known && makes > 0 {
			if float64(times) > mostOver*float64(n)*float64(makes) {
				return ""
			}
		} else if !p.setsEach(loop, s, index) {
			return ""
		}
		return "len(" + p.local(loop.X).Name() + ")"
	}
	return ""
}

// sameLength reports whether a loop goes over a slice or string variable that has its value where a map is made before it, and keeps it
// from there to the loop.
func (p *Line) sameLength(loop *ast.RangeStmt, made token.Pos) bool {
	v := p.local(loop.X)
	if v == nil || !isSlice(v.Type()) && !isString(v.Type()) || !p.early(made, loop, loop.X) || p.addressTaken(v) {
		return false
	}
	if s, ok := p.statement(made); !ok || p.changes(s.list[s.at], v) {
		return false
	}
	scope := p.pkg.Types.Scope().Innermost(made)
	if scope == nil || !p.means(made, "make(len(", sizes...) {
		return false
	}
	_, object := scope.LookupParent(v.Name(), made)
	return object == v
}

// setsEach reports whether a loop, of whose iterations no number is known, seems to set an entry for nearly each element: it puts what it
// goes over under a key that is made of that, in each iteration, unless the key is there already or the element is put into another map.
func (p *Line) setsEach(loop *ast.RangeStmt, s spot, index *ast.IndexExpr) bool {
	assign, ok := s.node.(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || loop.Value == nil {
		return false
	}
	value := p.local(loop.Value)
	if value == nil || !p.hasBelow(assign.Rhs[0], value) || !p.keyFrom(index.Index, value, loop) {
		return false
	}
	if always(loop, assign) {
		return true
	}
	block, ok := s.parent().(*ast.BlockStmt)
	at := slices.Index(s.stack, ast.Node(block))
	if !ok || at < 2 || slices.ContainsFunc(block.List, func(s ast.Stmt) bool { return s != ast.Stmt(assign) && continues(s) }) {
		return false
	}
	cond, ok := s.stack[at-1].(*ast.IfStmt)
	if !ok || s.stack[at-2] != ast.Node(loop.Body) || slices.ContainsFunc(loop.Body.List[:slices.Index(loop.Body.List, ast.Stmt(cond))], continues) {
		return false
	}
	other := cond.Else
	if other == ast.Stmt(block) {
		other = cond.Body
	}
	return other == nil && p.absent(cond, index) || other != nil && p.setsAnother(other, index, value)
}

// keyFrom reports whether a key is the variable of a loop, or a field or method of it: what may be one for each element. It may be in a
// variable of the iteration.
func (p *Line) keyFrom(key ast.Expr, value *types.Var, loop *ast.RangeStmt) bool {
	if v := p.local(key); v != nil && v != value {
		d, ok := p.define(p.unit, v)
		if !ok || d.value == nil || v.Pos() < loop.Body.Pos() || loop.Body.End() <= v.Pos() || !p.setOnce(v) {
			return false
		}
		key = d.value
	}
	key = ast.Unparen(key)
	if call, ok := key.(*ast.CallExpr); ok && p.pkg.TypesInfo.Types[call.Fun].IsType() && len(call.Args) == 1 {
		key = ast.Unparen(call.Args[0])
	}
	if call, ok := key.(*ast.CallExpr); ok && len(call.Args) == 0 {
		key = ast.Unparen(call.Fun)
	}
	return isPath(key) && p.hasBelow(key, value)
}

// absent reports whether a condition is that a key is not in the map.
func (p *Line) absent(cond *ast.IfStmt, index *ast.IndexExpr) bool {
	init, ok := cond.Init.(*ast.AssignStmt)
	if !ok || len(init.Lhs) != 2 || len(init.Rhs) != 1 {
		return false
	}
	not, ok := ast.Unparen(cond.Cond).(*ast.UnaryExpr)
	return ok && not.Op == token.NOT && p.local(not.X) != nil && p.local(not.X) == p.local(init.Lhs[1]) &&
		types.ExprString(ast.Unparen(init.Rhs[0])) == types.ExprString(index)
}

// setsAnother reports whether a branch puts the variable of a loop into another map.
func (p *Line) setsAnother(branch ast.Stmt, index *ast.IndexExpr, value *types.Var) bool {
	block, ok := branch.(*ast.BlockStmt)
	return ok && slices.ContainsFunc(block.List, func(s ast.Stmt) bool {
		assign, ok := s.(*ast.AssignStmt)
		other := p.setsElement(spot{node: s})
		return ok && other != nil && types.ExprString(other.X) != types.ExprString(index.X) && p.hasBelow(assign, value)
	})
}

// slotOf is the type of an entry of a map.
func slotOf(m *types.Map) types.Type {
	return types.NewStruct([]*types.Var{types.NewField(token.NoPos, nil, "key", m.Key(), false), types.NewField(token.NoPos, nil, "elem", m.Elem(), false)}, nil)
}
