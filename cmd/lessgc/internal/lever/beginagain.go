package lever

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var beginAgain = &Lever{
	Name:  "begin-again",
	Title: "cut the slice to length 0 instead of dropping it",
	way:   reuse,
	Looks: "append to a slice that a loop sets to nil, or declares, in each iteration, when nothing keeps what was in it: x = x[:0] has room for the next.",
	Wrong: "when what the slice was before is still in use after it begins again. When one is much larger than the others: it is kept for nothing.",
	Before: `for _, d := range diffs {
	if d.equal() {
		flush(text)
		text = nil
		continue
	}
	text = append(text, d.runes()...)
}`,
	After: `for _, d := range diffs {
	if d.equal() {
		flush(text)
		text = text[:0]
		continue
	}
	text = append(text, d.runes()...)
}`,
	Model: "It is allocated until it is large enough for the largest, not for each.",
	Risk:  Aliasing,
	Asks:  "Is what was in the slice not used any more when it begins again? Then cut it to length 0, with clear before that if its elements refer to much; declare it before the loop.",
	Saves: Saves{Alloc: Range{0.4, 0.95}, Collect: Range{0.5, 0.95}},
	find:  findBeginAgain,
}

func findBeginAgain(p *Line) (f Finding) {
	if p.direct() < 0.3 || !p.madeAgain() {
		return f
	}
	for _, in := range p.allocators() {
		call, ok := in.(*ssa.Call)
		if !ok || !callsBuiltin(call, "append") {
			continue
		}
		grows := p.at(call.Pos(), fmt.Sprintf("a %s grows here%s", short(call.Type()), p.perOperation()))
		loop, pos := emptied(call.Call.Args[0], call)
		if !loop {
			continue
		}
		c := p.course(call)
		if !c.dropped() || len(c.keeps) > 0 || c.returned || c.public || len(c.unknown) > 0 && holdsPointers(call.Type()) || c.keptByName() {
			continue
		}
		if !pos.IsValid() {
			pos = call.Pos()
		}
		return Finding{Share: p.direct(), Evidence: []Evidence{grows, p.at(pos, "the loop begins with nil again, and nothing keeps what was in it")}}
	}
	return f
}

// keptByName reports whether a call of what is not known retains what it is given, by its name.
func (c *course) keptByName() bool {
	return slices.ContainsFunc(c.unknown, func(in ssa.CallInstruction) bool { return beginsWith(calledName(in), retaining) })
}

// emptied reports whether a loop that an append is in sets the slice to nil, and where that is as far as it is known.
func emptied(v ssa.Value, at *ssa.Call) (found bool, pos token.Pos) {
	seen := map[ssa.Value]bool{}
	var look func(ssa.Value)
	look = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Call:
			if callsBuiltin(v, "append") {
				look(v.Call.Args[0])
			}
		case *ssa.Slice:
			look(v.X)
		case *ssa.Phi:
			for i, e := range v.Edges {
				from := v.Block().Preds[i]
				if isNothing(e) && from != at.Block() && leadsTo(from, at.Block()) && leadsTo(at.Block(), from) {
					found = true
					for _, in := range from.Instrs {
						if in.Pos().IsValid() {
							pos = in.Pos()
						}
					}
				}
				look(e)
			}
		}
	}
	look(v)
	return found, pos
}

// isNothing reports whether a slice is nil, or a literal without elements: it has no room.
func isNothing(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	return isNilConst(v) || ok && s.High == nil && isEmptySlice(v)
}
