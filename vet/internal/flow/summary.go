package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// What does a function do, in terms that its callers can use? Its states are gone when it returns;
// what is left are its parameters, and its results.
//
//	func (e *encoder) bytes() []byte { return e.buf.Bytes() } // result 0: content of e, from buf
//	func (s *store) keep(b []byte)   { s.last = b }           // b: kept in s
//	func put(b *bytes.Buffer)        { pool.Put(b) }          // b: released
//	func get() *bytes.Buffer         { return pool.Get().(*bytes.Buffer) } // result 0: acquired
//
// It takes the effects on each parameter and joins them over all paths. What is not certain, or has
// no name for the caller, makes the parameter unknown: it may be anywhere, so that nothing is
// reported of it. That errs towards silence.

// Tracked holds the aliases of a value and the effects on them.
type Tracked struct {
	*Aliases
	Effects Effects
	pieces  []piece // of a part that is an arena: what methods allocate from it
}

// track derives from root and finds the effects.
func (f *Function) track(root ssa.Value, m Mark, detached ...string) *Tracked {
	d := f.derive(root, m, detached)
	return &Tracked{Aliases: d, Effects: d.effects()}
}

// TrackCaptured does so for what a captured variable holds when the closure is called. The variable has
// no value of its own in SSA: what derives begins with the loads that can see the value at entry.
func (f *Function) TrackCaptured(v *ssa.FreeVar) *Tracked {
	d := f.newDerivation(v)
	d.captured = v
	begin := func(d *Aliases) {
		d.Nodes.get(v)
		for _, l := range f.definitions().variable(v).entry {
			d.add(l.value, MarkSame, v)
			d.needs(l.value, l.sources)
		}
		d.propagate()
	}
	begin(d)
	d = d.settle(begin)
	return &Tracked{Aliases: d, Effects: d.effects()}
}

// Has reports whether an effect is of one of the kinds.
func (d *Tracked) Has(effects ...EffectKind) bool {
	for _, list := range d.Effects {
		for _, a := range list {
			if slices.Contains(effects, a.Kind) {
				return true
			}
		}
	}
	return false
}

// summaryOf finds out what f does with its parameters and captured variables, and whether
// its results have to be released. It uses the summaries of the callees as they are: summarize comes
// again when one of them changes.
//
// A function that calls itself sees what was found of it in the round before, at first nothing.
func (a *Package) summaryOf(f *Function) *Summary {
	s := new(Summary)
	var all []followed
	for i, p := range f.Params {
		if pointers(p.Type()) {
			d := f.track(p, MarkSame)
			all = append(all, followed{i, d})
			f.param(s, i, d)
			if names := f.through(p); names != nil {
				s.grow(i).Through = names
			}
			if f.leaves(p) {
				s.grow(i).Leaves = true
			}
		}
	}
	for j, v := range f.FreeVars {
		d := f.TrackCaptured(v)
		all = append(all, followed{len(f.Params) + j, d})
		f.param(s, len(f.Params)+j, d)
	}
	f.usedAfter(s, all)
	f.empties(s)
	f.acquiredOrigins = f.acquired()
	for _, o := range f.acquiredOrigins {
		f.returned(s, o)
		f.returnedIn(s, o)
		f.builtAround(s, o)
	}
	if obj, ok := f.Object().(*types.Func); ok {
		a.directed(f, obj, s)
	}
	return s
}

// directed adds what the doc comment of f says.
func (a *Package) directed(f *Function, obj *types.Func, s *Summary) {
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
				x.Release = ReleaseAlways
			case "borrows":
				x.Keep, x.Unknown, x.KeptIn, x.Hold = false, false, 0, 0
			case "owns":
				x.Unknown = true
			}
		}
	}
}

// param adds what f does with parameter i.
func (f *Function) param(s *Summary, i int, d *Tracked) {
	if p := f.paramOf(d); !p.zero() {
		*s.grow(i) = p
	}
}

// paramOf returns what f does with a parameter. It merges the effects on all paths, and keeps less
// than there is to know: a caller has no states within the callee.
func (f *Function) paramOf(d *Tracked) Param {
	var p Param
	for i, list := range d.Effects {
		for _, x := range list {
			switch x.Kind {
			case EffectUse:
				p.Use = p.Use || x.Sure
			case EffectHandOver:
				// A keep that is sure comes with a hand-over; what it says is more.
				if !keepsSurely(list) {
					p.Unknown = true
				}
			case EffectKeep:
				// A value that is sent for an answer, which is received here, is not kept.
				if answered(i) {
					p.Unknown = true
					continue
				}
				f.kept(&p, x)
			case EffectReset, EffectDeferReset:
				p.Reset = p.Reset || x.Sure
			case EffectSpawn:
				p.Unknown = true
				p.Leaves = p.Leaves || f.leavesBehind(i, x)
			}
		}
	}
	f.results(&p, d)
	if d.Has(EffectRelease, EffectReleaseIf, EffectMayRelease, EffectDefer, EffectMayDefer) {
		f.releases(&p, d)
	}
	f.handsOver(&p, d)
	f.detaches(&p, d.Aliases)
	f.allocates(&p, d)
	return p
}

func keepsSurely(list []Effect) bool {
	return slices.ContainsFunc(list, func(a Effect) bool { return a.Kind == EffectKeep && a.Sure })
}

// answered reports whether i sends to a channel and something is received from one later: the
// answer of whoever got it.
func answered(i ssa.Instruction) bool {
	switch i.(type) {
	case *ssa.Send, *ssa.Select:
	default:
		return false
	}
	for x := range ssautil.Instructions(i.Parent()) {
		if x != i && Receives(x) && ssautil.Follows(i, x) {
			return true
		}
	}
	return false
}

// results finds the results that share the memory of a parameter on all returns. Nil and errors do not
// count, as who gets those does not use the other results. One that shares it on some returns only
// makes the parameter unknown: the caller cannot tell which it has.
func (f *Function) results(p *Param, d *Tracked) { f.resultsOf(p, d, f.Returns()) }

// resultsOf does so for some of the returns.
func (f *Function) resultsOf(p *Param, d *Tracked, returns []*ssa.Return) {
	n := f.Signature.Results().Len()
	for r := range n {
		m, any := MarkSame|MarkAlias|MarkContent|MarkHold|MarkText, false
		unsure := false
		for _, ret := range returns {
			v := ret.Results[r]
			if IsNil(v) || types.Identical(v.Type(), ErrorType) {
				unsure = unsure || d.Mark(v)&MarkSame != 0
				continue
			}
			got := d.Sure(v)
			if !d.HeldAt(v, ret) && !d.isNilAt(ret.Block()) {
				got = 0
			}
			unsure = unsure || d.Mark(v) != 0
			// The marks that all returns have.
			m &= got
			any = true
		}
		bit := uint64(1) << r
		switch {
		case !any:
		case m&MarkSame != 0:
			// The strongest mark that is left is what callers are told, as it implies the weaker
			// ones.
			p.Same |= bit
		case m&MarkAlias != 0 || m&MarkText != 0:
			p.Alias |= bit
		case m&MarkContent != 0:
			p.Content |= bit
			p.From = d.loadedFields(p.From)
		case m&MarkHold != 0:
			p.Hold |= bit
			p.HeldFrom = d.heldFields()
		case unsure:
			p.Unknown = true
		}
	}
}

// loadedFields adds the fields of the origin that slices are loaded from.
func (d *Tracked) loadedFields(names []string) []string {
	for _, n := range d.Nodes.List {
		u, ok := n.Value.(*ssa.UnOp)
		if !ok || n.Mark&MarkContent == 0 {
			continue
		}
		if fa, ok := u.X.(*ssa.FieldAddr); ok && !slices.Contains(names, FieldName(fa)) {
			names = append(names, FieldName(fa))
		}
	}
	for _, n := range d.Nodes.List {
		c, ok := n.Value.(*ssa.Call)
		if !ok || n.Mark&MarkContent == 0 {
			continue
		}
		k := d.Func.Callee(&c.Call)
		for i := range k.Args {
			if k.Summary == nil {
				break
			}
			for _, name := range k.Summary.Param(i).From {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// Returns returns the return statements of f, in the order of its blocks.
func (f *Function) Returns() []*ssa.Return {
	var all []*ssa.Return
	for r := range ssautil.Returns(f.Function) {
		all = append(all, r)
	}
	return all
}

// detaches finds the fields of a parameter that get other memory. What was loaded from such a field
// before has no other owner: it does not end with the parameter.
//
// The field keeps its memory where the store only moves the slice, or makes it larger: reuses. A
// callee detaches what its summary says, and so does a closure that is called here, of the variable
// that it has captured.
func (f *Function) detaches(p *Param, d *Aliases) {
	for _, n := range d.Nodes.List {
		v := n.Value
		if n.Mark&MarkSame == 0 && !(n.Mark&MarkAlias != 0 && isNested(v)) {
			continue
		}
		for r := range ssautil.Uses[ssa.Instruction](v) {
			switch i := r.(type) {
			case *ssa.FieldAddr:
				if x := ssautil.Field(i); x != nil && replaces(i, x) {
					p.detach(x.Name())
				}
			case *ssa.Store:
				if i.Addr == v && n.Mark&MarkSame != 0 && d.Mark(i.Val)&(MarkAlias|MarkContent) == 0 && !f.grows(i) { // *x = T{}
					p.detach(f.clearedBy(i)...)
				}
			case ssa.CallInstruction:
				for q := range f.passed(i, v) {
					p.detach(q.Detaches...)
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

// replaces reports whether other memory than that of field x is stored at its address.
func replaces(addr *ssa.FieldAddr, x *types.Var) bool {
	for s := range ssautil.StoresTo(addr) {
		if !reuses(s.Val, x, ssautil.Root(addr.X), 0) {
			return true
		}
	}
	return false
}

// closures returns what the closures that are called here do to the variables that hold the
// origin.
func (d *Aliases) closures() []*Param {
	var all []*Param
	for _, n := range d.Nodes.List {
		if n.Mark&MarkSame == 0 {
			continue
		}
		for s := range ssautil.StoresOf(n.Value) {
			for _, m := range d.Func.definitions().variable(s.Addr).closures {
				for _, c := range callsOf(m) {
					all = append(all, d.Func.capturedBy(c, s.Addr)...)
				}
			}
		}
	}
	return all
}

// capturedBy returns the summaries of the captured variables of a closure that are the variable at
// addr; none if nothing is known of the closure.
func (f *Function) capturedBy(c ssa.CallInstruction, addr ssa.Value) []*Param {
	k := f.Callee(c.Common())
	if k.Summary == nil {
		return nil
	}
	var all []*Param
	for i := k.Captured; i < len(k.Args); i++ {
		if k.Args[i] == addr {
			all = append(all, k.Summary.Param(i))
		}
	}
	return all
}

// detach adds fields that get other memory.
func (p *Param) detach(names ...string) {
	for _, name := range names {
		if !slices.Contains(p.Detaches, name) {
			p.Detaches = append(p.Detaches, name)
		}
	}
}

// detaches reports whether the function gives a field other memory than it had.
func (p *Param) detaches(name string) bool {
	return slices.Contains(p.Detaches, name) || slices.Contains(p.Detaches, "*")
}

// allocates finds the results that are memory of a parameter that is an arena.
func (f *Function) allocates(p *Param, d *Tracked) {
	pieces := f.memoryOf(d)
	if len(pieces) == 0 {
		return
	}
	// Where there is no arena a function returns memory of the heap, which no Free ends.
	returns := slices.DeleteFunc(slices.Clone(f.Returns()), func(r *ssa.Return) bool { return d.isNilAt(r.Block()) })
	for _, m := range pieces {
		var q Param
		f.resultsOf(&q, m.Tracked, returns)
		if bits := q.Same | q.Alias; bits != 0 {
			if m.text {
				p.Text |= bits
			} else {
				p.Alloc |= bits
				if f.elementsInside(m, pieces) {
					p.Elements |= bits
				}
			}
		}
	}
}

// A piece is the memory that one call allocated from an arena.
type piece struct {
	*Tracked
	call *ssa.Call
	text bool
	list bool   // it is a list on the heap, whose elements are memory
	name string // what it is called, if it is no variable
}

// piece follows root, a result of c.
func (f *Function) piece(root ssa.Value, c *ssa.Call, text bool) piece {
	m := MarkSame
	if text {
		m = MarkText
	}
	return piece{Tracked: f.track(root, m|MarkAlias), call: c, text: text}
}

// allocatedBy follows the memory that a call allocates from an argument with which it does p; not ok if
// its result is not used.
func (f *Function) allocatedBy(c *ssa.Call, p *Param, text bool) (m piece, ok bool) {
	root := firstResult(c, p.Alloc|p.Text)
	if root == nil {
		return m, false
	}
	m = f.piece(root, c, text)
	if p.Elements == p.Alloc && p.Alloc != 0 {
		m = f.holdElements(m)
	}
	return m, true
}

// memoryOf follows what is allocated from an arena.
func (f *Function) memoryOf(d *Tracked) []piece {
	all := slices.Clone(d.pieces)
	seen := map[*ssa.Call]bool{}
	for _, v := range d.arenas() {
		for c := range ssautil.Uses[*ssa.Call](v) {
			if seen[c] {
				continue
			}
			for p := range f.passed(c, v) {
				if p.Alloc|p.Text == 0 {
					continue
				}
				// A call that gets two aliases of the arena allocates once.
				seen[c] = true
				if m, ok := f.allocatedBy(c, p, p.Text != 0); ok {
					all = append(all, m)
				}
			}
		}
	}
	return all
}

// arenas returns the values that are the arena itself, or were loaded from a field of it: a
// pool may hand out arenas in a wrapper.
func (d *Tracked) arenas() []ssa.Value {
	var all []ssa.Value
	for _, n := range d.Nodes.List {
		if n.Mark&MarkSame != 0 {
			all = append(all, n.Value)
		}
		if _, ok := n.Value.(*ssa.FieldAddr); !ok || n.Mark&MarkAlias == 0 {
			continue
		}
		for load := range ssautil.Uses[*ssa.UnOp](n.Value) {
			if arenaKind(load.Type()) != catalog.None {
				all = append(all, load)
			}
		}
	}
	return all
}

// firstResult returns the first of the results in bits, or nil if that is not used.
func firstResult(c *ssa.Call, bits uint64) ssa.Value {
	if c.Call.Signature().Results().Len() == 1 {
		return c
	}
	for e := range ssautil.Uses[*ssa.Extract](c) {
		if bits&(1<<e.Index) != 0 {
			return e
		}
	}
	return nil
}

// returned adds to s which result is an acquired value, for the caller to release. It is none if a
// return hands out something else in its place, or what releases it too.
func (f *Function) returned(s *Summary, o *Origin) {
	r := o.States
	n := f.Signature.Results().Len()
	for i := range n {
		yes, shared, taken, by := false, false, false, 0
		for _, ret := range r.returns() {
			v := ret.Results[i]
			m := o.Tracked.Mark(v)
			if m == 0 {
				v = f.Resolve(v)
			}
			at := 0
			if m&MarkSame != 0 {
				at = f.releaserAt(o, ret)
			}
			if yes && at != by && m&MarkSame != 0 {
				return
			}
			// Two results that can both release it leave the caller to choose, which is not
			// followed.
			for k, other := range ret.Results {
				if k != i && k != at-1 && m&MarkSame != 0 && o.Tracked.Mark(other)&(MarkSame|MarkHold) != 0 {
					return // with something else that may release it
				}
			}
			// The states at the return tell whether the caller gets it alive. A new value is as
			// good as one of the pool.
			switch {
			case m&MarkSame != 0 && r.Exits[ret]&(InPhase(PhaseLive)|InPhase(PhaseHanded)|InPhase(PhaseDropped)) != 0 && r.Exits[ret]&InPhase(PhaseReleased) == 0:
				// The value itself, and not released. A branch on its size may have made it
				// dropped: it is handed out all the same.
				yes, by = true, at
				shared = shared || at == 0 && r.Exits[ret]&InPhase(PhaseHanded) != 0
			case o.Tracked.resliced(v) && r.Exits[ret]&(InPhase(PhaseHanded)|InPhase(PhaseReleased)) == 0:
				// arrays.Get().(*[4096]byte)[:n]: whoever has the slice can get back to the array.
				yes = true
			case o.Tracked.takenOut(v) && r.Exits[ret]&(InPhase(PhaseHanded)|InPhase(PhaseReleased)) == 0:
				// *slices.Get().(*[]byte): the pointer is lost, and callers put the address of a
				// slice in its place.
				yes, taken = true, true
			case IsNil(v), isNew(v), f.isMadeFor(o, v), f.isOtherItem(o, v, ret):
				// What is handed out where the pool has none: callers put that as well.
			default:
				// Something else. A caller that released it could release what others have.
				return
			}
		}
		if yes {
			var p Param
			f.detaches(&p, o.Tracked.Aliases)
			for name := range o.Tracked.detached {
				p.detach(name)
			}
			slices.Sort(p.Detaches)
			*s.growResult(i) = Acquired{Kind: o.Kind, Pool: s.poolOf(i, o), Detached: p.Detaches, Shared: shared, Mixed: o.Mixed || f.isMixed(o, i), Taken: taken, By: by, Present: f.presentWith(i), Despite: f.comesWithError(o, i)}
		}
	}
}

// returns returns the return statements that the states reach: all but the one where a function that defers
// comes out of a panic.
func (r *States) returns() []*ssa.Return {
	return slices.DeleteFunc(r.Aliases.Func.Returns(), func(ret *ssa.Return) bool { return r.Exits[ret] == 0 })
}

// takenOut reports whether v is, or is part of, the slice that the origin points to: who gets
// that has what is pooled, but for the pointer.
func (d *Aliases) takenOut(v ssa.Value) bool {
	load, ok := unsliced(v).(*ssa.UnOp)
	if !ok || load.Op != token.MUL || !ssautil.IsSlice(load.Type()) {
		return false
	}
	if d.Sure(load.X)&MarkSame != 0 {
		return true
	}
	// Get or new, or one of several pools, and dereferenced behind all of them.
	m := mixture{Function: d.Func, origin: d, seen: map[ssa.Value]bool{}}
	return d.Mark(load.X)&MarkSame != 0 && m.pooled(load.X)
}

// resliced reports whether v is part of the origin, which is a slice or points to an array.
func (d *Aliases) resliced(v ssa.Value) bool {
	w := unsliced(v)
	return w != v && (ssautil.IsSlice(w.Type()) || isArray(ssautil.Deref(w.Type()))) && d.Mark(w)&MarkSame != 0
}
