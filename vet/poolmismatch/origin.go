package poolmismatch

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// nothing reports a Put of nil.
func (c *checker) nothing(op *pooluse.Op) {
	v, ok := op.Item.(*ssa.Const)
	if !ok || !v.IsNil() || op.Via != nil {
		return
	}
	f := c.at(op, rule.Corruption)
	switch {
	case op.Kind.Type == "lessgc/pool.Pool", op.Kind.Type == "lessgc/pool.Buffers":
		f.Message = "nil is put into " + op.Pool.String() + ": Put panics"
	case !op.Kind.IsSync():
		return // it is not known what Put of another pool does then
	case types.IsInterface(v.Type()) || v.Type() == types.Typ[types.UntypedNil]:
		f.Category = rule.Leak
		f.Message = "nil is put into " + op.Pool.String() + ": Put does nothing, and the value that should be put back is lost"
	default:
		f.Message = "a nil " + c.name(v.Type()) + " is put into " + op.Pool.String() + ": a later Get hands it out, New is not called, and its user panics"
	}
	c.report(f)
}

// address reports a Put of the address of a copy of what Get gave.
func (c *checker) address(op *pooluse.Op) {
	local, ok := c.uses.Variable(op.Item).(*ssa.Alloc)
	if !ok {
		return
	}
	for store := range ssautil.StoresTo(local) {
		load, ok := store.Val.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			continue
		}
		get := c.uses.Origin(load.X)
		if get == nil || !same(get.Pool, op.Pool) || !c.onlyRead(get.Item, load) {
			continue
		}
		f := c.at(op, rule.Leak, rule.Related(get.Pos(), "the value from Get is copied here"))
		f.Message = "the address of a copy is put into " + op.Pool.String() + ": the value from Get is lost, and every use allocates another one; keep the pointer that Get returned and put that back"
		c.report(f)
		return
	}
}

// onlyRead reports whether load is all that happens to v, which is what Get gave.
func (c *checker) onlyRead(v ssa.Value, load *ssa.UnOp) bool {
	for _, r := range c.uses.Referrers(v) {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.TypeAssert:
			if !c.onlyRead(r, load) {
				return false
			}
		case *ssa.Extract:
			if r.Index == 0 && !c.onlyRead(r, load) {
				return false
			}
		default:
			if r != ssa.Instruction(load) {
				return false
			}
		}
	}
	return true
}

// stray reports a Put into another pool than the value came from.
func (c *checker) stray(op *pooluse.Op) {
	get := c.uses.Origin(op.Item)
	if get == nil || get.Kind != op.Kind || !c.apart(get.Pool, op.Pool) || c.moves(get, op) {
		return
	}
	for _, other := range c.uses.Ops {
		if other.Verb != pooluse.Put {
			continue
		}
		from := c.uses.Origin(other.Item)
		if from == nil {
			if same(other.Pool, get.Pool) && c.mayBeFrom(other.Item, op.Pool) {
				return // they go round
			}
			continue
		}
		home := from == get && same(other.Pool, get.Pool)
		back := same(from.Pool, op.Pool) && same(other.Pool, get.Pool)
		if home || back { // chosen when the program runs; or the values go round
			return
		}
	}
	for o := op; o != nil; o = o.By {
		if c.chosen(o) {
			return
		}
	}
	f := c.at(op, rule.Leak, rule.Related(get.Pos(), "it comes from %s here", get.Pool))
	f.Message = "a value from " + get.Pool.String() + " is put into " + op.Pool.String() + ": the first runs empty and allocates, the second hands out values made for the first"
	if op.Kind.Holds == catalog.BufferPool {
		f.Category, f.Message = rule.Corruption, "a buffer of "+get.Pool.String()+" is put into "+op.Pool.String()+": Put panics"
	}
	f.Fixes = c.receiver(get, op)
	c.report(f)
}

// mayBeFrom reports whether v is one of several values, of which p gave one.
func (c *checker) mayBeFrom(v ssa.Value, p pooluse.Location) bool {
	phi, ok := c.uses.Source(v).(*ssa.Phi)
	return ok && slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool {
		get := c.uses.Origin(e)
		return get != nil && same(get.Pool, p)
	})
}

// moves reports whether get and op stand in a loop that ends when the pool is empty.
func (c *checker) moves(get, op *pooluse.Op) bool {
	if get.Fn != op.Fn || !ssautil.Reaches(get.Call.Block(), get.Call.Block()) || get.Item == nil {
		return false
	}
	for _, r := range c.uses.Referrers(get.Item) {
		switch r := r.(type) {
		case *ssa.BinOp:
			return true
		case *ssa.TypeAssert:
			if r.CommaOk {
				return true
			}
		}
	}
	return false
}

// apart reports whether p and q are surely two pools.
func (c *checker) apart(p, q pooluse.Location) bool {
	if p.Root == nil || q.Root == nil || strings.Contains(p.Path+q.Path, "[") {
		return false
	}
	head := func(p pooluse.Location) string {
		if p.Field == nil {
			return ""
		}
		return p.Path[:strings.LastIndexByte(p.Path, '.')]
	}
	if p.Root == q.Root {
		if p.Field == nil || q.Field == nil || p.Field == q.Field || head(p) != head(q) {
			return false
		}
	} else {
		for _, x := range []pooluse.Location{p, q} {
			switch x.Root.(type) {
			case *ssa.Global, *ssa.Alloc:
			default:
				return false
			}
			if strings.Contains(head(x), "*") {
				return false
			}
		}
	}
	return c.owned(p) && c.owned(q) && !c.joined(p, q)
}

// joined reports whether p and q are set to one pool anywhere.
func (c *checker) joined(p, q pooluse.Location) bool {
	for _, k := range p.Keys() {
		for _, l := range q.Keys() {
			x, y := c.uses.At(k), c.uses.At(l)
			if x != nil && y != nil && slices.ContainsFunc(x.Allocs, func(v ssa.Value) bool { return slices.Contains(y.Allocs, v) }) {
				return true
			}
		}
	}
	return false
}

// owned reports whether no other variable points to the pool at p.
func (c *checker) owned(p pooluse.Location) bool {
	if !strings.HasSuffix(p.Path, "*") {
		return true
	}
	for _, k := range p.Keys() {
		if g := c.uses.At(k); g == nil || g.Open || len(g.Allocs) == 0 {
			if k.Root != nil && p.Field != nil {
				continue // its field tells more
			}
			return false
		}
	}
	return true
}

// chosen reports whether op happens because of a property of the value, or of a size.
func (c *checker) chosen(op *pooluse.Op) bool {
	get := c.uses.Origin(op.Item)
	var param *ssa.Parameter
	if p, ok := op.Item.(*ssa.Parameter); ok {
		param = p
	}
	var depends func(v ssa.Value, depth int) bool
	depends = func(v ssa.Value, depth int) bool {
		if v == nil || depth == 0 {
			return false
		}
		if get != nil && c.uses.Origin(v) == get || param != nil && c.uses.Source(v) == ssa.Value(param) {
			return true
		}
		if call, ok := v.(*ssa.Call); ok && ssautil.IsBuiltin(call, "cap", "len") {
			return true
		}
		i, ok := v.(ssa.Instruction)
		if !ok {
			return false
		}
		for _, o := range i.Operands(nil) {
			if depends(*o, depth-1) {
				return true
			}
		}
		return false
	}
	for fn, block := op.Fn, op.Call.Block(); fn != nil; {
		for b := block.Idom(); b != nil; b = b.Idom() {
			if n := len(b.Instrs); n > 0 {
				if i, ok := b.Instrs[n-1].(*ssa.If); ok && !asksWhether(i.Cond) && depends(i.Cond, 8) {
					return true
				}
			}
		}
		closure := c.uses.Closure(fn)
		if closure == nil {
			break
		}
		fn, block = closure.Parent(), closure.Block()
	}
	return false
}

// asksWhether reports whether v is true if there is a value at all: it compares with nil, or
// is the ok of an assertion.
func asksWhether(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Extract:
		_, ok := v.Tuple.(*ssa.TypeAssert)
		return ok && v.Index == 1
	case *ssa.BinOp:
		for _, o := range []ssa.Value{v.X, v.Y} {
			if k, ok := o.(*ssa.Const); ok && k.IsNil() {
				return true
			}
		}
	}
	return false
}

// receiver fixes a Put so that it puts into the pool of get.
func (c *checker) receiver(get, op *pooluse.Op) []analysis.SuggestedFix {
	from, to := c.pool(get), c.pool(op)
	if from == nil || to == nil || get.Fn != op.Fn {
		return nil
	}
	text := types.ExprString(from)
	scope := c.Pkg.Scope().Innermost(to.Pos())
	for e := from; ; {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e = x.X
			continue
		case *ast.Ident:
			if _, o := scope.LookupParent(x.Name, to.Pos()); o != c.TypesInfo.Uses[x] {
				return nil
			}
			if _, ok := c.TypesInfo.Uses[x].(*types.Var); !ok {
				return nil
			}
		default:
			return nil
		}
		break
	}
	if id, ok := root(to).(*ast.Ident); !ok || !c.staysUsed(id, from) {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "Put it into " + text, TextEdits: []analysis.TextEdit{{Pos: to.Pos(), End: to.End(), NewText: []byte(text)}}}}
}

// staysUsed reports whether the variable id is not a local one, or is used in e.
func (c *checker) staysUsed(id *ast.Ident, e ast.Expr) bool {
	v, ok := c.TypesInfo.Uses[id].(*types.Var)
	return ok && (v.Parent() == c.Pkg.Scope() || c.TypesInfo.Uses[root(e).(*ast.Ident)] == v)
}

// root is the variable that the selector e begins with.
func root(e ast.Expr) ast.Expr {
	for {
		s, ok := e.(*ast.SelectorExpr)
		if !ok {
			return e
		}
		e = s.X
	}
}

// pool is the expression of which op is a method, if op is written as a plain call.
func (c *checker) pool(op *pooluse.Op) ast.Expr {
	call := c.uses.Syntax(op.Call)
	if call == nil || op.Via != nil {
		return nil
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != string(op.Verb) {
		return nil
	}
	return s.X
}
