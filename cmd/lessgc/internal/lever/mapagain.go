package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var mapAgain = &Lever{
	Name:  "map-again",
	Title: "reuse one map, or a struct, instead of a new map with the same keys",
	way:   reuse,
	Looks: "a map that is made anew in a slot of an object which lives on, after another function has set the slot to nil, or in place of the one that is there; a literal of which all keys are constants, made several times in an operation; and a copy of all entries of another map.",
	Wrong: "when the map of before is still in use elsewhere, or what is a copy is changed: of a copy, most entries are set again.",
	Before: `func (p *parser) pop() {
	p.stack[len(p.stack)-1] = nil // dropped: the next push makes a new map
	p.stack = p.stack[:len(p.stack)-1]
}`,
	After: `func (p *parser) pop() {
	clear(p.stack[len(p.stack)-1]) // the next push finds it in its slot
	p.stack = p.stack[:len(p.stack)-1]
}

// instead of map[string]any{"first": i == 0, "index": i}: type loop struct{ first bool; index int }
// instead of a copy: look into the new map first, and then into the other`,
	Model: "The map goes whole, with its first entries and what it grows by; a struct takes one small object.",
	Risk:  Aliasing,
	Asks:  "Does nothing else keep or change the map that would be used instead (the evidence names it: the previous map, a struct with these fields, or the map that is copied)?",
	Saves: Saves{Alloc: Range{0.4, 1}, Collect: Range{0.4, 1}},
	find:  findMapAgain,
}

func findMapAgain(p *Line) (f Finding) {
	if n := p.each(); n > 0 && n < 2 {
		return f
	}
	for _, in := range p.allocators() {
		var evidence []Evidence
		switch in := in.(type) {
		case *ssa.MakeMap:
			if evidence = p.sameKeys(in); evidence == nil {
				if evidence = p.copiedInto(in); evidence == nil {
					evidence = p.slotAgain(in)
				}
			}
		case *ssa.MapUpdate:
			if from := copiesEntry(in); from != nil {
				if !mergedInto(in.Map) || p.mergedIntoNew(in.Map) {
					evidence = p.copyOfMap(in.Pos(), from)
				}
			} else {
				evidence = p.slotAgain(in.Map)
			}
		}
		if evidence != nil {
			return Finding{Share: p.direct(), Evidence: evidence}
		}
	}
	return f
}

// leastSameKeys is the smallest number of entries of a literal that is reported.
const leastSameKeys = 2

// sameKeys is the evidence that all keys of a literal are constants; nil if it is not so.
func (p *Line) sameKeys(made *ssa.MakeMap) []Evidence {
	if of := namedOf(made.Type()); of != nil && of.Obj().Pkg() != p.pkg.Types {
		return nil // another package wants this type
	}
	n := 0
	for _, in := range *made.Referrers() {
		switch in := in.(type) {
		case *ssa.MapUpdate:
			key := in.Key
			if box, ok := key.(*ssa.MakeInterface); ok {
				key = box.X
			}
			if in.Map != made || !isConst(key) {
				return nil
			}
			n++
		case *ssa.Lookup, *ssa.Range, *ssa.Store:
			return nil
		}
	}
	if each := p.each(); n < leastSameKeys || each > 0 && each < 4 { // a map and its entries are two objects
		return nil
	}
	text := fmt.Sprintf("a %s is made here%s, always with the same %d keys", short(made.Type()), p.perOperation(), n)
	return []Evidence{p.at(made.Pos(), text+": a struct with these fields (and a method for who looks them up by name) is one object; or set the entries of one map anew")}
}

// copiesEntry is the map whose key and element an instruction sets in another; nil if it does something else.
func copiesEntry(set *ssa.MapUpdate) ssa.Value {
	key, ok := set.Key.(*ssa.Extract)
	if !ok {
		return nil
	}
	elem, ok := set.Value.(*ssa.Extract)
	if !ok || elem.Tuple != key.Tuple || key.Index != 1 || elem.Index != 2 {
		return nil
	}
	next, ok := key.Tuple.(*ssa.Next)
	if !ok {
		return nil
	}
	if over, ok := next.Iter.(*ssa.Range); ok && mapType(over.X) != nil {
		return over.X
	}
	return nil
}

// mergedInto reports whether a map was there before: what is set in it comes to what it has.
func mergedInto(m ssa.Value) bool {
	if field := loadedField(m); field != nil {
		return given(field.X, 0)
	}
	return given(m, 0)
}

// mergedIntoNew reports whether a map is a parameter for which most callers, by the bytes of the profile, have made a map.
func (p *Line) mergedIntoNew(m ssa.Value) bool {
	param, ok := m.(*ssa.Parameter)
	if !ok {
		return false
	}
	i := slices.Index(param.Parent().Params, param)
	return p.callersThat(param.Parent(), func(c *ssa.Call) bool {
		return !c.Call.IsInvoke() && i < len(c.Call.Args) && madeMap(c.Call.Args[i])
	}).share >= 0.5
}

// madeMap reports whether a map was made in the function, also for the field of an object that it loads the map from.
func madeMap(v ssa.Value) bool {
	if change, ok := v.(*ssa.ChangeType); ok {
		v = change.X
	}
	if _, made := v.(*ssa.MakeMap); made {
		return true
	}
	field := loadedField(v)
	if field == nil {
		return false
	}
	object, ok := field.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, in := range *object.Referrers() {
		other, ok := in.(*ssa.FieldAddr)
		if !ok || other.Field != field.Field {
			continue
		}
		for _, in := range *other.Referrers() {
			if store, ok := in.(*ssa.Store); ok && store.Addr == other {
				_, made := store.Val.(*ssa.MakeMap)
				return made
			}
		}
	}
	return false
}

// copiedInto is the evidence that a map gets the entries of another.
func (p *Line) copiedInto(made *ssa.MakeMap) []Evidence {
	for _, in := range *made.Referrers() {
		if set, ok := in.(*ssa.MapUpdate); ok && set.Map == made {
			if from := copiesEntry(set); from != nil {
				return p.copyOfMap(set.Pos(), from)
			}
		}
	}
	return nil
}

// copyOfMap is the evidence of a copy.
func (p *Line) copyOfMap(pos token.Pos, from ssa.Value) []Evidence {
	return []Evidence{p.at(pos, fmt.Sprintf("the entries of another %s are copied here%s", short(from.Type()), p.perOperation())),
		p.at(pos, "where few are set anew: keep a reference to the other map, look into the new one first, and then there; or copy when the first is set")}
}

// slotAgain is the evidence that an object which lives on has a map anew for each use.
func (p *Line) slotAgain(m ssa.Value) []Evidence {
	if evidence := p.droppedSlot(m); evidence != nil {
		return evidence
	}
	return p.replacedMap(m)
}

// replacedMap is the evidence that a function makes a map for a field of an object that was there before, far more often
// than such objects are made, and nothing that is known keeps the one of before.
func (p *Line) replacedMap(m ssa.Value) []Evidence {
	if m.Parent() == nil { // nil, as a constant
		return nil
	}
	loaded := loadedField(m)
	for _, b := range m.Parent().Blocks {
		for _, in := range b.Instrs {
			store, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			made, ok := store.Val.(*ssa.MakeMap)
			to, isField := store.Addr.(*ssa.FieldAddr)
			if !ok || !isField || !given(to.X, 0) || made != m && (loaded == nil || fieldOf(loaded) != fieldOf(to)) {
				continue
			}
			k := &ownership{field: fieldOf(to), owner: namedOf(to.X.Type()), by: m.Parent()}
			if k.owner == nil || p.shown(*k) || p.storedFrom(k) {
				continue
			}
			n, ok := p.executed(made.Pos())
			owners, known := p.makersCount(k.owner)
			if ok && known && owners > 0 && n > mostReplaced*owners {
				return []Evidence{p.at(made.Pos(), fmt.Sprintf("a map takes the place of the one in field %s of %s%s", k.field.Name(), k.owner.Obj().Name(), p.perOperation())),
					p.at(made.Pos(), fmt.Sprintf("the benchmarks come here %d times, and make %d such objects; nothing else that is known keeps the map: clear it", n, owners))}
			}
		}
	}
	return nil
}

// droppedSlot is the evidence that a map is one of a slot, a field or an element of a slice in a field, that another
// function sets to nil; nil if it is not so.
func (p *Line) droppedSlot(m ssa.Value) []Evidence {
	for _, field := range slotsOf(m, 0) {
		if dropped := p.setNil(field, m.Parent()); dropped.IsValid() {
			return []Evidence{p.at(field.Pos(), fmt.Sprintf("the map is one of field %s, and is made anew for each use%s", field.Name(), p.perOperation())),
				p.at(dropped, "here, the one of before is dropped: clear it and leave it in its place, for the next to find")}
		}
	}
	return nil
}

// slotsOf are the fields that a map is in, or in an element of whose slice.
func slotsOf(m ssa.Value, depth int) (all []*types.Var) {
	add := func(address ssa.Value) {
		if element, ok := address.(*ssa.IndexAddr); ok {
			if field := loadedField(element.X); field != nil {
				all = append(all, fieldOf(field))
			}
		}
		if field, ok := address.(*ssa.FieldAddr); ok && fieldOf(field) != nil && given(field.X, 0) {
			all = append(all, fieldOf(field))
		}
	}
	if load, ok := m.(*ssa.UnOp); ok {
		add(load.X)
	}
	if phi, ok := m.(*ssa.Phi); ok && depth < 2 {
		for _, e := range phi.Edges {
			all = append(all, slotsOf(e, depth+1)...)
		}
	}
	if made, ok := m.(*ssa.MakeMap); ok {
		for _, in := range *made.Referrers() {
			if store, ok := in.(*ssa.Store); ok && store.Val == made {
				add(store.Addr)
			}
		}
	}
	return all
}

// setNil returns the position at which a function other than the given one sets a field, or an element of its slice, to
// nil.
func (p *Line) setNil(field *types.Var, other *ssa.Function) token.Pos {
	for _, address := range p.addressesOf(field) {
		if address.Parent() == other {
			continue
		}
		for _, in := range *address.Referrers() {
			switch in := in.(type) {
			case *ssa.Store:
				if in.Addr == address && isNilMap(in.Val) {
					return in.Pos()
				}
			case *ssa.UnOp:
				if pos := elementSetNil(in); pos.IsValid() {
					return pos
				}
			}
		}
	}
	return 0
}

// elementSetNil returns the position at which an element of a slice is set to nil.
func elementSetNil(slice ssa.Value) token.Pos {
	for _, in := range *slice.Referrers() {
		element, ok := in.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *element.Referrers() {
			if store, ok := use.(*ssa.Store); ok && store.Addr == element && isNilMap(store.Val) {
				return store.Pos()
			}
		}
	}
	return 0
}

// isNilMap reports whether a value is nil, for a map.
func isNilMap(v ssa.Value) bool { return mapType(v) != nil && isNilConst(v) }
