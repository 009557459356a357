package flow

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A queue is a channel through which pooled values go to those who put them back: a field, a global
// variable or a local one into which the package sends nothing but what it has acquired and gives up
// then, itself or in one field of a struct, and of whose receivers one puts back what it receives. Who
// receives a value has to put it back as if it had acquired it.
//
//	jobs <- b // sent only by whoever has acquired it
//
//	for b := range jobs {
//		if err := use(b); err != nil {
//			continue // lost: the loop owns what it receives
//		}
//		pool.Put(b)
//	}
//
// A free list is the other way round: what is sent there was given back. A channel that is
// exported, passed on, or sent a value from elsewhere is no queue, nor is one of whose receivers
// none puts back: silence.

// queues holds what the queues of a package carry: by the name of the field that has it, the empty name
// for what is sent itself, and the name of its pool.
type queues map[any]map[string]string

// findQueues finds the queues of the package.
func (a *Package) findQueues() {
	sent := queues{}
	for _, f := range a.Order {
		for _, s := range sendings(f.Function) {
			c := f.queueOf(s.to)
			if c == nil {
				continue
			}
			carried := f.carriedBy(s.sent, s.by, 0)
			if old, again := sent[c]; again {
				// A receiver cannot tell the senders apart, so only what all of them send counts.
				keepCommon(old, carried)
			} else {
				sent[c] = carried
			}
		}
	}
	maps.DeleteFunc(sent, func(_ any, carried map[string]string) bool { return len(carried) == 0 })
	if len(sent) == 0 {
		return
	}
	a.deleteShared(sent)
	released := map[any]bool{}
	for _, f := range a.Order {
		for _, at := range f.arrivals() {
			for name := range sent[at.from] {
				o := f.queuedIn(at.value, name)
				released[at.from] = released[at.from] || o != nil && o.Tracked.Has(EffectRelease, EffectDefer)
			}
		}
	}
	maps.DeleteFunc(sent, func(c any, _ map[string]string) bool { return !released[c] })
	a.queued = sent
}

// queueOf returns what a channel is known by that only the package can send to: a field, or a variable;
// nil if there is no such thing.
func (f *Function) queueOf(v ssa.Value) any {
	if t, ok := v.(*ssa.ChangeType); ok {
		v = t.X
	}
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	switch x := load.X.(type) {
	case *ssa.Global, *ssa.FieldAddr:
		c, _ := channel(load).(*types.Var)
		if c == nil || c.Exported() || c.Pkg() != f.Package.Pass.Pkg || f.Package.freeLists[c] {
			return nil
		}
		return c
	case *ssa.Alloc:
		return x
	case *ssa.FreeVar:
		if cell := capturedVariable(x, 0); cell != nil {
			return cell
		}
	}
	return nil
}

// capturedVariable returns the variable that a closure has captured as v; nil if that is not known.
//
// All closures of the function have to have captured one and the same variable.
func capturedVariable(v *ssa.FreeVar, depth int) *ssa.Alloc {
	fn := v.Parent()
	n := slices.Index(fn.FreeVars, v)
	if fn.Parent() == nil || depth > 4 {
		return nil
	}
	var cell *ssa.Alloc
	for m := range ssautil.InstructionsOf[*ssa.MakeClosure](fn.Parent()) {
		if m.Fn != ssa.Value(fn) {
			continue
		}
		var x *ssa.Alloc
		switch b := m.Bindings[n].(type) {
		case *ssa.Alloc:
			x = b
		case *ssa.FreeVar:
			x = capturedVariable(b, depth+1)
		}
		if x == nil || cell != nil && cell != x {
			return nil
		}
		cell = x
	}
	return cell
}

// carriedBy returns what f gives up by an instruction that sends v, or passes it to a function which does.
//
// The depth bounds functions that pass their parameter to each other.
func (f *Function) carriedBy(v ssa.Value, by ssa.Instruction, depth int) map[string]string {
	// Its callers have acquired it, and give it up by the call.
	if p := param(unsliced(v)); p != nil {
		o := &Origin{Tracked: f.track(p, MarkSame)}
		if o.States = o.Tracked.states(o.Tracked.Effects, nil, false); depth < 4 && o.isGivenUp(by) {
			return f.carriedByCallers(p, depth+1)
		}
		return nil
	}
	all := map[string]string{}
	for _, o := range f.acquiredOrigins {
		if o.Mixed || o.Shared || o.OwnPool || o.Kind != catalog.Item || !o.isGivenUp(by) {
			continue
		}
		if o.Tracked.Sure(v)&(MarkSame|MarkAlias) != 0 {
			all[""] = o.Pool
		}
		for name := range o.Tracked.fieldsOf(v) {
			all[name] = o.Pool
		}
	}
	return all
}

// fieldsOf returns the fields of a struct in a local variable, at v or loaded from there, that surely hold
// the origin.
func (d *Aliases) fieldsOf(v ssa.Value) map[string]bool {
	cell, ok := ssautil.Root(v).(*ssa.Alloc)
	if load, is := v.(*ssa.UnOp); is {
		cell, ok = load.X.(*ssa.Alloc)
	}
	if !ok || d.Mark(cell)&MarkHold == 0 {
		return nil
	}
	s, ok := ssautil.Deref(cell.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	all := map[string]bool{}
	for n := range s.NumFields() {
		stores := fieldStores(cell, n, 0)
		if len(stores) > 0 && !slices.ContainsFunc(stores, func(v ssa.Value) bool { return d.Sure(v)&(MarkSame|MarkAlias) == 0 }) {
			all[s.Field(n).Name()] = true
		}
	}
	return all
}

// isGivenUp reports whether nobody gets the origin but by a channel, or an instruction that leads it
// there, and nothing releases it once it was sent.
//
// A release before it is sent, as on an error path, leaves nothing to send. One behind that means
// that the sender still owns the value.
func (o *Origin) isGivenUp(by ssa.Instruction) bool {
	for i, list := range o.Tracked.Effects {
		_, send := i.(*ssa.Send)
		_, chosen := i.(*ssa.Select)
		if i == by || send || chosen {
			continue
		}
		for _, a := range list {
			switch a.Kind {
			case EffectUse:
			case EffectRelease:
				if o.States.Before[i]&InPhase(PhaseHanded) != 0 {
					return false
				}
			default:
				return false
			}
		}
	}
	return !o.Tracked.isReturned()
}

// carriedByCallers returns what all callers of f, which only the package has, give up by passing it for
// a parameter.
//
// All calls have to be in sight, so the function must not be exported, nor used as a value, nor be
// called through an interface.
func (f *Function) carriedByCallers(p *ssa.Parameter, depth int) map[string]string {
	if f.Object() == nil {
		return nil
	}
	n := slices.Index(f.Params, p)
	all := map[string]string{}
	for i, s := range f.callSites() {
		var carried map[string]string
		if _, now := s.call.(*ssa.Call); now {
			carried = s.in.carriedBy(s.call.Common().Args[n], s.call, depth)
		}
		if i == 0 {
			maps.Copy(all, carried)
		}
		keepCommon(all, carried)
	}
	return all
}

// keepCommon deletes from one what is not in another.
func keepCommon(all, carried map[string]string) {
	maps.DeleteFunc(all, func(name, _ string) bool { _, both := carried[name]; return !both })
}
