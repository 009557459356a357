package events

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Does some path from a release lead to a bad use, with nothing in the function that could exclude
// it?
//
//	if full {
//		pool.Put(b)
//	}
//	if err := w.Flush(); err != nil {
//		b.Reset() // yes: that Flush fails says nothing of full
//	}
//
//	if full {
//		pool.Put(b)
//	}
//	if !full {
//		b.Reset() // no: both conditions have the same source
//	}
//
// Not all paths meet the use, so this is weaker than paths.go, and an event says so (Perhaps).
// Conditions are compared by what they are computed from. Two that share a source may belong
// together, and a source that is not known ends the search: silence.

// reached finds the nearest effect of a kind to which a path from i leads that nothing excludes, or nil. On
// that path every branch goes on to the effect either way, or is decided by something that has nothing to
// do with i: whether a later call has failed says nothing about it. What stops, if not nil, ends a path.
func (fd *finder) reached(i ssa.Instruction, kind flow.EffectKind, stops func(ssa.Instruction) bool) *flow.Effect {
	bad := fd.sureEffects(kind)
	delete(bad, i)
	if len(bad) == 0 {
		return nil
	}
	decided, ok := fd.decides(i)
	if !ok {
		return nil
	}
	w := winning{finder: fd, from: i, bad: bad, decided: decided, names: fd.namesOf(i), told: fd.condition(i), stops: stops}
	x := w.first()
	if x == nil && w.askAgain() {
		x = w.first()
	}
	if x == nil {
		return nil
	}
	return fd.effectAt(x, kind)
}

// A winning set has the blocks that lead to one of bad.
type winning struct {
	*finder
	from    ssa.Instruction
	bad     map[ssa.Instruction]bool
	decided flow.Sources // by what the release depends on
	names   []string     // by whose state the callee decides
	told    *flow.Effect
	stops   func(ssa.Instruction) bool // ends a path; may be nil
	again   map[*ssa.BasicBlock]bool   // whose branches ask what is open at from: askedagain.go
	free    []bool                     // by block: its branch has nothing to do with that
	wins    []bool
}

// first returns the nearest bad instruction that from leads to; nil if there is none.
func (w *winning) first() ssa.Instruction {
	w.solve()
	b := w.from.Block()
	rest := b.Instrs[slices.Index(b.Instrs, w.from)+1:]
	switch h := w.hits(rest); {
	case h > 0:
		return rest[slices.IndexFunc(rest, func(x ssa.Instruction) bool { return w.bad[x] })]
	case h < 0 || !w.leads(b):
		return nil
	}
	whole := w.bad
	defer func() { w.bad = whole }()
	all := w.nearest(b)
	for _, x := range all {
		w.bad = map[ssa.Instruction]bool{x: true}
		if w.solve(); w.leads(b) {
			return x // the others are not needed for it
		}
	}
	return all[0]
}

// solve finds the least set, so that a loop which may go on without a bad instruction does not lead to one.
func (w *winning) solve() {
	blocks := w.fn.Blocks
	w.free, w.wins = make([]bool, len(blocks)), make([]bool, len(blocks))
	for n, b := range blocks {
		w.free[n] = w.isFree(b)
	}
	// It ends because a block only turns from false to true.
	for changed := true; changed; {
		changed = false
		for n := len(blocks) - 1; n >= 0; n-- {
			h := w.hits(blocks[n].Instrs)
			if v := h > 0 || h == 0 && w.leads(blocks[n]); v && !w.wins[n] {
				w.wins[n], changed = true, true
			}
		}
	}
}

// hits returns what happens first in a list of instructions: 1 for a bad one, -1 for what ends the path, 0
// for neither.
func (w *winning) hits(list []ssa.Instruction) int {
	if w.stops != nil {
		for n, x := range list {
			if w.stops(x) {
				return cmp.Or(w.finder.hits(list[:n], w.bad), -1)
			}
		}
	}
	return w.finder.hits(list, w.bad)
}

// leads reports whether the end of b leads to a bad instruction.
//
// Where all edges lead to one it does not matter which is taken. Where some do, the branch has to
// be free: then there is a run that takes such an edge although it has released, as far as the
// function shows.
func (w *winning) leads(b *ssa.BasicBlock) bool {
	some, all := false, true
	for n, s := range b.Succs {
		if !w.excludes(w.told, b, n) {
			some, all = some || w.wins[s.Index], all && w.wins[s.Index]
		}
	}
	return some && (all || w.free[b.Index])
}

// nearest returns the bad instructions that are nearest to the end of b, which leads to one.
func (w *winning) nearest(b *ssa.BasicBlock) (all []ssa.Instruction) {
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		at := work[0]
		work = work[1:]
		for n, s := range at.Succs {
			if seen[s] || !w.wins[s.Index] || w.excludes(w.told, at, n) {
				continue
			}
			seen[s] = true
			if k := slices.IndexFunc(s.Instrs, func(x ssa.Instruction) bool { return w.bad[x] }); k >= 0 {
				all = append(all, s.Instrs[k])
			}
			work = append(work, s)
		}
	}
	return all
}

// isFree reports whether the branch at the end of b has nothing to do with what the release depends on.
func (w *winning) isFree(b *ssa.BasicBlock) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || w.again[b] || w.decided == nil && len(w.names) == 0 {
		return ok
	}
	s := flow.Sources{}
	return w.fn.SourcesOf(branch.Cond, s) && !s.Share(w.decided) && !s.Named(w.names)
}

// namesOf returns the names of what decides whether the callee of i releases or drops the origin.
func (fd *finder) namesOf(i ssa.Instruction) (all []string) {
	for _, a := range fd.states.Effects[i] {
		all = append(all, a.Names...)
	}
	return all
}

// decides returns what decides whether i is executed, and what is changed along with it; not ok if that is
// not known. Of what is executed whenever nothing has failed it is nil.
func (fd *finder) decides(i ssa.Instruction) (flow.Sources, bool) {
	all, guarded := flow.Sources{fd.states.Aliases.Root: true}, false
	for _, b := range fd.fn.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !fd.comesBefore(branch, i) || fd.passes(branch, i) {
			continue
		}
		if !fd.fn.SourcesOf(branch.Cond, all) {
			return nil, false
		}
		guarded = true
	}
	if a := fd.condition(i); a != nil && !fd.fn.SourcesOf(a.Cond, all) {
		return nil, false
	}
	if !guarded && fd.condition(i) == nil {
		return nil, true
	}
	fd.addChanged(i, all)
	return all, true
}

// comesBefore reports whether a branch is one on the way to i in the same life of the origin.
func (fd *finder) comesBefore(branch *ssa.If, i ssa.Instruction) bool {
	anew := func(x ssa.Instruction) bool { return x == fd.states.Start }
	return branch.Block() != i.Block() && branch.Block().Dominates(i.Block()) || flow.PathWithout(branch, i, anew)
}

// passes reports whether a branch only lets by to i what has not failed.
//
// A release that comes after a check for an error does not depend on it: whatever follows has
// passed it, too.
func (fd *finder) passes(branch *ssa.If, i ssa.Instruction) bool {
	call, failed := fd.fn.Failure(branch.Cond)
	if call == nil {
		return false
	}
	stop := branch.Block().Succs[1]
	if failed {
		stop = branch.Block().Succs[0]
	}
	return !ssautil.Reachable(stop, i.Block())
}

// addChanged adds what is changed in the branch that executes i: conditions on it may say whether i was.
//
// An example, where done is set wherever b was released, and so a later condition on it may tell:
//
//	if full {
//		pool.Put(b)
//		s.done = true
//	}
func (fd *finder) addChanged(i ssa.Instruction, all flow.Sources) {
	for _, b := range fd.fn.Blocks {
		before := len(b.Succs) == 1 && b.Dominates(i.Block())
		if b.Index == 0 || !before && !i.Block().Dominates(b) {
			continue
		}
		for _, x := range b.Instrs {
			if x != i || !isCall(x) {
				fd.addChangedBy(x, all)
			}
		}
	}
}

func isCall(x ssa.Instruction) bool {
	_, ok := x.(ssa.CallInstruction)
	return ok
}

// addChangedBy adds what x may change: the address that it stores to, or what it passes to a callee.
func (fd *finder) addChangedBy(x ssa.Instruction, all flow.Sources) {
	switch x := x.(type) {
	case *ssa.Store:
		fd.fn.SourcesOf(ssautil.Root(x.Addr), all)
	case *ssa.MapUpdate:
		fd.fn.SourcesOf(x.Map, all)
	case ssa.CallInstruction:
		for _, arg := range fd.fn.Callee(x.Common()).Args {
			fd.fn.SourcesOf(arg, all)
		}
	}
}

// sureEffects returns the instructions with an effect of a kind on what surely derives.
func (fd *finder) sureEffects(kind flow.EffectKind) map[ssa.Instruction]bool {
	all := map[ssa.Instruction]bool{}
	for x, list := range fd.states.Effects {
		if _, later := x.(*ssa.Defer); later {
			continue
		}
		if slices.ContainsFunc(list, func(a flow.Effect) bool {
			return a.Sure && a.Kind == kind && !fd.states.Aliases.Optional(a.Value)
		}) {
			all[x] = true
		}
	}
	return all
}

// effectAt returns the effect of a kind that x surely has; nil if there is none.
func (fd *finder) effectAt(x ssa.Instruction, kind flow.EffectKind) *flow.Effect {
	for _, a := range fd.states.Effects[x] {
		if a.Sure && a.Kind == kind {
			a.By = x
			return &a
		}
	}
	return nil
}

// hits returns what happens first in a list of instructions: 1 for a bad one, -1 for a new life, 0 for
// neither.
func (fd *finder) hits(list []ssa.Instruction, bad map[ssa.Instruction]bool) int {
	for _, x := range list {
		switch {
		case x == fd.states.Start:
			return -1
		case bad[x]:
			return 1
		}
	}
	return 0
}
