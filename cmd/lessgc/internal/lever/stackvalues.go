package lever

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var stackValues = &Lever{
	Name:  "stack-values",
	Title: "keep the elements of a stack as values, or use popped ones again",
	way:   together,
	Looks: "an object whose address is pushed to a stack: append to a slice of pointers in a field, which the package cuts shorter elsewhere. Each push makes an object, and each pop drops one, though the slice has room for them.",
	Wrong: "when something keeps the address of an element after it is popped, or while the slice grows, as a closure or a deferred function may.",
	Before: `s.frames = append(s.frames, &frame{env: env})
…
s.frames = s.frames[:len(s.frames)-1]`,
	After: `s.frames = append(s.frames, frame{env: env}) // []frame
…
s.frames[len(s.frames)-1] = frame{} // nothing that it refers to is kept
s.frames = s.frames[:len(s.frames)-1]`,
	Model: "The objects go: the slice has them, and is made larger only for the deepest stack.",
	Risk:  Aliasing,
	Asks:  "Does nothing keep the address of an element after it is popped, or while another is pushed? Else keep popped objects in the slice, beyond its length, and push these again.",
	Saves: Saves{Alloc: Range{0.8, 1}, Collect: Range{0.8, 1}},
	find:  findStackValues,
}

func findStackValues(p *Line) (f Finding) {
	if !p.madeAgain() {
		return f
	}
	objects, others := 0, 0
	for _, in := range p.allocators() {
		made, ok := in.(*ssa.Alloc)
		if !ok || !made.Heap {
			others++
			continue
		}
		field, push := pushedTo(made)
		if field == nil {
			others++
			continue
		}
		pop := p.cutShorter(field)
		if !pop.IsValid() {
			return f
		}
		objects++
		f.Evidence = []Evidence{
			p.at(made.Pos(), "a "+short(elemOf(made))+p.perOperation()),
			p.at(push, "its address is pushed to field "+field.Name()),
			p.at(pop, "it is popped here"),
		}
	}
	if objects == 0 {
		return Finding{}
	}
	f.Share = p.direct() * float64(objects) / float64(objects+others)
	return f
}

// pushedTo is the field of the slice that append gives the address of an object to, if nothing else gets it.
func pushedTo(made *ssa.Alloc) (field *types.Var, at token.Pos) {
	for _, in := range *made.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr:
		case *ssa.Store:
			element, ok := in.Addr.(*ssa.IndexAddr)
			if in.Addr == ssa.Value(made) {
				continue
			}
			if !ok || field != nil {
				return nil, 0
			}
			call := appendOf(element.X)
			if call == nil {
				return nil, 0
			}
			for _, r := range *call.Referrers() {
				store, ok := r.(*ssa.Store)
				if !ok {
					continue
				}
				if address, ok := store.Addr.(*ssa.FieldAddr); ok {
					field, at = fieldOf(address), call.Pos()
				}
			}
			if from := loadedField(call.Call.Args[0]); field == nil || from == nil || fieldOf(from) != field {
				return nil, 0
			}
		default:
			return nil, 0
		}
	}
	return field, at
}

// appendOf is the append that takes the elements of an array which is made for it; nil if there is none.
func appendOf(array ssa.Value) *ssa.Call {
	a, ok := array.(*ssa.Alloc)
	if !ok || a.Comment != "varargs" {
		return nil
	}
	for _, r := range *a.Referrers() {
		s, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, user := range *s.Referrers() {
			if c, ok := user.(*ssa.Call); ok && callsBuiltin(c, "append") {
				return c
			}
		}
	}
	return nil
}

// cutShorter returns the position at which the slice of a field loses its last elements, but not all of them
// at once.
func (p *Line) cutShorter(field *types.Var) token.Pos {
	for _, address := range p.addressesOf(field) {
		for _, in := range *address.Referrers() {
			store, ok := in.(*ssa.Store)
			if !ok || store.Addr != ssa.Value(address) {
				continue
			}
			cut, ok := store.Val.(*ssa.Slice)
			if !ok || cut.High == nil || cut.Low != nil {
				continue
			}
			from := loadedField(cut.X)
			if _, constant := cut.High.(*ssa.Const); !constant && from != nil && fieldOf(from) == field {
				return cut.Pos()
			}
		}
	}
	return token.NoPos
}
