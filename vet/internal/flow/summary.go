package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// derived is a derivation with what happens to it.
type derived struct {
	*derivation
	acts   actions
	pieces []piece // of a part that is an arena: what methods allocate from it
}

// follow derives from root and finds the actions.
func (f *function) follow(root ssa.Value, m mark, detached ...string) *derived {
	d := f.derive(root, m, detached)
	return &derived{derivation: d, acts: d.actions()}
}

// followVar does so for what a captured variable holds when the closure is called.
func (f *function) followVar(v *ssa.FreeVar) *derived {
	d := f.newDerivation(v)
	d.captured = v
	begin := func(d *derivation) {
		d.nodes.get(v)
		for _, l := range f.cells().of(v).entry {
			d.add(l.value, same, v)
			d.needs(l.value, l.sources)
		}
		d.run()
	}
	begin(d)
	d = d.settle(begin)
	return &derived{derivation: d, acts: d.actions()}
}

// has says whether one of the actions is among acts.
func (d *derived) has(acts ...act) bool {
	for _, list := range d.acts {
		for _, a := range list {
			if slices.Contains(acts, a.act) {
				return true
			}
		}
	}
	return false
}

// summaryOf finds out what f does with its parameters and captured variables, and whether
// its results have to be released.
func (a *analyzer) summaryOf(f *function) *Summary {
	s := new(Summary)
	for i, p := range f.Params {
		if pointers(p.Type()) {
			f.param(s, i, f.follow(p, same))
		}
	}
	for j, v := range f.FreeVars {
		f.param(s, len(f.Params)+j, f.followVar(v))
	}
	f.origins = f.acquired()
	for _, o := range f.origins {
		f.returned(s, o)
	}
	if obj, ok := f.Object().(*types.Func); ok {
		a.directed(f, obj, s)
	}
	return s
}

// directed adds what the doc comment of f says.
func (a *analyzer) directed(f *function, obj *types.Func, s *Summary) {
	for _, say := range a.says[obj] {
		if say.Verb == "acquire" {
			k := catalog.Item
			switch say.Arg {
			case "arena":
				k = catalog.Safe
			case "recycled":
				k = catalog.Recycled
			}
			*s.growResult(0) = Acquired{Kind: k}
			continue
		}
		for i, p := range f.Params {
			if p.Name() != say.Arg {
				continue
			}
			x := s.grow(i)
			switch say.Verb {
			case "releases":
				x.Release = Always
			case "borrows":
				x.Keep, x.Unknown, x.KeptIn, x.Hold = false, false, 0, 0
			case "owns":
				x.Unknown = true
			}
		}
	}
}

// param adds what f does with parameter i.
func (f *function) param(s *Summary, i int, d *derived) {
	if p := f.paramOf(d); !p.zero() {
		*s.grow(i) = p
	}
}

// paramOf is what f does with a parameter.
func (f *function) paramOf(d *derived) Param {
	var p Param
	for i, list := range d.acts {
		for _, x := range list {
			switch x.act {
			case use:
				p.Use = p.Use || x.sure
			case handOver:
				if !kept(list) {
					p.Unknown = true
				}
			case keep:
				if answered(i) {
					p.Unknown = true
					continue
				}
				f.kept(&p, x)
			case reset, resetLater:
				p.Reset = p.Reset || x.sure
			case spawn:
				p.Unknown = true
			}
		}
	}
	f.results(&p, d)
	if d.has(release, perhaps, deferred, maybeDeferred) {
		p.Release = d.released()
	}
	f.detaches(&p, d.derivation)
	f.allocates(&p, d)
	return p
}

func kept(list []action) bool {
	return slices.ContainsFunc(list, func(a action) bool { return a.act == keep && a.sure })
}

// answered reports whether i sends to a channel and something is received from one later: the
// answer of whoever got it.
func answered(i ssa.Instruction) bool {
	switch i.(type) {
	case *ssa.Send, *ssa.Select:
	default:
		return false
	}
	for _, b := range i.Parent().Blocks {
		for _, x := range b.Instrs {
			if x != i && receives(x) && ssautil.Follows(i, x) {
				return true
			}
		}
	}
	return false
}

// kept is what a keeping action means to callers.
func (f *function) kept(p *Param, x action) {
	if !x.sure || x.to == nil && !x.whole || f.takenBack(x) {
		p.Unknown = true
		return
	}
	if x.to == nil {
		p.Keep = true
		return
	}
	base := ssautil.Root(x.to)
	if l, ok := base.(*ssa.UnOp); ok { // something that a parameter leads to
		base = ssautil.Root(l.X)
	}
	if j := slices.Index(f.Params, param(base)); j >= 0 {
		p.KeptIn |= 1 << j
		return
	}
	switch base.(type) {
	case *ssa.Global:
		p.Keep = true
	default:
		p.Unknown = true
	}
}

// takenBack says whether what is kept is taken out again by a deferred call: of delete, or of
// one that gets both what is kept and what it is kept in.
func (f *function) takenBack(x action) bool {
	if x.to == nil {
		return false
	}
	in := loadedFrom(x.to)
	for _, c := range f.calls {
		if _, ok := c.(*ssa.Defer); !ok {
			continue
		}
		has := func(v ssa.Value) bool {
			return slices.ContainsFunc(f.callee(c.Common()).args, func(arg ssa.Value) bool { return loadedFrom(arg) == v })
		}
		_, builtin := c.Common().Value.(*ssa.Builtin)
		if has(in) && (builtin || has(loadedFrom(x.value))) {
			return true
		}
	}
	return false
}

func param(v ssa.Value) *ssa.Parameter {
	p, _ := v.(*ssa.Parameter)
	return p
}

// results finds the results that share the memory of a parameter on all returns.
func (f *function) results(p *Param, d *derived) {
	n := f.Signature.Results().Len()
	returns := f.returns()
	for r := range n {
		m, any := same|alias|content|hold|text, false
		unsure := false
		for _, ret := range returns {
			v := ret.Results[r]
			if isNil(v) || types.Identical(v.Type(), errorType) {
				unsure = unsure || d.mark(v)&same != 0
				continue
			}
			got := d.sure(v)
			unsure = unsure || d.mark(v) != 0
			m &= got | textAsAlias(got)
			any = true
		}
		bit := uint64(1) << r
		switch {
		case !any:
		case m&same != 0:
			p.Same |= bit
		case m&alias != 0 || m&text != 0:
			p.Alias |= bit
		case m&content != 0:
			p.Content |= bit
			p.From = d.loadedFields(p.From)
		case m&hold != 0:
			p.Hold |= bit
		case unsure:
			p.Unknown = true
		}
	}
}

// loadedFields adds the fields of the origin that slices are loaded from.
func (d *derived) loadedFields(names []string) []string {
	for _, n := range d.nodes.list {
		u, ok := n.value.(*ssa.UnOp)
		if !ok || n.mark&content == 0 {
			continue
		}
		if fa, ok := u.X.(*ssa.FieldAddr); ok && !slices.Contains(names, fieldName(fa)) {
			names = append(names, fieldName(fa))
		}
	}
	for _, n := range d.nodes.list {
		c, ok := n.value.(*ssa.Call)
		if !ok || n.mark&content == 0 {
			continue
		}
		k := d.f.callee(&c.Call)
		for i := range k.args {
			if k.sum == nil {
				break
			}
			for _, name := range k.sum.param(i).From {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// textAsAlias lets a result be a string on one return and a slice on another.
func textAsAlias(m mark) mark {
	if m&content != 0 {
		return content
	}
	return 0
}

func (f *function) returns() []*ssa.Return {
	var all []*ssa.Return
	for _, b := range f.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			all = append(all, r)
		}
	}
	return all
}

// released says how surely a parameter is released.
func (d *derived) released() Release {
	r := d.flow(d.acts, nil, false)
	var exits state
	for _, s := range r.exits {
		exits |= s
	}
	switch {
	case exits&all(released) == 0 && exits&all(counted) == 0:
		return Never
	case exits&(all(live)|all(handed)|all(counted)) == 0:
		return Always
	}
	return Perhaps
}

// detaches finds the fields of a parameter that get other memory.
func (f *function) detaches(p *Param, d *derivation) {
	for _, n := range d.nodes.list {
		v := n.value
		if v.Referrers() == nil || n.mark&same == 0 && !(n.mark&alias != 0 && isNested(v)) {
			continue
		}
		for _, r := range *v.Referrers() {
			switch i := r.(type) {
			case *ssa.FieldAddr:
				for _, u := range *i.Referrers() {
					if s, ok := u.(*ssa.Store); ok && s.Addr == i {
						if x := ssautil.Field(i); x != nil && !reuses(s.Val, x, ssautil.Root(i.X), 0) {
							p.detach(x.Name())
						}
					}
				}
			case *ssa.Store:
				if i.Addr == v && n.mark&same != 0 && d.mark(i.Val)&(alias|content) == 0 { // *x = T{}
					p.detach("*")
				}
			case ssa.CallInstruction:
				k := f.callee(i.Common())
				for n, arg := range k.args {
					if arg == v && k.sum != nil {
						for _, name := range k.sum.param(n).Detaches {
							p.detach(name)
						}
					}
				}
			}
		}
	}
	for _, c := range d.closures() {
		for _, name := range c.Detaches {
			if name != "*" { // what is stored there may well be its own
				p.detach(name)
			}
		}
	}
	slices.Sort(p.Detaches)
}

// isNested says whether v is the address of a struct that is a field.
func isNested(v ssa.Value) bool {
	fa, ok := v.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	_, ok = fa.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	return ok
}

// closures are what the closures that are called here do to the variables that hold the
// origin.
func (d *derivation) closures() []*Param {
	var all []*Param
	for _, n := range d.nodes.list {
		v := n.value
		if v.Referrers() == nil || n.mark&same == 0 {
			continue
		}
		for _, r := range *v.Referrers() {
			s, ok := r.(*ssa.Store)
			if !ok || s.Val != v {
				continue
			}
			for _, m := range d.f.cells().of(s.Addr).closures {
				for _, c := range callsOf(m) {
					k := d.f.callee(c.Common())
					for i := k.free; i < len(k.args); i++ {
						if k.args[i] == s.Addr && k.sum != nil {
							all = append(all, k.sum.param(i))
						}
					}
				}
			}
		}
	}
	return all
}

func (p *Param) detach(name string) {
	if !slices.Contains(p.Detaches, name) {
		p.Detaches = append(p.Detaches, name)
	}
}

// allocates finds the results that are memory of a parameter that is an arena.
func (f *function) allocates(p *Param, d *derived) {
	for _, m := range f.memoryOf(d) {
		var q Param
		f.results(&q, m.derived)
		if bits := q.Same | q.Alias; bits != 0 {
			if m.text {
				p.Text |= bits
			} else {
				p.Alloc |= bits
			}
		}
	}
}

// A piece is what one call allocated from an arena.
type piece struct {
	*derived
	call *ssa.Call
	text bool
}

// memoryOf follows what is allocated from an arena.
func (f *function) memoryOf(d *derived) []piece {
	all := slices.Clone(d.pieces)
	seen := map[*ssa.Call]bool{}
	for _, v := range d.arenas() {
		for _, r := range *v.Referrers() {
			c, ok := r.(*ssa.Call)
			if !ok || seen[c] {
				continue
			}
			k := f.callee(&c.Call)
			if k.sum == nil {
				continue
			}
			for i, arg := range k.args {
				p := k.sum.param(i)
				if arg != v || p.Alloc|p.Text == 0 {
					continue
				}
				seen[c] = true
				if root := result(c, p.Alloc|p.Text); root != nil {
					m := same
					if p.Text != 0 {
						m = text
					}
					all = append(all, piece{f.follow(root, m|alias), c, p.Text != 0})
				}
			}
		}
	}
	return all
}

// arenas are the values that are the arena itself, or were loaded from a field of it: a
// pool may hand out arenas in a wrapper.
func (d *derived) arenas() []ssa.Value {
	var all []ssa.Value
	for _, n := range d.nodes.list {
		v := n.value
		if v.Referrers() == nil || n.mark == 0 {
			continue
		}
		if n.mark&same != 0 {
			all = append(all, v)
		}
		if _, ok := v.(*ssa.FieldAddr); !ok || n.mark&alias == 0 {
			continue
		}
		for _, r := range *v.Referrers() {
			if load, ok := r.(*ssa.UnOp); ok && arenaKind(load.Type()) != catalog.None {
				all = append(all, load)
			}
		}
	}
	return all
}

// result is the first of the results in bits.
func result(c *ssa.Call, bits uint64) ssa.Value {
	if c.Call.Signature().Results().Len() == 1 {
		return c
	}
	for _, r := range *c.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && bits&(1<<e.Index) != 0 {
			return e
		}
	}
	return nil
}

// returned says whether an acquired value is handed to the caller, who has to release it
// then.
func (f *function) returned(s *Summary, o *Origin) {
	r := o.run
	n := f.Signature.Results().Len()
	for i := range n {
		yes, shared, taken := false, false, false
		for _, ret := range f.returns() {
			v := ret.Results[i]
			m := o.d.mark(v)
			for k, other := range ret.Results {
				if k != i && m&same != 0 && o.d.mark(other)&(same|hold) != 0 {
					return // with what releases it
				}
			}
			switch {
			case m&same != 0 && r.exits[ret]&(all(live)|all(handed)|all(dropped)) != 0 && r.exits[ret]&all(released) == 0:
				yes = true
				shared = shared || r.exits[ret]&all(handed) != 0
			case o.d.resliced(v) && r.exits[ret]&(all(handed)|all(released)) == 0:
				yes = true
			case o.d.takenOut(v) && r.exits[ret]&(all(handed)|all(released)) == 0:
				yes, taken = true, true
			case isNil(v), made(v):
			default:
				return
			}
		}
		if yes {
			var p Param
			f.detaches(&p, o.d.derivation)
			for name := range o.d.detached {
				p.detach(name)
			}
			slices.Sort(p.Detaches)
			*s.growResult(i) = Acquired{o.Kind, o.Pool, p.Detaches, shared, taken}
		}
	}
}

// takenOut says whether v is, or is part of, the slice that the origin points to: who gets
// that has what is pooled, but for the pointer.
func (d *derivation) takenOut(v ssa.Value) bool {
	load, ok := whole(v).(*ssa.UnOp)
	if !ok || load.Op != token.MUL || !ssautil.IsSlice(load.Type()) {
		return false
	}
	phi, ok := load.X.(*ssa.Phi)
	if !ok || d.mark(phi)&same == 0 {
		return d.sure(load.X)&same != 0
	}
	return !slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool { return d.sure(e)&same == 0 && !made(e) })
}

// resliced says whether v is part of the origin, which is a slice.
func (d *derivation) resliced(v ssa.Value) bool {
	w := whole(v)
	return w != v && ssautil.IsSlice(w.Type()) && d.mark(w)&same != 0
}

// whole is the slice that v is a part of.
func whole(v ssa.Value) ssa.Value {
	for {
		s, ok := v.(*ssa.Slice)
		if !ok {
			return v
		}
		v = s.X
	}
}

// made says whether v is new memory: what is returned when the pool is empty.
func made(v ssa.Value) bool {
	switch x := ssautil.Root(v).(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.Const:
		return true
	case *ssa.Call:
		f := x.Call.StaticCallee()
		return f != nil && (len(f.Name()) > 2 && (f.Name()[:3] == "New" || f.Name()[:3] == "new"))
	}
	return false
}
