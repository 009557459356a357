package lever

import (
	"golang.org/x/tools/go/ssa"
)

var buildInBranch = &Lever{
	Name:    "build-in-branch",
	Title:   "build it only in the branch that needs it",
	Subject: "make the value only if needed",
	Looks:   "something that a function makes each time and needs in a branch, its own or that of a function which is given it, when the benchmarks made it at least four times as often as they needed it. What makes it has no effects, and what it reads stays the same until then. Needs -bench, which counts executions.",
	Wrong:   "when other programs get into the branch more often than the benchmarks do.",
	Before: `func (c *cache) get(id int) *item {
	key := fmt.Sprintf("item/%d", id)
	if x := c.recent[id]; x != nil {
		return x
	}
	return c.load(key)
}`,
	After: `func (c *cache) get(id int) *item {
	if x := c.recent[id]; x != nil {
		return x
	}
	key := fmt.Sprintf("item/%d", id)
	return c.load(key)
}`,
	Model: "The allocations that are never used go, with the work of building them.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}, Work: Range{0.7, 1}},
	Rewrite: "The expression is made of constants, of local variables with numbers and strings that are set once and that nothing points to, and of functions of the standard library that have no effects and cannot panic: it reads no memory, so that its value is the same wherever it is evaluated, and it is unobservable whether it is. " +
		"It is moved to the begin of the innermost block that has all uses of the variable, which is entered once at most for each time that the variable would have been set: no loop, function literal or goto is in between. The names in it mean the same there, and the block declares no other variable of the name.",
	find: findBuildInBranch,
}

func findBuildInBranch(p *Line) (f Finding) {
	for _, m := range p.makings() {
		if isEmpty(m.in.(ssa.Value)) {
			continue
		}
		d := p.demandsOf(m.in, m.expr, m.made)
		evidence, share := p.seldom(m, d)
		if evidence == nil || !p.movable(m, d) {
			continue
		}
		return Finding{Evidence: evidence, Share: share, Calls: m.calls, Edits: p.intoBranch(m), Sketch: !p.total(m.expr),
			What: p.subject("make % only if needed", m.expr)}
	}
	return f
}
