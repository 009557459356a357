package flow

import (
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A free list is a buffered channel that takes the place of a pool, as in Effective Go: who needs a
// value receives one, or makes one if there is none; who has no more use for it sends it, or drops it
// if the channel is full. What is sent there has another owner, as what is put into a pool. A queue
// looks alike where something is sent; what is received from one is never made instead.
//
//	select {
//	case b := <-idle:
//		return b
//	default:
//		return new(buffer) // made instead: idle is a free list
//	}
//
//	select {
//	case j := <-jobs:
//		run(j)
//	default: // nothing is made: jobs is a queue
//	}
//
// It takes all select statements with a default in the package. A channel is one only if it is both
// received from and sent to in that way. A wrong yes would make a send a release, so what a worker
// sends of itself, again and again, is left out.

// findFreeLists finds the channels of the package that are free lists: variables, fields, and types
// whose underlying type is a channel.
func (a *Package) findFreeLists() {
	taken, given := map[types.Object]bool{}, map[types.Object]bool{}
	for _, f := range a.Order {
		for sel := range ssautil.InstructionsOf[*ssa.Select](f.Function) {
			if sel.Blocking {
				continue
			}
			received := 2 // the results before are the case and whether the channel is open
			for _, s := range sel.States {
				c := channel(s.Chan)
				if s.Dir != types.RecvOnly {
					given[c] = true
					continue
				}
				taken[c] = taken[c] || f.isMadeElse(sel, received)
				received++
			}
		}
	}
	a.freeLists = map[types.Object]bool{}
	for c := range taken {
		if c != nil && taken[c] && given[c] {
			a.freeLists[c] = true
		}
	}
	for c := range a.ready() {
		delete(a.freeLists, c)
	}
}

// ready returns an iterator over the channels of workers that are idle: a goroutine sends what it was
// started with, again and again. Who receives that has it together with the goroutine.
//
// An example, in which the receiver does not own w, as the goroutine works with it:
//
//	func (w *worker) run(ready chan *worker) {
//		for {
//			ready <- w
//			...
//		}
//	}
func (a *Package) ready() iter.Seq[types.Object] {
	return func(yield func(types.Object) bool) {
		begun := map[*ssa.Function]bool{}
		for _, f := range a.Order {
			for g := range ssautil.InstructionsOf[*ssa.Go](f.Function) {
				if fn := a.Source(g.Call.StaticCallee()); fn != nil {
					begun[fn] = true
				}
			}
		}
		for _, f := range a.Order {
			if !begun[f.Function] {
				continue
			}
			for _, s := range sendings(f.Function) {
				_, own := s.sent.(*ssa.Parameter)
				if c := channel(s.to); own && c != nil && ssautil.Reaches(s.by.Block(), s.by.Block()) && !yield(c) {
					return
				}
			}
		}
	}
}

// A sending is a value that an instruction sends, perhaps in one case of a select statement.
type sending struct {
	by       ssa.Instruction
	to, sent ssa.Value
}

// sendings returns what fn sends.
func sendings(fn *ssa.Function) (all []sending) {
	for i := range ssautil.Instructions(fn) {
		switch i := i.(type) {
		case *ssa.Send:
			all = append(all, sending{i, i.Chan, i.X})
		case *ssa.Select:
			for _, s := range i.States {
				if s.Send != nil {
					all = append(all, sending{i, s.Chan, s.Send})
				}
			}
		}
	}
	return all
}

// isMadeElse reports whether f goes on with a new value where it does not receive result n of sel.
//
// The value that was received and the one that is made meet in a phi, or are the same result of two
// returns.
func (f *Function) isMadeElse(sel *ssa.Select, n int) bool {
	for e := range ssautil.Uses[*ssa.Extract](sel) {
		if e.Index != n || !pointers(e.Type()) {
			continue
		}
		for i := range ssautil.Uses[ssa.Instruction](e) {
			switch i := i.(type) {
			case *ssa.Phi:
				if slices.ContainsFunc(i.Edges, isMade) {
					return true
				}
			case *ssa.Return:
				r := slices.Index(i.Results, ssa.Value(e))
				if slices.ContainsFunc(f.Returns(), func(ret *ssa.Return) bool { return isMade(ret.Results[r]) }) {
					return true
				}
			}
		}
	}
	return false
}

// isMade reports whether v is a new value: no constant.
func isMade(v ssa.Value) bool { return !isConst(v) && isNew(v) }

// channel returns the variable, field or type that a channel is known by; nil if there is none.
func channel(v ssa.Value) types.Object {
	if n, ok := types.Unalias(v.Type()).(*types.Named); ok {
		return n.Origin().Obj()
	}
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	switch x := load.X.(type) {
	case *ssa.Global:
		return x.Object()
	case *ssa.FieldAddr:
		if field := ssautil.Field(x); field != nil {
			return field.Origin()
		}
	}
	return nil
}

// isFreeList reports whether what is sent to a channel is given back.
func (a *Package) isFreeList(v ssa.Value) bool {
	c := channel(v)
	return c != nil && a.freeLists[c]
}

// sent returns an iterator over the values that f sends to free lists.
func (f *Function) sent() iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		if len(f.Package.freeLists) == 0 {
			return
		}
		for _, s := range sendings(f.Function) {
			if f.Package.isFreeList(s.to) && !yield(s.sent) {
				return
			}
		}
	}
}

// sentTo returns the effect of a select statement that sends v to a free list, if it does: it gives v
// back in one of the branches that follow.
//
// The case that a select statement has chosen is its first result. The comparison with the number
// of the case tells whether the value was sent, so it is the condition of the release.
func (d *Aliases) sentTo(sel *ssa.Select, n int) (Effect, bool) {
	s := sel.States[n]
	if !d.Func.Package.isFreeList(s.Chan) {
		return Effect{}, false
	}
	for index := range ssautil.Uses[*ssa.Extract](sel) {
		if index.Index != 0 {
			continue
		}
		for cond := range ssautil.Uses[*ssa.BinOp](index) {
			if k, ok := cond.Y.(*ssa.Const); ok && cond.Op == token.EQL && k.Int64() == int64(n) {
				return Effect{Kind: EffectReleaseIf, Pos: s.Pos, Cond: cond, Told: &Told{Zero: PhaseLive, Other: PhaseReleased}}, true
			}
		}
	}
	return Effect{}, false
}
