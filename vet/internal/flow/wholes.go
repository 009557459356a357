package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A struct that is made around a pooled value may go on from the function that got it: it is returned on
// one path, appended to a list, closed on a goroutine. Whether its part is lost on the other paths is what
// the states of the struct tell: a call that releases the part settles it, and a call that may take the
// struct hands over the part.
//
// An example, and one in which the frame goes on:
//
//	f := newChunk()
//	if err := f.fill(r, n); err != nil {
//		return nil, err // f, and the memory in it, is lost here
//	}
//	all = append(all, f)
//
//	all[id] = f
//	if err := f.fill(r, n); err != nil {
//		return err // whoever has the map has f
//	}
//
// Whether the part is used after its release cannot be told of such an origin, only whether it is
// lost.

// wholeOf follows a struct that holds a value in the field name, with what is done to that value as its
// effects; nil if the field may hold another, or the struct, passed by its value, may be in many places.
func (f *Function) wholeOf(base ssa.Value, name string) *Origin {
	if !ssautil.IsPointer(base.Type()) {
		return nil
	}
	whole := f.track(base, MarkSame)
	// Somebody may release the struct itself; then whether the part goes with it is not known.
	if whole.Has(EffectMayRelease, EffectReleaseIf, EffectMayDefer) {
		return nil
	}
	loads := f.newDerivation(base)
	loads.Nodes.get(base)
	for _, n := range whole.Nodes.List {
		if n.Mark&MarkSame == 0 {
			continue
		}
		if n.Weak || !f.addWhole(whole, loads, n.Value, name) {
			return nil
		}
	}
	if whole.keepsWithin(name) && !loads.addFields(whole, name) {
		return nil
	}
	loads.propagate()
	for i, list := range loads.effects() {
		for _, a := range list {
			if a.Kind != EffectUse {
				whole.Effects.add(i, a)
			}
		}
	}
	if loads.isReturned() {
		return nil // the value is taken out
	}
	start, _ := base.(ssa.Instruction)
	o := &Origin{Kind: catalog.Item, Name: f.baseName(base) + "." + name, Held: true, Whole: true, Tracked: whole}
	x := fieldAt(base.Type(), name)
	o.States = &States{Aliases: whole.Aliases, Effects: whole.Effects, Start: start, memory: x != nil && isPlainMemory(x.Type())}
	o.States.solve()
	return o
}

// addWhole adds what the uses of one value, or variable, that is the struct do to its part.
func (f *Function) addWhole(whole *Tracked, loads *Aliases, v ssa.Value, name string) (ok bool) {
	for i := range ssautil.Uses[ssa.Instruction](v) {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			if FieldName(i) != name {
				continue
			}
			if stores, ok := loads.partAccesses(i, loads.Root); !ok || len(stores) > 0 {
				return false
			}
		case *ssa.Store:
			if cell, ok := i.Addr.(*ssa.Alloc); ok && i.Val == v {
				f.addCaptured(whole, cell, name)
			}
		case *ssa.MakeClosure:
			return false // it has the struct itself: a method value
		case ssa.CallInstruction:
			f.addWholeCall(whole, i, v, name)
		}
	}
	return true
}

// addCaptured adds what closures that have captured a variable with the struct do to its part.
func (f *Function) addCaptured(whole *Tracked, cell *ssa.Alloc, name string) {
	for m := range ssautil.Uses[*ssa.MakeClosure](cell) {
		calls, ok := capturingCalls(m, ownerValue{value: cell})
		if !ok {
			whole.Effects.add(m, Effect{Kind: EffectHandOver, Sure: true, Value: cell, Mark: MarkSame})
		}
		for _, c := range calls {
			f.addWholeCall(whole, c.instr.(ssa.CallInstruction), cell, name)
		}
	}
}

// addWholeCall adds what a call that gets v, the struct or a variable with it, does to the part.
func (f *Function) addWholeCall(whole *Tracked, c ssa.CallInstruction, v ssa.Value, name string) {
	k := f.Callee(c.Common())
	handOver := Effect{Kind: EffectHandOver, Sure: true, Value: v, Mark: MarkSame}
	if k.Summary == nil {
		whole.Effects.add(c, handOver)
		return
	}
	for n, arg := range k.Args {
		if arg != v {
			continue
		}
		p := k.Summary.Param(n)
		part := p.Parts[name]
		// A callee without a summary of the part leaves it as it is.
		switch {
		case part != nil:
			partCall{call: c, part: whole.keptWithin(part, k)}.addEffects(whole.Effects, v)
		case p.detaches(name), f.Package.Source(c.Common().StaticCallee()) != nil && !f.isPart(whole.Root, name):
			// Of a function of this package it is not known what it does to parts of a type of another package.
			whole.Effects.add(c, handOver)
		}
	}
}

// keptWithin returns what a call does with a part of the struct, without that it stores the part in another field
// of the struct: there it goes with it.
//
//	func (p *packet) clear() *packet {
//		p.value = p.head[:0] // of the same packet
//		return p
//	}
func (d *Aliases) keptWithin(part *Param, k Callee) *Param {
	within := *part
	for n, arg := range k.Args {
		if d.Sure(arg)&MarkSame != 0 {
			within.KeptIn &^= 1 << n
		}
	}
	return &within
}

// keepsWithin reports whether a call stores the part at a name in another field of the struct.
func (d *Tracked) keepsWithin(name string) bool {
	for _, c := range d.Func.Calls {
		k := d.Func.Callee(c.Common())
		if k.Summary == nil {
			continue
		}
		for n, arg := range k.Args {
			if part := k.Summary.Param(n).Parts[name]; part != nil && d.Mark(arg)&MarkSame != 0 && part.KeptIn != d.keptWithin(part, k).KeptIn {
				return true
			}
		}
	}
	return false
}

// addFields adds what is loaded from the fields of a struct but the one at a name: one of them has the memory of the
// part, too, and whoever gets that may go on with it. It reports false if the address of a field goes elsewhere.
//
//	p := newPacket().clear()
//	return p.value // the memory of p.head: the caller has it
func (d *Aliases) addFields(whole *Tracked, name string) (ok bool) {
	for _, n := range whole.Nodes.List {
		if n.Mark&MarkSame == 0 {
			continue
		}
		for fa := range ssautil.Uses[*ssa.FieldAddr](n.Value) {
			if FieldName(fa) == name || !pointers(ssautil.Deref(fa.Type())) {
				continue
			}
			if _, ok := d.partAccesses(fa, d.Root); !ok {
				return false
			}
		}
	}
	return true
}

// isPlainMemory reports whether t is a buffer, or leads to an array of bytes or numbers: no error of who uses
// it makes it useless to others.
func isPlainMemory(t types.Type) bool {
	a, ok := ssautil.Deref(t).Underlying().(*types.Array)
	return isBuffer(t) || ok && isBasic(a.Elem())
}

// isReleasedPart reports whether the package, or a method of the type of base, releases what the field
// name of base holds.
func (f *Function) isReleasedPart(base ssa.Value, name string) bool {
	if f.isPart(base, name) {
		return true
	}
	named := ssautil.Named(base.Type())
	if named == nil || named.Obj().Pkg() == f.Package.Pass.Pkg {
		return false
	}
	for m := range named.Methods() {
		s := f.Package.imported(m)
		if s == nil {
			continue
		}
		if part := s.Param(0).Parts[name]; part != nil && part.Release.certain() {
			return true
		}
	}
	return false
}
