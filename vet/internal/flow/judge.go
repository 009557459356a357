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

// A Trouble says what an event is.
type Trouble uint8

// The troubles.
const (
	UseAfter Trouble = iota // it is used after it was released
	Double                  // it is released again
	Outlives                // its memory is kept by somebody while it is released
	Missing                 // it is released on no path, or not on all
	Stale                   // it is used after the next one of a stream was received
)

// An Event is what cannot be right, whatever the rest of the program does.
type Event struct {
	Trouble  Trouble
	Origin   *Origin
	Pos      token.Pos   // the bad use; of Missing, where it is acquired
	Release  token.Pos   // of Missing: on another path, or NoPos
	Deferred bool        // it is released when the function ends
	What     string      // of Outlives: "returned", "stored in s.body"
	Exits    []token.Pos // of Missing: returns, and ends of rounds
	Rounds   []token.Pos // of Missing: those of Exits that are ends of rounds
	Partly   bool        // of Missing: other paths hand it over
	Value    ssa.Value   // the bad value
}

// judge finds the events of a function.
func (a *analyzer) judge(f *function) {
	covered := map[ssa.Value]bool{}
	judged := func(o *Origin) {
		if o.run == nil {
			return
		}
		for _, n := range o.d.nodes.list {
			if n.mark&(same|alias) != 0 && !n.weak {
				covered[n.value] = true
			}
		}
		f.judge(o)
	}
	for _, o := range f.origins {
		o.Name = a.variable(o.Pos, o.d.root)
		judged(o)
		f.judgeMemory(o, judged)
	}
	// A parameter that the summary knows no release of needs no second look.
	released := func(i int) bool {
		p := a.sums[f.Function].param(i)
		return p.Release != Never || p.Reset
	}
	for i, p := range f.Params {
		if released(i) {
			f.judgeGiven(&Origin{Kind: catalog.Item, Pos: p.Pos(), Name: p.Name(), Param: true, d: f.follow(p, same)}, judged)
		}
	}
	for j, v := range f.FreeVars {
		if released(len(f.Params) + j) {
			f.judgeGiven(&Origin{Kind: catalog.Item, Pos: v.Pos(), Name: v.Name(), Param: true, d: f.followVar(v)}, judged)
		}
	}
	for _, o := range f.borrows() {
		judged(o)
	}
	if f.scoped() {
		d := f.follow(f.Params[0], same)
		judged(&Origin{Kind: catalog.Item, Pos: f.Params[0].Pos(), Name: f.Params[0].Name(), Borrowed: true, Param: true, d: d, run: d.flow(d.acts, nil, true)})
	}
	f.judgeLoads(covered, judged)
	f.judgeParts(judged)
}

// scoped says whether f is a function literal that is lent a value, for as long as it runs.
func (f *function) scoped() bool {
	if f.Parent() == nil || len(f.Params) == 0 {
		return false
	}
	parent := f.a.funcs[f.Parent()]
	if parent == nil {
		return false
	}
	for _, c := range parent.calls {
		if !slices.ContainsFunc(c.Common().Args, f.is) {
			continue
		}
		k := parent.callee(c.Common())
		for n, arg := range k.args[:k.free] {
			if f.is(arg) && k.sum != nil && k.sum.param(n).Scope {
				return true
			}
		}
	}
	return false
}

// is says whether v is the function, or a closure of it.
func (f *function) is(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeClosure); ok {
		v = m.Fn
	}
	return v == ssa.Value(f.Function)
}

// judgeGiven judges a parameter, or captured variable, that the function releases.
func (f *function) judgeGiven(o *Origin, judged func(*Origin)) {
	if o.d.has(release, deferred) {
		o.Kind = o.d.releasedKind()
		o.run = o.d.flow(o.d.acts, nil, false)
		judged(o)
	}
	if o.d.has(release, deferred, reset, resetLater) {
		f.judgeMemory(o, judged)
	}
}

// releasedKind says what is released, as far as its type tells.
func (d *derived) releasedKind() catalog.Kind {
	if k := arenaKind(d.root.Type()); k != catalog.None {
		return k
	}
	return catalog.Item
}

// arenaKind is the kind of arenas of a type, as far as it tells.
func arenaKind(t types.Type) catalog.Kind { return catalog.TypeOf(ssautil.Deref(t)).Arena }

// judgeMemory judges what is allocated from an arena: it ends with it.
func (f *function) judgeMemory(arena *Origin, judged func(*Origin)) {
	if arena.d.keepsAll() {
		return
	}
	pieces := f.memoryOf(arena.d)
	siblings := []*derived{arena.d}
	for _, p := range pieces {
		siblings = append(siblings, p.derived)
	}
	for _, p := range pieces {
		if p.text && (arena.Kind == catalog.Typed || arena.Kind == catalog.Safe) {
			continue
		}
		o := &Origin{siblings: append(siblings, arena.siblings...), Kind: arena.Kind, Pos: p.call.Pos(), Name: f.a.variable(p.call.Pos(), p.root), Arena: arena, Direct: true, d: p.derived}
		if o.Kind == catalog.Item {
			o.Kind = max(arenaKind(p.call.Call.Args[0].Type()), catalog.Std)
		}
		o.Handle = handle(p.root.Type())
		acts := actions{}
		for i, list := range p.acts {
			acts[i] = append(acts[i], list...)
		}
		for i, list := range arena.d.acts {
			for _, a := range list {
				switch a.act {
				case reset:
					a.act = release
				case resetLater:
					a.act = deferred
				case release, deferred, maybeDeferred, perhaps, goRelease:
				default:
					continue
				}
				acts[i] = append(acts[i], a)
			}
		}
		for _, c := range arena.d.marksReleased(p.call) {
			a := action{act: release, sure: true, value: p.root, pos: c.Pos()}
			if _, ok := c.(*ssa.Defer); ok {
				a.act = deferred
			}
			acts[c] = append(acts[c], a)
		}
		o.d.acts = acts
		start, _ := p.root.(ssa.Instruction)
		o.run = o.d.flow(acts, start, false)
		judged(o)
		if o.Handle {
			f.judgeMemory(o, judged)
		}
	}
}

// handle says whether a value of type t allocates from an arena: it cannot be used after
// Free whatever the policy.
func handle(t types.Type) bool { return catalog.TypeOf(t).Handle }

// keepsAll says whether the arena is told to leave its memory to the collector.
func (d *derived) keepsAll() bool {
	return len(d.methods("(*lessgc/arena.Arena).Keep")) > 0
}

// methods are the calls of a method of the origin.
func (d *derived) methods(full string) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	for _, n := range d.nodes.list {
		v := n.value
		if n.mark&same == 0 || v.Referrers() == nil {
			continue
		}
		for _, r := range *v.Referrers() {
			if c, ok := r.(ssa.CallInstruction); ok {
				if k := d.f.callee(c.Common()); k.fn != nil && k.fn.FullName() == full && k.args[0] == v {
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// marksReleased are the calls of Release with a mark that was set before the allocation:
// what was allocated since is gone then.
func (d *derived) marksReleased(alloc *ssa.Call) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	for _, c := range d.methods("(*lessgc/arena.Arena).Release") {
		args := c.Common().Args
		mark, ok := d.f.resolve(args[len(args)-1]).(*ssa.Call)
		if ok && ssautil.Before(mark, alloc) {
			all = append(all, c)
		}
	}
	return all
}

// judgeLoads judges what is released although it came from no call and no parameter: it
// was loaded from a field, an element, a channel.
func (f *function) judgeLoads(covered map[ssa.Value]bool, judged func(*Origin)) {
	for _, c := range f.calls {
		if _, isGo := c.(*ssa.Go); isGo {
			continue
		}
		k := f.callee(c.Common())
		if k.sum == nil {
			continue
		}
		for n, arg := range k.args[:k.free] {
			p := k.sum.param(n)
			if p.Release != Always && !p.Reset {
				continue
			}
			v := ssautil.Root(arg)
			if covered[v] || covered[arg] || !loaded(v) {
				continue
			}
			covered[v] = true
			o := &Origin{Kind: catalog.Item, Pos: v.Pos(), Name: f.path(v), Param: true, d: f.follow(v, same)}
			var start ssa.Instruction
			if others := f.sameLoads(v); others != nil {
				for _, other := range others {
					o.d.also(other, same)
					covered[other] = true
				}
				o.d.acts = o.d.actions()
			} else {
				start, _ = v.(ssa.Instruction)
			}
			o.Kind = o.d.releasedKind()
			if phi, ok := v.(*ssa.Phi); ok {
				o.Kind = f.mergedKind(phi, o.Kind)
			}
			o.run = o.d.flow(o.d.acts, start, false)
			if p.Release == Always {
				judged(o)
			}
			f.judgeMemory(o, judged)
		}
	}
}

// mergedKind is the kind of what is acquired in several places: that of all of them, or k.
func (f *function) mergedKind(phi *ssa.Phi, k catalog.Kind) catalog.Kind {
	found := catalog.None
	for _, e := range phi.Edges {
		if isNil(e) {
			continue
		}
		one := catalog.None
		for _, o := range f.origins {
			if o.d.root == e {
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

// path is what a loaded value is called.
func (f *function) path(v ssa.Value) string {
	if u, ok := v.(*ssa.UnOp); ok {
		if fa, ok := u.X.(*ssa.FieldAddr); ok {
			if p, ok := fa.X.(*ssa.Parameter); ok {
				return p.Name() + "." + fieldName(fa)
			}
			return fieldName(fa)
		}
		if g, ok := u.X.(*ssa.Global); ok {
			return g.Name()
		}
	}
	if phi, ok := v.(*ssa.Phi); ok {
		return phi.Comment // the variable
	}
	if v.Pos().IsValid() {
		return f.a.variable(v.Pos(), v)
	}
	return ""
}

// sameLoads are the other loads of the field that v was loaded from, if all yield the same:
// nobody stores to it in f, and nobody else gets to the struct.
func (f *function) sameLoads(v ssa.Value) []ssa.Value {
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	fa, ok := u.X.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	base, ok := fa.X.(*ssa.Parameter)
	if !ok {
		return nil
	}
	x := ssautil.Field(fa)
	var all []ssa.Value
	for _, r := range *base.Referrers() {
		switch i := r.(type) {
		case *ssa.FieldAddr:
			for _, use := range *i.Referrers() {
				switch use := use.(type) {
				case *ssa.Store:
					if use.Addr == i && i.Field == fa.Field {
						return nil
					}
				case *ssa.UnOp:
					if i.Field == fa.Field && use != u {
						all = append(all, use)
					}
				case *ssa.FieldAddr, *ssa.DebugRef:
				default:
					if i.Field == fa.Field {
						return nil
					}
				}
			}
		case ssa.CallInstruction:
			k := f.callee(i.Common())
			if k.sum == nil || x == nil {
				return nil
			}
			for n, arg := range k.args {
				p := k.sum.param(n)
				if arg == ssa.Value(base) && (p.Unknown || p.Keep || slices.Contains(p.Detaches, x.Name()) || slices.Contains(p.Detaches, "*")) {
					return nil
				}
			}
		case *ssa.DebugRef, *ssa.UnOp:
		default:
			return nil
		}
	}
	return all
}

// judge finds the events of one origin.
func (f *function) judge(o *Origin) {
	r := o.run
	j := &judgement{f: f, o: o, r: r, seen: map[Trouble]bool{}}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if len(r.acts[i]) > 0 {
				j.instruction(i)
			}
			if d, ok := i.(*ssa.RunDefers); ok {
				j.runDefers(d)
			}
			if ret, ok := i.(*ssa.Return); ok {
				j.exit(ret)
			}
		}
	}
	if o.Received {
		j.stale()
	}
	if !o.Borrowed {
		j.inevitable()
		j.missing()
		j.deferOrder()
	}
}

// where is a place and what happens there: an arena and memory in it are one report.
type where struct {
	trouble Trouble
	pos     token.Pos
}

// A judgement is at work on one origin of a function.
type judgement struct {
	f    *function
	o    *Origin
	r    *run
	seen map[Trouble]bool
}

func (j *judgement) report(e Event) {
	if !e.Pos.IsValid() || j.seen[e.Trouble] {
		return // the others follow from the first
	}
	at := e.Pos
	trouble := e.Trouble
	if j.o.Borrowed && (trouble == Outlives || trouble == Stale) {
		at, trouble = j.f.a.statement(e.Pos), Outlives // each keeper is a mistake of its own
	} else {
		j.seen[e.Trouble] = true
	}
	if j.f.a.reported[where{trouble, at}] {
		return
	}
	if j.o.others {
		j.f.keepsRequests(e.What)
		return
	}
	j.f.a.reported[where{trouble, at}] = true
	e.Origin = j.o
	j.f.a.events = append(j.f.a.events, &e)
}

// instruction judges the actions of one instruction.
func (j *judgement) instruction(i ssa.Instruction) {
	s := j.r.before[i]
	for _, a := range j.r.acts[i] {
		if a.sure {
			j.action(i, a, s)
		}
		s = effect(a, s)
	}
}

func (j *judgement) action(i ssa.Instruction, a action, s state) {
	after := s.isReleased()
	if j.r.d.optional(a.value, 0) && !j.o.Received || a.mark&memory == text && j.o.Kind <= catalog.Typed && j.o.Kind != catalog.Item {
		return
	}
	if (a.act == keep || a.act == spawn) && !j.keeps(i, a) {
		return
	}
	switch a.act {
	case use:
		if after && !deferredNow(i) {
			j.report(Event{Trouble: UseAfter, Pos: a.pos, Release: j.releaseBefore(i), Value: a.value})
		}
	case release:
		if after && !a.once && j.own(i) {
			j.report(Event{Trouble: Double, Pos: a.pos, Release: j.releaseBefore(i)})
		}
	case keep:
		switch {
		case a.to != nil && slices.ContainsFunc(j.o.siblings, func(d *derived) bool { return d.inside(a.to) }):
			// It stays within the arena.
		case after:
			j.report(Event{Trouble: Outlives, Pos: a.pos, Release: j.releaseBefore(i), What: a.what, Value: a.value})
		case j.gone(i) && !j.cleared(i, a) && !j.joined(i, a) && !j.goesToo(a.to):
			j.report(Event{Trouble: Outlives, Pos: a.pos, Release: j.releaseAfter(i), Deferred: j.defers(i), What: a.what, Value: a.value})
		}
	case spawn:
		owns := slices.ContainsFunc(j.r.acts[i], func(a action) bool { return a.act == goRelease })
		if owns || j.runs(i) {
			return // the goroutine releases it, or what becomes of it is known
		}
		if after || j.gone(i) && !j.joined(i, a) {
			j.report(Event{Trouble: Outlives, Pos: a.pos, Release: j.releaseAfter(i), Deferred: !after && j.defers(i), What: "used by a goroutine", Value: a.value})
		}
	}
}

// runs reports whether i starts the handler of an interceptor in a goroutine: arenagrpc does not
// recycle what a handler has that is not waited for.
func (j *judgement) runs(i ssa.Instruction) bool {
	c, ok := i.(ssa.CallInstruction)
	return ok && (j.handler(c.Common().Value, 0) || slices.ContainsFunc(c.Common().Args, func(v ssa.Value) bool { return j.handler(v, 0) }))
}

// handler reports whether v is the handler of an interceptor, a variable with it, or a closure that
// has it.
func (j *judgement) handler(v ssa.Value, depth int) bool {
	if j.o.runs == nil || depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *ssa.MakeClosure:
		return slices.ContainsFunc(v.Bindings, func(b ssa.Value) bool { return j.handler(b, depth+1) })
	case *ssa.UnOp:
		return j.handler(v.X, depth+1)
	case *ssa.Alloc:
		return slices.ContainsFunc(*v.Referrers(), func(i ssa.Instruction) bool {
			s, ok := i.(*ssa.Store)
			return ok && s.Addr == v && j.handler(s.Val, depth+1)
		})
	}
	return v == j.o.runs
}

// keeps reports whether what i keeps of a stream's messages is kept for too long.
func (j *judgement) keeps(i ssa.Instruction, a action) bool {
	return j.o.stream == nil || j.o.stream.keeps(i, a)
}

// deferredNow says whether i only registers something.
func deferredNow(i ssa.Instruction) bool {
	_, ok := i.(*ssa.Defer)
	return ok
}

// gone says whether the origin is released at all exits that i leads to, and before another
// is acquired in its place.
func (j *judgement) gone(i ssa.Instruction) bool {
	if j.o.Received {
		return true
	}
	if j.renewed(i) {
		return false
	}
	any := false
	for ret, s := range j.r.exits {
		if !ssautil.Reachable(i.Block(), ret.Block()) {
			continue
		}
		if !s.isReleased() {
			return false
		}
		any = true
	}
	return any
}

// renewed says whether another is acquired in the place of the origin on a path from i that
// releases it neither there nor when the function ends.
func (j *judgement) renewed(i ssa.Instruction) bool {
	s := j.r.before[i]
	if j.r.start == nil || s&^(at(live, surely)|at(live, twice)|all(absent)) == 0 {
		return false
	}
	return without(i, j.r.start, func(x ssa.Instruction) bool {
		return slices.ContainsFunc(j.r.acts[x], func(a action) bool { return a.act == release || a.act == deferred })
	})
}

// releases are the instructions that release the origin, in the order of the blocks.
func (j *judgement) releases() []ssa.Instruction {
	var all []ssa.Instruction
	for _, b := range j.f.Blocks {
		for _, i := range b.Instrs {
			for _, a := range j.r.acts[i] {
				if a.act == release || a.act == deferred {
					all = append(all, i)
				}
			}
		}
	}
	return all
}

// releaseBefore is where the origin was released before i.
func (j *judgement) releaseBefore(i ssa.Instruction) token.Pos {
	var best ssa.Instruction
	for _, r := range j.releases() {
		if _, ok := r.(*ssa.Defer); !ok && r != i && (ssautil.Before(r, i) || best == nil && ssautil.Follows(r, i)) {
			best = r
		}
	}
	if best == nil {
		return j.releaseAfter(i)
	}
	return j.place(best)
}

// defers says whether the release after i is a deferred one.
func (j *judgement) defers(i ssa.Instruction) bool {
	for _, r := range j.releases() {
		if r != i {
			_, ok := r.(*ssa.Defer)
			return ok
		}
	}
	return false
}

// place is where a release is: if a function literal does it, in there.
func (j *judgement) place(i ssa.Instruction) token.Pos {
	c, ok := i.(ssa.CallInstruction)
	if !ok {
		return place(i)
	}
	k := j.f.callee(c.Common())
	f := j.f.a.funcs[k.ssa]
	if f == nil || f.Parent() != j.f.Function {
		return place(i)
	}
	for n := k.free; n < len(k.args); n++ {
		if k.sum.param(n).Release == Never || n-k.free >= len(f.FreeVars) {
			continue
		}
		d := f.followVar(f.FreeVars[n-k.free])
		for _, b := range f.Blocks {
			for _, x := range b.Instrs {
				for _, a := range d.acts[x] {
					if a.act == release || a.act == deferred {
						return a.pos
					}
				}
			}
		}
	}
	return place(i)
}

// releaseAfter is where it is released later on.
func (j *judgement) releaseAfter(i ssa.Instruction) token.Pos {
	for _, r := range j.releases() {
		if r != i {
			return j.place(r)
		}
	}
	return token.NoPos
}

// goesToo says whether the function also releases what v leads into: whoever gets that next
// has to expect what is in it.
func (j *judgement) goesToo(v ssa.Value) bool {
	if v == nil {
		return false
	}
	base := loadedFrom(v)
	for _, c := range j.f.calls {
		k := j.f.callee(c.Common())
		if k.sum == nil {
			continue
		}
		for n, arg := range k.args {
			if k.sum.param(n).Release != Never && loadedFrom(arg) == base {
				return true
			}
		}
	}
	return false
}

// loadedFrom is the value that v begins with, loads included.
func loadedFrom(v ssa.Value) ssa.Value {
	for {
		v = ssautil.Root(v)
		u, ok := v.(*ssa.UnOp)
		if !ok || u.Op != token.MUL {
			return v
		}
		v = u.X
	}
}

// cleared says whether what was stored is taken back later.
func (j *judgement) cleared(i ssa.Instruction, a action) bool {
	var field int
	var owner types.Type
	name := ""
	if s, ok := i.(*ssa.Store); ok {
		fa, ok := s.Addr.(*ssa.FieldAddr)
		if !ok {
			return j.storedAgain(s)
		}
		field, owner, name = fa.Field, fa.X.Type(), fieldName(fa)
	}
	functions := append([]*ssa.Function{j.f.Function}, ssautil.Literals(j.f.Function)...)
	for _, f := range functions {
		for _, b := range f.Blocks {
			for _, x := range b.Instrs {
				switch x := x.(type) {
				case *ssa.Store:
					if fa, ok := x.Addr.(*ssa.FieldAddr); ok && owner != nil && x != i && fa.Field == field && types.Identical(fa.X.Type(), owner) && j.mayClear(x, i) {
						return true
					}
				case ssa.CallInstruction:
					if j.clears(x, i, a, name) {
						return true
					}
				}
			}
		}
	}
	return false
}

// mayClear reports whether x can take back what i has stored. Of a borrowed value it must come
// after i, and store something else.
func (j *judgement) mayClear(x, i ssa.Instruction) bool {
	if !j.o.Borrowed {
		return true
	}
	if slices.ContainsFunc(j.r.acts[x], func(a action) bool { return a.act == keep && a.sure }) {
		return false
	}
	_, deferred := x.(*ssa.Defer)
	return deferred || x.Parent() != i.Parent() || ssautil.Follows(i, x)
}

// storedAgain says whether a global variable gets another value.
func (j *judgement) storedAgain(s *ssa.Store) bool {
	for _, b := range j.f.Blocks {
		for _, x := range b.Instrs {
			if t, ok := x.(*ssa.Store); ok && t != s && t.Addr == s.Addr && j.mayClear(t, s) {
				return true
			}
		}
	}
	return false
}

// clears says whether the call c takes back what instruction i has stored, in a field if it
// is known which.
func (j *judgement) clears(c ssa.CallInstruction, i ssa.Instruction, a action, field string) bool {
	if c == i || !j.mayClear(c, i) {
		return false
	}
	if b, ok := c.Common().Value.(*ssa.Builtin); ok {
		return (b.Name() == "delete" || b.Name() == "clear") && (!j.o.Borrowed || a.to == nil || j.samePlace(c.Common().Args[0], a.to))
	}
	if a.to == nil {
		return false
	}
	base := ssautil.Root(a.to)
	k := j.f.callee(c.Common())
	for n, arg := range k.args {
		if ssautil.Root(arg) != base && !sameVariable(ssautil.Root(arg), base) {
			continue
		}
		if fa, ok := arg.(*ssa.FieldAddr); ok && j.o.Borrowed && field != "" && fieldName(fa) != field {
			continue // a method of another field: a lock
		}
		if k.sum != nil && (field == "" && len(k.sum.param(n).Detaches) > 0 || slices.Contains(k.sum.param(n).Detaches, field) || slices.Contains(k.sum.param(n).Detaches, "*")) {
			return true
		}
		if first, ok := i.(ssa.CallInstruction); ok && j.f.callee(first.Common()).fn == k.fn && k.fn != nil {
			return true
		}
	}
	return false
}

// samePlace reports whether the map or slice v can be, or be in, what a value was stored in.
func (j *judgement) samePlace(v, to ssa.Value) bool {
	y, ok := to.(*ssa.FieldAddr)
	if !ok {
		y = ssautil.LoadedFrom(to)
	}
	if x := ssautil.LoadedFrom(v); x != nil && y != nil {
		return ssautil.Field(x) == ssautil.Field(y)
	}
	from, into := loadedFrom(v), loadedFrom(to)
	return from == into || from.Parent() != into.Parent()
}

// sameVariable says whether a, in a closure, is the variable b.
func sameVariable(a, b ssa.Value) bool {
	u, ok := a.(*ssa.UnOp)
	if !ok {
		return false
	}
	v, ok := u.X.(*ssa.FreeVar)
	return ok && b != nil && b.Name() == v.Name()
}

// joined says whether something is waited for after a value was handed out.
func (j *judgement) joined(i ssa.Instruction, a action) bool {
	switch i.(type) {
	case *ssa.Send, *ssa.Select, *ssa.Go:
	default:
		if a.act != spawn && !a.whole {
			return false
		}
	}
	if j.o.Received && j.o.stream.next(i) {
		return j.o.stream.joined(j.f.a, i)
	}
	if a.act == spawn && j.abandons(i) {
		return false
	}
	for _, b := range j.f.Blocks {
		for _, x := range b.Instrs {
			if x != i && j.mayJoin(x, i) && (a.act == keep && a.whole && receives(x) || (a.act != keep || !a.whole) && j.f.a.waits(x, 0)) {
				return true
			}
		}
	}
	return false
}

// mayJoin reports whether x can wait for what i has begun: what is locked before waits for nobody.
func (j *judgement) mayJoin(x, i ssa.Instruction) bool {
	if !j.o.Borrowed {
		return true
	}
	if c, ok := x.(*ssa.Call); ok && j.handler(c.Call.Value, 0) {
		return false
	}
	_, deferred := x.(*ssa.Defer)
	return deferred || ssautil.Follows(i, x)
}

// abandons says whether the function returns without its goroutine, which i starts, when a
// context is done.
func (j *judgement) abandons(i ssa.Instruction) bool {
	for _, c := range j.f.calls {
		if d, ok := c.(*ssa.Defer); ok && j.f.a.waits(d, 0) {
			return false
		}
	}
	for _, b := range j.f.Blocks {
		for _, x := range b.Instrs {
			sel, ok := x.(*ssa.Select)
			if !ok || !sel.Blocking || !ssautil.Follows(i, sel) {
				continue
			}
			for n, s := range sel.States {
				if isDone(s.Chan) {
					if to := branchOf(sel, n); to != nil && !j.f.a.waitsFrom(to) {
						return true
					}
				}
			}
		}
	}
	return false
}

// isDone says whether a channel is that of a context.
func isDone(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	return ok && c.Call.IsInvoke() && c.Call.Method.FullName() == "(context.Context).Done"
}

// branchOf is where a select statement goes on after case n; nil if that is not found.
func branchOf(sel *ssa.Select, n int) *ssa.BasicBlock {
	for _, r := range *sel.Referrers() {
		e, ok := r.(*ssa.Extract)
		if !ok || e.Index != 0 {
			continue
		}
		for _, use := range *e.Referrers() {
			cond, ok := use.(*ssa.BinOp)
			if !ok || cond.Op != token.EQL {
				continue
			}
			if k, ok := cond.Y.(*ssa.Const); !ok || k.Int64() != int64(n) {
				continue
			}
			for _, b := range *cond.Referrers() {
				if branch, ok := b.(*ssa.If); ok {
					return branch.Block().Succs[0]
				}
			}
		}
	}
	return nil
}

// waitsFrom says whether something is waited for on a path from b.
func (a *analyzer) waitsFrom(b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool { return a.waits(i, 0) }) {
			return true
		}
		work = append(work, b.Succs...)
	}
	return false
}

// receives says whether an instruction receives from a channel.
func receives(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.UnOp:
		return i.Op == token.ARROW
	case *ssa.Select:
		return slices.ContainsFunc(i.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly })
	}
	return false
}

// waits says whether an instruction can wait for a goroutine.
func (a *analyzer) waits(i ssa.Instruction, depth int) bool {
	if receives(i) {
		return true
	}
	if _, ok := i.(*ssa.Go); ok {
		return false
	}
	if i, ok := i.(ssa.CallInstruction); ok {
		c := i.Common()
		name := ""
		fn := c.StaticCallee()
		switch {
		case c.IsInvoke():
			name = c.Method.Name()
		case fn != nil:
			name = fn.Name()
		default:
			_, builtin := c.Value.(*ssa.Builtin)
			return !builtin // a function value: perhaps
		}
		switch name {
		case "Wait", "Lock", "Join", "Stop", "Shutdown", "Acquire", "WaitGroup", "Sleep", "Do":
			return true
		}
		if fn = a.source(fn); fn != nil && fn.Pkg == a.pkg && depth < 3 {
			for _, b := range fn.Blocks {
				for _, x := range b.Instrs {
					if a.waits(x, depth+1) {
						return true
					}
				}
			}
		}
	}
	return false
}

// runDefers judges what the deferred calls do to what was released before.
func (j *judgement) runDefers(i *ssa.RunDefers) {
	s := j.r.before[i]
	if s&(at(released, surely)|at(released, twice)) == 0 && s&(at(live, twice)|at(handed, twice)) == 0 || j.o.Borrowed {
		return
	}
	// Of all situations with a release behind, a deferred one is to come; or two are.
	sure := true
	s.each(func(phase, pending int) (int, int) {
		sure = sure && (pending == surely || pending == twice || phase == absent)
		return phase, pending
	})
	if !sure {
		return
	}
	// The last one that is executed is the one to report.
	var first, second ssa.Instruction
	for _, r := range j.releases() {
		_, isDefer := r.(*ssa.Defer)
		switch {
		case !ssautil.Follows(r, i):
		case !isDefer:
			first = r
		case second == nil:
			second = r
		case first == nil && s&(at(live, twice)|at(handed, twice)) != 0:
			first = r // deferred later, executed before
		}
	}
	if first != nil && second != nil && !j.once(first) && !j.once(second) && j.own(second) {
		j.report(Event{Trouble: Double, Pos: j.place(second), Release: j.place(first), Deferred: true})
	}
}

// exit judges what a return hands out.
func (j *judgement) exit(ret *ssa.Return) {
	if j.o.Borrowed || j.r.exits[ret]&all(released) == 0 {
		return
	}
	must, always := j.r.exits[ret].isReleased(), j.always(ret)
	for _, v := range ret.Results {
		if !(must && j.shown(v) && j.r.d.sure(v) != 0 || always != nil && j.out(always, v)) {
			continue
		}
		release := j.releaseBefore(ret)
		deferred := false
		for _, r := range j.releases() {
			if _, ok := r.(*ssa.Defer); ok && ssautil.Follows(r, ret) {
				deferred = true
			}
		}
		j.report(Event{Trouble: Outlives, Pos: j.returnPos(ret), Release: release, Deferred: deferred, What: "returned", Value: v})
		return
	}
}

// returnPos is the place of a return; one at the end of a function with named results may
// have none.
func (j *judgement) returnPos(ret *ssa.Return) token.Pos {
	if p := ret.Pos(); p.IsValid() {
		return p
	}
	if s := j.f.Syntax(); s != nil {
		return s.End() - 1
	}
	return j.f.Pos()
}

// out says whether v shows the origin's memory whenever i was executed before.
func (j *judgement) out(i ssa.Instruction, v ssa.Value) bool {
	return j.shown(v) && j.r.d.sureAfter(i, v, 0)
}

// shown says whether v, once returned, shows the origin's memory.
func (j *judgement) shown(v ssa.Value) bool {
	m := j.r.d.mark(v) & memory
	return m != 0 && !types.Identical(v.Type(), errorType) && (m != text || j.o.Kind > catalog.Typed || j.o.Kind == catalog.Item)
}

// always says whether a release that can lead to ret can lead to no other return, or only
// to such that hand out the memory too: then it is a mistake whenever it happens. It
// returns that release, or nil.
func (j *judgement) always(ret *ssa.Return) ssa.Instruction {
	for _, i := range j.releases() {
		if !ssautil.Follows(i, ret) || j.onError(i, ret) {
			continue
		}
		only := true
		for _, other := range j.f.returns() {
			if !ssautil.Follows(i, other) {
				continue
			}
			out := slices.ContainsFunc(other.Results, func(v ssa.Value) bool { return j.out(i, v) })
			only = only && out
		}
		if only {
			return i
		}
	}
	return nil
}

// onError says whether the release i happens because a call has failed one of whose other
// results ret hands out: there is nothing in that then.
func (j *judgement) onError(i ssa.Instruction, ret *ssa.Return) bool {
	for b := i.Block(); b.Idom() != nil; b = b.Idom() {
		branch, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		call, failed := j.f.failure(branch.Cond)
		if call == nil || (b == b.Idom().Succs[0]) != failed {
			continue
		}
		for _, v := range ret.Results {
			if e, ok := ssautil.Root(j.f.resolve(v)).(*ssa.Extract); ok && e.Tuple == ssa.Value(call) && !types.Identical(e.Type(), errorType) {
				return true
			}
		}
	}
	return false
}

// failure is the call whose error a condition compares with nil, and whether it is met if
// there is one.
func (f *function) failure(cond ssa.Value) (call *ssa.Call, failed bool) {
	c, ok := cond.(*ssa.BinOp)
	if !ok || !isNil(c.Y) || c.Op != token.EQL && c.Op != token.NEQ || !types.Identical(c.X.Type(), errorType) {
		return nil, false
	}
	switch x := f.resolve(c.X).(type) {
	case *ssa.Extract:
		call, _ = x.Tuple.(*ssa.Call)
	case *ssa.Call:
		call = x
	}
	return call, c.Op == token.NEQ
}

// inevitable finds uses and releases that all paths from a release lead to.
func (j *judgement) inevitable() {
	j.afterGo()
	for _, i := range j.releases() {
		if _, ok := i.(*ssa.Defer); ok {
			if j.own(i) && !j.once(i) && j.leads(i, map[ssa.Instruction]bool{i: true}) {
				j.report(Event{Trouble: Double, Pos: place(i), Deferred: true})
			}
			continue
		}
		if a := j.inevitably(i, use); a != nil {
			j.report(Event{Trouble: UseAfter, Pos: a.pos, Release: j.place(i), Value: a.value})
		}
		if j.once(i) {
			continue
		}
		if a := j.inevitably(i, release); a != nil && !a.once && j.own(a.by) {
			j.report(Event{Trouble: Double, Pos: a.pos, Release: j.place(i)})
		}
	}
}

// afterGo finds releases that all paths from the start of a goroutine lead to which releases
// the origin itself.
func (j *judgement) afterGo() {
	for i, list := range j.r.acts {
		if !slices.ContainsFunc(list, func(a action) bool { return a.act == goRelease }) {
			continue
		}
		if a := j.inevitably(i, release); a != nil && j.own(a.by) {
			j.report(Event{Trouble: Double, Pos: a.pos, Release: j.place(i)})
		}
	}
}

// inevitably finds the next action of a kind that all paths from i lead to, or nil.
func (j *judgement) inevitably(i ssa.Instruction, kind act) *action {
	bad := map[ssa.Instruction]bool{}
	for x, list := range j.r.acts {
		if _, ok := x.(*ssa.Defer); ok {
			continue
		}
		for _, a := range list {
			if a.sure && a.act == kind && !j.r.d.optional(a.value, 0) {
				bad[x] = true
			}
		}
	}
	if len(bad) == 0 || !j.leads(i, bad) {
		return nil
	}
	first := j.firstAfter(i, bad)
	if first == nil {
		return nil
	}
	for _, a := range j.r.acts[first] {
		if a.sure && a.act == kind {
			a.by = first
			return &a
		}
	}
	return nil
}

// own says whether a release is one of the origin itself: that an arena is freed twice is
// no mistake of the memory in it.
func (j *judgement) own(i ssa.Instruction) bool {
	return j.o.Arena == nil || j.o.Handle && slices.ContainsFunc(j.r.acts[i], func(a action) bool {
		return (a.act == release || a.act == deferred) && j.r.d.sure(a.value)&same != 0
	})
}

// once says whether the release of i happens only the first time.
func (j *judgement) once(i ssa.Instruction) bool {
	return slices.ContainsFunc(j.r.acts[i], func(a action) bool { return a.once })
}

// leads says whether all paths from i come by one of bad before the origin lives anew.
func (j *judgement) leads(i ssa.Instruction, bad map[ssa.Instruction]bool) bool {
	// hits says what happens first in a list of instructions: 1 a bad one, -1 a new
	// life, 0 neither.
	hits := func(list []ssa.Instruction) int {
		for _, x := range list {
			switch {
			case x == j.r.start:
				return -1
			case bad[x]:
				return 1
			}
		}
		return 0
	}
	blocks := j.f.Blocks
	must := make([]bool, len(blocks))
	for n := range must {
		must[n] = true
	}
	next := func(b *ssa.BasicBlock) bool {
		for n, s := range b.Succs {
			if !must[s.Index] && !j.leaves(i, b, n) {
				return false
			}
		}
		return len(b.Succs) > 0
	}
	for changed := true; changed; {
		changed = false
		for n := len(blocks) - 1; n >= 0; n-- {
			b := blocks[n]
			h := hits(b.Instrs)
			if v := h > 0 || h == 0 && next(b); must[n] && !v {
				must[n] = false
				changed = true
			}
		}
	}
	rest := i.Block().Instrs
	for n, x := range rest {
		if x == i {
			rest = rest[n+1:]
			break
		}
	}
	h := hits(rest)
	return h > 0 || h == 0 && next(i.Block())
}

// leaves says whether edge n of b ends a loop that holds the release i, and whose rounds
// are counted by something else than the fate of the origin: that there is another round
// may be assumed.
func (j *judgement) leaves(i ssa.Instruction, b *ssa.BasicBlock, n int) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || !b.Dominates(i.Block()) || !ssautil.Reachable(b.Succs[1-n], i.Block()) || ssautil.Reachable(b.Succs[n], b) {
		return false
	}
	back := false
	for _, p := range b.Preds {
		back = back || b.Dominates(p)
	}
	if j.r.start != nil && b.Dominates(j.r.start.Block()) && j.r.start.Block() != b {
		return false // each round has its own
	}
	return back && counts(branch.Cond)
}

// counts says whether a condition is that of a loop over a range or up to a bound.
func counts(cond ssa.Value) bool {
	switch c := cond.(type) {
	case *ssa.BinOp:
		switch c.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			return true
		}
	case *ssa.Extract:
		_, ok := c.Tuple.(*ssa.Next)
		return ok
	}
	return false
}

// firstAfter is the nearest bad instruction behind i.
func (j *judgement) firstAfter(i ssa.Instruction, bad map[ssa.Instruction]bool) ssa.Instruction {
	seen := map[*ssa.BasicBlock]bool{}
	past := false
	for _, x := range i.Block().Instrs {
		if past && bad[x] {
			return x
		}
		past = past || x == i
	}
	work := slices.Clone(i.Block().Succs)
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if seen[b] {
			continue
		}
		seen[b] = true
		found := false
		for _, x := range b.Instrs {
			if bad[x] {
				return x
			}
			found = found || x == j.r.start
		}
		if !found {
			work = append(work, b.Succs...)
		}
	}
	return nil
}

// missing judges the exits that the origin is alive at.
func (j *judgement) missing() {
	o := j.o
	if o.Param || o.Arena != nil || o.Shared || j.f.Name() == "main" && j.f.Pkg != nil && j.f.Pkg.Pkg.Name() == "main" {
		return
	}
	satisfied := all(released) | all(dropped) | all(counted) | all(handed)
	some := j.o.d.has(release, perhaps, deferred, maybeDeferred)
	var exits []token.Pos
	others := state(0)
	for _, ret := range j.f.returns() {
		s := j.r.exits[ret]
		out := slices.ContainsFunc(ret.Results, func(v ssa.Value) bool { return j.r.d.mark(v)&(memory|deep) != 0 })
		if out {
			s |= at(handed, nothing)
		}
		if s&all(live) != 0 && (s&satisfied == 0 || s&all(handed) == 0 && j.lastUse(ret)) {
			exits = append(exits, j.returnPos(ret))
		} else {
			others |= s
		}
	}
	rounds := j.rounds(satisfied)
	exits = append(exits, rounds...)
	if len(exits) == 0 {
		return
	}
	never := others&satisfied == 0 && !some
	if never && (o.Taken || !o.lent()) {
		return // what a constructor hands out may be somebody's to keep
	}
	if never && o.Kind == catalog.Item && strings.HasSuffix(j.f.a.pass.Fset.Position(o.Pos).Filename, "_test.go") {
		return // it may be a test of the pool
	}
	release := token.NoPos
	if rs := j.releases(); len(rs) > 0 {
		release = place(rs[0])
	}
	j.report(Event{Trouble: Missing, Pos: o.Pos, Release: release, Exits: exits, Rounds: rounds, Partly: !never})
}

// lent says whether what acquires the origin says that it has to be given back: a function
// of the table, or one of a telling name.
func (o *Origin) lent() bool {
	if o.Direct || o.Kind.Arena() {
		return true
	}
	word := strings.ToLower(o.By)
	for _, prefix := range []string{"get", "acquire", "borrow", "take", "obtain", "alloc", "checkout"} {
		if strings.HasPrefix(word, prefix) {
			return true
		}
	}
	return strings.Contains(word, "pool") || strings.HasPrefix(o.By, "new")
}

// lastUse says whether the origin is used on a path to ret on which nobody can release it
// any more: somebody forgot to, on that path. Otherwise a return that is reached with and
// without a release means that the release was a choice.
func (j *judgement) lastUse(ret *ssa.Return) bool {
	for i, list := range j.r.acts {
		s := j.r.before[i]
		if s&at(live, nothing) == 0 || s&^(all(live)|all(absent)) != 0 || j.r.reaches[i.Block().Index] || !ssautil.Reachable(i.Block(), ret.Block()) {
			continue
		}
		for _, a := range list {
			if a.act == use && a.sure {
				return true
			}
		}
	}
	return false
}

// rounds are the ends of loop rounds at which the origin is alive although the next round
// acquires another.
func (j *judgement) rounds(satisfied state) []token.Pos {
	if j.r.start == nil {
		return nil
	}
	var all []token.Pos
	home := j.r.start.Block()
	for _, b := range j.f.Blocks {
		for n, s := range b.Succs {
			if !s.Dominates(home) || !home.Dominates(b) {
				continue
			}
			if j.carried(b, s) {
				continue
			}
			end := j.r.edge(b, n, j.r.out[b.Index])
			if end&liveBits != 0 && end&(satisfied|pendingBits) == 0 {
				pos := token.NoPos
				for _, i := range b.Instrs {
					if i.Pos().IsValid() {
						pos = i.Pos()
					}
				}
				all = append(all, pos)
			}
		}
	}
	return all
}

// carried says whether a variable takes the origin from b into the next round.
func (j *judgement) carried(b, next *ssa.BasicBlock) bool {
	for n, p := range next.Preds {
		if p != b {
			continue
		}
		for _, i := range next.Instrs {
			phi, ok := i.(*ssa.Phi)
			if !ok || j.r.d.mark(phi.Edges[n]) == 0 {
				continue
			}
			for _, use := range *phi.Referrers() {
				if use != ssa.Instruction(phi) && ssautil.Reachable(use.Block(), b) {
					return true
				}
			}
		}
	}
	return false
}

// liveBits are the live situations; pendingBits those with something deferred.
var (
	liveBits    = all(live)
	pendingBits = at(live, surely) | at(live, maybe) | at(live, twice)
)

// deferOrder finds what is deferred before a deferred release, and so runs after it, or
// before a release at all.
func (j *judgement) deferOrder() {
	for _, r := range j.releases() {
		_, later := r.(*ssa.Defer)
		for _, b := range j.f.Blocks {
			for _, i := range b.Instrs {
				first, ok := i.(*ssa.Defer)
				if !ok || i == r || !ssautil.Before(first, r) && (later || !j.released(first)) {
					continue
				}
				if pos := j.usesLater(first); pos.IsValid() {
					if later || ssautil.Before(first, r) || j.released(first) {
						j.report(Event{Trouble: UseAfter, Pos: pos, Release: place(r), Deferred: later})
					}
				}
			}
		}
	}
}

// released says whether the origin is released whenever the deferred calls run after d was
// deferred.
func (j *judgement) released(d *ssa.Defer) bool {
	any := false
	for _, b := range j.f.Blocks {
		for _, i := range b.Instrs {
			if _, ok := i.(*ssa.RunDefers); ok && ssautil.Follows(d, i) {
				if !j.r.before[i].isReleased() {
					return false
				}
				any = true
			}
		}
	}
	return any
}

// usesLater is where a deferred call uses the origin when it runs.
func (j *judgement) usesLater(d *ssa.Defer) token.Pos {
	for _, a := range j.r.acts[d] {
		if a.act == deferred || a.act == maybeDeferred {
			return token.NoPos
		}
	}
	k := j.f.callee(&d.Call)
	if k.sum == nil {
		return token.NoPos
	}
	for i, arg := range k.args {
		if !k.sum.param(i).Use && (k.fn == nil || j.f.a.entry(k.fn) == nil && !k.abroad(i)) {
			continue
		}
		if i < k.free {
			if j.r.d.sure(arg)&(same|alias|content) != 0 {
				return d.Pos()
			}
			continue
		}
		cell, ok := arg.(*ssa.Alloc)
		if ok && j.r.d.holds(cell) {
			return j.f.a.firstUse(k.ssa, i-k.free, d.Pos())
		}
	}
	return token.NoPos
}

// firstUse is where a closure first uses what its captured variable holds.
func (a *analyzer) firstUse(fn *ssa.Function, free int, otherwise token.Pos) token.Pos {
	f := a.funcs[fn]
	if f == nil || free >= len(fn.FreeVars) {
		return otherwise
	}
	d := f.followVar(fn.FreeVars[free])
	for _, i := range fn.Blocks[0].Instrs {
		for _, x := range d.acts[i] {
			if x.act == use && x.sure {
				return x.pos
			}
		}
	}
	return token.NoPos
}

// holds says whether a variable holds the origin, and nothing else.
func (d *derivation) holds(cell *ssa.Alloc) bool {
	any := false
	for _, r := range *cell.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == cell {
			any = any || d.sure(s.Val)&(same|alias|content) != 0
		}
	}
	return any && d.cellSure(cell)
}
