package lever

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// calls adapts all calls of the function, and returns their number: 0 if one does more with the result than a struct allows, or if the
// function is used other than by calling it.
func (r *valueReturn) calls() (n int) {
	object := r.p.pkg.TypesInfo.Defs[r.decl.Name]
	for _, id := range r.p.Program.uses[object] {
		u := r.p.unitOf(id.Pos())
		if u == nil || u.pkg != r.p.pkg || r.p.generated(u) || r.p.inTest(id.Pos()) {
			return 0
		}
		stack := stackOf(u.file, id)
		var fun ast.Expr = id
		if sel, ok := innermost(stack).(*ast.SelectorExpr); ok {
			fun, stack = sel, stack[:slices.Index(stack, ast.Node(sel))]
		}
		if len(stack) == 0 {
			return 0
		}
		call, ok := stack[len(stack)-1].(*ast.CallExpr)
		if !ok || call.Fun != fun || !r.caller(u, call, stack[:len(stack)-1]) {
			return 0
		}
		n++
	}
	return n
}

// caller adapts a call.
func (r *valueReturn) caller(u *unit, call *ast.CallExpr, stack []ast.Node) bool {
	var all []*ssa.Call
	for _, in := range r.p.callsOf(r.fn) {
		if in.Pos() == call.Lparen {
			c, ok := in.(*ssa.Call)
			if !ok {
				return false
			}
			all = append(all, c)
		}
	}
	if len(all) == 0 || len(stack) < 2 || slices.ContainsFunc(all, func(c *ssa.Call) bool { return !r.drops(c) }) {
		return false
	}
	p := &Line{r.p.Program, u, r.p.site, r.p.top(u, call.Pos()), nil}
	if p.fn == nil {
		return false
	}
	switch n := stack[len(stack)-1].(type) {
	case *ast.ExprStmt:
		return true
	case *ast.SelectorExpr:
		return r.fn.Signature.Results().Len() == 1 && p.readsField(n, stack[:len(stack)-1], false)
	case *ast.StarExpr:
		r.edits = append(r.edits, p.edit(n.Pos(), call.Pos(), ""))
		return r.fn.Signature.Results().Len() == 1 && !p.commentedBetween(n.Pos(), call.Pos()) && valueOnly(n, stack[len(stack)-2])
	case *ast.AssignStmt:
		loop, ok := stack[len(stack)-2].(*ast.ForStmt)
		if ok && loop.Init == ast.Stmt(n) || n.Tok != token.DEFINE {
			return false // each iteration has a variable of its own
		}
		return r.assigned(p, call, n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		var names []ast.Expr
		for _, name := range n.Names {
			names = append(names, name)
		}
		return n.Type == nil && r.assigned(p, call, names, n.Values)
	}
	return false
}

// valueOnly reports whether the node around an expression only has its value.
func valueOnly(e ast.Expr, around ast.Node) bool {
	switch n := around.(type) {
	case *ast.AssignStmt:
		return slices.Contains(n.Rhs, e)
	case *ast.CallExpr:
		return slices.Contains(n.Args, e)
	case *ast.ValueSpec, *ast.ReturnStmt, *ast.BinaryExpr, *ast.CompositeLit, *ast.KeyValueExpr:
		return true
	}
	return false
}

// assigned adapts the variable that a call declares for the struct.
func (r *valueReturn) assigned(p *Line, call *ast.CallExpr, to, values []ast.Expr) bool {
	i := slices.Index(values, ast.Expr(call))
	if len(to) != len(values) || r.fn.Signature.Results().Len() > 1 {
		i = r.at
	}
	id, ok := to[i].(*ast.Ident)
	if !ok || id.Name == "_" {
		return ok
	}
	v, ok := p.pkg.TypesInfo.Defs[id].(*types.Var)
	return ok && v.Parent() != p.pkg.Types.Scope() && p.neverSetAgain(v) && r.uses(p, v, false)
}

// drops reports whether a caller neither keeps the struct nor returns it, and uses it only where it cannot be nil.
func (r *valueReturn) drops(c *ssa.Call) bool {
	v := resultAt(c, r.at)
	if v == nil {
		return true
	}
	fate := r.p.followZeroed(refers, []types.Type{v.Type()}, v)
	if !fate.stays() || fate.lends() || len(fate.toValues) > 0 {
		return false
	}
	return !r.nils || r.afterSuccess(c, v)
}

// afterSuccess reports whether a result of a call is only used where the last result, an error or the like, is nil, or true.
func (r *valueReturn) afterSuccess(c *ssa.Call, v ssa.Value) bool {
	last := resultAt(c, c.Call.Signature().Results().Len()-1)
	if last == nil || last == v {
		return false
	}
	var good []*ssa.BasicBlock
	for _, in := range *last.Referrers() {
		cond, _ := in.(ssa.Value)
		if _, ok := in.(*ssa.If); ok {
			cond = last
		}
		if cond == nil || cond.Referrers() == nil {
			continue
		}
		for _, user := range *cond.Referrers() {
			branch, ok := user.(*ssa.If)
			if !ok {
				continue
			}
			if to := succeeds(branch, last); to != nil && len(to.Preds) == 1 {
				good = append(good, to)
			}
		}
	}
	return !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		_, debug := in.(*ssa.DebugRef)
		_, phi := in.(*ssa.Phi)
		return phi || !debug && !slices.ContainsFunc(good, func(b *ssa.BasicBlock) bool { return b.Dominates(in.Block()) })
	})
}

// succeeds is the block that a branch leads to if a result is true, or nil if it is no bool; nil if the branch does not ask.
func succeeds(branch *ssa.If, result ssa.Value) *ssa.BasicBlock {
	to := branch.Block().Succs
	switch cond := branch.Cond.(type) {
	case *ssa.UnOp:
		if cond.Op == token.NOT && cond.X == result {
			return to[1]
		}
	case *ssa.BinOp:
		nils := cond.X == result && isNilConst(cond.Y) || cond.Y == result && isNilConst(cond.X)
		switch {
		case nils && cond.Op == token.EQL:
			return to[0]
		case nils && cond.Op == token.NEQ:
			return to[1]
		}
	}
	if branch.Cond == result {
		return to[0]
	}
	return nil
}

// fails reports whether a statement returns a failure as the last result: false, or something that is not nil.
func (r *valueReturn) fails(ret *ast.ReturnStmt) bool {
	last := r.fn.Signature.Results().Len() - 1
	if last == r.at {
		return false
	}
	for _, b := range r.fn.Blocks {
		in, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || in.Pos() != ret.Pos() {
			continue
		}
		if t, basic := in.Results[last].Type().Underlying().(*types.Basic); basic {
			value := r.p.pkg.TypesInfo.Types[ret.Results[last]].Value
			return t.Info()&types.IsBoolean != 0 && value != nil && !constant.BoolVal(value)
		}
		return r.p.neverNil(in.Results[last], b, 0)
	}
	return false
}

// neverNil reports whether an error or pointer is not nil in a block: it is new, made by a function that always makes one, or was
// compared with nil.
func (p *Program) neverNil(v ssa.Value, b *ssa.BasicBlock, depth int) bool {
	const deep = 4
	if depth > deep {
		return false
	}
	switch x := v.(type) {
	case *ssa.MakeInterface, *ssa.Alloc:
		return true
	case *ssa.Call:
		if p.makesFailures(x.Call.StaticCallee(), depth) {
			return true
		}
	}
	for d := b; d != nil && d.Idom() != nil; d = d.Idom() {
		branch, ok := d.Idom().Instrs[len(d.Idom().Instrs)-1].(*ssa.If)
		if !ok || len(d.Preds) != 1 || d.Preds[0] != d.Idom() {
			continue
		}
		cond, ok := branch.Cond.(*ssa.BinOp)
		if ok && (cond.X == v && isNilConst(cond.Y) || cond.Y == v && isNilConst(cond.X)) {
			not := map[token.Token]int{token.NEQ: 0, token.EQL: 1}
			if i, ok := not[cond.Op]; ok && branch.Block().Succs[i] == d {
				return true
			}
		}
	}
	return false
}

// newErrors are functions of the standard library that never return nil.
var newErrors = map[string]bool{"errors.New": true, "fmt.Errorf": true}

// makesFailures reports whether the one result of a function is never nil.
func (p *Program) makesFailures(fn *ssa.Function, depth int) bool {
	if fn == nil || fn.Signature.Results().Len() != 1 || len(fn.Blocks) == 0 {
		return fn != nil && newErrors[fullName(fn)]
	}
	return !p.builtElsewhere(fn.Object()) && fn.Recover == nil && !slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		return ok && !p.neverNil(ret.Results[0], b, depth+1)
	})
}
