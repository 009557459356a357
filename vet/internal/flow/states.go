package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// In which situations can an origin be before each instruction, and at each return? A forward
// analysis over sets of situations.
//
//	buf := pool.Get().(*bytes.Buffer) // live
//	if err != nil {
//		pool.Put(buf)                 // released
//	}
//	buf.Reset()                       // live, or released: paths.go of events has to prove the rest
//	pool.Put(buf)                     // released on all paths
//	buf.Reset()                       // a use after the release
//
// The lattice has the subsets of 28 situations, a join is their union. Effects and edges map
// situations one by one, so joining early loses nothing: a situation is in a set if some path
// brings it there, as far as branches are understood. (Of these only refused looks at the states
// before.) Branches that belong together are not followed; correlate.go and decided.go have the
// exceptions. Anything doubtful is a situation of its own, in which no rule reports: that errs towards silence.

// A State is a set of situations in which an origin can be, each a phase and a pending release. A set
// keeps apart what a single value would have to merge: "released, or absent" is certainly released,
// "released, or live" is not. There are 28 situations, one bit each.
type State uint32

// A Phase is the part of an origin's life.
type Phase int

// The phases.
const (
	PhaseAbsent   Phase = iota // not acquired, or nil
	PhaseLive                  // to be released
	PhaseHanded                // others may release it
	PhaseReleased              // the memory has another owner
	PhaseDropped               // left to the collector on purpose
	PhaseMaybe                 // released on some paths, or by a count
	PhaseTold                  // released or not, as a value tells: see Told
	phases
)

// A Pending says which releases are deferred.
type Pending int

// The deferred releases.
const (
	PendingNone Pending = iota
	PendingSure
	PendingMaybe
	PendingTwice
	pendings
)

// At returns the state of one situation.
func At(phase Phase, pending Pending) State { return 1 << (int(phase)*int(pendings) + int(pending)) }

// InPhase returns all situations of a phase.
func InPhase(phase Phase) State {
	return (1<<pendings - 1) << (int(phase) * int(pendings))
}

// IsReleased reports whether the origin is certainly released.
//
// Absent counts as well, because there is nothing to use on those paths:
//
//	if n > 0 {
//		b = get()
//		put(b)
//	}
//	b.Reset() // absent or released: wrong whenever there is a b
func (s State) IsReleased() bool {
	return s&InPhase(PhaseReleased) != 0 && s&^(InPhase(PhaseReleased)|InPhase(PhaseAbsent)) == 0
}

// Each maps every situation of s.
func (s State) Each(f func(phase Phase, pending Pending) (Phase, Pending)) State {
	var out State
	for phase := range phases {
		for pending := range pendings {
			if s&At(phase, pending) != 0 {
				out |= At(f(phase, pending))
			}
		}
	}
	return out
}

// become moves all phases of s in from to the phase to.
//
// Situations keep what is deferred, so that a release now and a deferred one meet in one situation.
func (s State) become(to Phase, from ...Phase) State {
	return s.Each(func(phase Phase, pending Pending) (Phase, Pending) {
		for _, p := range from {
			if phase == p {
				return to, pending
			}
		}
		return phase, pending
	})
}

// States holds the states of one origin in a function.
type States struct {
	Aliases  *Aliases
	Effects  Effects
	Start    ssa.Instruction // where the origin begins to live; nil for the entry
	borrowed bool            // it is released when the function ends, by whoever called it
	carry    bool            // what was deferred before the origin was there counts
	told     map[ssa.Value]*Told
	mayDefer []Effect
	names    []string       // by which callees decide whether they release or drop the origin
	releaser *Aliases       // of a function that releases the origin
	present  map[int]string // other results of the call that acquires it: see Acquired
	despite  bool           // an error of the call that acquires it does not say that there is none
	assumed  ssa.Value      // is nil or false, or is not
	isZero   bool
	Reaches  []bool // by block: whether a release can follow
	same     []bool // by block: whether a release can follow of the same origin, not only of the next one
	memory   bool   // what is released is memory, which nothing can break
	unsent   bool   // nothing releases the origin, and it goes nowhere
	in       []State
	arrived  [][]State         // by block and predecessor: in, before the join
	forgets  []*ssa.BasicBlock // that end in a branch past the release for empty values
	Before   map[ssa.Instruction]State
	Exits    map[*ssa.Return]State
	Out      []State
}

// states computes the states forward over the blocks, beginning with the entry. It ends because a block
// is visited again only when its entry gets a situation that it did not have.
func (d *Aliases) states(effects Effects, start ssa.Instruction, borrowed bool) *States {
	r := &States{Aliases: d, Effects: effects, Start: start, borrowed: borrowed}
	r.solve()
	return r
}

// assuming computes the states of a parameter of a function that is called with nil or false for
// another, or with anything else; of a captured variable while another
// holds that.
func (d *Tracked) assuming(other ssa.Value, zero bool) State {
	r := &States{Aliases: d.Aliases, Effects: d.Effects, assumed: other, isZero: zero}
	r.solve()
	var exits State
	for _, s := range r.Exits {
		exits |= s
	}
	return exits
}

// A block is visited again only when its entry, or an edge to it, gains one of 28 situations, so the loop
// ends after at most 28 visits for each edge. Situations are never taken back.
func (r *States) solve() {
	d, start, borrowed := r.Aliases, r.Start, r.borrowed
	r.in, r.Out = make([]State, len(d.Func.Blocks)), make([]State, len(d.Func.Blocks))
	r.arrived = make([][]State, len(d.Func.Blocks))
	for n, b := range d.Func.Blocks {
		if d.Func.onPhi(b) {
			r.arrived[n] = make([]State, len(b.Preds))
		}
	}
	r.Before, r.Exits = map[ssa.Instruction]State{}, map[*ssa.Return]State{}
	r.prepare()
	first := At(PhaseAbsent, PendingNone)
	if start == nil {
		first = At(PhaseLive, PendingNone)
		if borrowed {
			first = At(PhaseLive, PendingSure)
		}
	}
	r.in[0] = first
	work := []*ssa.BasicBlock{d.Func.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		s := r.in[b.Index]
		for _, i := range b.Instrs {
			s = r.step(i, s)
		}
		r.Out[b.Index] = s
		for n, next := range b.Succs {
			if r.arrive(b, next, r.Edge(b, n, r.undecided(b, n, s))) {
				work = append(work, next)
			}
		}
	}
}

// arrive adds the states of the edge from one block to the next, and reports whether the next has to be
// visited again. A block whose branch depends on where control comes from is, for a new situation on
// one of its edges.
func (r *States) arrive(from, to *ssa.BasicBlock, s State) bool {
	again := r.in[to.Index]|s != r.in[to.Index]
	r.in[to.Index] |= s
	for n := range r.arrived[to.Index] {
		if at := &r.arrived[to.Index][n]; to.Preds[n] == from && *at|s != *at {
			*at |= s
			again = true
		}
	}
	return again
}

// undecided returns the part of s, the states at the end of b, that edge n may be taken with: what comes
// from predecessors after which the branch does not go the other way. See Decided.
func (r *States) undecided(b *ssa.BasicBlock, n int, s State) State {
	if r.arrived[b.Index] == nil {
		return s
	}
	var t State
	for k, from := range b.Preds {
		if !r.Aliases.Func.Decided(from, b, n) {
			t |= r.arrived[b.Index][k]
		}
	}
	for _, i := range b.Instrs {
		t = r.step(i, t)
	}
	return t
}

// prepare finds out where releases can follow, backward over the blocks. On an edge to where none can,
// the branch may have decided against one: see Edge.
func (r *States) prepare() {
	blocks := r.Aliases.Func.Blocks
	r.Reaches = make([]bool, len(blocks))
	r.unsent = !r.Aliases.isReturned()
	var work []ssa.Instruction
	for i, effects := range r.Effects {
		for _, a := range effects {
			r.unsent = r.unsent && a.Kind == EffectUse
			switch a.Kind {
			case EffectRelease, EffectMayRelease, EffectDefer, EffectMayDefer:
				// A release in a block can follow whatever leads to the block, and whatever is in
				// it.
				work = append(work, i)
			case EffectReleaseIf:
				work = append(work, i)
				r.tell(a)
			case EffectHandOverIf:
				r.tell(a)
			}
			r.names = append(r.names, a.Names...)
			if a.Kind == EffectMayDefer {
				r.mayDefer = append(r.mayDefer, a)
			}
			if a.Kind == EffectDefer || a.Kind == EffectMayDefer {
				// Deferred before there is an origin, by a closure that looks at the variable when
				// it runs: the release is to come for each origin that the variable gets.
				if r.Start != nil && ssautil.Before(i, r.Start) {
					r.carry = true
				}
			}
		}
	}
	r.reach(work)
}

// tell notes which value tells whether an effect has happened.
func (r *States) tell(a Effect) {
	if r.told == nil {
		r.told = map[ssa.Value]*Told{}
	}
	r.told[a.Cond] = a.Told
}

// step returns the state after one instruction. Where the origin is acquired, in a loop each time
// anew, the phase of the one before is forgotten.
func (r *States) step(i ssa.Instruction, s State) State {
	if _, ok := i.(*ssa.RunDefers); ok {
		s = r.settle(i, s)
	}
	r.Before[i] |= s
	// A new origin. What was deferred for the one before is not for this one, unless it was
	// deferred first.
	if i == r.Start {
		s = s.Each(func(_ Phase, pending Pending) (Phase, Pending) {
			if !r.carry {
				pending = PendingNone
			}
			if r.borrowed {
				pending = PendingSure
			}
			return PhaseLive, pending
		})
	}
	for _, a := range r.Effects[i] {
		s = Apply(a, s)
	}
	switch i := i.(type) {
	case *ssa.RunDefers:
		// A deferred release that is sure releases what is there, whatever has become of it; one
		// that is not leaves a live origin in doubt.
		return s.Each(func(phase Phase, pending Pending) (Phase, Pending) {
			switch {
			case phase == PhaseAbsent || pending == PendingNone:
			case pending == PendingMaybe && phase == PhaseLive:
				phase = PhaseMaybe
			case pending != PendingMaybe:
				phase = PhaseReleased
			}
			return phase, PendingNone
		})
	case *ssa.Return:
		// Whoever lent the origin takes it back now.
		if r.borrowed {
			s = s.become(PhaseReleased, PhaseLive, PhaseHanded, PhaseDropped, PhaseMaybe, PhaseTold)
		}
		r.Exits[i] |= s
	}
	return s
}

// Apply returns the state after one effect. Only what is certain makes a release: one that may happen
// leaves what was released, and makes what was live a matter of doubt, of which no event is reported.
func Apply(a Effect, s State) State {
	switch a.Kind {
	case EffectRelease:
		// Absent stays absent: a put of nil is none.
		return s.become(PhaseReleased, PhaseLive, PhaseHanded, PhaseDropped, PhaseMaybe, PhaseTold)
	case EffectMayRelease:
		// Handed over and dropped stay what they are, as nothing is reported of either.
		return s.become(PhaseMaybe, PhaseLive, PhaseTold)
	case EffectReleaseIf, EffectHandOverIf:
		// Told once more: what the first call has told is not known to belong to this one.
		return s.become(PhaseMaybe, PhaseTold).become(PhaseTold, PhaseLive)
	case EffectHandOver:
		return s.become(PhaseHanded, PhaseLive).become(PhaseMaybe, PhaseTold)
	case EffectTakeBack:
		// It is there only if the value was stored in one place and went nowhere else, so nobody
		// has it now.
		return s.become(PhaseLive, PhaseHanded)
	case EffectDefer:
		// A second deferred release is kept apart from the first. Any more make no difference.
		return s.Each(func(phase Phase, pending Pending) (Phase, Pending) {
			if pending == PendingSure || pending == PendingTwice {
				return phase, PendingTwice
			}
			return phase, PendingSure
		})
	case EffectMayDefer:
		// It does not weaken a release that is sure to come.
		return s.Each(func(phase Phase, pending Pending) (Phase, Pending) {
			if pending == PendingNone {
				pending = PendingMaybe
			}
			return phase, pending
		})
	}
	return s
}

// Resolve follows a variable to the value it surely has: the one that reaches the load on all paths.
//
// A variable that still has its zero value on some paths has none: a flag that is set in a branch is not
// always true. What a captured variable held at entry is not followed. Eight steps bound chains of
// variables.
func (f *Function) Resolve(v ssa.Value) ssa.Value {
	for range 8 {
		u, ok := v.(*ssa.UnOp)
		if !ok || u.Op != token.MUL {
			return v
		}
		variable := f.definitions().variable(u.X)
		sources := variable.sources[u]
		if len(sources) != 1 || sources[0] == unknown || variable.unset[u] {
			return v
		}
		if _, ok := sources[0].(*ssa.FreeVar); ok {
			return v
		}
		v = sources[0]
	}
	return v
}
