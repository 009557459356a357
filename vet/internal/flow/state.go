package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A state is a set of situations an origin can be in: a phase, and what is deferred.
type state uint32

// The phases.
const (
	absent   = iota // not acquired, or nil
	live            // to be released
	handed          // somebody else may release it
	released        // it is somebody else's
	dropped         // given to the collector on purpose
	counted         // perhaps released
	phases
)

// What is deferred.
const (
	nothing = iota
	surely
	maybe
	twice
	pendings
)

func at(phase, pending int) state { return 1 << (phase*pendings + pending) }

// all is every situation of a phase.
func all(phase int) state {
	return (1<<pendings - 1) << (phase * pendings)
}

// isReleased says whether s is certainly released.
func (s state) isReleased() bool {
	return s&all(released) != 0 && s&^(all(released)|all(absent)) == 0
}

// each maps every situation of s.
func (s state) each(f func(phase, pending int) (int, int)) state {
	var out state
	for phase := range phases {
		for pending := range pendings {
			if s&at(phase, pending) != 0 {
				out |= at(f(phase, pending))
			}
		}
	}
	return out
}

// become moves all phases of s in from to the phase to.
func (s state) become(to int, from ...int) state {
	return s.each(func(phase, pending int) (int, int) {
		for _, p := range from {
			if phase == p {
				return to, pending
			}
		}
		return phase, pending
	})
}

// A run is the states of one derivation in a function.
type run struct {
	d        *derivation
	acts     actions
	start    ssa.Instruction // where the origin begins to live; nil for the entry
	borrowed bool            // it is released when the function ends, by whoever called it
	carry    bool            // what was deferred before the origin was there counts
	reaches  []bool          // by block: whether a release can follow
	in       []state
	before   map[ssa.Instruction]state
	exits    map[*ssa.Return]state
	out      []state
}

// flow computes the states.
func (d *derivation) flow(acts actions, start ssa.Instruction, borrowed bool) *run {
	r := &run{d: d, acts: acts, start: start, borrowed: borrowed, in: make([]state, len(d.f.Blocks)), out: make([]state, len(d.f.Blocks)),
		before: map[ssa.Instruction]state{}, exits: map[*ssa.Return]state{}}
	r.prepare()
	first := at(absent, nothing)
	if start == nil {
		first = at(live, nothing)
		if borrowed {
			first = at(live, surely)
		}
	}
	r.in[0] = first
	work := []*ssa.BasicBlock{d.f.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		s := r.in[b.Index]
		for _, i := range b.Instrs {
			s = r.step(i, s)
		}
		r.out[b.Index] = s
		for n, next := range b.Succs {
			t := r.edge(b, n, s)
			if r.in[next.Index]|t != r.in[next.Index] {
				r.in[next.Index] |= t
				work = append(work, next)
			}
		}
	}
	return r
}

// prepare finds out where releases can follow.
func (r *run) prepare() {
	blocks := r.d.f.Blocks
	r.reaches = make([]bool, len(blocks))
	var work []*ssa.BasicBlock
	for i, acts := range r.acts {
		for _, a := range acts {
			switch a.act {
			case release, perhaps, deferred, maybeDeferred:
				work = append(work, i.Block())
			}
			if a.act == deferred || a.act == maybeDeferred {
				if r.start != nil && ssautil.Before(i, r.start) {
					r.carry = true
				}
			}
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if r.reaches[b.Index] {
			continue
		}
		r.reaches[b.Index] = true
		work = append(work, b.Preds...)
	}
}

// step is what one instruction does.
func (r *run) step(i ssa.Instruction, s state) state {
	r.before[i] |= s
	if i == r.start {
		s = s.each(func(_, pending int) (int, int) {
			if !r.carry {
				pending = nothing
			}
			if r.borrowed {
				pending = surely
			}
			return live, pending
		})
	}
	for _, a := range r.acts[i] {
		s = effect(a, s)
	}
	switch i := i.(type) {
	case *ssa.RunDefers:
		return s.each(func(phase, pending int) (int, int) {
			switch {
			case phase == absent || pending == nothing:
			case pending == maybe && phase == live:
				phase = counted
			case pending != maybe:
				phase = released
			}
			return phase, nothing
		})
	case *ssa.Return:
		if r.borrowed {
			s = s.become(released, live, handed, dropped, counted)
		}
		r.exits[i] |= s
	}
	return s
}

func effect(a action, s state) state {
	switch a.act {
	case release:
		return s.become(released, live, handed, dropped, counted)
	case perhaps:
		return s.become(counted, live)
	case handOver:
		return s.become(handed, live)
	case deferred:
		return s.each(func(phase, pending int) (int, int) {
			if pending == surely || pending == twice {
				return phase, twice
			}
			return phase, surely
		})
	case maybeDeferred:
		return s.each(func(phase, pending int) (int, int) {
			if pending == nothing {
				pending = maybe
			}
			return phase, pending
		})
	}
	return s
}

// edge is what a branch tells of the origin.
func (r *run) edge(b *ssa.BasicBlock, n int, s state) state {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return s
	}
	yes := n == 0
	cond := r.d.f.resolve(branch.Cond)
	for {
		x, not := negated(cond)
		if x == nil {
			break
		}
		cond, yes = r.d.f.resolve(x), yes != not
	}
	if none, sure := r.isAbsent(cond, yes); none && sure {
		return s.become(absent, live, handed, released, dropped, counted)
	} else if none {
		return s.become(dropped, live)
	}
	if yes && r.sends(cond) {
		return s.become(handed, live)
	}
	if r.noneFits(b, n) {
		return s.become(dropped, live)
	}
	if r.reaches[b.Succs[n].Index] {
		return s
	}
	if r.withoutOwner(cond, yes) && r.releasesAlways(b.Succs[1-n], map[*ssa.BasicBlock]bool{}) {
		return s.become(dropped, live)
	}
	failing := fails(b.Succs[n])
	if r.reaches[b.Succs[1-n].Index] && r.refused(cond, yes) {
		s = s.become(live, handed) // who would not release it had it worked does not have it
	}
	switch {
	case !failing && r.onSize(cond, 0) && (r.releasesSoon(b.Succs[1-n], 0) || r.releasesAlways(b.Succs[1-n], map[*ssa.BasicBlock]bool{})), r.onFailure(cond, yes), r.onFlag(cond):
		return s.become(dropped, live)
	case !failing && r.onItem(cond, 0), r.onCaptured(cond):
		return s.become(counted, live)
	}
	return s
}

// negated returns x if cond is !x, or compares x with true or false; not says whether cond is
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

// noneFits says whether edge n of b ends a loop that looks for the pool of the right size:
// there was none.
func (r *run) noneFits(b *ssa.BasicBlock, n int) bool {
	body := b.Succs[1-n]
	if !r.reaches[body.Index] || !ssautil.Reachable(body, b) || ssautil.Reachable(b.Succs[n], b) {
		return false
	}
	for _, x := range r.d.f.Blocks {
		branch, ok := x.Instrs[len(x.Instrs)-1].(*ssa.If)
		if !ok || x == b || !body.Dominates(x) || !ssautil.Reachable(x, b) || !r.onSize(r.d.f.resolve(branch.Cond), 0) {
			continue
		}
		for _, s := range x.Succs {
			if !ssautil.Reachable(s, b) && r.releasesSoon(s, 0) {
				return true
			}
		}
	}
	return false
}

// refused says whether cond, being yes, means that a call has failed that was given the
// origin's memory.
func (r *run) refused(cond ssa.Value, yes bool) bool {
	call, failed := r.d.f.failure(cond)
	if call == nil || yes != failed || r.before[call]&all(handed) != 0 { // somebody had it before
		return false
	}
	return slices.ContainsFunc(r.acts[call], func(a action) bool { return a.act == handOver })
}

// sends says whether cond means that a select statement has sent the origin.
func (r *run) sends(cond ssa.Value) bool {
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
	return sent != nil && r.d.mark(sent) != 0
}

// resolve follows a variable to the value it surely has.
func (f *function) resolve(v ssa.Value) ssa.Value {
	for range 8 {
		u, ok := v.(*ssa.UnOp)
		if !ok || u.Op != token.MUL {
			return v
		}
		sources := f.cells().of(u.X).sources[u]
		if len(sources) != 1 || sources[0] == unknown {
			return v
		}
		if _, ok := sources[0].(*ssa.FreeVar); ok {
			return v
		}
		v = sources[0]
	}
	return v
}

// isAbsent says whether cond, being yes, means that there is no value: it is nil, or its
// acquisition has failed; and whether that is sure.
func (r *run) isAbsent(cond ssa.Value, yes bool) (none, sure bool) {
	switch c := cond.(type) {
	case *ssa.BinOp:
		if c.Op != token.EQL && c.Op != token.NEQ {
			return false, false
		}
		equal := yes == (c.Op == token.EQL)
		x := c.X
		if isNil(x) {
			x = c.Y
		} else if !isNil(c.Y) {
			return false, false
		}
		x = r.d.f.resolve(x)
		if r.d.mark(x)&same != 0 {
			return equal, r.d.sure(x) != 0
		}
		if !types.Identical(x.Type(), errorType) {
			return false, false
		}
		if r.failed(x) {
			return !equal, true
		}
		if phi, ok := x.(*ssa.Phi); ok && slices.ContainsFunc(phi.Edges, r.failed) {
			return !equal, false
		}
	case *ssa.Extract: // v, ok
		if _, call := c.Tuple.(*ssa.Call); c.Index == 0 && !call {
			return false, false
		}
		if t, ok := c.Tuple.(*ssa.TypeAssert); ok {
			return !yes && r.d.mark(t.X)&same != 0, r.d.sure(t.X) != 0
		}
		return !yes && r.acquiring(c.Tuple), true
	}
	return false, false
}

// failed says whether v is the error of the call that acquires the origin.
func (r *run) failed(v ssa.Value) bool {
	e, ok := v.(*ssa.Extract)
	return ok && r.acquiring(e.Tuple)
}

// acquiring says whether v is the call that acquires the origin.
func (r *run) acquiring(v ssa.Value) bool {
	if v == r.d.root {
		return true
	}
	e, ok := r.d.root.(*ssa.Extract)
	return ok && e.Tuple == v
}

// onSize says whether a condition looks at how large the value is.
func (r *run) onSize(cond ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch c := cond.(type) {
	case *ssa.BinOp:
		return r.onSize(r.d.f.resolve(c.X), depth+1) || r.onSize(r.d.f.resolve(c.Y), depth+1)
	case *ssa.Convert:
		return r.onSize(r.d.f.resolve(c.X), depth+1)
	case *ssa.Phi:
		for _, e := range c.Edges {
			if e != ssa.Value(c) {
				if _, ok := e.(*ssa.Phi); !ok && r.onSize(e, depth+1) {
					return true
				}
			}
		}
	case *ssa.Call:
		if b, ok := c.Call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
			derived := r.d.nodes.find(c.Call.Args[0]) != nil
			if u, ok := c.Call.Args[0].(*ssa.UnOp); ok && !derived { // a field of it
				derived = r.d.mark(u.X) != 0
			}
			return derived
		}
		k := r.d.f.callee(&c.Call)
		if len(k.args) == 0 || k.fn == nil {
			return false
		}
		if slices.ContainsFunc(k.args, func(v ssa.Value) bool { return r.measured(r.d.f.resolve(v)) }) {
			return true // poolFor(cap(b))
		}
		derived := r.d.nodes.find(k.args[0]) != nil
		if !derived {
			if u, ok := k.args[0].(*ssa.UnOp); ok {
				derived = r.d.mark(u.X) != 0
			}
		}
		switch k.fn.Name() {
		case "Len", "Cap", "Size", "Available", "Buffered":
			return derived
		}
		// A predicate of the item: shouldPool(b), b.tooLarge().
		res := c.Call.Signature().Results()
		return derived && res.Len() == 1 && types.Identical(res.At(0).Type().Underlying(), types.Typ[types.Bool]) && k.sum != nil && k.sum.param(0).Release == Never
	}
	return false
}

// measured says whether v is the length or capacity of the value.
func (r *run) measured(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	_, builtin := c.Call.Value.(*ssa.Builtin)
	return builtin && r.onSize(c, 0)
}

// fails says whether b leads straight to a return of an error.
func fails(b *ssa.BasicBlock) bool {
	for range 4 {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			for _, v := range ret.Results {
				if types.Identical(v.Type(), errorType) && !isNil(v) {
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

// releasesAlways says whether all ways from b come by a release.
func (r *run) releasesAlways(b *ssa.BasicBlock, seen map[*ssa.BasicBlock]bool) bool {
	if seen[b] {
		return true
	}
	seen[b] = true
	for _, i := range b.Instrs {
		if slices.ContainsFunc(r.acts[i], func(a action) bool { return a.act == release || a.act == perhaps }) {
			return true
		}
	}
	return len(b.Succs) > 0 && !slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !r.releasesAlways(s, seen) })
}

// releasesSoon says whether b, or what it leads straight to, releases the origin: the branch
// before it decides just about that.
func (r *run) releasesSoon(b *ssa.BasicBlock, depth int) bool {
	for range 4 {
		for _, i := range b.Instrs {
			for _, a := range r.acts[i] {
				if a.act == release || a.act == perhaps {
					return true
				}
			}
		}
		if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && depth < 4 && r.onSize(r.d.f.resolve(branch.Cond), 0) {
			return r.releasesSoon(b.Succs[0], depth+1) || r.releasesSoon(b.Succs[1], depth+1) // one more condition
		}
		if len(b.Succs) != 1 {
			return false
		}
		b = b.Succs[0]
	}
	return false
}

// withoutOwner says whether cond, being yes, means that another parameter is nil: the pool
// that there is none of.
func (r *run) withoutOwner(cond ssa.Value, yes bool) bool {
	c, ok := cond.(*ssa.BinOp)
	if !ok || r.start != nil || !isNil(c.Y) || yes != (c.Op == token.EQL) || c.Op != token.EQL && c.Op != token.NEQ {
		return false
	}
	p, ok := c.X.(*ssa.Parameter)
	return ok && ssa.Value(p) != r.d.root
}

// onFailure says whether a condition looks at the error of a method of the value, which may
// have broken it.
func (r *run) onFailure(cond ssa.Value, yes bool) bool {
	if isBuffer(r.d.root.Type()) || r.buffer() {
		return false
	}
	switch c := cond.(type) {
	case *ssa.BinOp:
		return r.ownError(r.d.f.resolve(c.X), 0) || r.ownError(r.d.f.resolve(c.Y), 0)
	case *ssa.Call:
		if c.Call.Signature().Recv() != nil && len(c.Call.Args) > 0 && r.d.mark(c.Call.Args[0])&same != 0 {
			return true // it says itself that it is of no use
		}
		for _, a := range c.Call.Args {
			if r.ownError(r.d.f.resolve(a), 0) {
				return true
			}
		}
	}
	return false
}

// buffer says whether the value is used as a buffer, which nothing can break.
func (r *run) buffer() bool {
	for _, n := range r.d.nodes.list {
		if n.mark&same != 0 && isBuffer(n.value.Type()) {
			return true
		}
	}
	return false
}

// isBuffer reports whether t is a slice or a buffer, or points to one.
func isBuffer(t types.Type) bool {
	return ssautil.IsSlice(ssautil.Deref(t)) || catalog.TypeOf(t).Buffer
}

func (r *run) ownError(v ssa.Value, depth int) bool {
	if depth > 4 || !types.Identical(v.Type(), errorType) {
		return false
	}
	var call *ssa.Call
	switch x := v.(type) {
	case *ssa.Extract:
		call, _ = x.Tuple.(*ssa.Call)
	case *ssa.Call:
		call = x
	case *ssa.UnOp: // an error that it has kept
		fa, ok := x.X.(*ssa.FieldAddr)
		return ok && r.d.mark(fa)&(same|alias) != 0
	case *ssa.Phi:
		for _, e := range x.Edges {
			if r.ownError(r.d.f.resolve(e), depth+1) {
				return true
			}
		}
	}
	if call == nil {
		return false
	}
	k := r.d.f.callee(&call.Call)
	if call.Call.Signature().Recv() == nil && !call.Call.IsInvoke() {
		return slices.ContainsFunc(k.args, r.stream)
	}
	if len(k.args) == 0 {
		return false
	}
	if r.d.mark(k.args[0]) != 0 {
		return true
	}
	u, ok := k.args[0].(*ssa.UnOp) // a method of one of its fields
	return ok && r.d.mark(u.X)&(same|alias) != 0
}

// stream says whether v is what a field of the value reads from, or writes to: a connection
// that others were given.
func (r *run) stream(v ssa.Value) bool {
	u, ok := ssautil.Root(v).(*ssa.UnOp)
	if !ok || r.d.mark(u.X)&(same|alias) == 0 {
		return false
	}
	set := types.NewMethodSet(u.Type())
	return set.Lookup(nil, "Read") != nil || set.Lookup(nil, "Write") != nil
}

// onFlag says whether a condition is a local variable that is set to true or false.
func (r *run) onFlag(cond ssa.Value) bool {
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

// onCaptured says whether a condition is a variable that a closure has captured: whether it
// releases is up to the function around.
func (r *run) onCaptured(cond ssa.Value) bool {
	u, ok := cond.(*ssa.UnOp)
	if !ok || u.Op != token.MUL {
		return false
	}
	_, ok = u.X.(*ssa.FreeVar)
	return ok
}

// onItem says whether a condition looks into the value, at a count or a mark there: at what
// a method or an atomic operation tells, or at a field that the function itself changes.
func (r *run) onItem(cond ssa.Value, depth int) bool {
	if depth > 6 || types.Identical(cond.Type(), errorType) {
		return false
	}
	switch c := cond.(type) {
	case *ssa.BinOp:
		return r.onItem(r.d.f.resolve(c.X), depth+1) || r.onItem(r.d.f.resolve(c.Y), depth+1)
	case *ssa.UnOp:
		fa, ok := c.X.(*ssa.FieldAddr)
		return ok && r.d.mark(fa)&(same|alias) != 0 && r.changes(fa)
	case *ssa.Convert:
		return r.onItem(c.X, depth+1)
	case *ssa.Extract:
		return r.onItem(c.Tuple, depth+1)
	case *ssa.Call:
		k := r.d.f.callee(&c.Call)
		if k.fn != nil && r.d.f.a.entry(k.fn) != nil && k.fn.Pkg().Path() != "sync/atomic" {
			return false
		}
		for _, a := range k.args {
			if r.d.mark(a)&(same|alias) != 0 {
				return true
			}
		}
	}
	return false
}

// changes says whether the function counts in a field, or marks it with a constant.
func (r *run) changes(fa *ssa.FieldAddr) bool {
	for _, ref := range *fa.X.Referrers() {
		other, ok := ref.(*ssa.FieldAddr)
		if !ok || other.Field != fa.Field {
			continue
		}
		for _, use := range *other.Referrers() {
			s, ok := use.(*ssa.Store)
			if !ok || s.Addr != other {
				continue
			}
			switch v := s.Val.(type) {
			case *ssa.Const:
				return true
			case *ssa.BinOp:
				if u, ok := v.X.(*ssa.UnOp); ok {
					if from, ok := u.X.(*ssa.FieldAddr); ok && from.Field == fa.Field {
						return true
					}
				}
			}
		}
	}
	return false
}
