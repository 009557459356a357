package events

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Is memory of an origin kept, or returned, beyond its release?
//
//	func text() []byte {
//		defer pool.Put(buf)
//		return buf.Bytes() // outlives: the next owner of buf writes into it
//	}
//
//	c.out = buf.Bytes()
//	c.flush()
//	c.out = nil // taken back, before the release or at the end: no finding
//	pool.Put(buf)
//
// What is stored has to be there still when the origin is released. A later store to the same field
// of any struct, a call that empties it, a wait for whoever got the memory, or a release of what it
// was stored in are all taken to end that: silence.

// outlives is memory of the origin that is kept, or returned, although the origin was released or
// certainly will be.
var outlives = event{
	effect: func(fd *finder, i ssa.Instruction, a flow.Effect, s flow.State) {
		if a.Kind != flow.EffectKeep || !fd.keeps(i, a) {
			return
		}
		e := Event{Kind: Outlives, Pos: a.Pos, What: a.What, Value: a.Value, Stored: a.At}
		switch {
		case fd.staysInArena(a.To):
			return
		case s.IsReleased():
			e.Release = fd.releaseBefore(i)
		case (fd.alwaysReleasedAfter(i) || fd.releasedUnlessFailed(i)) && !fd.cleared(i, a) && !fd.joined(i, a) && !fd.containerReleased(a.To) && !fd.spent(i, a):
			e.Release, e.Deferred = fd.releaseAfter(i), fd.deferredAfter(i)
		default:
			return
		}
		fd.report(e)
	},
	exit: (*finder).returned,
	origin: func(fd *finder) {
		fd.keptAfter()
		fd.releasedAfterSent()
	},
}

// releasedAfterSent reports what was sent to a channel, or a goroutine has, if a path leads from there to a release
// without a wait in between.
func (fd *finder) releasedAfterSent() {
	if fd.origin.Borrowed || fd.origin.Received {
		return
	}
	for i := range ssautil.Instructions(fd.fn.Function) {
		for _, a := range fd.states.Effects[i] {
			if !fd.goesOff(i, a) {
				continue
			}
			if r := fd.reached(i, flow.EffectRelease, fd.pkg.Joins); r != nil {
				what := cmp.Or(a.What, "used by a goroutine")
				fd.report(Event{Kind: Outlives, Pos: a.Pos, Release: fd.releasePos(r.By), What: what, Value: a.Value})
			}
		}
	}
}

// goesOff reports whether i gives the origin to another goroutine by its effect a.
func (fd *finder) goesOff(i ssa.Instruction, a flow.Effect) bool {
	if !a.Sure || !fd.shown(a) || fd.has(i, flow.EffectGoRelease) || fd.runs(i) {
		return false
	}
	switch i.(type) {
	case *ssa.Send:
		return a.Kind == flow.EffectKeep
	case *ssa.Go:
		return a.Kind == flow.EffectSpawn
	}
	return false
}

// keptAfter reports what is kept whenever the origin was released before, although that happens on some
// paths only.
func (fd *finder) keptAfter() {
	if fd.origin.Borrowed {
		return
	}
	for _, i := range fd.releases() {
		if _, later := i.(*ssa.Defer); later {
			continue
		}
		if a := fd.inevitably(i, flow.EffectKeep); a != nil && fd.keeps(a.By, *a) && !fd.staysInArena(a.To) {
			fd.report(Event{Kind: Outlives, Pos: a.Pos, Release: fd.releasePos(i), What: a.What, Value: a.Value, Stored: a.At})
		}
	}
}

// staysInArena reports whether what is stored at an address of the same arena ends with it.
func (fd *finder) staysInArena(to ssa.Value) bool {
	return to != nil && slices.ContainsFunc(fd.origin.Siblings, func(d *flow.Tracked) bool { return d.Inside(to) || d.InOwner(to) })
}

// returned reports memory that a return hands out.
func (fd *finder) returned(ret *ssa.Return) {
	if fd.origin.Borrowed || fd.states.Exits[ret]&flow.InPhase(flow.PhaseReleased) == 0 {
		return
	}
	// Two proofs: released on all paths to the return, or a release that cannot end well.
	must, always := fd.states.Exits[ret].IsReleased(), fd.hopeless(ret)
	for _, v := range ret.Results {
		if !fd.states.Aliases.HeldAt(v, ret) || !(must && fd.shows(v) && (fd.states.Aliases.Sure(v) != 0 || fd.derivesOnEdge(ret, v)) || always != nil && fd.showsAfter(always, v)) {
			continue
		}
		release := fd.releaseBefore(ret)
		deferred := false
		for _, r := range fd.releases() {
			if _, ok := r.(*ssa.Defer); ok && ssautil.Follows(r, ret) {
				deferred = true
			}
		}
		fd.report(Event{Kind: Outlives, Pos: fd.fn.ReturnPos(ret), Release: release, Deferred: deferred, What: "returned", Value: v})
		return
	}
}

// showsAfter reports whether v shows the origin's memory whenever i was executed before.
func (fd *finder) showsAfter(i ssa.Instruction, v ssa.Value) bool {
	return fd.shows(v) && fd.states.Aliases.SureAfter(i, v)
}

// shows reports whether v, once returned, shows the origin's memory.
func (fd *finder) shows(v ssa.Value) bool {
	if types.Identical(v.Type(), flow.ErrorType) {
		// Of an error that came from elsewhere it is not known what is in it.
		switch x := fd.fn.Resolve(v).(type) {
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		default:
			return false
		}
	}
	m := fd.states.Aliases.Mark(v) & flow.MarkMemory
	return m != 0 && !flow.IsCopy(v) && (m != flow.MarkText || fd.origin.Kind > catalog.Typed || fd.origin.Kind == catalog.Item)
}

// hopeless returns a release that can lead to ret, and to no other return unless that hands out the
// memory too: then it is a mistake whenever it happens. It is nil if there is none. This is the second
// proof of the package: the states at ret, a union over all paths, only show that it may be released.
//
// An example, in which the put can lead to both returns, and only one hands out memory. That a path
// takes this one is not known, so it is no proof:
//
//	out := buf.Bytes()
//	if full {
//		pool.Put(buf)
//	}
//	if text == "" {
//		return nil
//	}
//	return out
func (fd *finder) hopeless(ret *ssa.Return) ssa.Instruction {
	for _, i := range fd.releases() {
		if !fd.leadsTo(i, ret) || fd.onError(i, ret) {
			continue
		}
		only := true
		for _, other := range fd.fn.Returns() {
			if !ssautil.Follows(i, other) {
				continue
			}
			out := slices.ContainsFunc(other.Results, func(v ssa.Value) bool { return fd.showsAfter(i, v) })
			only = only && out
		}
		if only {
			return i
		}
	}
	return nil
}

// onError reports whether the release i happens because a call has failed one of whose other
// results ret hands out: by convention there is nothing in that then.
//
// An example. The release and the return are for a failed call, whose other result is empty by
// convention:
//
//	out, err := encode(buf)
//	if err != nil {
//		pool.Put(buf)
//	}
//	return out, err
func (fd *finder) onError(i ssa.Instruction, ret *ssa.Return) bool {
	for b := i.Block(); b.Idom() != nil; b = b.Idom() {
		// A block with one predecessor is entered by the edge of its dominator's branch on all
		// paths to the release.
		branch, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		call, failed := fd.fn.Failure(branch.Cond)
		if call == nil || (b == b.Idom().Succs[0]) != failed {
			continue
		}
		for _, v := range ret.Results {
			if e, ok := ssautil.Root(fd.fn.Resolve(v)).(*ssa.Extract); ok && e.Tuple == ssa.Value(call) && !types.Identical(e.Type(), flow.ErrorType) {
				return true
			}
		}
	}
	return false
}

// containerReleased reports whether the function also releases what v leads into: whoever gets that next
// has to expect what is in it.
//
// An example: the next owner of the encoder finds the buffer there, and sets the field before it
// uses it.
//
//	e.buf = b
//	...
//	encoders.Put(e)
//	buffers.Put(b)
func (fd *finder) containerReleased(v ssa.Value) bool {
	if v == nil {
		return false
	}
	base := flow.LoadedFrom(v)
	for _, c := range fd.fn.Calls {
		k := fd.fn.Callee(c.Common())
		if k.Summary == nil {
			continue
		}
		for n, arg := range k.Args {
			if fd.states.Aliases.Mark(arg)&flow.MarkSame != 0 {
				continue // the origin itself, which may come from another field
			}
			if k.Summary.Param(n).Release != flow.ReleaseNever && flow.LoadedFrom(arg) == base {
				return true
			}
		}
	}
	return false
}

// cleared reports whether what was stored is taken back later, by another store to the same field or by
// a call. Function literals count wherever they run: most are deferred.
//
// That the two stores are to one struct is not proved, nor that the second is executed on all
// paths. Where either fails a finding is missed.
func (fd *finder) cleared(i ssa.Instruction, a flow.Effect) bool {
	var field *ssa.FieldAddr // that i stores to
	name := ""
	if s, ok := i.(*ssa.Store); ok {
		if field, ok = s.Addr.(*ssa.FieldAddr); !ok {
			return fd.storedAgain(s)
		}
		name = flow.FieldName(field)
	}
	functions := append([]*ssa.Function{fd.fn.Function}, ssautil.Literals(fd.fn.Function)...)
	for _, f := range functions {
		for x := range ssautil.Instructions(f) {
			switch x := x.(type) {
			case *ssa.Store:
				if field != nil && x != i && sameField(x.Addr, field) && fd.mayClear(x, i) {
					return true
				}
			case ssa.CallInstruction:
				if fd.clears(x, i, a, name) {
					return true
				}
			}
		}
	}
	return false
}

// sameField reports whether addr is the address of the same field as field, of any value of the type.
func sameField(addr ssa.Value, field *ssa.FieldAddr) bool {
	fa, ok := addr.(*ssa.FieldAddr)
	return ok && fa.Field == field.Field && types.Identical(fa.X.Type(), field.X.Type())
}

// mayClear reports whether x can take back what i has stored: it comes after i, or perhaps does, in a
// deferred call. Of a borrowed value it must store something else: a handler that keeps two requests in
// turn keeps the second.
func (fd *finder) mayClear(x, i ssa.Instruction) bool {
	if !fd.origin.Borrowed {
		_, deferred := x.(*ssa.Defer)
		return deferred || x.Parent() != i.Parent() || ssautil.Follows(i, x)
	}
	if slices.ContainsFunc(fd.states.Effects[x], func(a flow.Effect) bool { return a.Kind == flow.EffectKeep && a.Sure }) {
		return false
	}
	_, deferred := x.(*ssa.Defer)
	return deferred || x.Parent() != i.Parent() || ssautil.Follows(i, x)
}

// storedAgain reports whether a global variable gets another value.
func (fd *finder) storedAgain(s *ssa.Store) bool {
	for t := range ssautil.InstructionsOf[*ssa.Store](fd.fn.Function) {
		if t != s && t.Addr == s.Addr && fd.mayClear(t, s) {
			return true
		}
	}
	return false
}

// clears reports whether the call c takes back what instruction i has stored, in a field if it
// is known which.
//
// A call of the same function as the one that has kept the value counts too, as set(b) and set(nil)
// are a pair.
func (fd *finder) clears(c ssa.CallInstruction, i ssa.Instruction, a flow.Effect, field string) bool {
	if c == i || !fd.mayClear(c, i) {
		return false
	}
	if b, ok := c.Common().Value.(*ssa.Builtin); ok {
		return (b.Name() == "delete" || b.Name() == "clear") && (!fd.origin.Borrowed || a.To == nil || fd.samePlace(c.Common().Args[0], a.To))
	}
	if a.To == nil {
		return false
	}
	base := ssautil.Root(a.To)
	k := fd.fn.Callee(c.Common())
	for n, arg := range k.Args {
		if ssautil.Root(arg) != base && !sameVariable(ssautil.Root(arg), base) {
			continue
		}
		if fa, ok := arg.(*ssa.FieldAddr); ok && fd.origin.Borrowed && field != "" && flow.FieldName(fa) != field {
			continue // a method of another field: a lock
		}
		if k.Summary != nil && (field == "" && len(k.Summary.Param(n).Detaches) > 0 || slices.Contains(k.Summary.Param(n).Detaches, field) || slices.Contains(k.Summary.Param(n).Detaches, "*")) {
			return true
		}
		if first, ok := i.(ssa.CallInstruction); ok && fd.fn.Callee(first.Common()).Func == k.Func && k.Func != nil {
			return true
		}
	}
	return fd.takesOut(c, i, a)
}

// takesOut reports whether the call c takes out of a map what the call i has stored there, before the
// deferred release.
func (fd *finder) takesOut(c ssa.CallInstruction, i ssa.Instruction, a flow.Effect) bool {
	first, ok := i.(ssa.CallInstruction)
	if !ok || fd.afterPut(c) {
		return false
	}
	k, in := fd.fn.Callee(c.Common()), flow.LoadedFrom(a.To)
	for n, arg := range k.Args {
		if from := flow.LoadedFrom(arg); (from == in || sameName(from, in)) && k.TakesOut(n, fd.fn.Callee(first.Common()), a.Value) {
			return true
		}
	}
	return false
}

// sameName reports whether v, in a closure, is what the function around it calls w.
func sameName(v, w ssa.Value) bool {
	x, ok := v.(*ssa.FreeVar)
	if a, local := w.(*ssa.Alloc); local {
		return ok && x.Name() == a.Comment
	}
	return ok && w != nil && x.Name() == w.Name()
}

// afterPut reports whether c is, or is in a function literal that is, deferred before a deferred release:
// it runs after that.
func (fd *finder) afterPut(c ssa.CallInstruction) bool {
	for d := range ssautil.InstructionsOf[*ssa.Defer](fd.fn.Function) {
		m, _ := d.Call.Value.(*ssa.MakeClosure)
		if ssa.CallInstruction(d) != c && (m == nil || m.Fn != ssa.Value(c.Parent())) {
			continue
		}
		return slices.ContainsFunc(fd.releases(), func(r ssa.Instruction) bool {
			_, later := r.(*ssa.Defer)
			return later && ssautil.Before(d, r)
		})
	}
	return false
}

// samePlace reports whether the map or slice v can be, or be in, what a value was stored in.
func (fd *finder) samePlace(v, to ssa.Value) bool {
	y, ok := to.(*ssa.FieldAddr)
	if !ok {
		y = ssautil.LoadedFrom(to)
	}
	if x := ssautil.LoadedFrom(v); x != nil && y != nil {
		return ssautil.Field(x) == ssautil.Field(y)
	}
	from, into := flow.LoadedFrom(v), flow.LoadedFrom(to)
	return from == into || from.Parent() != into.Parent()
}

// sameVariable reports whether a, in a closure, is the variable b.
func sameVariable(a, b ssa.Value) bool {
	u, ok := a.(*ssa.UnOp)
	if !ok {
		return false
	}
	v, ok := u.X.(*ssa.FreeVar)
	return ok && b != nil && b.Name() == v.Name()
}
