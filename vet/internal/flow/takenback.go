package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A function may put a pooled value into a field, a map or a global variable for those that it calls,
// and clear that location when they have returned. If it releases the value then, it is its own again:
// whoever could have released it from there would have made that a double release.
//
//	s.current = b
//	s.run()         // may use b, by s.current
//	s.current = nil // b is taken back
//	if err != nil {
//		return err  // so it is lost here
//	}
//	pool.Put(b)
//
// Without the Put nothing says that the function owns b after it has stored it. A store in a second
// place, a call that may keep or release b, or one on whose failure the release depends, as it may
// have taken b, end that: silence.

// A location is where a value was stored for others: a field, an element of a map, a global variable.
type location struct {
	base  ssa.Value // the struct or the map
	key   ssa.Value // of a map
	field int       // of a struct
	addr  ssa.Value // of a variable
}

// addTakenBack adds where the origin leaves the only location that it was stored in, and is the function's
// again.
//
// The clearing dominates the release, so on the way to the release nobody else had it. Only if it
// is stored there once more in between is it not the function's.
func (d *Aliases) addTakenBack(all Effects) {
	at, keeps := d.onlyLocation(all)
	if len(keeps) == 0 {
		return
	}
	releases := all.having(EffectRelease)
	if len(releases) == 0 {
		return
	}
	for i := range ssautil.Instructions(d.Func.Function) {
		if !d.clearsLocation(i, at) || !ssautil.Follows(keeps[0], i) {
			continue
		}
		for _, r := range releases {
			if ssautil.Before(i, r) && !storedBetween(i, r, keeps) && !d.onlyIfRefused(i, r) {
				all.add(i, Effect{Kind: EffectTakeBack, Sure: true, Value: d.Root, Mark: MarkSame})
				break
			}
		}
	}
}

// having returns the instructions that surely have an effect of a kind.
func (all Effects) having(kind EffectKind) []ssa.Instruction {
	var found []ssa.Instruction
	for i, list := range all {
		for _, a := range list {
			if a.Kind == kind && a.Sure {
				found = append(found, i)
				break
			}
		}
	}
	return found
}

// onlyLocation returns the location that the origin is stored in, and the instructions that store it there;
// none if it goes to others in any other way.
//
// Uses and releases of the function itself do no harm, nor does a call that gets the struct which
// holds the value: what that does with the value it does by the location.
func (d *Aliases) onlyLocation(all Effects) (at location, keeps []ssa.Instruction) {
	for i := range ssautil.Instructions(d.Func.Function) {
		if len(all[i]) == 0 {
			continue
		}
		p, ok := d.stores(i)
		switch {
		case !ok:
		case len(keeps) > 0 && !p.is(at):
			return location{}, nil
		default:
			at, keeps = p, append(keeps, i)
		}
	}
	for i, list := range all {
		if len(keeps) == 0 || slices.Contains(keeps, i) {
			continue
		}
		for _, a := range list {
			held := a.Mark&MarkMemory == MarkHold && at.base != nil && d.Func.Resolve(ssautil.Root(a.Value)) == at.base
			if a.Kind != EffectUse && a.Kind != EffectRelease && !(a.Kind == EffectHandOver && held) {
				return location{}, nil
			}
		}
	}
	return at, keeps
}

// stores returns the location in which i stores the origin.
func (d *Aliases) stores(i ssa.Instruction) (at location, ok bool) {
	switch i := i.(type) {
	case *ssa.Store:
		at = d.locationOf(i.Addr)
		return at, at != location{} && d.Sure(i.Val)&MarkSame != 0
	case *ssa.MapUpdate:
		return location{base: d.Func.Resolve(i.Map), key: d.Func.Resolve(i.Key)}, d.Sure(i.Value)&MarkSame != 0
	}
	return location{}, false
}

// locationOf returns the location at an address.
func (d *Aliases) locationOf(addr ssa.Value) location {
	switch x := addr.(type) {
	case *ssa.FieldAddr:
		return location{base: d.Func.Resolve(x.X), field: x.Field}
	case *ssa.Global:
		return location{addr: x}
	}
	return location{}
}

// is reports whether two locations are one.
func (p location) is(q location) bool {
	return p.addr == q.addr && p.field == q.field && sameHolder(p.base, q.base) && sameHolder(p.key, q.key)
}

// sameHolder reports whether two values are one, or are loaded from one field.
func sameHolder(v, w ssa.Value) bool { return v == w || v != nil && w != nil && sameLoad(v, w) }

// clearsLocation reports whether i puts something else than the origin into a location.
func (d *Aliases) clearsLocation(i ssa.Instruction, at location) bool {
	switch i := i.(type) {
	case *ssa.Store:
		if d.Mark(i.Val) != 0 {
			return false
		}
		return d.locationOf(i.Addr).is(at) || at.base != nil && at.key == nil && d.Func.Resolve(i.Addr) == at.base
	case *ssa.Call:
		if ssautil.IsBuiltin(i, "delete") {
			return location{base: d.Func.Resolve(i.Call.Args[0]), key: d.Func.Resolve(i.Call.Args[1])}.is(at)
		}
		return at.base != nil && at.key == nil && d.clearsField(i, at)
	}
	return false
}

// clearsField reports whether a call gives the field of a location another value on all ways through it.
//
// The callee has to store nil there on all paths to its returns.
func (d *Aliases) clearsField(c *ssa.Call, at location) bool {
	k := d.Func.Callee(&c.Call)
	callee := d.Func.Package.Funcs[k.Source]
	if callee == nil {
		return false
	}
	for n, arg := range k.Args[:k.Captured] {
		if n >= len(callee.Params) || d.Func.Resolve(arg) != at.base {
			continue
		}
		for fa := range ssautil.FieldAddrs(callee.Params[n], at.field) {
			for s := range ssautil.StoresTo(fa) {
				if IsNil(s.Val) && callee.alwaysRuns(s) {
					return true
				}
			}
		}
	}
	return false
}

// storedBetween reports whether one of keeps can happen after i and before r.
func storedBetween(i, r ssa.Instruction, keeps []ssa.Instruction) bool {
	for _, k := range keeps {
		if ssautil.Before(i, k) && ssautil.Follows(k, r) {
			return true
		}
	}
	return false
}

// onlyIfRefused reports whether r, a release that i leads to, happens only if a call has failed: it may
// have taken the value otherwise.
func (d *Aliases) onlyIfRefused(i, r ssa.Instruction) bool {
	for b := r.Block(); b != i.Block() && b.Idom() != nil; b = b.Idom() {
		branch, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		v, zero := d.Func.test(branch.Cond, b == b.Idom().Succs[0])
		if answers(v) && zero != types.Identical(v.Type(), ErrorType) {
			return true
		}
	}
	return false
}

// answers reports whether v is a result of a call that says whether it has worked.
func answers(v ssa.Value) bool {
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	_, ok := v.(*ssa.Call)
	return ok
}
