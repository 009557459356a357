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
		p.Release = ReleaseAlways
		if whole && exits&InPhase(PhaseDropped) != 0 {
			p.Told = r.toldBy(r.outcomes(), false)
			if t := p.Told; t != nil && t.Zero == PhaseDropped && !f.namedForRelease() && types.Identical(f.Signature.Results().At(t.Result).Type(), ErrorType) {
				t.Zero = PhaseLive // it was large enough
			}
		}
		return
	}
	p.Release = ReleasePerhaps
	if !whole {
		return
	}
	decided, all := r.decision(), r.outcomes()
	dropped := !decided.known && exits&(InPhase(PhaseHanded)|InPhase(PhaseMaybe)) == 0 && !r.returned()
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
	for _, other := range decided.asked {
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

// returned reports whether a result can show the origin.
func (r *States) returned() bool {
	return slices.ContainsFunc(r.Aliases.Func.Returns(), func(ret *ssa.Return) bool {
		return slices.ContainsFunc(ret.Results, func(v ssa.Value) bool { return r.Aliases.Mark(v) != 0 })
	})
}

// A decision is what is known of the conditions by which a function does not release a parameter that
// it releases on other paths. A pool that is full, closed, or takes one of a hundred values drops the
// others: its callers cannot know which, and have given up the value either way. A count or a mark of
// the value itself is known to its owner, and an argument to whoever passes it.
type decision struct {
	states *States
	known  bool             // the caller may know the answer
	asked  []*ssa.Parameter // arguments that are the answer
	names  []string         // fields, variables and functions that are looked at
	seen   map[ssa.Value]bool
}

// decision looks at the branches that lead away from all releases of a parameter that is live there.
func (r *States) decision() *decision {
	d := &decision{states: r, seen: map[ssa.Value]bool{}}
	for _, b := range r.Aliases.Func.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !r.Reaches[b.Index] {
			continue
		}
		for n, next := range b.Succs {
			if !r.Reaches[next.Index] && r.Edge(b, n, r.Out[b.Index])&InPhase(PhaseLive) != 0 {
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

// look follows a condition to what it depends on. Direct says that v is the answer itself, or compared
// for it, rather than something that leads there.
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
		d.names = append(d.names, x.Name())
		return
	case *ssa.Call:
		d.lookAtCall(x)
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
		d.lookAtBranches(x)
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Convert, *ssa.TypeAssert:
	case *ssa.Extract:
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

// lookAtCall looks at whom a condition asks. The length of the value is no answer of its own.
func (d *decision) lookAtCall(c *ssa.Call) {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
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

// An outcome is what is returned on some paths, and the states of a parameter there.
type outcome struct {
	results []ssa.Value
	block   *ssa.BasicBlock // that leads there
	state   State
}

// outcomes returns what the function can return. Paths that meet at a return are told apart by the
// block that they come from, if a result depends on that.
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
func (r *States) tells(all []outcome, result int) bool {
	for _, o := range all {
		if o.state&InPhase(PhaseTold) != 0 && r.toldOf(o.results[result]) != nil {
			return true // it is handed on
		}
	}
	values := func(phases State) (keys []string) {
		for _, o := range all {
			if r.untold(o.state)&phases == 0 {
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

// toldBy returns what a result tells; nil if none does, or nothing certain.
func (r *States) toldBy(all []outcome, dropped bool) *Told {
	f := r.Aliases.Func
	for n := f.Signature.Results().Len() - 1; n >= 0; n-- {
		if !isTested(f.Signature.Results().At(n).Type()) || !r.tells(all, n) {
			continue
		}
		var zero, other State
		for _, o := range all {
			s := o.state
			if t := r.toldOf(o.results[n]); t != nil && s&InPhase(PhaseTold) != 0 {
				s &^= InPhase(PhaseTold)
				zero, other = zero|At(t.Zero, PendingNone), other|At(t.Other, PendingNone)
			}
			s = r.untold(s)
			switch isZero, sure := f.zero(o.results[n], o.block); {
			case !sure:
				zero, other = zero|s, other|s
			case isZero:
				zero |= s
			default:
				other |= s
			}
		}
		t := &Told{Result: n, Zero: phaseOf(zero, dropped), Other: phaseOf(other, dropped)}
		if (t.Zero != t.Other || dropped) && (t.Zero == PhaseReleased || t.Other == PhaseReleased) {
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
		if fn := x.Call.StaticCallee(); fn != nil && (fn.String() == "errors.New" || fn.String() == "fmt.Errorf") {
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
	if r.assumed != nil && v == r.assumed {
		return s, zero == r.isZero
	}
	if t := r.toldOf(v); t != nil {
		if zero {
			return s.become(t.Zero, PhaseTold), true
		}
		return s.become(t.Other, PhaseTold), true
	}
	if r.looksAt(cond, 0) {
		s = s.become(PhaseMaybe, PhaseReleased, PhaseTold)
	}
	return s, true
}

// toldOf returns what v tells: the result of a call, or one of several calls that tell the same.
func (r *States) toldOf(v ssa.Value) *Told {
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
