package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var sizeMap = &Lever{
	Name:    "size-map",
	Title:   "make the map with room for what is expected, or clear the last one",
	Subject: "presize the map",
	way:     size,
	Looks:   "a map that grows to more than its first 8 slots where an entry is set, in another function than the one that makes it, or without a loop: the source shows that it is made without a size.",
	Wrong:   "when sizes differ by orders of magnitude, or most maps stay small: room that is not needed is allocated and zeroed all the same.",
	Before: `index := make(map[string]int)
p.lines(a, index) // which adds an entry for each line
p.lines(b, index)`,
	After: `index := make(map[string]int, strings.Count(a, "\n")+strings.Count(b, "\n"))
// or, where the same object does this again: clear(p.index)
// or len(last), of the one before`,
	Model: "A map that is doubled until it is large enough allocates about twice its size, and hashes its keys again. Of maps with room, half or more copy nothing.",
	Risk:  NoRisk,
	Rewrite: "A size shows in nothing but memory: the map is made all the same, and not nil, and the order of its entries is random before and after. It is made in one place of the package, empty, and without a size. The room is the length of a slice or string variable if all entries are set in a loop over it that comes in the same block, one at most in each iteration, and the variable is not changed in between, nor has another name: where the iterations that were counted are no more than a quarter above the number observed, or, if they were not counted, where the loop puts each element, or what is made of it, under a key that is a field or method of it, unless that is there already or the element goes to another map. Else it is the number of entries with which the maps in the profile have the smallest tables in sum, a tenth less than by growing at least, in 512 bytes at most: who has smaller maps than the benchmarks pays for a number. " +
		"None is made where most maps need no more than their first 8 slots, where nine tenths end with more than four times the median, or where the first group is on the stack and the profile does not tell how many maps there are.",
	Asks:  "Is there a number to make it with, right in most cases: a count, the length of the input, the size of the last one? Or is the last map not used any more, so that clear empties it for the next?",
	Saves: Saves{Alloc: Range{0.3, 0.7}, Copy: Range{0.5, 1}, Collect: Range{0.2, 0.6}},
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
			if !p.growsBeyondGroup(m) {
				return Finding{}
			}
			use := p.mapOfValue(in.Map)
			made := use.roomless()
			if !made.IsValid() {
				return Finding{}
			}
			f = Finding{Share: p.direct(), Evidence: append([]Evidence{
				p.at(in.Pos(), fmt.Sprintf("a %s outgrows the %d bytes of its first 8 slots here,%s", short(m), p.groupSize(m), p.bySteps())),
				p.at(made, "the map is made without a size; with room for its entries it need not grow"),
			}, p.numbers()...)}
			f.Edits, f.What = p.observedMap(use, m)
		default:
			return Finding{}
		}
	}
	return f
}

// observedMap are the edits that make a map with room for the entries that it was observed to end with, where it is made in
// one place.
func (p *Line) observedMap(use *mapUse, m *types.Map) (edits []Edit, what string) {
	if len(use.makes) != 1 {
		return nil, ""
	}
	made := use.makes[0]
	u := p.unitOf(made.Pos())
	lines := map[prof.Frame]bool{}
	for _, in := range use.updates {
		lines[p.frameOf(in.Pos())] = true
	}
	o, ok := p.observe(lines, false, directly)
	n, note, known := o.entries(p.groupSize(m))
	if !ok || !known || u == nil || u.pkg != p.pkg || p.generated(u) || p.inTest(made.Pos()) {
		return nil, ""
	}
	ast.Inspect(u.file, func(x ast.Node) bool {
		e, ok := x.(ast.Expr)
		if !ok || edits != nil {
			return edits == nil
		}
		if typ := u.emptyMapAt(e, made.Pos()); typ != nil && !u.hasComment(e) && p.means(e.Pos(), "make(", "make") {
			if length := p.lengthFor(use, made, n); length != "" {
				edits = []Edit{p.edit(e.Pos(), e.End(), "make("+p.text(typ)+", "+length+")")}
				what = u.subject("presize % with "+length, e)
			} else if n*p.groupSize(m)/7 <= largestNumber { // 7 entries of a group of 8 slots
				edits = p.noted(u, []Edit{p.edit(e.Pos(), e.End(), fmt.Sprintf("make(%s, %d)", p.text(typ), n))}, note)
				what = u.subject("presize %", e)
			}
		}
		return edits == nil
	})
	return edits, what
}

// emptyMapAt is the type of an expression that makes a map without a size at a position; nil if it is another.
func (u *unit) emptyMapAt(e ast.Expr, pos token.Pos) ast.Expr {
	if !u.empty(e) {
		return nil
	}
	switch x := e.(type) {
	case *ast.CallExpr:
		if x.Lparen == pos || x.Pos() == pos {
			return x.Args[0]
		}
	case *ast.CompositeLit:
		if x.Lbrace == pos || x.Pos() == pos {
			return x.Type
		}
	}
	return nil
}
