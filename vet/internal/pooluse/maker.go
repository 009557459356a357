package pooluse

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A Maker is a function that is assigned to the field New of a pool.
type Maker struct {
	Pos token.Pos
	Fn  *ssa.Function // nil if it is not of this package
	// Type is the type of all the values it makes: types.UntypedNil if it makes none, nil if it is not
	// known.
	Type types.Type
}

// A Pool holds what is known about all uses of one location.
type Pool struct {
	Key      Key
	Location Location
	Kind     Kind
	Ops      []*Op
	News     []Maker
	Reset    []*ssa.Function // of lessgc/pool.Pool; holds nil for those that are not of this package

	// Open says that the pool is used in ways that cannot be seen: its address is passed
	// on, or it is assigned to as a whole.
	Open bool
	// Allocs are the pools that the pointer on the way to this one is set to, when all
	// that is assigned to it is new: each an *ssa.Alloc, or an *ssa.Call of what makes pools.
	Allocs []ssa.Value
	many   bool
}

// One reports whether there is only one such pool in a run of the program: that of a
// variable of the package.
func (p *Pool) One() bool {
	_, ok := p.Key.Root.(*ssa.Global)
	return ok && !p.many && (!p.Key.Pointer() || len(p.Allocs) == 1)
}

// Foreign reports whether a function of a library makes the pool: what fills it, and what its methods do
// beside that, is not seen.
func (p *Pool) Foreign() bool {
	return slices.ContainsFunc(p.Allocs, func(v ssa.Value) bool { _, ok := v.(*ssa.Call); return ok })
}

// Pools are all pools, each under all its keys, in source order.
func (u *Uses) Pools() []*Pool { return u.order }

// At returns the pool at a location: that of its root, if it is known, or else of its field.
func (u *Uses) At(k Key) *Pool { return u.pools[k] }

func (u *Uses) pool(k Key, p Location, kind Kind) *Pool {
	g := u.pools[k]
	if g == nil {
		g = &Pool{Key: k, Location: p, Kind: kind}
		u.pools[k] = g
		u.order = append(u.order, g)
	}
	return g
}

// group makes the pools from the operations, and looks at all else that is done with
// them.
func (u *Uses) group() {
	for _, op := range u.Ops {
		for _, k := range op.Pool.Keys() {
			g := u.pool(k, op.Pool, op.Kind)
			g.Ops = append(g.Ops, op)
		}
	}
	links := map[Key][]ssa.Value{}
	var copies []copied
	u.instructions(func(fn *ssa.Function, i ssa.Instruction) {
		if s, ok := i.(*ssa.Store); ok {
			copies = u.store(s, links, copies)
		}
		u.leaks(i)
	})
	for _, c := range copies { // inner literals come first
		for _, g := range slices.Clone(u.order) {
			if g.Key.Root == c.literal {
				to := c.to.beyond(g.Key)
				for _, k := range to.Keys() {
					u.pool(k, to, g.Kind).adopt(g)
				}
			}
		}
	}
	for k, allocs := range links {
		if g := u.pools[k]; g != nil {
			g.Allocs = allocs
			for _, a := range allocs {
				g.adopt(u.pools[Key{Root: a}])
			}
		}
	}
}

// A copied is a literal that is made in a location of its own and then copied to another.
type copied struct {
	literal ssa.Value
	to      Location
}

// adopt gives g what is known of another pool, which it points to or is a copy of.
func (g *Pool) adopt(other *Pool) {
	if other == nil || g == other {
		return
	}
	g.News = append(g.News, other.News...)
	g.Reset = append(g.Reset, other.Reset...)
	g.Open = g.Open || other.Open
}

// store looks at an assignment to a pool, to a field of one, or to a pointer to one.
func (u *Uses) store(s *ssa.Store, links map[Key][]ssa.Value, copies []copied) []copied {
	if f, ok := s.Addr.(*ssa.FieldAddr); ok {
		if kind, ok := KindOf(f.X.Type()); ok {
			u.set(s, f, kind)
			return copies
		}
	}
	if load, ok := s.Val.(*ssa.UnOp); ok && load.Op == token.MUL {
		if a, ok := load.X.(*ssa.Alloc); ok && !a.Heap && a.Comment == "complit" {
			return append(copies, copied{a, u.location(s.Addr)})
		}
	}
	t, ok := s.Addr.Type().Underlying().(*types.Pointer)
	if !ok {
		return copies
	}
	kind, ok := KindOf(t.Elem())
	if !ok {
		return copies
	}
	p := u.location(s.Addr)
	if _, pointer := t.Elem().Underlying().(*types.Pointer); !pointer {
		if c, ok := s.Val.(*ssa.Const); !ok || c.Value != nil { // not the zero pool
			u.open(p, kind)
		}
		return copies
	}
	p = p.step("*")
	a := u.Source(s.Val)
	for _, k := range p.Keys() {
		g := u.pool(k, p, kind)
		switch {
		case makes(a):
			links[k] = append(links[k], a)
			g.many = g.many || len(links[k]) > 1
		case !ssautil.IsNil(s.Val):
			g.Open = true
		}
	}
	return copies
}

// makes reports whether v is the address of a new pool, here or from a function that is known to make
// them.
func makes(v ssa.Value) bool {
	if call, ok := v.(*ssa.Call); ok {
		return catalog.Callee(call.Common()).Makes
	}
	_, ok := v.(*ssa.Alloc)
	return ok
}

// set looks at an assignment to a field of a pool.
func (u *Uses) set(s *ssa.Store, f *ssa.FieldAddr, kind Kind) {
	p := u.location(f.X)
	for _, k := range p.Keys() {
		g := u.pool(k, p, kind)
		switch ssautil.FieldOf(f.X.Type(), f.Field).Name() {
		case "New":
			g.News = append(g.News, u.maker(s))
		case "Reset":
			fn, _ := u.Callee(&ssa.CallCommon{Value: s.Val})
			g.Reset = append(g.Reset, fn)
		}
	}
}

// open notes that the pool at p is used in ways that cannot be seen.
func (u *Uses) open(p Location, kind Kind) {
	for _, k := range p.Keys() {
		u.pool(k, p, kind).Open = true
	}
}

// maker looks at the function that s stores.
func (u *Uses) maker(s *ssa.Store) Maker {
	m := Maker{Pos: s.Pos()}
	if ssautil.IsNil(s.Val) {
		m.Type = types.Typ[types.UntypedNil]
		return m
	}
	fn, _ := u.Callee(&ssa.CallCommon{Value: s.Val})
	if fn == nil || fn.Blocks == nil || fn.Signature.Results().Len() != 1 {
		return m
	}
	m.Fn = fn
	m.Type = u.made(fn, rounds)
	return m
}

// made is the type of all that fn returns, or nil.
func (u *Uses) made(fn *ssa.Function, depth int) types.Type {
	var made types.Type
	for ret := range ssautil.Returns(fn) {
		if len(ret.Results) != 1 {
			continue
		}
		t := u.boxedType(ret.Results[0], depth)
		if t == nil || made != nil && !types.Identical(t, made) {
			return nil
		}
		made = t
	}
	return made
}

// boxedType is the type in the interface v, or nil.
func (u *Uses) boxedType(v ssa.Value, depth int) types.Type {
	if !types.IsInterface(v.Type()) {
		return v.Type() // New of lessgc/pool
	}
	switch v := u.Source(v).(type) {
	case *ssa.MakeInterface:
		return v.X.Type()
	case *ssa.ChangeType:
		return v.X.Type()
	case *ssa.ChangeInterface:
		return u.boxedType(v.X, depth)
	case *ssa.Const:
		return types.Typ[types.UntypedNil]
	case *ssa.Call:
		if fn, _ := u.Callee(v.Common()); fn != nil && fn.Blocks != nil && depth > 0 && fn.TypeParams().Len() == 0 {
			return u.made(fn, depth-1)
		}
	}
	return nil
}

// leaks looks for pools whose address i passes on.
func (u *Uses) leaks(i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.FieldAddr, *ssa.Field, *ssa.UnOp, *ssa.BinOp, *ssa.DebugRef, *ssa.Store, *ssa.Alloc:
		return // a comparison passes nothing on
	case *ssa.MakeClosure:
		if i.Fn.(*ssa.Function).Parent() != nil || u.called(i) {
			return
		}
	case ssa.CallInstruction:
		callee, args := u.Callee(i.Common())
		if callee != nil && callee.Signature.Recv() != nil && len(args) > 0 {
			if _, ok := KindOf(callee.Signature.Recv().Type()); ok {
				return
			}
		}
	}
	for _, v := range i.Operands(nil) {
		if *v == nil || (*v).Type() == nil {
			continue
		}
		kind, ok := KindOf((*v).Type())
		if !ok {
			continue
		}
		u.open(u.location(*v), kind)
	}
}

// called reports whether the bound method c is only called.
func (u *Uses) called(c *ssa.MakeClosure) bool {
	for r := range ssautil.Uses[ssa.Instruction](c) {
		if call, ok := r.(ssa.CallInstruction); !ok || call.Common().Value != c {
			return false
		}
	}
	return true
}
