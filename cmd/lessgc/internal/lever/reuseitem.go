package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var reuseItem = &Lever{
	Name:  "reuse-item",
	Title: "fill the object again that the field has",
	way:   reuse,
	Looks: "a struct that a method makes again and again for a field of its receiver, or a function for a field of what it is given, in place of the one that is there: the current item of an iterator, reader or scanner, the value of a node. Nothing else keeps it, as far as the source shows.",
	Wrong: "when callers keep items: those would change under them. Say in the documentation that an item is valid until the next call, and copy it for those who keep it.",
	Before: `func (it *Iterator) Next() bool {
	it.item = &Item{key: it.key()}
	...`,
	After: `func (it *Iterator) Next() bool {
	it.item = Item{key: it.key()} // a value; valid until the next call
	...`,
	Model: "One object for each owner.",
	Risk:  Aliasing,
	Asks:  "Is no item kept when the next one is made? Then make the field a value, or fill the object again that it points to.",
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}},
	find:  findReuseItem,
}

func findReuseItem(p *Line) (f Finding) {
	o, ok := p.structMade(1024)
	if !ok || o.named == nil || o.size < leastCallObject || !p.madeAgain() || p.each() > 0 && p.each() < leastInSlab {
		return f
	}
	c := p.courseBy(o.made, true)
	if len(c.away) > 0 || len(c.apart) > 0 || len(c.seen) >= widest || c.retained() {
		return f
	}
	var at *ownership
	for i, k := range c.keeps {
		switch {
		case k.fresh && k.heap, !k.fresh && !k.whole:
			return f
		case k.fresh:
		case k.owner == nil || k.owner == o.named || at != nil && !at.sameField(k.field):
			return f
		default:
			at = &c.keeps[i]
		}
	}
	if at == nil || !p.replaces(o, at) || p.storedFrom(at) {
		return f
	}
	made := fmt.Sprintf("a %s of %.0f bytes%s", short(o.of), p.objectSize(), p.inEach())
	return Finding{Share: o.share, Evidence: []Evidence{p.at(o.made.Pos(), made),
		p.at(at.pos, fmt.Sprintf("it replaces the one in field %s of %s; nothing else that is known keeps it", at.field.Name(), at.owner.Obj().Name()))}}
}

// replaces reports whether many objects are stored in the field of one owner, one after another: the owner is there
// before, and far more objects are made than owners, as far as that is known.
func (p *Line) replaces(o structMade, k *ownership) bool {
	switch k.field.Type().Underlying().(type) {
	case *types.Pointer, *types.Interface:
	default:
		return false
	}
	if hasInside(o.named, k.owner) || linksTo(o.of, k.owner) {
		return false
	}
	given := false
	for _, address := range p.addressesOf(k.field) {
		switch address.X.(type) {
		case *ssa.Parameter, *ssa.UnOp:
			given = given || stored(address)
		}
	}
	n, ok := p.executed(o.made.Pos())
	owners, known := p.makersCount(k.owner)
	if !ok || !known || owners == 0 {
		return given && p.each() >= leastInSlab && beginsWith(k.by.Name(), []string{"next", "scan", "read", "advance", "step"})
	}
	return given && n > mostReplaced*owners
}

// storedFrom reports whether what a field has is read from it and stored elsewhere: a parser collects its current items.
func (p *Line) storedFrom(k *ownership) bool {
	for c := range p.coursesFrom(k) {
		if c.storesBeside(k) {
			return true
		}
	}
	return false
}

// coursesFrom are the courses of what is read from a field, tests left out.
func (p *Line) coursesFrom(k *ownership) iter.Seq[*course] {
	return func(yield func(*course) bool) {
		for _, address := range p.addressesOf(k.field) {
			for _, user := range *address.Referrers() {
				load, ok := user.(*ssa.UnOp)
				if ok && load.Op == token.MUL && !p.inTest(load.Pos()) && !yield(p.course(load)) {
					return
				}
			}
		}
	}
}

// storesBeside reports whether an object is stored elsewhere than in a field.
func (c *course) storesBeside(k *ownership) bool {
	return len(c.away) > 0 || slices.ContainsFunc(c.keeps, func(other ownership) bool { return !other.fresh && !k.sameField(other.field) })
}

// linksTo reports whether a struct has a field that points to another: as a node to its tree.
func linksTo(t types.Type, owner *types.Named) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		if isPointerTo(field.Type(), owner) {
			return true
		}
	}
	return false
}
