package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Is the last value that a field gets the one that all look at? An example, in which it is, and its
// first value is none at all:
//
//	var f filler
//	defer f.Close()                      // releases what the field holds at last
//	if err := f.Fill(r); err != nil {    // takes a buffer
//		return nil, err
//	}
//	return f.Bytes(), nil                // memory of that buffer
//
//	b := f.Bytes()
//	f.Fill(r)                            // may take another one: b is not of the last

// A partMode says which of the values that a field holds in the course of a function is followed, and what
// has to be known of the calls that get the struct.
type partMode uint8

const (
	partFirst  partMode = iota // the one that it held at first
	partStrict                 // that too; all calls are known, and the struct is not returned
	partLast                   // the one that it holds at last: calls may set the field before that is used
)

// A reader may take its buffer at the first Read, which a function of the standard library calls: what its
// Close releases is then the last value that the field holds. It is one value for all that look at the
// field, if nothing that may set it comes after any of them.

// lastValue reports whether all loads of the field and all calls see the value that it holds at last.
// Deferred calls do so anyway.
//
// A store is left out: what it has stored has an origin of its own, which is followed by itself. A
// call that empties the field ends the value for all that come behind it. And there has to be
// something that sets the field, or the first value is the last one, which oneValue has refused
// already.
func (u *partUses) lastValue() bool {
	sees := u.sees()
	for _, n := range u.d.Nodes.List {
		switch load := n.Value.(type) {
		case *ssa.UnOp, *ssa.Field:
			sees = append(sees, load.(ssa.Instruction))
		}
	}
	sets := slices.Clone(u.stores)
	for _, c := range u.calls {
		if _, later := c.call.(*ssa.Defer); later {
			continue
		}
		if c.grows && !c.clears {
			sets = append(sets, c.call)
		}
		sees = append(sees, c.call)
	}
	for _, c := range u.calls {
		_, later := c.call.(*ssa.Defer)
		if !later && c.clears && slices.ContainsFunc(sees, func(i ssa.Instruction) bool { return ssautil.Follows(c.call, i) }) {
			return false
		}
	}
	for _, s := range sets {
		if _, stored := s.(*ssa.Store); stored && !slices.ContainsFunc(sets, func(i ssa.Instruction) bool { return isSetAfter(s, i) }) {
			return false // what that has stored is another origin
		}
		if slices.ContainsFunc(sees, func(i ssa.Instruction) bool { return ssautil.Follows(i, s) }) {
			return false
		}
	}
	return len(sets) > 0 && !(u.shared && u.mayChange())
}

// isSetAfter reports whether the call i may set the part again that s has set.
func isSetAfter(s, i ssa.Instruction) bool {
	_, call := i.(*ssa.Call)
	return call && ssautil.Before(s, i)
}

// mayChange reports whether a call that nothing is known of can come after a release of the part, or when
// the function ends: whoever else has got the struct may set its fields there.
func (u *partUses) mayChange() bool {
	f := u.d.Func
	return slices.ContainsFunc(f.Calls, func(c ssa.CallInstruction) bool {
		if _, builtin := c.Common().Value.(*ssa.Builtin); builtin || f.Callee(c.Common()).Summary != nil {
			return false
		}
		if _, now := c.(*ssa.Call); !now {
			return true
		}
		return slices.ContainsFunc(u.calls, func(p partCall) bool {
			_, later := p.call.(*ssa.Defer)
			return !later && ssautil.Follows(p.call, c)
		})
	})
}

// isLent reports whether a call may set fields of base, which it gets, but does not keep it, nor release
// it, and does not keep or release its part of a name.
func (f *Function) isLent(c ssa.CallInstruction, base ssa.Value, name string) bool {
	call, ok := c.(*ssa.Call)
	if !ok || call.Call.Value == base {
		return false
	}
	k := f.Callee(&call.Call)
	if k.Summary == nil {
		return false
	}
	for n, arg := range k.Args {
		if p := k.Summary.Param(n); arg == base && (n >= k.Captured || p.takes() || p.Same|p.Alias|p.Hold != 0 || p.Parts[name] != nil && p.Parts[name].takes()) {
			return false
		}
	}
	return true
}

// takes reports whether a function keeps a parameter, or releases it.
func (p *Param) takes() bool {
	return p.Unknown || p.Keep || p.KeptIn != 0 || p.Release != ReleaseNever
}

// addLent adds the calls that get the struct as an interface value, whose methods may set the part, or
// whoever is called there. It reports false if anything else is done with that.
func (u *partUses) addLent(v *ssa.MakeInterface) (ok bool) {
	for r := range ssautil.Uses[ssa.Instruction](v) {
		if isDebug(r) {
			continue
		}
		c, call := r.(*ssa.Call)
		if !call {
			return false
		}
		if u.d.Func.Callee(&c.Call).Summary == nil {
			u.shared = true
		} else if !u.d.Func.isLent(c, v, u.name) {
			return false
		}
		u.stores = append(u.stores, c)
	}
	return true
}
