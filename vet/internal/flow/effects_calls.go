package flow

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// What does a call do to an argument that derives? The summary of the callee says it in terms of
// its parameter. Here that becomes effects on the origin, which depend on the call too: one that is
// deferred, or starts a goroutine, does the same at another time.
//
//	put(b)       // released, if the summary says always; perhaps released if it says perhaps
//	err := try(b) // released if told: the phase is settled where err is compared
//	defer put(b)  // to be released
//	go put(b)     // handed over for good: no right to use it any more
//	wrap(h)       // handed over, if h is a struct that holds b: it may release what is in it
//
// Nothing is known of a function value, or of an interface whose types are open, unless the method
// is one that by its contract keeps nothing, such as Write. Such a call hands the argument over,
// which is silence from there on.

// An argument is a value that derives from the origin, and is passed to a call.
type argument struct {
	effects Effects // of the call, and all others
	call    ssa.CallInstruction
	callee  Callee
	index   int       // among the arguments of callee
	value   ssa.Value // that derives, or the variable that holds it
	mark    Mark      // of value
	sure    bool      // value derives on all paths
	cell    bool      // value is a variable, and what is passed its address
}

// add adds an effect that the call has on the argument.
func (a *argument) add(kind EffectKind, sure bool) { a.effect(Effect{Kind: kind, Sure: sure}) }

// handOver adds that others may release the origin from the call on.
func (a *argument) handOver() { a.add(EffectHandOver, a.sure) }

// keep adds that the call stores the argument: in the argument to, or elsewhere if that is nil.
func (a *argument) keep(p *Param, to ssa.Value) {
	a.effect(Effect{Kind: EffectKeep, Sure: a.shows(), What: "kept by " + CalleeName(a.callee), To: to, At: p.keptAt})
}

func (a *argument) effect(x Effect) {
	if x.Kind == EffectHandOver && a.mark&(MarkSame|MarkAlias|MarkHold) == 0 {
		return // it cannot be released by a slice of its contents
	}
	x.Value, x.Mark, x.ByCall, x.Once = a.value, a.mark, true, a.callee.Once
	a.effects.add(a.call, x)
}

// shows reports whether the argument surely shows memory of the origin.
func (a *argument) shows() bool { return a.sure && a.mark&MarkMemory != 0 && !IsCopy(a.value) }

// deferred reports whether the call happens when the function ends.
func (a *argument) deferred() bool {
	_, ok := a.call.(*ssa.Defer)
	return ok
}

// argumentEffects adds what a callee does with an argument. A callee without a summary may do
// anything, also later: from there on the origin takes part in no event.
func (d *Aliases) argumentEffects(a *argument) {
	if c, ok := a.value.(*ssa.MakeClosure); ok && isYield(c) {
		// The body of a loop over a function: it runs here and now.
		if d.releasedBy(c) {
			a.handOver()
		}
		return
	}
	var p *Param
	if a.callee.Summary != nil {
		p = a.callee.Summary.Param(a.index)
	}
	_, isGo := a.call.(*ssa.Go)
	switch {
	case isGo:
		d.goEffects(a, p)
	case p == nil:
		a.add(EffectUse, a.shows())
		a.handOver()
	case p.Release != ReleaseNever && d.releasable(a.value, a.mark, a.cell):
		d.release(a, p)
	default:
		d.keepEffects(a, p)
	}
}

// goEffects adds what starting a goroutine with an argument does. A goroutine that surely releases the
// argument owns it: the function has nothing to release any more, and no right to use it.
//
// One that may release it, or is not known, makes it the goroutine's business as well, but nothing
// certain.
func (d *Aliases) goEffects(a *argument, p *Param) {
	if p != nil && p.Release.certain() && a.sure && d.releasable(a.value, a.mark, a.cell) {
		a.add(EffectGoRelease, true)
		a.handOver()
		return
	}
	if p == nil || p.Release != ReleaseNever {
		a.handOver()
		return
	}
	a.add(EffectSpawn, a.shows())
	if p.Keep || p.Unknown || p.KeptIn != 0 {
		a.handOver()
	}
}

// release adds that the call releases the argument, perhaps does, or tells whether it has.
//
// What is told goes before what is certain: with an argument that is constant here, a conditional
// release is a release, or none.
//
//	p.finish(b, true)  // finish puts b if its second argument is true: a release
//	p.finish(b, false) // none: finish has dropped b, of which nothing is reported any more
func (d *Aliases) release(a *argument, p *Param) {
	phase, cond := d.toldBy(a, p)
	always := a.sure && (phase == PhaseReleased || cond == nil && p.Release.certain())
	switch {
	case always && a.deferred():
		a.effect(Effect{Kind: EffectDefer, Sure: true, Names: p.Names})
	case cond != nil && a.sure:
		a.effect(Effect{Kind: EffectReleaseIf, Sure: true, Cond: cond, Told: p.Told})
	case phase == PhaseLive:
		a.add(EffectUse, a.shows())
	case phase == PhaseHanded:
		a.handOver()
	case a.deferred():
		x := Effect{Kind: EffectMayDefer, Sure: a.sure}
		if t := p.Told; t != nil && a.sure && a.cell && -1-t.Result >= a.callee.Captured {
			x.Cond, x.Told = a.callee.Args[-1-t.Result], t
		}
		a.effect(x)
	case always:
		a.effect(Effect{Kind: EffectRelease, Sure: true, Names: p.Names})
	default:
		a.add(EffectMayRelease, a.sure)
	}
}

// toldBy returns the value that tells whether a call has released the argument, or the phase that it
// is in after the call where an argument decides, or no result is looked at. It returns PhaseMaybe and nil if neither is known.
//
// A caller that drops the result has no way to know. It takes the value for released if the callee
// drops it wherever it does not release it (ReleaseUnlessTold), and else perhaps released.
func (d *Aliases) toldBy(a *argument, p *Param) (Phase, ssa.Value) {
	if t := p.Told; t != nil && t.Result < 0 && -1-t.Result < a.callee.Captured {
		arg := d.Func.Resolve(a.callee.Args[-1-t.Result])
		switch zero, sure := d.Func.zero(arg, a.call.Block()); {
		case sure && zero:
			return t.Zero, nil
		case sure:
			return t.Other, nil
		case a.deferred():
			return PhaseMaybe, nil
		}
		return PhaseMaybe, arg
	}
	c, ok := a.call.(*ssa.Call)
	if !ok || !isUsed(c) {
		if p.Release == ReleaseUnlessTold {
			return PhaseReleased, nil
		}
		return PhaseMaybe, nil
	}
	if p.Told != nil {
		if cond := firstResult(c, 1<<p.Told.Result); cond != nil {
			return PhaseMaybe, cond
		}
	}
	return PhaseMaybe, nil
}

// isUsed reports whether a result of a call is used.
func isUsed(c *ssa.Call) bool {
	for i := range ssautil.Uses[ssa.Instruction](c) {
		if _, debug := i.(*ssa.DebugRef); !debug {
			return true
		}
	}
	return false
}

// keepEffects adds what a call does that does not release the origin by this argument: it uses it,
// resets it, stores it, or hands it on.
func (d *Aliases) keepEffects(a *argument, p *Param) {
	if d.filledLater(a, p) {
		return
	}
	// The callee releases something that holds the origin, or a part of it, and perhaps the origin
	// with that.
	if p.Release != ReleaseNever {
		a.handOver()
	}
	if p.Reset && a.mark&MarkSame != 0 {
		a.reset()
	}
	// sync.OnceFunc calls it only where its result is called, which callsOf finds.
	if c, ok := ssautil.Root(a.value).(*ssa.MakeClosure); ok && d.releasedBy(c) && onceFunc(a.call.Value()) == nil {
		a.handOver() // whoever gets it may call it
	}
	if left := p.Leaves && !d.Func.neverDone(a.callee); p.Spawn || left {
		a.effect(Effect{Kind: EffectSpawn, Sure: a.shows(), Left: left})
		a.handOver()
		if p.Spawn || isFunc(a.value.Type()) {
			return
		}
	}
	if d.usesHeld(a, p) && !a.deferred() {
		a.add(EffectUse, true)
	}
	if d.takesHolder(a) && !d.onlyUsedBy(a.value) && !d.filledIfTold(a) {
		a.handOver() // it may release what it holds
	}
	// It uses the argument only when the function ends: useafter.go of events asks about the order
	// there.
	if a.deferred() {
		if p.Keep || p.Unknown {
			a.handOver()
		}
		return
	}
	if (!a.cell || p.Use) && (a.mark&(MarkSame|MarkAlias|MarkContent|MarkText) != 0 || isVarargs(a.value)) {
		a.effect(Effect{Kind: EffectUse, Sure: a.shows(), After: a.callee.releasedBefore(a.index, d)})
	}
	d.keptEffects(a, p)
	if p.Unknown {
		a.handOverIf(d, p)
	}
}

// keptEffects adds that a call keeps the origin, for good or in another argument.
func (d *Aliases) keptEffects(a *argument, p *Param) {
	if p.Keep {
		k := a.callee
		own := a.index == 0 && a.mark&MarkSame != 0 && k.Func != nil && k.Func.Signature().Recv() != nil
		if !own && !d.isLent(a) { // what its own methods do stays within
			a.keep(p, nil)
		}
		a.handOverIf(d, p)
	}
	for j, to := range a.callee.Args {
		if p.KeptIn&(1<<j) == 0 || j == a.index {
			continue
		}
		base := d.Func.Resolve(ssautil.Root(to))
		switch {
		case d.Inside(base):
		case !isLocal(base):
			a.keep(p, to)
			a.handOverIf(d, p)
		case p.toldHanded():
			a.handOverIf(d, p)
		}
	}
}

// isLent reports whether the argument is the origin itself, of a type whose owner has it again before it
// releases it, such as a request of net/http: that somebody keeps it for a while is no mistake of the owner.
// What a part of it holds, such as a request's body, may be kept for longer. Of a parameter, callers that know
// what it holds have to be told.
func (d *Aliases) isLent(a *argument) bool {
	if _, given := d.Root.(*ssa.Parameter); given || a.mark&MarkSame == 0 {
		return false
	}
	return catalog.TypeOf(a.value.Type()).Lent
}

// reset adds that the call ends what was allocated from the argument. One that leaves the memory to
// the collector makes no later use wrong.
func (a *argument) reset() {
	now, later := EffectReset, EffectDeferReset
	if letsGo(a.call, a.callee) {
		now, later = EffectMayRelease, EffectMayDefer
	}
	if a.deferred() {
		a.add(later, a.sure)
	} else {
		a.add(now, a.sure)
	}
}

// takesHolder reports whether the argument only holds the origin, and goes to a callee that is not in
// the catalog: the summary of that says what it does with the holder, not with what is in it.
func (d *Aliases) takesHolder(a *argument) bool {
	if a.mark&MarkHold == 0 || a.mark&(MarkSame|MarkAlias|MarkContent) != 0 {
		return false
	}
	if a.callee.Func != nil && d.Func.Package.Known(a.callee.Func) != nil {
		return false
	}
	return !isVarargs(a.value) || !types.IsInterface(elem(a.value.Type()))
}

// releasedBy reports whether a closure may release, or keep, the origin that it has captured.
//
// One whose function is not from the source, such as a method value, is taken to release, as is one
// without a summary.
func (d *Aliases) releasedBy(c *ssa.MakeClosure) bool {
	fn, ok := c.Fn.(*ssa.Function)
	if !ok || fn.Synthetic != "" && !isYield(c) {
		return true
	}
	s := d.Func.Package.summaries[fn]
	if s == nil {
		return true
	}
	for i, b := range c.Bindings {
		p := s.Param(len(fn.Params) + i)
		if (p.Release != ReleaseNever || p.Unknown || p.Keep) && d.inCell(b) {
			return true
		}
	}
	return false
}

// onlyUsedBy reports whether v is a closure that uses the origin and neither releases nor hands it out:
// whoever gets the closure does not get the origin.
func (d *Aliases) onlyUsedBy(v ssa.Value) bool {
	c, ok := v.(*ssa.MakeClosure)
	if !ok || d.releasedBy(c) {
		return false
	}
	fn := c.Fn.(*ssa.Function)
	s := d.Func.Package.summaries[fn]
	for i, b := range c.Bindings {
		p := s.Param(len(fn.Params) + i)
		if d.inCell(b) && (p.Same|p.Alias|p.Hold != 0 || p.KeptIn != 0 || p.Spawn || len(p.Parts) > 0) {
			return false
		}
	}
	return true
}

// inCell reports whether a variable may hold the origin.
func (d *Aliases) inCell(cell ssa.Value) bool {
	if d.Nodes.Find(cell) != nil {
		return true
	}
	for s := range ssautil.StoresTo(cell) {
		if d.Mark(s.Val) != 0 {
			return true
		}
	}
	return false
}

// isYield reports whether a closure is the body of a loop over a function.
func isYield(c *ssa.MakeClosure) bool {
	fn, ok := c.Fn.(*ssa.Function)
	return ok && strings.HasPrefix(fn.Synthetic, "range-over-func yield")
}

// letsGo reports whether a reset leaves the memory to the collector, as nuke's Reset(true) does.
func letsGo(instr ssa.CallInstruction, k Callee) bool {
	if k.Func == nil || k.Func.FullName() != "(github.com/ortuman/nuke.Arena).Reset" {
		return false
	}
	c, ok := instr.Common().Args[0].(*ssa.Const)
	return !ok || constant.BoolVal(c.Value)
}

// CalleeName returns what messages call a callee.
func CalleeName(k Callee) string {
	if k.Func != nil {
		return k.Func.Name()
	}
	return "the called function"
}

// releasable reports whether releasing v releases the origin: it is it, or a slice of its
// memory where that is what is pooled.
//
// An example with a pool of pointers to arrays, or of first elements:
//
//	b := arrays.Get().(*[4096]byte)[:n]
//	arrays.Put((*[4096]byte)(b[:4096])) // releases what Get has returned
//
// A slice that was loaded from a field (MarkContent) ends with the origin too, but its release is
// not that of the struct.
func (d *Aliases) releasable(v ssa.Value, m Mark, cell bool) bool {
	if m&MarkSame != 0 {
		return true
	}
	if m&MarkAlias == 0 {
		return false
	}
	t := v.Type()
	if x, ok := v.(*ssa.MakeInterface); ok {
		t = x.X.Type()
	}
	if p, ok := t.Underlying().(*types.Pointer); ok && cell {
		t = p.Elem()
	}
	if p, ok := t.Underlying().(*types.Pointer); ok && isArray(p.Elem()) {
		return true
	}
	return ssautil.IsSlice(t) || isMap(t) || d.isFirst(v)
}

// isFirst reports whether v is the address of the first number of a slice, perhaps as an
// unsafe.Pointer: pools of pointers keep it in place of the slice. What a struct in a slice is
// released for is not known.
func (d *Aliases) isFirst(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.Convert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Call:
			return ssautil.IsBuiltin(x, "SliceData") && isBasic(ssautil.Deref(x.Type()))
		case *ssa.IndexAddr:
			return ssautil.IsSlice(x.X.Type()) && isBasic(ssautil.Deref(x.Type())) && isZero(x.Index)
		default:
			return false
		}
	}
}

// cellEffects adds what happens to the variables that hold derived values: they are released by
// their address, or by closures that have captured them.
//
// A value of SSA does not show that: the variable's address is what is passed, or captured.
//
//	put(&b)
//	defer func() { pool.Put(b) }()
func (d *Aliases) cellEffects(all Effects) {
	seen := map[ssa.Value]bool{}
	for _, n := range d.Nodes.List {
		if n.Mark == 0 {
			continue
		}
		for s := range ssautil.StoresOf(n.Value) {
			if a, ok := s.Addr.(*ssa.Alloc); ok && !seen[a] {
				seen[a] = true
				d.effectsOfCell(all, a, n.Mark, d.cellSure(a))
			}
		}
	}
	for _, v := range d.Func.FreeVars {
		if d.captured == v && !seen[v] {
			seen[v] = true
			d.effectsOfCell(all, v, MarkSame, d.Func.definitions().variable(v).stores == 0)
		}
	}
}

// effectsOfCell adds what is done with the address of one variable.
func (d *Aliases) effectsOfCell(all Effects, cell ssa.Value, m Mark, sure bool) {
	for r := range ssautil.Uses[ssa.Instruction](cell) {
		switch i := r.(type) {
		case *ssa.MakeInterface:
			// pool.Put(&b) gets the address as any.
			for c := range ssautil.Uses[ssa.CallInstruction](i) {
				d.cellArgumentEffects(all, c, i, cell, m, sure)
			}
		case *ssa.MakeClosure:
			for _, c := range callsOf(i) {
				d.closureEffects(all, c, cell, m, sure)
			}
		case ssa.CallInstruction:
			if _, ok := i.Common().Value.(*ssa.MakeClosure); !ok {
				d.cellArgumentEffects(all, i, cell, cell, m, sure)
			}
		case *ssa.Store:
			if i.Val == cell {
				all.add(i, Effect{Kind: EffectHandOver, Value: cell, Mark: m})
			}
		case *ssa.Convert, *ssa.ChangeType, *ssa.Phi, *ssa.Return, *ssa.MapUpdate, *ssa.Send:
			if !harmless(i) { // who has its address has what it holds
				all.add(i, Effect{Kind: EffectHandOver, Value: cell, Mark: m})
			}
		}
	}
}

// callsOf returns the calls of a closure, by itself or through sync.OnceFunc.
func callsOf(v ssa.Value) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	for c := range ssautil.Uses[ssa.CallInstruction](v) {
		switch {
		case c.Common().Value == v:
			all = append(all, c)
		case onceFunc(c.Value()) == v:
			all = append(all, callsOf(c.Value())...)
		}
	}
	return all
}

// cellSure reports whether a variable holds nothing but derived values once it holds one.
//
// That it is nil before there is an origin does not count: then there is nothing to release. Nil
// after that is another value, and so is anything else:
//
//	defer func() {
//		if b != nil {
//			pool.Put(b)
//		}
//	}()
//	b = get()
//	pool.Put(b)
//	b = nil // not sure: the closure may find nil
func (d *Aliases) cellSure(a ssa.Value) bool {
	root, _ := d.Root.(ssa.Instruction)
	for s := range ssautil.StoresTo(a) {
		if d.Sure(s.Val) == 0 && (!IsNil(s.Val) || root == nil || ssautil.Follows(root, s)) {
			return false
		}
	}
	return true
}

// cellArgumentEffects adds what a call does that gets the address of a variable.
func (d *Aliases) cellArgumentEffects(all Effects, c ssa.CallInstruction, arg, cell ssa.Value, m Mark, sure bool) {
	k := d.Func.Callee(c.Common())
	for i, a := range k.Args[:k.Captured] {
		if a != arg {
			continue
		}
		if k.Summary != nil && k.Summary.Param(i).Release == ReleaseNever && !k.Summary.Param(i).Unknown && !k.Summary.Param(i).Keep {
			continue
		}
		d.argumentEffects(&argument{effects: all, call: c, callee: k, index: i, value: cell, mark: m, sure: sure, cell: true})
	}
}

// closureEffects adds what a closure does that has captured a variable, when it is called.
func (d *Aliases) closureEffects(all Effects, c ssa.CallInstruction, cell ssa.Value, m Mark, sure bool) {
	k := d.Func.Callee(c.Common())
	for i := k.Captured; i < len(k.Args); i++ {
		if k.Args[i] == cell {
			d.argumentEffects(&argument{effects: all, call: c, callee: k, index: i, value: cell, mark: m, sure: sure, cell: true})
		}
	}
}
