package lever

import (
	"fmt"

	"golang.org/x/tools/go/ssa"
)

var sizeMap = &Lever{
	Name:  "size-map",
	Title: "make the map with room for what is expected, or clear the last one",
	way:   size,
	Looks: "a map that grows to more than its first 8 slots where an entry is set, in another function than the one that makes it, or without a loop: the source shows that it is made without a size.",
	Wrong: "when sizes differ by orders of magnitude, or most maps stay small: room that is not needed is allocated and zeroed all the same.",
	Before: `index := make(map[string]int)
p.lines(a, index) // which adds an entry for each line
p.lines(b, index)`,
	After: `index := make(map[string]int, strings.Count(a, "\n")+strings.Count(b, "\n"))
// or, where the same object does this again: clear(p.index)
// or len(last), of the one before`,
	Model: "A map that is doubled until it is large enough allocates about twice its size, and hashes its keys again.",
	Risk:  NoRisk,
	Asks:  "Is there a number to make it with, right in most cases: a count, the length of the input, the size of the last one? Or is the last map not used any more, so that clear empties it for the next?",
	Saves: Saves{Alloc: Range{0.3, 0.7}, Collect: Range{0.2, 0.6}},
	find:  findSizeMap,
}

// pastGroup is the ratio of the mean size of a line's objects to the first group of a map above which most
// maps grow beyond that group.
const pastGroup = 1.5

func findSizeMap(p *Line) (f Finding) {
	if n := p.each(); n > 0 && n < leastOften {
		return f // it grows with what the program keeps, not with an operation
	}
	for _, in := range p.allocators() {
		switch in := in.(type) {
		case *ssa.MakeInterface:
		case *ssa.MapUpdate:
			m := mapType(in.Map)
			if m == nil || hasTypeParameter(m.Key()) || hasTypeParameter(m.Elem()) || p.objectSize() < pastGroup*float64(p.groupSize(m)) {
				return Finding{}
			}
			made := p.mapOfValue(in.Map).roomless()
			if !made.IsValid() {
				return Finding{}
			}
			f = Finding{Share: p.direct(), Evidence: append([]Evidence{
				p.at(in.Pos(), fmt.Sprintf("a %s grows here, beyond the %d bytes of its first 8 slots%s", short(m), p.groupSize(m), p.perOperation())),
				p.at(made, "it is made without a size"),
			}, p.numbers()...)}
		default:
			return Finding{}
		}
	}
	return f
}
