package flow

import (
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Parts are the fields of structs whose values are released somewhere: an encoder that has a
// pooled buffer, a session that has an arena. What methods do with them is in the summaries,
// by the field's name, so that callers who only see the struct know when its part has gone.
//
// An example, in which no caller names the buffer:
//
//	func (r *reader) Close() { buffers.Put(r.inner) } // releases the part inner
//	func (r *reader) Renew() { buffers.Put(r.inner); r.inner = get() }
//
//	r.Close()
//	r.Close() // inner is put back twice
//
//	r.Renew()
//	r.Renew() // right: between the two the field gets another value
//
// A part is followed only where the field surely holds one value for all that look at it. A store,
// a call that may set the field, or an owner that goes where it cannot be followed end that, which
// is silence.

// findParts finds the fields of the package that are parts, and summarizes what is done with
// them.
//
// It ends after three rounds, or earlier when a round changes nothing. One round suffices for
// chains of calls, as callees come first; what recursion needs more for is missed.
func (a *Package) findParts() {
	a.parts = map[*types.Var]bool{}
	for _, f := range a.Order {
		for _, c := range f.Calls {
			if k := f.Callee(c.Common()); k.Summary != nil {
				a.addParts(k)
			}
		}
	}
	if len(a.parts) == 0 && !a.lists {
		return
	}
	a.partKinds()
	for range rounds {
		changed := false
		for _, f := range a.Order {
			for i, v := range f.operands() {
				for _, name := range f.partsOf(v) {
					changed = f.summarizePart(i, v, name) || changed
				}
			}
		}
		if !changed {
			return
		}
	}
}

// addParts notes the fields that the arguments are loaded from which a callee releases.
func (a *Package) addParts(k Callee) {
	for n, arg := range k.Args[:k.Captured] {
		p := k.Summary.Param(n)
		if p.Release == ReleaseNever && !p.Reset {
			continue
		}
		a.addPart(ssautil.Root(arg))
		// The slice that the variable has was loaded from the field: v := s.buf; put(&v).
		if cell, ok := ssautil.Root(arg).(*ssa.Alloc); ok { // put(&v)
			for s := range ssautil.StoresTo(cell) {
				a.addPart(ssautil.Root(s.Val))
			}
		}
	}
}

// addPart notes the field that v is loaded from, if any.
func (a *Package) addPart(v ssa.Value) {
	x := ssautil.LoadedField(v)
	if of, ok := v.(*ssa.Field); ok {
		x = ssautil.FieldOf(of.X.Type(), of.Field)
	}
	if x != nil {
		a.parts[x.Origin()] = true
	}
	if u, ok := v.(*ssa.UnOp); ok && !a.lists {
		element, ok := u.X.(*ssa.IndexAddr)
		a.lists = ok && ssautil.LoadedFrom(element.X) != nil
	}
}

// partsOf returns the names of the parts of v that f, or a function it calls, has to do with.
func (f *Function) partsOf(v ssa.Value) []string {
	if !owns(v) {
		return nil
	}
	uses, _ := f.ownerUses(v)
	names := map[string]bool{}
	for _, r := range uses {
		switch i := r.instr.(type) {
		case *ssa.FieldAddr:
			if x := ssautil.Field(i); x != nil && f.Package.parts[x.Origin()] {
				names[r.within+x.Name()] = true
			}
			if f.releasesElements(i) != nil {
				names[r.within+FieldName(i)+elementsOf] = true
			}
		case *ssa.Field:
			if x := ssautil.FieldOf(i.X.Type(), i.Field); x != nil && f.Package.parts[x.Origin()] {
				names[r.within+x.Name()] = true
			}
		case ssa.CallInstruction:
			for p := range f.passed(i, r.value) {
				for name := range p.Parts {
					names[r.within+name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// passed returns an iterator over the summaries of the parameters for which a call passes v, and of the
// captured variables that v is. It is empty if nothing is known of the callee.
func (f *Function) passed(c ssa.CallInstruction, v ssa.Value) iter.Seq[*Param] {
	return func(yield func(*Param) bool) {
		k := f.Callee(c.Common())
		if k.Summary == nil {
			return
		}
		for n, arg := range k.Args {
			if arg == v && !yield(k.Summary.Param(n)) {
				return
			}
		}
	}
}

// summarizePart adds to the summary of f what it does with a part of v, which is parameter or captured
// variable i, and reports whether that is new.
func (f *Function) summarizePart(i int, v ssa.Value, name string) bool {
	d := f.part(v, name)
	if d == nil {
		return false
	}
	part := f.paramOf(d)
	if part.zero() {
		return false
	}
	p := f.Package.summaries[f.Function].grow(i)
	if old := p.Parts[name]; old != nil && old.equal(&part) {
		return false
	}
	if p.Parts == nil {
		p.Parts = map[string]*Param{}
	}
	p.Parts[name] = &part
	return true
}

// part follows a part of base, which is a parameter or came from a call; nil if something is
// done with base, or its field, that is not understood: the part may be anywhere then.
func (f *Function) part(base ssa.Value, name string) *Tracked { return f.partOf(base, name, partFirst) }

// partOf does so for one of the values that the field holds.
//
// As in Aliases.settle, what a detached field has lent before is known only when the first
// derivation is done.
func (f *Function) partOf(base ssa.Value, name string, mode partMode) *Tracked {
	all, calls := f.partWithout(base, name, mode, nil)
	if all == nil {
		return nil
	}
	var p Param
	f.detaches(&p, all.Aliases)
	for _, c := range calls {
		p.detach(c.part.Detaches...)
	}
	if len(p.Detaches) > 0 {
		all, _ = f.partWithout(base, name, mode, p.Detaches)
	}
	return all
}

// partWithout follows a part whose detached fields do not count. It returns the calls that get the struct,
// too.
func (f *Function) partWithout(base ssa.Value, name string, mode partMode, detached []string) (*Tracked, []partCall) {
	d := f.newDerivation(base)
	for _, field := range detached {
		d.detach(field)
	}
	d.Nodes.get(base)
	uses, ok := f.ownerUses(base)
	if !ok {
		return nil, nil
	}
	u := partUses{d: d, base: base, name: name, late: mode == partLast}
	for _, use := range uses {
		if !u.add(use) {
			return nil, nil
		}
	}
	// Here it is decided whether there is one value to follow at all.
	if mode == partStrict && u.opaque || !u.late && !d.oneValue(base, u.stores, u.calls, u.sees()) || u.late && !u.lastValue() {
		return nil, nil
	}
	all := &Tracked{Aliases: d}
	for _, c := range u.calls {
		if call, ok := c.call.(*ssa.Call); ok {
			all.partResults(call, c.part, base)
		}
	}
	d.propagate()
	all.Effects = d.effects()
	for _, c := range u.calls {
		if !c.afterClear(u.calls) {
			c.setOnce(u.calls)
			c.addEffects(all.Effects, base)
		}
	}
	u.addListEffects(all.Effects)
	for _, c := range u.whole { // what was not released before goes with the struct
		all.Effects.add(c, Effect{Kind: EffectHandOver, Sure: true, Value: base, Mark: MarkSame})
	}
	return all, u.calls
}

// partResults derives the results of a call that does p with the part.
func (d *Tracked) partResults(call *ssa.Call, p *Param, base ssa.Value) {
	for r := range call.Call.Signature().Results().Len() {
		bit, m := uint64(1)<<r, Mark(0)
		if p.Same&bit != 0 {
			m |= MarkSame
		}
		if p.Alias&bit != 0 {
			m |= MarkAlias
		}
		if p.Content&bit != 0 {
			m |= MarkContent
		}
		if p.Hold&bit != 0 {
			m |= MarkHold
		}
		d.result(call, r, m, base)
	}
	if p.Alloc|p.Text == 0 {
		return
	}
	if m, ok := d.Func.allocatedBy(call, p, p.Alloc == 0); ok {
		d.pieces = append(d.pieces, m)
	}
}

// oneValue reports whether all loads of the field and all calls see the value that it held at
// first: that of the caller, or the one that a struct was made with. Further instructions that see it are
// in sees.
//
// Four ways to see another value are excluded, in this order:
//
//	r.Clear(); use(r.inner)               // a call has emptied the field before a load
//	b := r.inner; r.grow(); use(r.inner)  // a call may have set it between two loads
//	defer r.Close(); r.inner = b          // the deferred call sees what is stored after it
//	r.Close(); r.inner = b; r.Close()     // a store comes before something that sees it
//
// A struct that is made here begins without a value, so exactly one store has to dominate all that
// see it.
func (d *Aliases) oneValue(base ssa.Value, stores []ssa.Instruction, calls []partCall, sees []ssa.Instruction) bool {
	for _, n := range d.Nodes.List {
		switch load := n.Value.(type) {
		case *ssa.UnOp, *ssa.Field:
			sees = append(sees, load.(ssa.Instruction))
		}
	}
	for _, c := range calls {
		if _, later := c.call.(*ssa.Defer); !later && c.clears && slices.ContainsFunc(sees, func(i ssa.Instruction) bool { return ssautil.Follows(c.call, i) }) {
			return false
		}
	}
	for _, c := range calls {
		before := func(i ssa.Instruction) bool { return ssautil.Follows(i, c.call) }
		after := func(i ssa.Instruction) bool { return ssautil.Follows(c.call, i) }
		if _, later := c.call.(*ssa.Defer); !later && c.grows && slices.ContainsFunc(sees, before) && slices.ContainsFunc(sees, after) {
			return false
		}
	}
	replaced := func(c partCall) bool { // when the function ends, the field holds something else
		_, later := c.call.(*ssa.Defer)
		return later && slices.ContainsFunc(stores, func(s ssa.Instruction) bool { return ssautil.Follows(c.call, s) })
	}
	if slices.ContainsFunc(calls, replaced) {
		return false
	}
	for _, c := range calls {
		sees = append(sees, c.call)
	}
	if _, made := base.(*ssa.Alloc); made {
		return len(stores) == 1 && !slices.ContainsFunc(sees, func(i ssa.Instruction) bool { return !ssautil.Before(stores[0], i) })
	}
	return !slices.ContainsFunc(stores, func(s ssa.Instruction) bool {
		return slices.ContainsFunc(sees, func(i ssa.Instruction) bool { return ssautil.Follows(s, i) })
	})
}

// A partCall is a call that gets base.
type partCall struct {
	call   ssa.CallInstruction
	part   *Param // what it does with the part
	clears bool   // the field holds something else afterwards
	grows  bool   // it may hold a larger copy afterwards
	once   bool   // it may do nothing, because another such call came first
}

// setOnce finds out for a call that clears the field whether it, or another such call, may come before.
//
// An example, in which the second call finds nil:
//
//	func (r *reader) Clear() {
//		if r.inner != nil {
//			buffers.Put(r.inner)
//			r.inner = nil
//		}
//	}
//
//	defer r.Clear()
//	r.Clear()
func (c *partCall) setOnce(calls []partCall) {
	_, later := c.call.(*ssa.Defer)
	c.once = c.clears && slices.ContainsFunc(calls, func(other partCall) bool {
		_, deferred := other.call.(*ssa.Defer)
		first := (deferred || later) && other.call != c.call || ssautil.Follows(other.call, c.call)
		return other.clears && other.part.Release != ReleaseNever && first
	})
}

// afterClear reports whether another call has put something else into the field by the time of c, so
// that c does nothing with the part.
func (c partCall) afterClear(calls []partCall) bool {
	return slices.ContainsFunc(calls, func(other partCall) bool {
		_, later := other.call.(*ssa.Defer)
		return other.clears && !later && other.call != c.call && ssautil.Follows(other.call, c.call)
	})
}

// partCalls returns what a call does with a part of base, which may be a variable that a closure has
// captured; not ok if that is not known.
func (f *Function) partCalls(c ssa.CallInstruction, base ssa.Value, name string, inCell bool) (all []partCall, ok bool) {
	k := f.Callee(c.Common())
	if k.Summary == nil || c.Common().Value == base {
		return nil, false
	}
	for n, arg := range k.Args {
		if arg != base {
			continue
		}
		p := k.Summary.Param(n)
		sets := f.Package.sets(k.Source, fieldNamed(base.Type(), fieldOf(name)), 0)
		clears := p.detaches(lastName(fieldOf(name))) || fieldOf(name) != name && (k.Source == nil || sets)
		part := p.Parts[name]
		// A callee that does nothing with the part is no trouble, unless it may leave another value
		// in the field, or hand the struct to others.
		switch {
		case n >= k.Captured && !inCell:
			// Only owner.go knows what a captured variable holds.
			return nil, false
		case part != nil && (part.Release != ReleaseNever || !clears):
			all = append(all, partCall{call: c, part: part, clears: clears, grows: sets})
		case clears || p.Unknown || p.Keep || p.KeptIn != 0 || p.Release != ReleaseNever:
			return nil, false
		}
	}
	return all, true
}

// addEffects adds what the call does.
func (c partCall) addEffects(all Effects, base ssa.Value) {
	add := func(a EffectKind, sure bool) {
		all.add(c.call, Effect{Kind: a, Sure: sure, Value: base, Mark: MarkSame, Once: c.once, Names: c.part.Names})
	}
	switch c.call.(type) {
	case *ssa.Go:
		// Whatever it does is done at a time of its own.
		add(EffectHandOver, true)
	case *ssa.Defer:
		switch {
		case c.part.Release.certain():
			add(EffectDefer, true)
		case c.part.Release != ReleaseNever:
			add(EffectMayDefer, true)
		}
		if c.part.Reset {
			add(EffectDeferReset, true)
		}
	default:
		if c.part.Use {
			add(EffectUse, true)
		}
		switch {
		case c.part.Release.certain():
			add(EffectRelease, true)
		case c.part.Release != ReleaseNever:
			add(EffectMayRelease, true)
		}
		if c.part.Reset {
			add(EffectReset, true)
		}
	}
	if c.part.Unknown || c.part.Keep || c.part.KeptIn != 0 {
		add(EffectHandOver, true)
	}
}

// visitParts visits the parts of what f passes to functions that release them.
func (f *Function) visitParts(visit func(*Origin)) {
	seen := map[ssa.Value][]string{}
	for _, c := range f.Calls {
		k := f.Callee(c.Common())
		if k.Summary == nil {
			continue
		}
		for n, arg := range k.Args {
			p := k.Summary.Param(n)
			base := ownerOf(arg)
			if len(p.Parts) == 0 || seen[base] != nil {
				continue
			}
			var start ssa.Instruction
			switch v := base.(type) {
			case *ssa.Parameter:
			case *ssa.Alloc:
				start = v
			case *ssa.Call:
				start = v
			case *ssa.Extract:
				start = v
			case *ssa.TypeAssert:
				start = v
			case *ssa.UnOp:
				if start = v; !isLone(v) {
					continue
				}
			default:
				continue
			}
			seen[base] = f.partsOf(base)
			for _, name := range seen[base] {
				f.visitPart(base, name, start, visit)
			}
		}
	}
	f.visitBuilt(seen, visit)
}

func (f *Function) visitPart(base ssa.Value, name string, start ssa.Instruction, visit func(*Origin)) {
	d := f.part(base, name)
	if d == nil {
		// The first value is not the only one; the last may be.
		d = f.partOf(base, name, partLast)
	}
	if d == nil || !d.Has(EffectRelease, EffectDefer, EffectReset, EffectDeferReset) {
		return
	}
	f.addBuilt(d, base, name)
	o := &Origin{Kind: catalog.Item, Pos: base.Pos(), Name: f.baseName(base) + "." + name, Param: true, Tracked: d}
	if fieldOf(name) != name {
		o.Name = "each of " + f.baseName(base) + "." + fieldOf(name)
	}
	if x := fieldAt(base.Type(), name); x != nil && arenaKind(x.Type()) != catalog.None {
		w, _ := f.within(base, name)
		o.Kind = max(arenaKind(x.Type()), f.Package.kinds[x.Origin()], w.Kind)
	}
	if d.Has(EffectRelease, EffectDefer) {
		o.States = d.states(d.Effects, start, false)
		visit(o)
	}
	f.visitMemory(o, visit)
}

// baseName returns what a struct is called.
func (f *Function) baseName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.Alloc:
		if v.Comment != "complit" && v.Comment != "new" {
			return v.Comment // the variable
		}
	case *ssa.UnOp:
		return f.path(v)
	}
	pos := v.Pos()
	if e, ok := v.(*ssa.Extract); ok {
		pos = e.Tuple.Pos()
	}
	if name := f.Package.variable(pos, v); name != "" {
		return name
	}
	return "it"
}

// fieldNamed returns the field of a struct that t leads to, or one in its fields that dots lead to; nil if there
// is none.
func fieldNamed(t types.Type, path string) *types.Var {
	if x := fieldAt(ssautil.Deref(t), path); x != nil {
		return x.Origin()
	}
	return nil
}

// lastName returns the name of the field that dots lead to.
func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
