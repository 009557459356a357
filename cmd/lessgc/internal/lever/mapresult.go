package lever

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var mapResult = &Lever{
	Name:  "map-result",
	Title: "return the key and the value, instead of a map of them",
	Looks: "a map that a function makes and returns, when the benchmarks set no more than two entries in each, and the callers for which most of the bytes are made only range over it, look keys up or ask for its length. Also one of more entries that these callers put into a map of their own.",
	Wrong: "when other callers want the map: let these make it of what an inner function returns.",
	Before: `func parse(d *Decoder) (map[string]any, error) {
	...
	return map[string]any{name: value}, nil
}

for name, value := range child { // has one entry
	all[name] = value
}`,
	After: `func parse(d *Decoder) (name string, value any, err error) {
	...
	return name, value, nil
}

all[name] = value`,
	Model: "A map takes 48 bytes for its header and a group of eight slots for its first entry.",
	Risk:  NoRisk,
	Asks:  "Is there one entry, or always the same few, so that they can be results or fields of a struct, or can the function fill the map of its caller?",
	Saves: Saves{Alloc: Range{0.8, 1}, Collect: Range{0.8, 1}, Work: Range{0, 0.3}},
	find:  findMapResult,
}

const mostInResult = 2 // entries

func findMapResult(p *Line) (f Finding) {
	if !p.often() {
		return f
	}
	for _, in := range p.allocators() {
		made := mapIn(in)
		if made == nil || made.Parent().Parent() != nil {
			continue
		}
		i := slices.Index(p.returnedAs(made), true)
		if i < 0 {
			continue
		}
		if f = p.copiedByCallers(made, i); f.Share > 0 {
			return f
		}
		n, known := p.mapOfValue(made).entries()
		if !known || n == 0 || n > mostInResult {
			continue
		}
		users := p.callersThat(made.Parent(), func(c *ssa.Call) bool {
			got := resultAt(c, i)
			return got != nil && onlyRead(got)
		})
		if users.share < leastDropped {
			continue
		}
		return Finding{Share: p.direct() * users.share, Evidence: []Evidence{
			p.at(made.Pos(), fmt.Sprintf("a %s that %s returns, with %.2g entries on average%s", short(made.Type()), nameOf(made.Parent()), n, p.inEach())),
			p.at(users.call.Pos(), fmt.Sprintf("callers that only read its entries have %.0f %% of the bytes", 100*users.share)),
		}}
	}
	return f
}

// copiedByCallers is about a map whose entries the callers put into a map of their own.
func (p *Line) copiedByCallers(made *ssa.MakeMap, result int) (f Finding) {
	users := p.callersThat(made.Parent(), func(c *ssa.Call) bool {
		got := resultAt(c, result)
		return got != nil && onlyRead(got) && entriesMoved(got)
	})
	if users.share < leastDropped {
		return f
	}
	return Finding{Share: p.direct() * users.share, Evidence: []Evidence{
		p.at(made.Pos(), fmt.Sprintf("a %s that %s returns%s", short(made.Type()), nameOf(made.Parent()), p.inEach())),
		p.at(users.call.Pos(), fmt.Sprintf("callers that put its entries into a map of their own have %.0f %% of the bytes: they could give that map to be filled", 100*users.share)),
	}}
}

// entriesMoved reports whether a loop over a map sets its entries in another one.
func entriesMoved(m ssa.Value) bool {
	for _, in := range *m.Referrers() {
		loop, ok := in.(*ssa.Range)
		if !ok {
			continue
		}
		for _, in := range *loop.Referrers() {
			next, ok := in.(*ssa.Next)
			if !ok {
				continue
			}
			key := resultAt(next, 1)
			if key != nil && slices.ContainsFunc(*key.Referrers(), func(in ssa.Instruction) bool {
				set, ok := in.(*ssa.MapUpdate)
				return ok && set.Key == key
			}) {
				return true
			}
		}
	}
	return false
}

// mapIn is the map that an instruction makes, or sets an entry of which its function makes; nil if there is none.
func mapIn(in ssa.Instruction) *ssa.MakeMap {
	switch in := in.(type) {
	case *ssa.MakeMap:
		return in
	case *ssa.MapUpdate:
		if phi, ok := in.Map.(*ssa.Phi); ok {
			for _, e := range phi.Edges {
				if made, ok := e.(*ssa.MakeMap); ok {
					return made
				}
			}
		}
		made, _ := in.Map.(*ssa.MakeMap)
		return made
	}
	return nil
}

// onlyRead reports whether entries of a map are read, and nothing else is done with it.
func onlyRead(m ssa.Value) bool {
	return !slices.ContainsFunc(*m.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.Range, *ssa.BinOp:
			return false
		case *ssa.Lookup:
			return in.X != m
		case *ssa.Call:
			return !callsBuiltin(in, "len")
		}
		return true
	})
}
