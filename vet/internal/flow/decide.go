package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does a function that releases a parameter on some paths release it as far as its callers can
// tell?
//
//	func (p *pool) put(it *item) {
//		if p.closed || p.n >= p.max {
//			return // dropped: callers cannot know
//		}
//		p.pool.Put(it) // so callers have to take it for released
//	}
//
//	func (p *pool) putOwned(it *item) {
//		if it.owned {
//			p.pool.Put(it) // the owner of it may know: perhaps released
//		}
//	}
//
// It takes the states at the returns and the conditions that lead away from the release. If the
// value itself decides, or what the caller has passed, or something that the function notes
// elsewhere, the release is perhaps, and no event is reported. What a condition is computed from is
// followed; if none of it is known to callers they cannot know the answer, which errs towards a
// report.

// releases adds how surely a parameter is released. A path on which it is dropped for its size does
// not make the release doubtful: the caller has given it up either way.
func (f *Function) releases(p *Param, d *Tracked) {
	r := d.states(d.Effects, nil, false)
	var exits State
	for _, s := range r.Exits {
		exits |= r.untold(s)
	}
	whole := d.captured == nil && d.Mark(d.Root)&MarkSame != 0 // not a variable of others, or a part of one
	switch {
	case exits&(InPhase(PhaseReleased)|InPhase(PhaseMaybe)) == 0:
		return
	case exits&(InPhase(PhaseLive)|InPhase(PhaseHanded)|InPhase(PhaseMaybe)) == 0:
		// Released on all paths, or dropped for its size: given up either way.
		p.Release = ReleaseAlways
		if whole && exits&InPhase(PhaseDropped) != 0 {
			all := r.outcomes()
			if r.decision(PhaseDropped).shown(all) {
				p.Release = ReleasePerhaps // a reader that is released at io.EOF, and returns that
				return
			}
			p.Told = r.toldBy(all, false)
			if t := p.Told; t != nil && t.Zero == PhaseDropped && !f.namedForRelease() && types.Identical(f.Signature.Results().At(t.Result).Type(), ErrorType) {
				t.Zero = PhaseLive // it was large enough
			}
		}
		return
	}
	p.Release = ReleasePerhaps
	if d.captured != nil {
		p.Told = f.toldByCaptured(d)
	}
	if !whole {
		f.releasesPart(p, r, exits)
		return
	}
	decided, all := r.decision(PhaseLive), r.outcomes()
	// What is handed over elsewhere, or returned, has an owner, so it was not dropped.
	dropped := !decided.known && !decided.shown(all) && exits&(InPhase(PhaseHanded)|InPhase(PhaseMaybe)) == 0 && !r.Aliases.isReturned()
	if dropped {
		p.Release, p.Names = ReleaseOrDropped, decided.names
		for i := range f.Signature.Results().Len() {
			if r.tells(all, i) {
				p.Release = ReleaseUnlessTold
			}
		}
	}
	if p.Told = r.toldBy(all, dropped); p.Told != nil {
		p.Told.Owner = decided.known && len(decided.asked) == 0 || exits&InPhase(PhaseMaybe) != 0
		if dropped && (f.namedForRelease() || !types.Identical(f.Signature.Results().At(p.Told.Result).Type(), ErrorType)) {
			p.Told.gives()
		}
	}
	f.toldByArguments(p, d, decided.asked)
}

// toldByArguments adds that an argument decides whether a parameter is released. The states are solved twice,
// with it nil or false, and with anything else: if these differ, a caller who passes a constant is told by
// that.
func (f *Function) toldByArguments(p *Param, d *Tracked, asked []*ssa.Parameter) {
	for _, other := range asked {
		if p.Told != nil || !isTested(other.Type()) {
			break
		}
		t := &Told{Result: -1 - slices.Index(f.Params, other), Zero: phaseOf(d.assuming(other, true), false), Other: phaseOf(d.assuming(other, false), false)}
		t.gives()
		if t.Zero != t.Other && (t.Zero == PhaseReleased || t.Other == PhaseReleased) {
			p.Told = t
		}
	}
}

// releasesPart adds that a part is released, or dropped for reasons that the owner of the struct cannot
// know: neither the struct nor a result tells.
func (f *Function) releasesPart(p *Param, r *States, exits State) {
	if r.Aliases.captured != nil || exits&(InPhase(PhaseHanded)|InPhase(PhaseMaybe)) != 0 || r.Aliases.isReturned() {
		return
	}
	decided, all := r.decision(PhaseLive), r.outcomes()
	if decided.known || decided.seen[r.Aliases.Root] || decided.shown(all) {
		return
	}
	for i := range f.Signature.Results().Len() {
		if r.tells(all, i) {
			return
		}
	}
	p.Release, p.Names = ReleaseOrDropped, decided.names
}

// A decision collects the conditions by which a function does not release a parameter that it releases
// on other paths. A pool that is full, closed, or takes one of a hundred values drops the others: its
// callers cannot know which, and have given up the value either way. A count or a mark of the value
// itself is known to its owner, and an argument to whoever passes it.
type decision struct {
	states *States
	known  bool             // the caller may know the answer
	asked  []*ssa.Parameter // arguments that are the answer
	names  []string         // fields, variables and functions that are looked at
	seen   map[ssa.Value]bool
}

// decision looks at the branches that lead away from all releases of a parameter, and leave it in a
// phase.
//
// An edge leads away if no release can follow it, while one can follow its block, and the parameter
// is in the phase there. Others decide nothing about the release.
func (r *States) decision(phase Phase) *decision {
	d := &decision{states: r, seen: map[ssa.Value]bool{}}
	for _, b := range r.Aliases.Func.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !r.Reaches[b.Index] {
			continue
		}
		for n, next := range b.Succs {
			if !r.Reaches[next.Index] && r.Edge(b, n, r.Out[b.Index])&InPhase(phase) != 0 {
				d.look(branch.Cond, true)
			}
		}
	}
	for i := range ssautil.Instructions(r.Aliases.Func.Function) {
		for _, a := range r.Effects[i] {
			if a.Kind == EffectReleaseIf {
				d.look(a.Cond, true)
			}
		}
	}
	d.known = d.known || d.noted()
	slices.Sort(d.names)
	d.names = slices.Compact(d.names)
	return d
}

// shown reports whether a value that decides is returned both where the parameter was released and
// where it was not: who looks at it as closely as the function did knows which.
func (d *decision) shown(all []outcome) bool {
	return slices.ContainsFunc(all, func(o outcome) bool {
		both := o.state&InPhase(PhaseReleased) != 0 && o.state&^(InPhase(PhaseReleased)|InPhase(PhaseAbsent)) != 0
		return both && slices.ContainsFunc(o.results, func(v ssa.Value) bool { return d.seen[v] && !isConst(v) })
	})
}

// look follows a condition to what it depends on. Direct says that v is the answer itself, or compared
// for it, rather than something that leads there. One flat switch over the values.
//
// It ends because each value is looked at once, and at the first answer that the caller may know.
func (d *decision) look(v ssa.Value, direct bool) {
	f := d.states.Aliases.Func
	v = f.Resolve(v)
	if v == nil || d.seen[v] || d.known {
		return
	}
	d.seen[v] = true
	if t := d.states.told[v]; t != nil && t.Result >= 0 && isResult(v) {
		d.known = d.known || t.Owner
		return
	}
	if d.states.Aliases.Mark(v) != 0 {
		d.known = true // the value itself
		return
	}
	switch x := v.(type) {
	case *ssa.Parameter:
		// A parameter by itself is the answer; one that something is computed from, or loaded from,
		// only leads there.
		if direct {
			d.known, d.asked = true, append(d.asked, x)
		}
		return
	case *ssa.FreeVar:
		d.known = d.known || direct
		return
	case *ssa.Alloc:
		d.known = true // a variable of which too little is known
		return
	case *ssa.Global:
		// A caller that looks at it, too, may know: see learn.
		d.names = append(d.names, x.Name())
		return
	case *ssa.Call:
		d.lookAtCall(x, types.Identical(x.Type(), ErrorType))
		return
	case *ssa.BinOp:
		if isCountdown(x) {
			d.known = true // of references
			return
		}
		direct = direct && (x.Op == token.EQL || x.Op == token.NEQ)
	case *ssa.UnOp:
		_, variable := x.X.(*ssa.FreeVar)
		direct = direct && (x.Op == token.NOT || variable)
	case *ssa.FieldAddr:
		d.names = append(d.names, FieldName(x))
		direct = false
	case *ssa.Phi:
		// Which edge was taken is decided by branches, so these count as well.
		d.lookAtBranches(x)
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Convert, *ssa.TypeAssert:
	case *ssa.Extract:
		if c, ok := x.Tuple.(*ssa.Call); ok && types.Identical(x.Type(), ErrorType) {
			d.lookAtCall(c, true)
			return
		}
		if _, ok := x.Tuple.(*ssa.TypeAssert); !ok {
			direct = false
		}
	default:
		direct = false
	}
	if sel, ok := v.(*ssa.Select); ok {
		for _, s := range sel.States {
			d.look(s.Chan, false) // not what is sent there
		}
		return
	}
	if i, ok := v.(ssa.Instruction); ok {
		var operands [8]*ssa.Value
		for _, o := range i.Operands(operands[:0]) {
			if *o != nil {
				d.look(*o, direct)
			}
		}
	}
}

// isResult reports whether v is a result of a call.
func isResult(v ssa.Value) bool {
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	_, ok := v.(*ssa.Call)
	return ok
}

// lookAtCall looks at whom a condition asks. The length of the value is no answer of its own, nor is an
// error, whatever the call was about.
func (d *decision) lookAtCall(c *ssa.Call, failing bool) {
	if ssautil.IsBuiltin(c, "len", "cap") {
		if d.states.Aliases.Nodes.Find(c.Call.Args[0]) == nil {
			d.look(c.Call.Args[0], false)
		}
		return
	}
	if !c.Call.IsInvoke() {
		d.look(c.Call.Value, true) // a function that was passed
	}
	k := d.states.Aliases.Func.Callee(&c.Call)
	if k.Func != nil && d.states.Aliases.Func.Package.Known(k.Func) == nil { // not Load of a sync/atomic type
		d.names = append(d.names, k.Func.Name())
	}
	for _, arg := range k.Args {
		if (failing || IsMeasure(c)) && d.states.Aliases.Mark(arg) != 0 {
			continue // how large it is, or what has become of a call that got it
		}
		d.look(arg, false)
	}
}

// lookAtBranches looks at the branches that decide which value a phi has.
func (d *decision) lookAtBranches(phi *ssa.Phi) {
	for _, b := range append(slices.Clone(phi.Block().Preds), phi.Block().Idom()) {
		if b == nil {
			continue
		}
		if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			d.look(branch.Cond, true)
		}
	}
}

// isCountdown reports whether a condition compares with zero what was counted down: references that
// are left, wherever they are counted.
func isCountdown(c *ssa.BinOp) bool {
	k, ok := c.Y.(*ssa.Const)
	if !ok || k.Value == nil || k.Value.Kind() != constant.Int || constant.Sign(k.Value) != 0 {
		return false
	}
	negative := func(v ssa.Value) bool {
		n, ok := v.(*ssa.Const)
		return ok && n.Value != nil && n.Value.Kind() == constant.Int && constant.Sign(n.Value) < 0
	}
	switch x := c.X.(type) {
	case *ssa.BinOp:
		return x.Op == token.SUB
	case *ssa.Call:
		f := x.Call.StaticCallee()
		return f != nil && strings.HasPrefix(f.Name(), "Add") && slices.ContainsFunc(x.Call.Args, negative)
	case *ssa.UnOp: // a field that the function counts down
		fa, ok := x.X.(*ssa.FieldAddr)
		if !ok {
			return false
		}
		for other := range ssautil.FieldAddrs(fa.X, fa.Field) {
			for s := range ssautil.StoresTo(other) {
				if sum, ok := s.Val.(*ssa.BinOp); ok && sum.Op == token.SUB {
					return true
				}
			}
		}
	}
	return false
}

// noted reports whether the function notes for its caller whether it has released the parameter: it
// sets a mark in other memory where it has, or where it will not.
//
// An example, and the other direction, where the store comes where no release follows:
//
//	p.pool.Put(it)
//	*gone = true
//
//	if p.closed {
//		s.kept = true
//		return
//	}
func (d *decision) noted() bool {
	for s := range ssautil.InstructionsOf[*ssa.Store](d.states.Aliases.Func.Function) {
		if !isFlag(s.Val) && !IsNil(s.Val) {
			continue
		}
		if _, local := ssautil.Root(s.Addr).(*ssa.Alloc); local || d.states.Aliases.Mark(s.Addr) != 0 {
			continue
		}
		before := d.states.Before[s]
		if before.IsReleased() || before != 0 && !d.states.Reaches[s.Block().Index] && before&InPhase(PhaseReleased) == 0 {
			return true
		}
	}
	return false
}
