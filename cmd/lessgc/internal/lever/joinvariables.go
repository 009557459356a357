package lever

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var joinVariables = &Lever{
	Name:  "join-variables",
	Title: "make the variables that a function literal captures one struct",
	way:   together,
	Looks: "two or more variables that the same function literal, or body of a range over a function, captures, and that are stored to more than once: each is an object of its own on the heap.",
	Wrong: "when one of the variables is kept long after the others.",
	Before: `var allowed, denied []reason // two objects
for r := range rules.All() {
	...
	allowed = append(allowed, r.reason)`,
	After: `var found struct{ allowed, denied []reason } // one
for r := range rules.All() {
	...
	found.allowed = append(found.allowed, r.reason)`,
	Model: "One object where there were several. The bytes stay.",
	Risk:  NoRisk,
	Asks:  "Can the literal be done without, by a loop or a method? Then all of these variables are on the stack; otherwise declare one struct that has them as fields.",
	Saves: Saves{Alloc: Range{0.3, 1}, Collect: Range{0, 0.9}},
	find:  findJoinVariables,
}

func findJoinVariables(p *Line) (f Finding) {
	all := p.allocators()
	if len(all) == 0 || p.direct() < 0.5 || !p.often() {
		return f
	}
	for _, in := range all {
		if v, ok := in.(*ssa.Alloc); !ok || !isCaptured(v) {
			return f
		}
	}
	made := all[0].(*ssa.Alloc)
	names := []string{}
	for _, b := range made.Parent().Blocks {
		for _, in := range b.Instrs {
			if other, ok := in.(*ssa.Alloc); ok && other != made && isCaptured(other) && other.Block() == made.Block() && sharesLiteral(made, other) {
				names = append(names, other.Comment)
			}
		}
	}
	if len(names) == 0 {
		return f
	}
	slices.Sort(names)
	literal := capturedBy(made)[0]
	return Finding{Share: p.direct(), Evidence: []Evidence{
		p.at(made.Pos(), fmt.Sprintf("%s, a %s, is moved to the heap%s", made.Comment, short(elemOf(made)), p.inEach())),
		p.at(literal.Fn.Pos(), fmt.Sprintf("it is captured here, with %s, which are objects of their own, too", strings.Join(names, ", "))),
	}}
}

// capturedBy are the function literals that capture a variable.
func capturedBy(made *ssa.Alloc) (all []*ssa.MakeClosure) {
	for _, in := range *made.Referrers() {
		if c, ok := in.(*ssa.MakeClosure); ok {
			all = append(all, c)
		}
	}
	return all
}

// sharesLiteral reports whether a function literal captures two variables.
func sharesLiteral(a, b *ssa.Alloc) bool {
	of := capturedBy(b)
	return slices.ContainsFunc(capturedBy(a), func(c *ssa.MakeClosure) bool { return slices.Contains(of, c) })
}

// isCaptured reports whether a variable is on the heap because function literals capture it, and would have their own copies
// if it were not stored to again.
func isCaptured(made *ssa.Alloc) bool {
	literals := capturedBy(made)
	if !isNamedVariable(made) || len(literals) == 0 {
		return false
	}
	stores := 0
	for _, in := range *made.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.UnOp, *ssa.MakeClosure:
		case *ssa.Store:
			if in.Val == made {
				return false
			}
			stores++
		case *ssa.FieldAddr:
			if writesTo(in) {
				stores++
			}
		default:
			return false
		}
	}
	for _, c := range literals {
		fn := c.Fn.(*ssa.Function)
		for i, bound := range c.Bindings {
			if bound == made && writesTo(fn.FreeVars[i]) {
				return true
			}
		}
	}
	return stores > 1
}
