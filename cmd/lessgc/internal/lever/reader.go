package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A reader finds out whether a slice is only filled by a loop and gone over by others. It
// follows the slice through variables, own functions and results.
type reader struct {
	p      *Program
	seen   map[*types.Var]bool
	filled *Evidence  // the loop that fills it
	loops  []Evidence // those that go over it
	moved  bool       // it replaces the slice that it was filled from
}

// variable looks at all uses of a variable; false if one is of another kind.
func (r *reader) variable(u *unit, v *types.Var) bool {
	if r.seen[v] {
		return true
	}
	r.seen[v] = true
	for _, m := range r.p.mentions(u, v) {
		if !r.mention(u, v, m) {
			return false
		}
	}
	return true
}

func (r *reader) mention(u *unit, v *types.Var, m mention) bool {
	if within(m.stack, v.Pos()) != nil { // who knows when that runs
		return false
	}
	switch parent := m.parent().(type) {
	case *ast.RangeStmt:
		if ast.Unparen(parent.X) != m.id || r.again(u, v, m, parent) {
			return false
		}
		r.loops = append(r.loops, r.p.at(parent.Pos(), "a loop goes over "+v.Name()+", and could take each element when it is made"))
		return true
	case *ast.AssignStmt:
		return r.assign(u, v, m, parent)
	case *ast.CallExpr:
		return r.argument(u, v, m, parent)
	case *ast.ReturnStmt:
		return r.result(u, parent, m)
	}
	return false
}

// again reports whether a loop around one over the slice goes over the same slice each time:
// nothing else is assigned to it there.
func (r *reader) again(u *unit, v *types.Var, m mention, loop *ast.RangeStmt) bool {
	around := loopsSince(m.stack, loop, v.Pos())
	if len(around) == 0 {
		return false
	}
	return !slices.ContainsFunc(r.p.mentions(u, v), func(x mention) bool {
		_, ok := x.assigned()
		return ok && around[0].Pos() <= x.id.Pos() && x.id.End() <= around[0].End()
	})
}

// assign is about v = …, and about w = v, which makes w the same slice.
func (r *reader) assign(u *unit, v *types.Var, m mention, a *ast.AssignStmt) bool {
	for _, left := range a.Lhs {
		if ast.Unparen(left) == m.id {
			return len(a.Lhs) == len(a.Rhs)
		}
	}
	for i, right := range a.Rhs {
		if ast.Unparen(right) == m.id && len(a.Lhs) == len(a.Rhs) {
			w := u.local(a.Lhs[i])
			if w == nil {
				return false
			}
			r.moved = true
			return r.variable(u, w)
		}
	}
	return false
}

func (r *reader) argument(u *unit, v *types.Var, m mention, call *ast.CallExpr) bool {
	switch {
	case u.builtin(call, "append") != nil:
		if ast.Unparen(call.Args[0]) != m.id {
			return false
		}
		if loops := loopsSince(m.stack, call, v.Pos()); len(loops) > 0 {
			e := r.p.at(loops[len(loops)-1].Pos(), "a loop fills the slice "+v.Name())
			r.filled = &e
		}
		return true
	case u.builtin(call, "len") != nil, u.builtin(call, "cap") != nil:
		return inMake(u, m.stack)
	}
	callee := u.callee(call)
	if callee == nil {
		return false
	}
	if name := callee.Origin().FullName(); name == "slices.Values" || name == "slices.All" {
		r.loops = append(r.loops, r.p.at(call.Pos(), name+" goes over "+v.Name()))
		return true
	}
	fn := r.p.declared(callee)
	if fn == nil {
		return false
	}
	for i, arg := range call.Args {
		if ast.Unparen(arg) == m.id {
			if to := parameterVar(callee, i); to == nil || !r.variable(fn.unit, to) {
				return false
			}
		}
	}
	return true
}

// parameterVar is the variable of a parameter, unless it is one of a rest.
func parameterVar(f *types.Func, i int) *types.Var {
	sig := f.Origin().Type().(*types.Signature)
	if i >= sig.Params().Len() || sig.Variadic() && i == sig.Params().Len()-1 {
		return nil
	}
	return sig.Params().At(i)
}

// inMake reports whether a length is only the size of another slice.
func inMake(u *unit, stack []ast.Node) bool {
	for _, n := range stack {
		if call, ok := n.(*ast.CallExpr); ok && u.builtin(call, "make") != nil {
			return true
		}
	}
	return false
}

// result follows a returned slice to all that call the function, if they are known: those of
// a function that others may call are not.
func (r *reader) result(u *unit, ret *ast.ReturnStmt, m mention) bool {
	fn := r.p.top(u, ret.Pos())
	decl, ok := fn.node.(*ast.FuncDecl)
	if !ok || len(ret.Results) != 1 || within(m.stack, decl.Pos()) != nil {
		return false
	}
	object, ok := u.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || len(r.p.uses[object]) == 0 {
		return false
	}
	for _, id := range r.p.uses[object] {
		if !r.caller(id) {
			return false
		}
	}
	return true
}

// caller is about one use of a function that returns the slice.
func (r *reader) caller(id *ast.Ident) bool {
	u := r.p.unitOf(id.Pos())
	if u == nil {
		return false
	}
	if strings.HasSuffix(r.p.fset.Position(id.Pos()).Filename, "_test.go") {
		return true // what tests do with it is not a reason to keep the slice
	}
	stack := stackOf(u.file, id)
	i := len(stack) - 1
	for ; i >= 0; i-- {
		if call, ok := stack[i].(*ast.CallExpr); ok {
			if call.Fun.Pos() <= id.Pos() && id.End() <= call.Fun.End() {
				break
			}
			return false
		}
	}
	if i < 1 {
		return false
	}
	call := stack[i].(*ast.CallExpr)
	switch parent := innermost(stack[:i]).(type) {
	case *ast.RangeStmt:
		r.loops = append(r.loops, r.p.at(parent.Pos(), "a loop goes over what "+id.Name+" returns"))
		return true
	case *ast.AssignStmt:
		if len(parent.Lhs) == 1 && parent.Tok != token.ADD_ASSIGN {
			if v := u.local(parent.Lhs[0]); v != nil {
				return r.variable(u, v)
			}
		}
	case *ast.CallExpr:
		callee := u.callee(parent)
		if callee == nil {
			return false
		}
		if fn := r.p.declared(callee); fn != nil {
			for k, arg := range parent.Args {
				if ast.Unparen(arg) == call {
					to := parameterVar(callee, k)
					return to != nil && r.variable(fn.unit, to)
				}
			}
		}
	}
	return false
}
