package lever

import (
	"fmt"
	"go/ast"
	"regexp"

	"golang.org/x/tools/go/ssa"
)

var plainLoop = &Lever{
	Name:  "plain-loop",
	Title: "go over the elements without functions",
	Looks: "a range over a function, or the iterator that a function returns, when the compiler has not put it into the loop: called by way of an interface, or too large. The body of the loop, and the iterator, are objects then, with the variables that they capture.",
	Wrong: "when the iterator computes what it yields, or holds something until the end, so that there is nothing to go over.",
	Before: `for v := range node.Children() { // a method of an interface that returns iter.Seq[*Node]
	v.trim()
}`,
	After: `for i := range node.NumChildren() {
	node.Child(i).trim()
}`,
	Model: "The function objects go, and the variables that they capture stay on the stack; the calls for each element may stay.",
	Risk:  API,
	Asks:  "Can the loop go over an index, or over the slice itself after a type switch, or be small enough to be inlined?",
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}, Work: Range{0, 0.3}},
	find:  findPlainLoop,
}

func findPlainLoop(p *Line) (f Finding) {
	if p.direct() < 0.5 || p.each() < leastLoops {
		return f
	}
	found := func(fn ssa.Value, text string) Finding {
		captured := len(fn.(*ssa.Function).FreeVars)
		return Finding{Share: p.direct(), Evidence: []Evidence{p.at(fn.Pos(), fmt.Sprintf("%s is a function that captures %d variables, %s objects in each operation", text, captured, few(p.each())))}}
	}
	if fn := p.body(); fn != nil && p.bodyMade(fn) {
		return found(fn, "the body of the loop")
	}
	for _, in := range p.allocators() {
		if made, ok := in.(*ssa.MakeClosure); ok && isReturned(made) && isIterator(made.Fn.Type()) {
			return found(made.Fn, "the iterator that is returned")
		}
	}
	return f
}

// bodyMade reports whether a function is the body of a range over a function that begins on the line, and the line what
// makes it, rather than the body.
func (p *Line) bodyMade(fn *ssa.Function) bool {
	loop, ok := fn.Syntax().(*ast.RangeStmt)
	return ok && p.onSite(loop.For) && !inRange.MatchString(p.site.Func)
}

// inRange matches the end of the name of a body of a range over a function.
var inRange = regexp.MustCompile(`-range\d+$`)

// leastLoops is the smallest number of iterators or bodies of loops in an operation that is reported.
const leastLoops = 2
