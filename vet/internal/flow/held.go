package flow

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Does a caller lose the pooled value in a struct that a constructor has made for it?
//
//	func newPage() *page { return &page{buf: buffers.Get().(*bytes.Buffer)} }
//
//	p := newPage() // p.buf is never put back
//	return p.text()
//
//	p := newPage() // goes on with p
//	return p
//
// It adds the field to the summary of the constructor, and gives an origin for the caller, if
// something in the package releases what such fields hold. A value that is released perhaps, or
// that goes anywhere else than into one field of one struct, is left out: silence.

// returnedIn adds to s which result is a struct that f makes around an acquired value, for the caller to
// release with it.
//
// Exactly one store of the value into one new struct, which is the result on each return with a
// value, where the value is live and no release of it is deferred. With two structs the other one
// may be what releases it.
func (f *Function) returnedIn(s *Summary, o *Origin) {
	if o.Kind != catalog.Item || o.Tracked.Has(doubts...) {
		return
	}
	var made *ssa.Alloc
	name := ""
	for _, n := range o.Tracked.Nodes.List {
		if _, closure := n.Value.(*ssa.MakeClosure); closure {
			return // it may release it, and be in another field
		}
		if n.Mark&MarkSame == 0 {
			continue
		}
		for store := range ssautil.StoresOf(n.Value) {
			fa, ok := store.Addr.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			a, ok := fa.X.(*ssa.Alloc)
			if !ok || made != nil || ssautil.Field(fa) == nil {
				return
			}
			made, name = a, FieldName(fa)
		}
	}
	if made == nil {
		return
	}
	for i := range f.Signature.Results().Len() {
		if !f.returnsOnly(i, made) || !f.livesIn(i, made, o) {
			continue
		}
		r := s.growResult(i)
		if r.Held == nil {
			r.Held = map[string]string{}
		}
		r.Held[name] = o.Pool
	}
}

// livesIn reports whether o is live wherever result i is the struct that f has made.
func (f *Function) livesIn(i int, made *ssa.Alloc, o *Origin) bool {
	for _, ret := range f.Returns() {
		if !IsNil(f.Resolve(ret.Results[i])) && o.States.Exits[ret] != At(PhaseLive, PendingNone) {
			return false
		}
	}
	return true
}

// visitHeld visits pooled values in fields of structs that calls return, if f does not pass them on,
// although a function of the package releases what that field holds.
func (f *Function) visitHeld(visit func(*Origin)) {
	for c, k := range f.summarized() {
		for r, acq := range k.Summary.Acquires {
			for _, name := range slices.Sorted(maps.Keys(acq.Held)) {
				if o := f.heldIn(firstResult(c, 1<<r), name); o != nil {
					o.Pos, o.Pool, o.By = c.Pos(), acq.Held[name], CalleeName(k)
					visit(o)
				}
			}
		}
	}
}

// heldIn returns the value in a field of a struct, if it is released surely or not at all and does not go
// elsewhere; nil otherwise.
//
// What cannot be followed as a part may still be followed by its struct: then only whether it is
// lost is asked.
func (f *Function) heldIn(base ssa.Value, name string) *Origin {
	if base == nil || !f.isReleasedPart(base, name) {
		return nil
	}
	d := f.partOf(base, name, partStrict)
	if d == nil || d.Has(doubts...) {
		return f.wholeOf(base, name)
	}
	start, _ := base.(ssa.Instruction)
	return &Origin{Kind: catalog.Item, Name: f.baseName(base) + "." + name, Held: true, Tracked: d, States: d.states(d.Effects, start, false)}
}

// doubts holds the effects after which a value may be released by others.
var doubts = []EffectKind{EffectReleaseIf, EffectMayRelease, EffectGoRelease, EffectMayDefer, EffectHandOver, EffectHandOverIf, EffectKeep, EffectSpawn}

// isPart reports whether the package releases what fields like that of base hold.
func (f *Function) isPart(base ssa.Value, name string) bool {
	x := fieldAt(base.Type(), name)
	return x != nil && ssautil.Named(base.Type()) != nil && f.Package.parts[x.Origin()]
}
