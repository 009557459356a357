package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// In which order does a call use and release what it gets twice? The arguments of a call are looked at
// one by one, and a summary says of each parameter what the callee does with it, but not when.
//
//	func send(p []byte, b *block) { conn.Write(p); put(b) } // p is used before b is released
//	func drop(p []byte, b *block) { put(b); log.Print(p) }  // p is used after that
//
//	send(b.data[:n], b) // right
//	drop(b.data[:n], b) // a use after the release
//
// A summary says of a parameter after the releases of which others it is surely used. Callers take
// all other uses for earlier than the release, which errs towards silence.

// A followed is a parameter or a captured variable that the summary of a function tells of.
type followed struct {
	index int
	*Tracked
}

// usedAfter adds which parameters are used when another one is released already.
//
// Whether the two share memory is for the caller to know, so all pairs are compared. Few functions
// release a parameter: the states of no others are computed.
func (f *Function) usedAfter(s *Summary, all []followed) {
	for _, owner := range all {
		if owner.index >= 64 || s.Param(owner.index).Release == ReleaseNever {
			continue
		}
		r := owner.states(owner.Effects, nil, false)
		for _, other := range all {
			if other.index != owner.index && other.usedWhenReleased(r) {
				s.grow(other.index).UsedAfter |= 1 << owner.index
			}
		}
	}
}

// usedWhenReleased reports whether a value is surely used where the one with states r is released
// already, or by a call that releases that first.
func (d *Tracked) usedWhenReleased(r *States) bool {
	for i, list := range d.Effects {
		if _, later := i.(*ssa.Defer); later {
			continue
		}
		for _, x := range list {
			if x.Kind == EffectUse && x.Sure && (r.Before[i].IsReleased() || d.Func.usesAfterRelease(i, d.Aliases, r.Aliases)) {
				return true
			}
		}
	}
	return false
}

// usesAfterRelease reports whether i is a call that uses an alias of the one value after it has released
// the other.
func (f *Function) usesAfterRelease(i ssa.Instruction, used, released *Aliases) bool {
	c, ok := i.(ssa.CallInstruction)
	if !ok {
		return false
	}
	k := f.Callee(c.Common())
	for n, arg := range k.Args {
		if k.releasedBefore(n, released) && used.Mark(arg) != 0 {
			return true
		}
	}
	return false
}

// releasedBefore reports whether the callee uses argument n after it has released another argument
// that derives from the origin of d.
func (k Callee) releasedBefore(n int, d *Aliases) bool {
	if k.Summary == nil {
		return false
	}
	after := k.Summary.Param(n).UsedAfter
	for m, arg := range k.Args {
		if after&(1<<m) != 0 && (d.Mark(arg)&(MarkSame|MarkAlias) != 0 || m >= k.Captured && d.inCell(arg)) {
			return true
		}
	}
	return false
}

// usesFirst puts the uses of calls before their releases, and behind these what is used after them.
func (all Effects) usesFirst() {
	for i, list := range all {
		if _, ok := i.(ssa.CallInstruction); ok {
			slices.SortStableFunc(list, func(a, b Effect) int { return a.order() - b.order() })
		}
	}
}

// order returns 0 for the uses with which a call begins, 2 for those with which it ends, and 1 for all
// else, which keeps its order.
func (a Effect) order() int {
	switch {
	case a.Kind != EffectUse:
		return 1
	case a.After:
		return 2
	}
	return 0
}
