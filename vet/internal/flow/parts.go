package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Parts are the fields of structs whose values are released somewhere: an encoder that has a
// pooled buffer, a session that has an arena. What methods do with them is in the summaries,
// by the field's name, so that callers who only see the struct know when its part has gone.

// findParts finds the fields of the package that are parts, and summarizes what is done with
// them.
func (a *analyzer) findParts() {
	a.parts = map[*types.Var]bool{}
	for _, f := range a.order {
		for _, c := range f.calls {
			k := f.callee(c.Common())
			if k.sum == nil {
				continue
			}
			for n, arg := range k.args[:k.free] {
				p := k.sum.param(n)
				if p.Release == Never && !p.Reset {
					continue
				}
				if fa := ssautil.LoadedFrom(ssautil.Root(arg)); fa != nil && ssautil.Field(fa) != nil {
					a.parts[ssautil.Field(fa).Origin()] = true
				}
			}
		}
	}
	if len(a.parts) == 0 {
		return
	}
	for range rounds {
		changed := false
		for _, f := range a.order {
			for i, p := range f.Params {
				for _, name := range f.partsOf(p) {
					changed = f.summarizePart(i, name) || changed
				}
			}
		}
		if !changed {
			return
		}
	}
}

// partsOf are the names of the parts of v that f, or a function it calls, has to do with.
func (f *function) partsOf(v ssa.Value) []string {
	if _, ok := v.Type().Underlying().(*types.Pointer); !ok || v.Referrers() == nil {
		return nil
	}
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, r := range *v.Referrers() {
		switch i := r.(type) {
		case *ssa.FieldAddr:
			if x := ssautil.Field(i); x != nil && f.a.parts[x.Origin()] {
				add(x.Name())
			}
		case ssa.CallInstruction:
			k := f.callee(i.Common())
			for n, arg := range k.args {
				if arg == v && k.sum != nil {
					for name := range k.sum.param(n).Parts {
						add(name)
					}
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// summarizePart adds to the summary of f what it does with a part of parameter i, and says
// whether that is news.
func (f *function) summarizePart(i int, name string) bool {
	d := f.part(f.Params[i], name)
	if d == nil {
		return false
	}
	part := f.paramOf(d)
	if part.zero() {
		return false
	}
	p := f.a.sums[f.Function].grow(i)
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
// done with base, or its field, that is not understood.
func (f *function) part(base ssa.Value, name string) *derived {
	d := f.newDerivation(base)
	d.nodes.get(base)
	var calls []partCall
	var stores []ssa.Instruction
	for _, r := range *base.Referrers() {
		switch i := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp, *ssa.Return:
		case *ssa.FieldAddr:
			if fieldName(i) != name {
				continue
			}
			for _, use := range *i.Referrers() {
				switch use := use.(type) {
				case *ssa.UnOp:
					d.add(use, same, base)
				case *ssa.DebugRef:
				case *ssa.Store:
					if use.Val == ssa.Value(i) {
						return nil
					}
					stores = append(stores, use)
					if _, made := base.(*ssa.Alloc); made {
						d.add(use.Val, same, base)
					}
				default:
					return nil
				}
			}
		case ssa.CallInstruction:
			of, ok := f.partCalls(i, base, name)
			if !ok {
				return nil
			}
			calls = append(calls, of...)
		default:
			return nil
		}
	}
	if !d.oneValue(base, stores, calls) {
		return nil
	}
	all := &derived{derivation: d}
	for _, c := range calls {
		call, ok := c.call.(*ssa.Call)
		if !ok {
			continue
		}
		for r := range call.Call.Signature().Results().Len() {
			bit, m := uint64(1)<<r, mark(0)
			if c.part.Same&bit != 0 {
				m |= same
			}
			if c.part.Alias&bit != 0 {
				m |= alias
			}
			if c.part.Content&bit != 0 {
				m |= content
			}
			if c.part.Hold&bit != 0 {
				m |= hold
			}
			d.result(call, r, m, base)
		}
		if bits := c.part.Alloc | c.part.Text; bits != 0 {
			if root := result(call, bits); root != nil {
				m, isText := same|alias, c.part.Alloc == 0
				if isText {
					m = text | alias
				}
				all.pieces = append(all.pieces, piece{f.follow(root, m), call, isText})
			}
		}
	}
	d.run()
	all.acts = d.actions()
	for _, c := range calls {
		earlier := slices.ContainsFunc(calls, func(other partCall) bool {
			_, later := other.call.(*ssa.Defer)
			return other.clears && !later && other.call != c.call && ssautil.Follows(other.call, c.call)
		})
		if !earlier {
			c.act(all.acts, base)
		}
	}
	return all
}

// oneValue says whether all loads of the field and all calls see the value that it held at
// first: that of the caller, or the one that a struct was made with.
func (d *derivation) oneValue(base ssa.Value, stores []ssa.Instruction, calls []partCall) bool {
	var sees []ssa.Instruction
	for _, n := range d.nodes.list {
		if load, ok := n.value.(*ssa.UnOp); ok {
			sees = append(sees, load)
		}
	}
	for _, c := range calls {
		if _, later := c.call.(*ssa.Defer); !later && c.clears && slices.ContainsFunc(sees, func(i ssa.Instruction) bool { return ssautil.Follows(c.call, i) }) {
			return false
		}
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
}

// partCalls are what a call does with a part of base; not ok if that is not known.
func (f *function) partCalls(c ssa.CallInstruction, base ssa.Value, name string) (all []partCall, ok bool) {
	k := f.callee(c.Common())
	if k.sum == nil || c.Common().Value == base {
		return nil, false
	}
	for n, arg := range k.args {
		if arg != base {
			continue
		}
		p := k.sum.param(n)
		clears := slices.Contains(p.Detaches, name) || slices.Contains(p.Detaches, "*")
		part := p.Parts[name]
		switch {
		case n >= k.free:
			return nil, false
		case part != nil && (part.Release != Never || !clears):
			all = append(all, partCall{c, part, clears})
		case clears || p.Unknown || p.Keep || p.KeptIn != 0 || p.Release != Never:
			return nil, false
		}
	}
	return all, true
}

// act adds what the call does.
func (c partCall) act(all actions, base ssa.Value) {
	add := func(a act, sure bool) {
		all.add(c.call, action{act: a, sure: sure, value: base, mark: same, once: c.clears})
	}
	switch c.call.(type) {
	case *ssa.Go:
		add(handOver, true)
	case *ssa.Defer:
		switch c.part.Release {
		case Always:
			add(deferred, true)
		case Perhaps:
			add(maybeDeferred, true)
		}
		if c.part.Reset {
			add(resetLater, true)
		}
	default:
		if c.part.Use {
			add(use, true)
		}
		switch c.part.Release {
		case Always:
			add(release, true)
		case Perhaps:
			add(perhaps, true)
		}
		if c.part.Reset {
			add(reset, true)
		}
	}
	if c.part.Unknown || c.part.Keep || c.part.KeptIn != 0 {
		add(handOver, true)
	}
}

// judgeParts judges the parts of what f passes to functions that release them.
func (f *function) judgeParts(judged func(*Origin)) {
	seen := map[ssa.Value][]string{}
	for _, c := range f.calls {
		k := f.callee(c.Common())
		if k.sum == nil {
			continue
		}
		for n, base := range k.args[:k.free] {
			p := k.sum.param(n)
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
			default:
				continue
			}
			seen[base] = f.partsOf(base)
			for _, name := range seen[base] {
				f.judgePart(base, name, start, judged)
			}
		}
	}
}

func (f *function) judgePart(base ssa.Value, name string, start ssa.Instruction, judged func(*Origin)) {
	d := f.part(base, name)
	if d == nil || !d.has(release, deferred, reset, resetLater) {
		return
	}
	o := &Origin{Kind: catalog.Item, Pos: base.Pos(), Name: f.baseName(base) + "." + name, Param: true, d: d}
	if s, ok := base.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct); ok {
		for x := range s.Fields() {
			if k := arenaKind(x.Type()); x.Name() == name && k != catalog.None {
				o.Kind = k
			}
		}
	}
	if d.has(release, deferred) {
		o.run = d.flow(d.acts, start, false)
		judged(o)
	}
	f.judgeMemory(o, judged)
}

// baseName is what a struct is called.
func (f *function) baseName(v ssa.Value) string {
	if p, ok := v.(*ssa.Parameter); ok {
		return p.Name()
	}
	if name := f.a.variable(v.Pos(), v); name != "" {
		return name
	}
	return "it"
}
