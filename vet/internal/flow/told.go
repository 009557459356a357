package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// How can a caller tell whether a function has released its parameter? By a result, or by an
// argument that it passes itself.
//
//	func (p *pool) recycle(it *item) bool {
//		if p.closed {
//			return false // dropped
//		}
//		p.pool.Put(it)
//		return true // released
//	}
//
//	if p.recycle(it) {
//		it.n++ // wrong: released on this edge
//	}
//
//	func (p *pool) write(it *item) error {
//		_, err := p.w.Write(it.data)
//		p.pool.Put(it)
//		return err // tells nothing of it: released either way
//	}
//
// It takes the results and states at all returns, and gives a Told: the phase if the result is
// zero, and the phase if it is not. One of the two has to be a release for certain, or there is
// none, and callers get what may have happened: silence.

// An outcome holds the results on some paths, and the states of a parameter there.
type outcome struct {
	results []ssa.Value
	block   *ssa.BasicBlock // that leads there
	state   State
}

// outcomes returns what the function can return. Paths that meet at a return are told apart by the
// block that they come from, if a result depends on that.
//
// A phi in the block of the return would join what belongs together: the result of one path with
// the state of another. So such paths are taken apart at the last edge. Joins before that stay
// joined.
func (r *States) outcomes() []outcome {
	f := r.Aliases.Func
	var all []outcome
	for _, ret := range f.Returns() {
		results := make([]ssa.Value, len(ret.Results))
		merged := false
		for i, v := range ret.Results {
			results[i] = f.Resolve(v)
			phi, ok := results[i].(*ssa.Phi)
			merged = merged || ok && phi.Block() == ret.Block()
		}
		if !merged {
			all = append(all, outcome{results, ret.Block(), r.Exits[ret]})
			continue
		}
		for n, pred := range ret.Block().Preds {
			s := r.Edge(pred, slices.Index(pred.Succs, ret.Block()), r.Out[pred.Index])
			for _, i := range ret.Block().Instrs {
				s = r.step(i, s)
			}
			edge := slices.Clone(results)
			for i, v := range edge {
				if phi, ok := v.(*ssa.Phi); ok && phi.Block() == ret.Block() {
					edge[i] = f.Resolve(phi.Edges[n])
				}
			}
			all = append(all, outcome{edge, pred, s})
		}
	}
	return all
}

// untold returns what s is to a caller that is not told what a callee has told here.
func (r *States) untold(s State) State {
	if s&InPhase(PhaseTold) == 0 {
		return s
	}
	for _, t := range r.told {
		if t.Owner {
			s |= At(PhaseMaybe, PendingNone)
		}
		s |= At(t.Zero, PendingNone) | At(t.Other, PendingNone)
	}
	return s &^ InPhase(PhaseTold)
}

// tells reports whether a result can be another where the parameter was released than where it was not.
//
// If the same results come with a release and without one, nobody can tell by them. Results are
// compared by their names in SSA, constants by their values, so two different values that may be
// equal at run time count as different.
func (r *States) tells(all []outcome, result int) bool {
	for _, o := range all {
		if o.state&InPhase(PhaseTold) != 0 && r.toldOf(o.results[result]) != nil {
			return true // it is handed on
		}
	}
	values := func(wanted State) (keys []string) {
		for _, o := range all {
			if r.untold(o.state)&wanted == 0 {
				continue
			}
			key := o.results[result].Name()
			if c, ok := o.results[result].(*ssa.Const); ok {
				key = c.String()
			}
			keys = append(keys, key)
		}
		slices.Sort(keys)
		return slices.Compact(keys)
	}
	released, not := InPhase(PhaseReleased)|InPhase(PhaseMaybe), InPhase(PhaseLive)|InPhase(PhaseHanded)|InPhase(PhaseDropped)
	return !slices.Equal(values(released), values(not))
}

// A Told says by what a caller can tell whether a parameter was released: by a result, or by an
// argument, and whether that is the zero value of its type.
type Told struct {
	Result int   `json:",omitempty"` // or -1-i for parameter i
	Zero   Phase // of the parameter after the call, if it is false, or nil
	Other  Phase // if it is not

	// Owner says that the value itself decides, so that an owner may know without being told.
	Owner bool `json:",omitempty"`
}

// toldBy returns what a result tells of a release; nil if none does, or nothing certain.
func (r *States) toldBy(all []outcome, dropped bool) *Told {
	return r.toldThat(all, dropped, func(t *Told) bool {
		return (t.Zero != t.Other || dropped) && (t.Zero == PhaseReleased || t.Other == PhaseReleased)
	})
}

// toldHanded returns what a result tells of a parameter that others have in one case, and that is still
// the caller's in the other; nil if none does.
func (r *States) toldHanded(all []outcome) *Told {
	return r.toldThat(all, false, func(t *Told) bool {
		return t.Zero == PhaseHanded && t.Other == PhaseLive || t.Zero == PhaseLive && t.Other == PhaseHanded
	})
}

// toldThat returns what the last result tells of which says holds.
func (r *States) toldThat(all []outcome, dropped bool, says func(*Told) bool) *Told {
	f := r.Aliases.Func
	for n := f.Signature.Results().Len() - 1; n >= 0; n-- {
		if !isTested(f.Signature.Results().At(n).Type()) || !r.tells(all, n) {
			continue
		}
		var zero, other State
		for _, o := range all {
			s := o.state
			// The result is what a callee has told: it goes on to our callers with the same
			// meaning.
			if t := r.toldOf(o.results[n]); t != nil && s&InPhase(PhaseTold) != 0 {
				s &^= InPhase(PhaseTold)
				zero, other = zero|At(t.Zero, PendingNone), other|At(t.Other, PendingNone)
			}
			s = r.untold(s)
			switch empty, sure := f.zero(o.results[n], o.block); {
			case !sure:
				// It may be either, so the state counts for both.
				zero, other = zero|s, other|s
			case empty:
				zero |= s
			default:
				other |= s
			}
		}
		t := &Told{Result: n, Zero: phaseOf(zero, dropped), Other: phaseOf(other, dropped)}
		if says(t) {
			return t
		}
	}
	return nil
}

// isTested reports whether callers compare a value of type t with its zero value: it is a boolean,
// or can be nil.
func isTested(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.Bool
	case *types.Interface, *types.Pointer:
		return true
	}
	return false
}

// phaseOf returns the phase that callers may rely on; PhaseMaybe if there is none. Dropped says that
// what is not released is dropped.
//
// The lattice of outcomes: with a release, a hand-over is in conflict, and so is live, unless those
// that are not released are dropped, which to callers is the same. Without a release the strongest
// claim of others wins.
func phaseOf(s State, dropped bool) Phase {
	has := func(p Phase) bool { return s&InPhase(p) != 0 }
	switch {
	case has(PhaseMaybe), has(PhaseReleased) && has(PhaseHanded):
		return PhaseMaybe
	case has(PhaseReleased) && (dropped || !has(PhaseLive)):
		return PhaseReleased
	case has(PhaseReleased):
		return PhaseMaybe
	case has(PhaseHanded):
		return PhaseHanded
	case has(PhaseLive):
		return PhaseLive
	case has(PhaseDropped):
		return PhaseDropped
	}
	return PhaseAbsent
}

// zero reports whether v is nil or false at the end of b, and whether that is sure either way.
//
// Values that are made here are not nil. For others the branches are asked that all paths to b have
// taken: a block with one predecessor that dominates b was entered by the edge of its dominator's
// branch.
func (f *Function) zero(v ssa.Value, b *ssa.BasicBlock) (zero, sure bool) {
	switch x := v.(type) {
	case *ssa.Const:
		return x.Value == nil || isFlag(x) && !constant.BoolVal(x.Value), x != unknown
	case *ssa.MakeInterface, *ssa.Alloc, *ssa.MakeClosure, *ssa.FieldAddr:
		return false, true
	case *ssa.UnOp:
		if _, global := x.X.(*ssa.Global); global && types.Identical(x.Type(), ErrorType) {
			return false, true // io.EOF
		}
	case *ssa.Call:
		if catalog.Callee(&x.Call).NonNil {
			return false, true
		}
	}
	for ; b.Idom() != nil; b = b.Idom() {
		branch, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		if x, isZero := f.test(branch.Cond, b == b.Idom().Succs[0]); x == v {
			return isZero, true
		}
	}
	return false, false
}

// learn returns the states of s after a condition, being yes, has told what a call did, and whether
// that can be at all. What is looked at that may have decided a release, such as whether the pool is
// closed, makes it doubtful.
func (r *States) learn(cond ssa.Value, yes bool, s State) (after State, possible bool) {
	if r.Aliases.Func.Impossible(cond, yes) {
		return s, false
	}
	if len(r.told)+len(r.names) == 0 && r.assumed == nil {
		return s, true
	}
	v, zero := r.Aliases.Func.test(cond, yes)
	if r.assumed != nil && r.isAssumed(v) {
		return s, zero == r.isZero
	}
	if t := r.toldOf(v); t != nil {
		if zero {
			return s.become(t.Zero, PhaseTold), true
		}
		return s.become(t.Other, PhaseTold), true
	}
	// As with disabled here, which put asks, too. The branch may be the one on which it was not
	// released:
	//
	//	put(b)
	//	if disabled {
	//		use(b)
	//	}
	if r.looksAt(cond, 0) {
		s = s.become(PhaseMaybe, PhaseReleased, PhaseTold)
	}
	return s, true
}

// isAssumed reports whether v is the parameter, or was loaded from the captured variable, of which
// something is assumed.
func (r *States) isAssumed(v ssa.Value) bool {
	if load, ok := v.(*ssa.UnOp); ok {
		if _, captured := load.X.(*ssa.FreeVar); captured {
			v = load.X
		}
	}
	return v == r.assumed
}

// toldByCaptured returns how a captured variable tells whether a closure releases what another holds:
// it is a deferred one that releases only if there is an error.
//
// An example. The caller knows by what it returns whether the release comes:
//
//	defer func() {
//		if err != nil {
//			tasks.Put(t)
//		}
//	}()
func (f *Function) toldByCaptured(d *Tracked) *Told {
	for j, v := range f.FreeVars {
		if v == d.captured || !isTested(v.Type().Underlying().(*types.Pointer).Elem()) || f.definitions().variable(v).stores > 0 {
			continue
		}
		t := &Told{Result: -1 - len(f.Params) - j, Zero: phaseOf(d.assuming(v, true), false), Other: phaseOf(d.assuming(v, false), false)}
		if t.Zero != t.Other && t.Zero != PhaseMaybe && t.Other != PhaseMaybe {
			return t
		}
	}
	return nil
}

// settle returns the states before the deferred calls run, if the value that the function returns tells
// whether one of them releases.
func (r *States) settle(i ssa.Instruction, s State) State {
	// Of one deferred closure only: with two it is not known which of them the pending release
	// belongs to.
	if len(r.mayDefer) != 1 || r.mayDefer[0].Told == nil {
		return s
	}
	a := r.mayDefer[0]
	v := r.holds(a.Cond, i)
	if v == nil {
		return s
	}
	zero, sure := r.Aliases.Func.zero(v, i.Block())
	if !sure {
		return s
	}
	phase := a.Told.Other
	if zero {
		phase = a.Told.Zero
	}
	return s.Each(func(old Phase, pending Pending) (Phase, Pending) {
		if pending == PendingMaybe && phase == PhaseReleased {
			pending = PendingSure
		} else if pending == PendingMaybe {
			pending = PendingNone
		}
		return old, pending
	})
}

// holds returns the value that a variable holds at i, where deferred calls run: the last one that the
// block stores, or what is loaded behind i; nil if it is not known.
func (r *States) holds(cell ssa.Value, i ssa.Instruction) (v ssa.Value) {
	for _, x := range i.Block().Instrs {
		switch x := x.(type) {
		case *ssa.Store:
			if x.Addr == cell {
				v = r.Aliases.Func.Resolve(x.Val)
			}
		case *ssa.UnOp:
			if x.X == cell && v == nil && ssautil.Before(i, x) {
				if v = r.Aliases.Func.Resolve(x); v == ssa.Value(x) {
					v = nil
				}
			}
		}
	}
	return v
}

// toldOf returns what v tells: the result of a call, one of several calls that tell the same, or whether
// such a result is nil.
//
// All edges of a phi have to tell the same, constants apart: an error variable that is nil where no
// call was made.
func (r *States) toldOf(v ssa.Value) *Told {
	if c, ok := v.(*ssa.BinOp); ok && (c.Op == token.EQL || c.Op == token.NEQ) && IsNil(c.Y) {
		t := r.told[r.Aliases.Func.Resolve(c.X)]
		if t != nil && c.Op == token.EQL {
			t = &Told{Result: t.Result, Zero: t.Other, Other: t.Zero, Owner: t.Owner}
		}
		return t
	}
	phi, ok := v.(*ssa.Phi)
	if !ok {
		return r.told[v]
	}
	var t *Told
	for _, e := range phi.Edges {
		if isConst(e) {
			continue
		}
		x := r.told[r.Aliases.Func.Resolve(e)]
		if x == nil || t != nil && (t.Zero != x.Zero || t.Other != x.Other) {
			return nil
		}
		t = x
	}
	return t
}

// looksAt reports whether v depends on what callees decide by, or on a value that tells of a release.
func (r *States) looksAt(v ssa.Value, depth int) bool {
	v = r.Aliases.Func.Resolve(v)
	if depth > 6 {
		return false
	}
	if r.told[v] != nil {
		return true
	}
	switch x := v.(type) {
	case *ssa.Global:
		return slices.Contains(r.names, x.Name())
	case *ssa.FieldAddr:
		if slices.Contains(r.names, FieldName(x)) {
			return true
		}
	case *ssa.Call:
		if k := r.Aliases.Func.Callee(&x.Call); k.Func != nil && slices.Contains(r.names, k.Func.Name()) {
			return true
		}
	}
	i, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	var operands [8]*ssa.Value
	return slices.ContainsFunc(i.Operands(operands[:0]), func(o *ssa.Value) bool { return *o != nil && r.looksAt(*o, depth+1) })
}

// test returns the value that a condition compares with nil or false, and whether it is that if the
// condition is yes.
func (f *Function) test(cond ssa.Value, yes bool) (v ssa.Value, zero bool) {
	cond = f.Resolve(cond)
	for {
		x, not := negated(cond)
		if x == nil {
			break
		}
		cond, yes = f.Resolve(x), yes != not
	}
	if c, ok := cond.(*ssa.BinOp); ok && (c.Op == token.EQL || c.Op == token.NEQ) && IsNil(c.Y) {
		return f.Resolve(c.X), yes == (c.Op == token.EQL)
	}
	return cond, !yes
}

// namedForRelease reports whether the function has the name of one that has nothing to do but to release.
func (f *Function) namedForRelease() bool {
	word := strings.ToLower(f.Name())
	for _, prefix := range []string{"put", "release", "recycle", "free", "return", "give", "discard", "drop", "reuse"} {
		if strings.HasPrefix(word, prefix) {
			return true
		}
	}
	return false
}

// gives says that callers give the value up: where it is not released it is dropped on purpose.
func (t *Told) gives() {
	for _, phase := range []*Phase{&t.Zero, &t.Other} {
		if *phase == PhaseLive {
			*phase = PhaseDropped
		}
	}
}

// Excludes reports whether a condition, being yes, says that the release whose effect a is has not
// happened.
func (f *Function) Excludes(a Effect, cond ssa.Value, yes bool) bool {
	v, zero := f.test(cond, yes)
	if a.Cond == nil || v != a.Cond {
		return false
	}
	phase := a.Told.Other
	if zero {
		phase = a.Told.Zero
	}
	return phase != PhaseReleased && phase != PhaseMaybe
}
