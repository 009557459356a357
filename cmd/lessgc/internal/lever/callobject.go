package lever

import (
	"fmt"
	"slices"
)

var callObject = &Lever{
	Name:  "call-object",
	Title: "keep the object of a call for the next one",
	way:   reuse,
	Looks: "a struct of 16 to 1024 bytes that a constructor makes for each operation, and that the function which has it made drops when it ends: what it is stored in is dropped as well, and only functions that are not known are given it.",
	Wrong: "when what is given the object keeps it. When it is so small, and so short its use, that the compiler could have it on the stack: return the struct itself then, and call its methods directly.",
	Before: `func (r *renderer) eval(n node) value {
	e := newEvaluator(r.env, r.config) // one for each expression
	return e.eval(n)
}`,
	After: `func (r *renderer) eval(n node) value {
	return r.evaluator.eval(n) // made with the renderer
}`,
	Model: "What is made once for many calls, or taken from a pool, is not allocated. Its fields are still set for each call.",
	Risk:  Lifetime,
	Asks:  "Is it unused once the function that is named ends, by those too that were given it? Then make it once for what lives longer and has one user at a time, set its fields for each call, or take it from a sync.Pool and put it back there. Where the callers only ask it for one thing, give them that without an object.",
	Saves: Saves{Alloc: Range{0.4, 0.95}, Collect: Range{0.6, 0.95}},
	find:  findCallObject,
}

const (
	leastCallObject = 16   // bytes
	mostCallObject  = 1024 // bytes
)

func findCallObject(p *Line) (f Finding) {
	o, ok := p.structMade(mostCallObject)
	if !ok || o.named == nil || o.size < leastCallObject || !p.madeAgain() || p.inPool() {
		return f
	}
	c := p.courseBy(o.made, true)
	if !c.returned && (len(c.unknown) == 0 || !p.inSourceOf(o.named)) {
		return f // nothing but its address moves it to the heap
	}
	if len(c.away) > 0 || len(c.users) > 0 || len(c.seen) >= widest || c.retained() {
		return f
	}
	wrapped := false
	for _, k := range c.keeps {
		if !k.whole {
			continue
		}
		if !k.fresh || k.heap {
			return f
		}
		wrapped = true
	}
	if len(c.apart) > 0 || slices.ContainsFunc(c.keeps, func(k ownership) bool { return !k.fresh }) {
		return f // what it is passed on in is kept
	}
	drops := c.droppedIn()
	if drops == nil && !c.returned {
		drops = o.made.Parent()
	}
	if drops == nil {
		return f
	}
	made := fmt.Sprintf("a %s of %.0f bytes%s", short(o.of), p.objectSize(), p.inEach())
	why := nameOf(drops) + " has it made, and drops it when it ends"
	pos := drops.Pos()
	if len(c.unknown) > 0 && c.unknown[0].Pos().IsValid() {
		why += "; " + p.lastUse(owned{pos: o.made.Pos(), value: o.made}, c).Text
		pos = c.unknown[0].Pos()
	}
	if wrapped {
		why += "; it is passed on in a small struct"
	}
	return Finding{Share: o.share, Evidence: []Evidence{p.at(o.made.Pos(), made), p.at(pos, why)}}
}
