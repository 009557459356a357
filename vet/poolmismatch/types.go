package poolmismatch

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// A sight is a type that a pool was seen with.
type sight struct {
	op   *pooluse.Op // the Get or Put
	pos  token.Pos
	typ  types.Type
	from *ssa.Function
}

// types compares what goes into p with what is asserted to come out.
func (c *checker) types(p *pooluse.Pool) {
	if p.Kind.Holds != catalog.AnyPool {
		return // the compiler does
	}
	var gets, puts []sight
	all := true // the types of all uses are known
	for _, op := range p.Ops {
		switch op.Verb {
		case pooluse.Get:
			s, ok := c.asserted(op)
			gets = append(gets, s...)
			all = all && ok
		case pooluse.Put:
			if t := op.Boxed(); t == nil {
				all = all && op.Via != nil
			} else if t != types.Typ[types.UntypedNil] {
				puts = append(puts, sight{op, op.Pos(), t, op.Fn})
			}
		}
	}
	c.dropped(p, puts)
	if len(gets) == 0 {
		return
	}
	var makes []pooluse.Maker
	for _, m := range p.News {
		all = all && m.Type != nil
		makes = append(makes, m)
	}
	if p.Key.Root != nil && (p.One() || !p.Key.Pointer()) {
		c.oneType(p, gets, puts, makes)
	} else if all && !p.Open && !p.Foreign() {
		c.sometimes(p, gets, puts, makes)
	}
	c.unmade(p, gets, makes)
}

// oneType is types for what is surely one pool.
func (c *checker) oneType(p *pooluse.Pool, gets, puts []sight, makes []pooluse.Maker) {
	want := most(gets, puts)
	known := len(makes) == 1 && makes[0].Type != nil && makes[0].Type != types.Typ[types.UntypedNil]
	if known {
		want = makes[0].Type
	}
	for _, put := range puts {
		for _, get := range gets {
			if differ(put, get) && !types.Identical(put.typ, want) && c.together(p, put.op, get.op) {
				c.put(put, get)
				break
			}
		}
	}
	for _, get := range gets {
		if types.Identical(get.typ, want) {
			continue
		}
		if known && differ(sight{typ: makes[0].Type, from: makes[0].Fn}, get) {
			c.made(get, makes[0])
			continue
		}
		for _, put := range puts {
			if differ(put, get) && types.Identical(put.typ, want) && c.together(p, put.op, get.op) {
				c.get(put, get)
				break
			}
		}
	}
}

// together reports whether x and y are surely operations on one pool. A pool that comes from
// outside of a function may be one in this branch and another in that.
func (c *checker) together(p *pooluse.Pool, x, y *pooluse.Op) bool {
	switch p.Key.Root.(type) {
	case *ssa.Global, *ssa.Alloc:
		return true
	}
	a, b := c.block(x, y.Fn), c.block(y, x.Fn)
	return a != nil && b != nil && a.Parent() == b.Parent() && (a.Dominates(b) || b.Dominates(a))
}

// block returns the block of fn in which op happens: that of op, or that in which the closure
// around op is made.
func (c *checker) block(op *pooluse.Op, fn *ssa.Function) *ssa.BasicBlock {
	for f, b := op.Fn, op.Call.Block(); ; {
		closure := c.uses.Closure(f)
		if f == fn || closure == nil {
			return b
		}
		f, b = closure.Parent(), closure.Block()
	}
}

// sometimes is types for the pools in a field of many values: each may hold another type,
// but what fits none is wrong.
func (c *checker) sometimes(p *pooluse.Pool, gets, puts []sight, makes []pooluse.Maker) {
	for _, put := range puts {
		wrong := true
		for _, get := range gets {
			wrong = wrong && differ(put, get)
		}
		for _, m := range makes { // a type parameter is not that of the function which sets New
			wrong = wrong && (parameterized(put.typ) || differ(put, sight{typ: m.Type, from: m.Fn}))
		}
		if wrong {
			c.put(put, gets[0])
		}
	}
	for _, get := range gets {
		wrong := len(makes) > 0
		for _, m := range makes {
			wrong = wrong && m.Type != types.Typ[types.UntypedNil] && differ(sight{typ: m.Type, from: m.Fn}, get)
		}
		for _, put := range puts {
			wrong = wrong && differ(put, get)
		}
		if wrong {
			c.made(get, makes[0])
		}
	}
}

// dropped reports what goes into p and is thrown away by all that get it: they ask for other
// types.
func (c *checker) dropped(p *pooluse.Pool, puts []sight) {
	if p.Open || p.Foreign() || p.Key.Exported() || p.Key.Pointer() && len(p.Allocs) == 0 {
		return
	}
	switch p.Key.Root.(type) {
	case *ssa.Global, *ssa.Alloc:
	default:
		return
	}
	var asked []sight
	for _, op := range p.Ops {
		if op.Verb != pooluse.Get {
			continue
		}
		s, ok := c.asks(op)
		if !ok {
			return
		}
		asked = append(asked, s...)
	}
	if len(asked) == 0 {
		return
	}
	for _, put := range puts {
		wrong := true
		for _, a := range asked {
			wrong = wrong && !types.IsInterface(a.typ) && differ(put, a)
		}
		if wrong {
			f := c.at(put.op, rule.Leak, rule.Related(asked[0].pos, "%s is asked for here", c.name(asked[0].typ)))
			f.Message = c.name(put.typ) + " is put into " + put.op.Pool.String() + ", from which only " + c.name(asked[0].typ) + " is taken: its users discard this value"
			c.report(f)
		}
	}
}

// asks returns the types that what op got is asked to have: v, ok := Get().(T). Ok says
// whether that is all that happens to it.
func (c *checker) asks(op *pooluse.Op) (all []sight, ok bool) {
	if op.Item == nil || !types.IsInterface(op.Item.Type()) {
		return nil, false
	}
	for _, r := range c.uses.Referrers(op.Item) {
		switch r := r.(type) {
		case *ssa.TypeAssert:
			if !r.CommaOk {
				return nil, false // it panics: see oneType
			}
			all = append(all, sight{op, r.Pos(), r.AssertedType, op.Fn})
		case *ssa.BinOp, *ssa.DebugRef:
		default:
			return nil, false
		}
	}
	return all, len(all) > 0
}

// unmade reports an assertion that fails when the pool is empty, because nothing fills
// it.
func (c *checker) unmade(p *pooluse.Pool, gets []sight, makes []pooluse.Maker) {
	for _, m := range makes {
		if m.Type != types.Typ[types.UntypedNil] {
			return
		}
	}
	if p.Open || p.Foreign() || p.Key.Exported() || p.Key.Pointer() && len(p.Allocs) == 0 {
		return
	}
	switch p.Key.Root.(type) {
	case nil:
	case *ssa.Global, *ssa.Alloc:
		if p.Location.Field != nil {
			return // its field tells more
		}
	default:
		return
	}
	for _, get := range gets {
		f := c.at(get.op, rule.Corruption)
		f.Message = "Get asserts " + c.name(get.typ) + ", but " + get.op.Pool.String() + " has no New that makes one: the assertion panics when the pool is empty, as it is after two collections"
		c.report(f)
	}
}

func (c *checker) put(put, get sight) {
	f := c.at(put.op, rule.Corruption, rule.Related(get.pos, "%s is asserted here", c.name(get.typ)))
	f.Message = c.name(put.typ) + " is put into " + put.op.Pool.String() + ", from which " + c.name(get.typ) + " is asserted: that assertion panics when it gets this value"
	f.Fixes = c.argument(put.op, get.typ)
	c.report(f)
}

func (c *checker) get(put, get sight) {
	f := c.at(get.op, rule.Corruption, rule.Related(put.pos, "%s is put here", c.name(put.typ)))
	f.Message = "Get asserts " + c.name(get.typ) + ", but " + c.name(put.typ) + " is put into " + get.op.Pool.String() + ": the assertion panics when it gets one"
	c.report(f)
}

func (c *checker) made(get sight, m pooluse.Maker) {
	f := c.at(get.op, rule.Corruption, rule.Related(m.Pos, "New is set here"))
	f.Message = "Get asserts " + c.name(get.typ) + ", but New of " + get.op.Pool.String() + " makes " + c.name(m.Type) + ": the assertion panics when the pool is empty"
	c.report(f)
}

// asserted returns the types that what op got is asserted to have. Ok reports whether all
// uses of it were seen, and none asks first.
func (c *checker) asserted(op *pooluse.Op) (all []sight, ok bool) {
	ok = true
	if op.Item == nil || !types.IsInterface(op.Item.Type()) {
		return nil, true
	}
	for _, r := range c.uses.Referrers(op.Item) {
		switch r := r.(type) {
		case *ssa.TypeAssert:
			if r.CommaOk {
				return nil, false
			}
			if types.IsInterface(r.AssertedType) && !ssautil.IsTypeParam(r.AssertedType) {
				ok = false
				continue
			}
			all = append(all, sight{op, r.Pos(), r.AssertedType, op.Fn})
		case *ssa.BinOp:
			return nil, false
		case *ssa.DebugRef:
		case *ssa.Return: // its callers have operations of their own
			ok = ok && op.Fn.Parent() == nil && !token.IsExported(op.Fn.Name())
		default:
			ok = false
		}
	}
	return all, ok
}

// most returns the type that was seen most often, the first of those if there are more.
func most(lists ...[]sight) types.Type {
	var best types.Type
	count := 0
	all := slices.Concat(lists...)
	for _, s := range all {
		n := 0
		for _, t := range all {
			if types.Identical(s.typ, t.typ) {
				n++
			}
		}
		if n > count {
			best, count = s.typ, n
		}
	}
	return best
}

// differ reports whether the types of x and y are surely not the same.
func differ(x, y sight) bool {
	if !parameterized(x.typ) && !parameterized(y.typ) {
		return !types.Identical(x.typ, y.typ)
	}
	// No type is a pointer to itself.
	return pointsTo(x, y) || pointsTo(y, x)
}

// pointsTo reports whether x is a pointer to y, which is a type parameter.
func pointsTo(x, y sight) bool {
	p, ok := x.typ.(*types.Pointer)
	if !ok || !ssautil.IsTypeParam(p.Elem()) || !ssautil.IsTypeParam(y.typ) {
		return false
	}
	i, ok := receiverParam(p.Elem(), x.from)
	j, also := receiverParam(y.typ, y.from)
	return types.Identical(p.Elem(), y.typ) || ok && also && i == j
}

// receiverParam returns the number of the type parameter t of the receiver of fn: each
// method has its own ones.
func receiverParam(t types.Type, fn *ssa.Function) (int, bool) {
	if fn == nil {
		return 0, false
	}
	params := outermost(fn).Signature.RecvTypeParams()
	for i := range params.Len() {
		if params.At(i) == types.Unalias(t) {
			return i, true
		}
	}
	return 0, false
}

// parameterized reports whether t may have a type parameter in it.
func parameterized(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return false
	case *types.Pointer:
		return parameterized(t.Elem())
	case *types.Slice:
		return parameterized(t.Elem())
	case *types.Array:
		return parameterized(t.Elem())
	case *types.Chan:
		return parameterized(t.Elem())
	case *types.Map:
		return parameterized(t.Key()) || parameterized(t.Elem())
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if parameterized(t.TypeArgs().At(i)) {
				return true
			}
		}
		return t.TypeParams().Len() > 0 && t.TypeArgs().Len() == 0 || t.Obj().Parent() != nil && t.Obj().Pkg() != nil && t.Obj().Parent() != t.Obj().Pkg().Scope()
	case *types.Struct:
		for f := range t.Fields() {
			if parameterized(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// dereferenced reports whether what op puts is a copy of what a pointer from Get leads to: its
// address is not that pointer.
func (c *checker) dereferenced(op *pooluse.Op) bool {
	load, ok := c.uses.Source(op.Item).(*ssa.UnOp)
	return ok && load.Op == token.MUL && c.uses.Origin(load.X) != nil
}

// argument fixes the argument of Put so that it has the type want, if that takes one
// character.
func (c *checker) argument(op *pooluse.Op, want types.Type) []analysis.SuggestedFix {
	call := c.uses.Syntax(op.Call)
	if call == nil || op.Via != nil || len(call.Args) != 1 {
		return nil
	}
	arg := call.Args[0]
	is := func(e ast.Expr) bool { return types.Identical(c.TypesInfo.TypeOf(e), want) }
	fix := func(message string, pos, end token.Pos, text string) []analysis.SuggestedFix {
		return []analysis.SuggestedFix{{Message: message, TextEdits: []analysis.TextEdit{{Pos: pos, End: end, NewText: []byte(text)}}}}
	}
	switch e := arg.(type) {
	case *ast.StarExpr:
		if is(e.X) {
			return fix("Put the pointer back", e.Star, e.X.Pos(), "")
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND && is(e.X) {
			return fix("Put the value back", e.OpPos, e.X.Pos(), "")
		}
	case *ast.Ident:
		if p, ok := want.(*types.Pointer); ok && types.Identical(c.TypesInfo.TypeOf(e), p.Elem()) {
			if _, ok := c.TypesInfo.Uses[e].(*types.Var); ok && !c.dereferenced(op) {
				return fix("Put a pointer", e.Pos(), e.Pos(), "&")
			}
		}
	}
	return nil
}
