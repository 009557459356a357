package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Which origins does a function have, beyond what it acquires? Each value that it releases was
// somebody's, so it can be used after that, too.
//
//	func (c *conn) close() {
//		put(c.buf)  // an origin: loaded and released
//		c.buf[0] = 0 // use after the release
//	}
//
//	func write(b *bytes.Buffer) { b.WriteString(s) } // none: b is not released here
//
// A value that surely derives from one origin is not made another: an event of it would be reported
// twice.

// Origins calls visit for each origin in f, with its states: what f acquires, what is allocated from
// that, the parameters and captured variables that it releases, what it borrows, and what it loads
// and releases. It is not safe for concurrent use, as it fills in what the package remembers: an
// analyzer that calls it requires events.Analyzer, which does.
func (a *Package) Origins(f *Function, visit func(*Origin)) {
	// What an origin covers must be known before loads are visited, so these come behind all that
	// has a beginning here.
	covered := map[ssa.Value]bool{}
	emit := func(o *Origin) {
		if o.States == nil {
			return
		}
		for _, n := range o.Tracked.Nodes.List {
			// A weak one is not covered: it may be another value, which has a right to its own
			// events.
			if n.Mark&(MarkSame|MarkAlias) != 0 && !n.Weak {
				covered[n.Value] = true
			}
		}
		visit(o)
	}
	for _, o := range f.acquiredOrigins {
		o.Name = a.variable(o.Pos, o.Tracked.Root)
		f.addHolders(o)
		emit(o)
		f.visitMemory(o, emit)
	}
	// A parameter that the summary knows no release of needs no second look.
	released := func(i int) bool {
		p := a.summaries[f.Function].Param(i)
		return p.Release != ReleaseNever || p.Reset
	}
	for i, p := range f.Params {
		if released(i) {
			f.visitGiven(&Origin{Kind: catalog.Item, Pos: p.Pos(), Name: p.Name(), Param: true, Given: f.isGiven(i), Tracked: f.track(p, MarkSame)}, emit)
		}
	}
	for j, v := range f.FreeVars {
		if released(len(f.Params) + j) {
			f.visitGiven(&Origin{Kind: catalog.Item, Pos: v.Pos(), Name: v.Name(), Param: true, Given: f.isGiven(len(f.Params) + j), Tracked: f.TrackCaptured(v)}, emit)
		}
	}
	for _, o := range f.borrows() {
		emit(o)
	}
	if f.scoped() {
		d := f.track(f.Params[0], MarkSame)
		emit(&Origin{Kind: catalog.Item, Pos: f.Params[0].Pos(), Name: f.Params[0].Name(), Borrowed: true, Param: true, Tracked: d, States: d.states(d.Effects, nil, true)})
	}
	f.visitLoads(covered, emit)
	f.visitParts(emit)
	f.visitHeld(emit)
	f.visitQueued(emit)
}

// scoped reports whether f is a function literal that is lent a value, for as long as it runs.
func (f *Function) scoped() bool {
	if f.Parent() == nil || len(f.Params) == 0 {
		return false
	}
	parent := f.Package.Funcs[f.Parent()]
	if parent == nil {
		return false
	}
	for _, c := range parent.Calls {
		if !slices.ContainsFunc(c.Common().Args, f.is) {
			continue
		}
		k := parent.Callee(c.Common())
		for n, arg := range k.Args[:k.Captured] {
			if f.is(arg) && k.Summary != nil && k.Summary.Param(n).Scope {
				return true
			}
		}
	}
	return false
}

// is reports whether v is the function, or a closure of it.
func (f *Function) is(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeClosure); ok {
		v = m.Fn
	}
	return v == ssa.Value(f.Function)
}

// visitGiven visits a parameter, or captured variable, that the function releases.
func (f *Function) visitGiven(o *Origin, emit func(*Origin)) {
	if o.Tracked.Has(EffectRelease, EffectReleaseIf, EffectDefer) {
		o.Kind = o.Tracked.releasedKind()
		o.States = o.Tracked.states(o.Tracked.Effects, nil, false)
		emit(o)
	}
	if o.Tracked.Has(EffectRelease, EffectDefer, EffectReset, EffectDeferReset) {
		f.visitMemory(o, emit)
	}
}

// releasedKind says what is released, as far as its type tells.
func (d *Tracked) releasedKind() catalog.Kind {
	if k := arenaKind(d.Root.Type()); k != catalog.None {
		return k
	}
	return catalog.Item
}

// arenaKind is the kind of arenas of a type, as far as it tells.
func arenaKind(t types.Type) catalog.Kind { return catalog.TypeOf(ssautil.Deref(t)).Arena }

// visitMemory visits what is allocated from an arena: it ends with it.
//
// The effects that end the arena end its memory, so they are added to those on the memory. What is
// allocated after a mark also ends with a release to that mark.
func (f *Function) visitMemory(arena *Origin, emit func(*Origin)) {
	if arena.Tracked.keepsAll() {
		return
	}
	pieces := f.memoryOf(arena.Tracked)
	siblings := []*Tracked{arena.Tracked}
	for _, p := range pieces {
		siblings = append(siblings, p.Tracked)
	}
	if arena.States != nil && !arena.Tracked.Has(EffectReset, EffectDeferReset) {
		pieces = append(pieces, f.listsIn(pieces)...)
	}
	for _, p := range pieces {
		if p.text && (arena.Kind == catalog.Typed || arena.Kind == catalog.Safe) {
			continue
		}
		o := &Origin{Siblings: append(siblings, arena.Siblings...), Kind: arena.Kind, Pos: p.call.Pos(), Name: f.Package.variable(p.call.Pos(), p.Root), Arena: arena, Direct: true, Tracked: p.Tracked}
		if o.Kind == catalog.Item {
			o.Kind = max(arenaKind(p.call.Call.Args[0].Type()), catalog.Std)
		}
		if p.name != "" {
			o.Name = p.name
		}
		o.Handle = handle(p.Root.Type())
		effects := Effects{}
		for i, list := range p.Effects {
			effects[i] = append(effects[i], list...)
		}
		for i, list := range arena.Tracked.Effects {
			for _, a := range list {
				switch a.Kind {
				case EffectReset:
					a.Kind = EffectRelease
				case EffectDeferReset:
					a.Kind = EffectDefer
				case EffectRelease, EffectReleaseIf, EffectDefer, EffectMayDefer, EffectMayRelease, EffectGoRelease:
				default:
					continue
				}
				effects[i] = append(effects[i], a)
			}
		}
		for _, c := range arena.Tracked.marksReleased(p.call) {
			a := Effect{Kind: EffectRelease, Sure: true, Value: p.Root, Pos: c.Pos()}
			if _, ok := c.(*ssa.Defer); ok {
				a.Kind = EffectDefer
			}
			effects[c] = append(effects[c], a)
		}
		o.Tracked.Effects = effects
		o.States = o.Tracked.states(effects, p.start(arena), false)
		emit(o)
		if o.Handle {
			f.visitMemory(o, emit)
		}
	}
}

// handle reports whether a value of type t allocates from an arena: it cannot be used after
// Free whatever the policy.
func handle(t types.Type) bool { return catalog.TypeOf(t).Handle }

// keepsAll reports whether the arena is told to leave its memory to the collector.
func (d *Tracked) keepsAll() bool {
	return len(d.methods("(*lessgc/arena.Arena).Keep")) > 0
}

// methods returns the calls of a method of the origin.
func (d *Tracked) methods(full string) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	for _, n := range d.Nodes.List {
		if n.Mark&MarkSame == 0 {
			continue
		}
		for c := range ssautil.Uses[ssa.CallInstruction](n.Value) {
			if k := d.Func.Callee(c.Common()); k.Func != nil && k.Func.FullName() == full && k.Args[0] == n.Value {
				all = append(all, c)
			}
		}
	}
	return all
}

// marksReleased are the calls of Release with a mark that was set before the allocation:
// what was allocated since is gone then.
//
// The mark has to be set before the allocation on all paths to that; a mark set later leaves the
// memory alone.
func (d *Tracked) marksReleased(alloc *ssa.Call) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	for _, c := range d.methods("(*lessgc/arena.Arena).Release") {
		args := c.Common().Args
		mark, ok := d.Func.Resolve(args[len(args)-1]).(*ssa.Call)
		if ok && ssautil.Before(mark, alloc) {
			all = append(all, c)
		}
	}
	return all
}

// visitLoads visits what is released although it came from no call and no parameter: it
// was loaded from a field, an element, a channel.
func (f *Function) visitLoads(covered map[ssa.Value]bool, emit func(*Origin)) {
	for v := range f.sent() {
		if v = ssautil.Root(v); covered[v] || !loaded(v) {
			continue
		}
		covered[v] = true
		start, _ := v.(ssa.Instruction)
		o := &Origin{Kind: catalog.Item, Pos: v.Pos(), Name: f.path(v), Param: true, Tracked: f.track(v, MarkSame)}
		o.States = o.Tracked.states(o.Tracked.Effects, start, false)
		emit(o)
	}
	for _, c := range f.Calls {
		if _, isGo := c.(*ssa.Go); isGo {
			continue
		}
		k := f.Callee(c.Common())
		if k.Summary == nil {
			continue
		}
		for n, arg := range k.Args[:k.Captured] {
			// A release that is only perhaps one begins no origin: nothing would be reported of it.
			p := k.Summary.Param(n)
			if !p.Release.certain() && !p.Reset {
				continue
			}
			v := ssautil.Root(arg)
			if covered[v] || covered[arg] || !loaded(v) {
				continue
			}
			covered[v] = true
			o := &Origin{Kind: catalog.Item, Pos: v.Pos(), Name: f.path(v), Param: true, Tracked: f.track(v, MarkSame)}
			start, _ := v.(ssa.Instruction)
			// The same memory may be loaded more than once: then these loads are one origin, which
			// begins with the first, or at the entry if the function never sets the field.
			others, all := f.sameLoads(v)
			if all {
				start = nil
			}
			for _, other := range others {
				o.Tracked.include(other, MarkSame)
				covered[other] = true
				if i := other.(ssa.Instruction); start != nil && ssautil.Before(i, start) {
					start = i
				}
			}
			if others != nil {
				o.Tracked.Effects = o.Tracked.effects()
			}
			o.Kind = o.Tracked.releasedKind()
			if phi, ok := v.(*ssa.Phi); ok {
				o.Kind = f.mergedKind(phi, o.Kind)
			}
			o.States = o.Tracked.states(o.Tracked.Effects, start, false)
			if p.Release.certain() {
				emit(o)
			}
			f.visitMemory(o, emit)
		}
	}
}

// mergedKind is the kind of what is acquired in several places: that of all of them, or k.
//
// The weakest of the kinds, as what is said of the origin has to be right for each.
func (f *Function) mergedKind(phi *ssa.Phi, k catalog.Kind) catalog.Kind {
	found := catalog.None
	for _, e := range phi.Edges {
		if IsNil(e) {
			continue
		}
		one := catalog.None
		for _, o := range f.acquiredOrigins {
			if o.Tracked.Root == e {
				one = o.Kind
			}
		}
		switch {
		case one == catalog.None:
			return k
		case found == catalog.None || one < found:
			found = one
		}
	}
	return max(found, k)
}

// A load from a variable is none: the values of the variable are origins themselves, or derive from
// some.
func loaded(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return true
		}
		switch v.X.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			return false
		}
		return true
	case *ssa.Call, *ssa.Extract, *ssa.Lookup, *ssa.Alloc, *ssa.Phi:
		return true
	}
	return false
}

// path returns the name of a loaded value in the source, or "".
func (f *Function) path(v ssa.Value) string {
	if u, ok := v.(*ssa.UnOp); ok {
		if fa, ok := u.X.(*ssa.FieldAddr); ok {
			if p, ok := fa.X.(*ssa.Parameter); ok {
				return p.Name() + "." + FieldName(fa)
			}
			return FieldName(fa)
		}
		if g, ok := u.X.(*ssa.Global); ok {
			return g.Name()
		}
	}
	if phi, ok := v.(*ssa.Phi); ok {
		return phi.Comment // the variable
	}
	if v.Pos().IsValid() {
		return f.Package.variable(v.Pos(), v)
	}
	return ""
}

// Waits reports whether an instruction can wait for a goroutine: itself, or in the functions of the
// package that it calls, to a depth of three. Depth is that of the call.
//
// It is a guess by names. A function value may wait unless it cancels a context. A wrong yes costs a
// finding.
func (a *Package) Waits(i ssa.Instruction, depth int) bool {
	if Receives(i) {
		return true
	}
	call, ok := i.(ssa.CallInstruction)
	if _, isGo := i.(*ssa.Go); isGo || !ok {
		return false
	}
	c := call.Common()
	name := ""
	fn := c.StaticCallee()
	switch {
	case c.IsInvoke():
		name = c.Method.Name()
	case fn != nil:
		name = fn.Name()
	default:
		_, builtin := c.Value.(*ssa.Builtin)
		return !builtin && ssautil.TypeName(c.Value.Type()) != "context.CancelFunc" // a function value: perhaps
	}
	if fn != nil && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "time" && name == "Stop" {
		return false // of a timer
	}
	if c, ok := i.(*ssa.Call); ok && polls(c) {
		return true
	}
	switch name {
	case "Wait", "Lock", "Join", "Stop", "Shutdown", "Acquire", "WaitGroup", "Sleep", "Do":
		return true
	}
	if fn = a.Source(fn); fn == nil || fn.Pkg != a.ssaPkg || depth >= 3 {
		return false
	}
	for x := range ssautil.Instructions(fn) {
		if a.Waits(x, depth+1) {
			return true
		}
	}
	return false
}

// polls reports whether a loop goes on or ends by an atomic load in it: it waits until others have
// counted, or set, what it loads.
//
// An example, in which the loop ends when the goroutines have counted down:
//
//	for left.Load() > 0 {
//		runtime.Gosched()
//	}
func polls(c *ssa.Call) bool {
	f := ssautil.Callee(&c.Call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || !strings.HasPrefix(f.Name(), "Load") {
		return false
	}
	branch, ok := c.Block().Instrs[len(c.Block().Instrs)-1].(*ssa.If)
	if !ok || !ssautil.Reaches(c.Block(), c.Block()) {
		return false
	}
	depends := func(v ssa.Value) bool {
		if v == ssa.Value(c) {
			return true
		}
		b, ok := v.(*ssa.BinOp)
		return ok && (b.X == ssa.Value(c) || b.Y == ssa.Value(c))
	}
	return depends(branch.Cond) && slices.ContainsFunc(c.Block().Succs, func(s *ssa.BasicBlock) bool { return !ssautil.Reaches(s, c.Block()) })
}

// Holds reports whether a variable holds the origin, and nothing else.
func (d *Aliases) Holds(cell *ssa.Alloc) bool {
	any := false
	for s := range ssautil.StoresTo(cell) {
		any = any || d.Sure(s.Val)&(MarkSame|MarkAlias|MarkContent) != 0
	}
	return any && d.cellSure(cell)
}

// isReturned reports whether f may return what derives from the origin.
func (d *Aliases) isReturned() bool {
	for r := range ssautil.Returns(d.Func.Function) {
		if slices.ContainsFunc(r.Results, func(v ssa.Value) bool { return d.Mark(v) != 0 }) {
			return true
		}
	}
	return false
}
