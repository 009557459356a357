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

// What does a branch tell of an origin? It is the place where functions that put back decide not
// to.
//
//	if cap(b.buf) > max {
//		return // dropped: too large for what comes next, which is the put
//	}
//	pool.Put(b)
//
//	if err := b.load(); err != nil {
//		return // dropped: a method of its own has failed, if b is no buffer
//	}
//	if s.closed {
//		return // live: says nothing of b, so its loss is reported
//	}
//	if b.refs.Add(-1) > 0 {
//		return // perhaps released: a count in the value decides
//	}
//	pool.Put(b)
//
// It takes the effects and gives the states on an edge, for states.go and events. It knows
// patterns, not values: a condition that it does not know leaves the states as they are, which errs
// towards a report of a missing release. One that it takes for a pattern wrongly costs a finding.

// Edge returns the states on edge n of b, given those at its end: the branch there may tell that there is
// no origin, that it was sent, or that it is dropped on purpose. Code drops a value that is too large,
// or broken, where it would release another, so the branches that decide about a release are the ones
// to read. Most answers make a live origin a dropped one, which is never reported as missing: a wrong one
// costs a finding, and makes none.
func (r *States) Edge(b *ssa.BasicBlock, n int, s State) State {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return s
	}
	cond, yes := r.plain(branch.Cond, n == 0)
	// First what is certain: results that tell, and branches that are never taken.
	s, possible := r.learn(cond, yes, s)
	if !possible {
		return 0
	}
	if r.assumed != nil {
		if v, _ := r.Aliases.Func.test(cond, yes); r.isAssumed(v) {
			return s
		}
	}
	// Then whether there is an origin at all. If that is not sure it is dropped, of which nothing
	// is reported.
	if none, sure := r.absent(b, n, cond, yes); none && sure {
		return s.become(PhaseAbsent, PhaseLive, PhaseHanded, PhaseReleased, PhaseDropped, PhaseMaybe, PhaseTold)
	} else if none {
		return s.become(PhaseDropped, PhaseLive)
	}
	if yes && r.sends(cond) {
		return s.become(PhaseHanded, PhaseLive)
	}
	if r.dropsLarge(b, n, cond, yes) || r.noneFits(b, n) || r.unmarked(cond, yes) && r.releasesSoon(b.Succs[1-n], 0) {
		return s.become(PhaseDropped, PhaseLive)
	}
	// A release can still follow, so this is not the branch that leaves it out. Nor is any if
	// nothing is done with the origin but to use it, or if the branch is about room for it.
	if r.Reaches[b.Succs[n].Index] || r.unsent || r.Aliases.growsAfter(b) {
		return s
	}
	if (r.withoutOwner(cond, yes) || r.ownerless(cond, yes)) && r.releasesAlways(b.Succs[1-n], map[*ssa.BasicBlock]bool{}) {
		return s.become(PhaseDropped, PhaseLive)
	}
	// It stays live, and missing may report even a return that other paths reach with a release.
	if r.tooSmall(b, n, cond, yes) {
		r.forget(b)
		return s
	}
	// An error return is no decision about the size of the value: a release that is missing there
	// is a leak.
	failing := fails(b.Succs[n])
	if r.Reaches[b.Succs[1-n].Index] && (r.refused(cond, yes) || r.onlyLent(b, n, cond, yes)) {
		s = s.become(PhaseLive, PhaseHanded) // who would not release it had it worked does not have it
	}
	switch {
	case r.leavesLarge(b, n, cond), r.onFailure(cond, yes), r.onFlag(cond):
		return s.become(PhaseDropped, PhaseLive)
	case !failing && r.onItem(cond, 0) && !r.tellsHanded(cond), r.onCaptured(cond):
		return s.become(PhaseMaybe, PhaseLive)
	}
	return s
}

// plain returns what a condition says without its negations, and whether that is so on the edge on which
// the condition is yes.
func (r *States) plain(cond ssa.Value, yes bool) (ssa.Value, bool) {
	cond = r.Aliases.Func.Resolve(cond)
	for {
		x, not := negated(cond)
		if x == nil {
			return cond, yes
		}
		cond, yes = r.Aliases.Func.Resolve(x), yes != not
	}
}

// absent reports whether there is no origin on edge n of b, and whether that is sure.
func (r *States) absent(b *ssa.BasicBlock, n int, cond ssa.Value, yes bool) (none, sure bool) {
	if none, sure = r.isAbsent(cond, yes); none {
		return none, sure
	}
	return r.absentByCode(b, n, cond, yes)
}

// negated returns x if cond is !x, or compares x with true or false; not reports whether cond is
// the contrary of x.
func negated(cond ssa.Value) (x ssa.Value, not bool) {
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			return c.X, true
		}
	case *ssa.BinOp:
		if k, ok := c.Y.(*ssa.Const); ok && isFlag(k) && (c.Op == token.EQL || c.Op == token.NEQ) {
			return c.X, constant.BoolVal(k.Value) != (c.Op == token.EQL)
		}
	}
	return nil, false
}

// refused reports whether cond, being yes, means that a call has failed that was given the
// origin's memory: who did not take it does not release it.
//
// What was handed over before the call has another owner, whether the call fails or not.
func (r *States) refused(cond ssa.Value, yes bool) bool {
	call, failed := r.Aliases.Func.Failure(cond)
	if call == nil || yes != failed || r.Before[call]&InPhase(PhaseHanded) != 0 { // it was handed over before
		return false
	}
	return slices.ContainsFunc(r.Effects[call], func(a Effect) bool { return a.Kind == EffectHandOver })
}

// sends reports whether cond means that a select statement has sent the origin.
func (r *States) sends(cond ssa.Value) bool {
	c, ok := cond.(*ssa.BinOp)
	if !ok || c.Op != token.EQL {
		return false
	}
	e, ok := c.X.(*ssa.Extract)
	if !ok || e.Index != 0 {
		return false
	}
	sel, ok := e.Tuple.(*ssa.Select)
	if !ok {
		return false
	}
	k, ok := c.Y.(*ssa.Const)
	if !ok || k.Int64() < 0 || int(k.Int64()) >= len(sel.States) {
		return false
	}
	sent := sel.States[k.Int64()].Send
	return sent != nil && r.Aliases.Mark(sent) != 0
}

// isAbsent reports whether cond, being yes, means that there is no value: it is nil, its acquisition
// has failed, or it has not come to that; and whether that is sure.
func (r *States) isAbsent(cond ssa.Value, yes bool) (none, sure bool) {
	if r.contradicts(cond, yes) {
		return true, true
	}
	switch c := cond.(type) {
	case *ssa.BinOp:
		if c.Op != token.EQL && c.Op != token.NEQ {
			return false, false
		}
		equal := yes == (c.Op == token.EQL)
		x := c.X
		if IsNil(x) {
			x = c.Y
		} else if !IsNil(c.Y) {
			return false, false
		}
		x = r.Aliases.Func.Resolve(x)
		if x == r.Aliases.Root {
			return equal, true // of a part: there is no struct to hold it
		}
		if r.Aliases.Mark(x)&MarkSame != 0 {
			return equal, r.Aliases.Sure(x) != 0
		}
		if r.releaser != nil && r.releaser.Mark(x)&MarkSame != 0 {
			return equal, false // there is nothing to call
		}
		if !types.Identical(x.Type(), ErrorType) {
			return false, false
		}
		if r.failed(x) {
			return !equal, true
		}
		// One error variable for several calls: it may be another one that has failed, so this is
		// not sure.
		if phi, ok := x.(*ssa.Phi); ok && slices.ContainsFunc(phi.Edges, r.failed) {
			return !equal, false
		}
	case *ssa.Extract: // v, ok
		if _, call := c.Tuple.(*ssa.Call); c.Index == 0 && !call {
			return false, false
		}
		// As with b, ok := pool.Get().(*bytes.Buffer): what has another type is not released.
		if t, ok := c.Tuple.(*ssa.TypeAssert); ok {
			return !yes && r.Aliases.Mark(t.X)&MarkSame != 0, r.Aliases.Sure(t.X) != 0
		}
		return !yes && r.acquiring(c.Tuple), true
	}
	return false, false
}

// failed reports whether v is the error of the call that acquires the origin.
func (r *States) failed(v ssa.Value) bool {
	e, ok := v.(*ssa.Extract)
	return ok && !r.despite && r.acquiring(e.Tuple)
}

// acquiring reports whether v is the call that acquires the origin.
func (r *States) acquiring(v ssa.Value) bool {
	if v == r.Aliases.Root {
		return true
	}
	e, ok := r.Aliases.Root.(*ssa.Extract)
	return ok && e.Tuple == v
}

// onSize reports whether a condition looks at how large the value is: pools leave what has grown too
// large to the collector.
func (r *States) onSize(cond ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch c := cond.(type) {
	case *ssa.BinOp:
		return r.onSize(r.Aliases.Func.Resolve(c.X), depth+1) || r.onSize(r.Aliases.Func.Resolve(c.Y), depth+1)
	case *ssa.Convert:
		return r.onSize(r.Aliases.Func.Resolve(c.X), depth+1)
	case *ssa.Phi:
		// ok := a && b is one, with b among its edges.
		for _, e := range c.Edges {
			if e != ssa.Value(c) {
				if _, ok := e.(*ssa.Phi); !ok && r.onSize(e, depth+1) {
					return true
				}
			}
		}
	case *ssa.Call:
		if ssautil.IsBuiltin(c, "len", "cap") {
			derived := r.Aliases.Nodes.Find(c.Call.Args[0]) != nil
			if u, ok := c.Call.Args[0].(*ssa.UnOp); ok && !derived { // a field of it
				derived = r.Aliases.Mark(u.X) != 0
			}
			return derived
		}
		k := r.Aliases.Func.Callee(&c.Call)
		if len(k.Args) == 0 || k.Func == nil {
			return false
		}
		if slices.ContainsFunc(k.Args, func(v ssa.Value) bool { return r.measured(r.Aliases.Func.Resolve(v)) }) {
			return true // poolFor(cap(b))
		}
		for i, arg := range k.Args[:k.Captured] {
			if r.Aliases.Mark(arg) != 0 && asksSize(k, i) {
				return true // p.fits(b)
			}
		}
		derived := r.Aliases.Nodes.Find(k.Args[0]) != nil
		if !derived {
			if u, ok := k.Args[0].(*ssa.UnOp); ok {
				derived = r.Aliases.Mark(u.X) != 0
			}
		}
		// A library's methods of these names, as of bytes.Buffer.
		switch k.Func.Name() {
		case "Len", "Cap", "Size", "Available", "Buffered":
			return derived
		}
		// A predicate of the item: shouldPool(b), b.tooLarge().
		res := c.Call.Signature().Results()
		return derived && res.Len() == 1 && types.Identical(res.At(0).Type().Underlying(), types.Typ[types.Bool]) && k.Summary != nil && k.Summary.Param(0).Release == ReleaseNever && !marks(k)
	}
	return false
}

// marks reports whether a method changes its receiver: a predicate that does counts references, or
// takes the right to release.
func marks(k Callee) bool {
	if len(k.Summary.Param(0).Detaches) > 0 {
		return true
	}
	if k.Source == nil {
		return false
	}
	for c := range ssautil.InstructionsOf[*ssa.Call](k.Source) {
		f := ssautil.Callee(&c.Call)
		if f == nil || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" || strings.HasPrefix(f.Name(), "Load") {
			continue
		}
		if args := ssautil.Arguments(&c.Call); len(args) > 0 && ssautil.Root(args[0]) == ssa.Value(k.Source.Params[0]) {
			return true
		}
	}
	return false
}

// measured reports whether v is the length or capacity of the value.
func (r *States) measured(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	return ssautil.Builtin(&c.Call) != "" && r.onSize(c, 0)
}

// fails reports whether b leads straight to a return of an error.
func fails(b *ssa.BasicBlock) bool {
	for range 4 {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			for _, v := range ret.Results {
				if types.Identical(v.Type(), ErrorType) && !IsNil(v) {
					return true
				}
			}
		}
		if len(b.Succs) != 1 {
			return false
		}
		b = b.Succs[0]
	}
	return false
}

// releasesAlways reports whether all ways from b come by a release.
//
// A block that is asked for again counts as a yes. That is right for a loop, and for a block that
// is done: a no ends the whole search at once, so none is ever asked for again.
func (r *States) releasesAlways(b *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) bool {
	if seen[b] {
		return true
	}
	seen[b] = true
	for _, i := range b.Instrs {
		if slices.ContainsFunc(r.Effects[i], func(a Effect) bool {
			return a.Kind == EffectRelease || a.Kind == EffectReleaseIf || a.Kind == EffectMayRelease
		}) {
			return true
		}
	}
	return len(b.Succs) > 0 && !slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !r.releasesAlways(s, seen) })
}

// releasesSoon reports whether b, or what it leads straight to, releases the origin: the branch
// before it decides just about that.
//
// Four blocks in a row, as the release may stand behind a join, and further conditions on the size.
// What happens behind any other branch is not decided by this one.
func (r *States) releasesSoon(b *ssa.BasicBlock, depth int) bool {
	for range 4 {
		for _, i := range b.Instrs {
			for _, a := range r.Effects[i] {
				if a.Kind == EffectRelease || a.Kind == EffectReleaseIf || a.Kind == EffectMayRelease {
					return true
				}
			}
		}
		if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && depth < 4 && r.onSize(r.Aliases.Func.Resolve(branch.Cond), 0) {
			return r.releasesSoon(b.Succs[0], depth+1) || r.releasesSoon(b.Succs[1], depth+1) // one more condition
		}
		if len(b.Succs) != 1 {
			return false
		}
		b = b.Succs[0]
	}
	return false
}

// withoutOwner reports whether cond, being yes, means that another parameter is nil: the pool
// that there is none of.
func (r *States) withoutOwner(cond ssa.Value, yes bool) bool {
	c, ok := cond.(*ssa.BinOp)
	if !ok || r.Start != nil || !IsNil(c.Y) || yes != (c.Op == token.EQL) || c.Op != token.EQL && c.Op != token.NEQ {
		return false
	}
	p, ok := c.X.(*ssa.Parameter)
	return ok && ssa.Value(p) != r.Aliases.Root
}

// onFlag reports whether a condition is a local variable that is set to true or false. It may mirror
// whether the origin was released or handed over; states do not follow which conditions belong
// together.
//
// An example, in which every path is right:
//
//	sent := false
//	if full {
//		pool.Put(b)
//		sent = true
//	}
//	...
//	if !sent {
//		pool.Put(b)
//	}
func (r *States) onFlag(cond ssa.Value) bool {
	if p, ok := cond.(*ssa.Phi); ok {
		for _, e := range p.Edges {
			if !isFlag(e) {
				if _, ok := e.(*ssa.Phi); !ok {
					return false
				}
			}
		}
		return true
	}
	u, ok := cond.(*ssa.UnOp)
	if !ok || u.Op != token.MUL {
		return false
	}
	_, ok = u.X.(*ssa.Alloc)
	return ok
}

// onCaptured reports whether a condition is a variable that a closure has captured: whether it
// releases is up to the function around.
func (r *States) onCaptured(cond ssa.Value) bool {
	u, ok := cond.(*ssa.UnOp)
	if !ok || u.Op != token.MUL {
		return false
	}
	_, ok = u.X.(*ssa.FreeVar)
	return ok
}

// onItem reports whether a condition looks into the value, at a count or a mark there: at what
// a method or an atomic operation tells, or at a field that the function itself changes.
func (r *States) onItem(cond ssa.Value, depth int) bool {
	if depth > 6 || types.Identical(cond.Type(), ErrorType) {
		return false
	}
	switch c := cond.(type) {
	case *ssa.BinOp:
		return r.onItem(r.Aliases.Func.Resolve(c.X), depth+1) || r.onItem(r.Aliases.Func.Resolve(c.Y), depth+1)
	case *ssa.UnOp:
		// A field that is not counted or marked here is a property of the value, and no record of a
		// release.
		fa, ok := c.X.(*ssa.FieldAddr)
		return ok && r.Aliases.Mark(fa)&(MarkSame|MarkAlias) != 0 && r.changes(fa)
	case *ssa.Convert:
		return r.onItem(c.X, depth+1)
	case *ssa.Extract:
		return r.onItem(c.Tuple, depth+1)
	case *ssa.Call:
		k := r.Aliases.Func.Callee(&c.Call)
		if k.Func != nil && r.Aliases.Func.Package.noEscape[k.Func] {
			return false // assembly computes something
		}
		if k.Func != nil && r.Aliases.Func.Package.Known(k.Func) != nil && k.Func.Pkg().Path() != "sync/atomic" {
			return false
		}
		for _, a := range k.Args {
			if r.Aliases.Mark(a)&(MarkSame|MarkAlias) != 0 {
				return true
			}
		}
	}
	return false
}

// changes reports whether the function counts in a field, or marks it with a constant.
//
// A sum of the field and something is a count, a constant is a mark. Anything else is data.
func (r *States) changes(fa *ssa.FieldAddr) bool {
	for other := range ssautil.FieldAddrs(fa.X, fa.Field) {
		for s := range ssautil.StoresTo(other) {
			if _, constant := s.Val.(*ssa.Const); constant {
				return true
			}
			if sum, ok := s.Val.(*ssa.BinOp); ok {
				if from := ssautil.LoadedFrom(sum.X); from != nil && from.Field == fa.Field {
					return true
				}
			}
		}
	}
	return false
}
