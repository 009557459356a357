package lever

import (
	"go/ast"
	"go/token"
	"go/types"
)

var lazyPipeline = &Lever{
	Name:    "lazy-pipeline",
	Title:   "pass values on one by one, without the slice",
	Subject: "fuse the loops around a slice",
	Looks:   "a slice that a loop fills, and that is only gone over after that, once, by a loop, in this function, in one that it is passed to, or in all that call this one.",
	Wrong:   "when what the loops do may not be interleaved; when the stages are function values that the compiler cannot inline, each value costs a call per stage; values of more than four words go through as pointers (seq.Pointers).",
	Before: `evens := []int{}
for _, v := range in {
	if even(v) {
		evens = append(evens, v)
	}
}
for _, v := range evens {
	total += v
}`,
	After: `for v := range seq.Filter(slices.Values(in), even) {
	total += v
}`,
	Model: "The slice goes whole. Calls of stages that are not inlined cost up to what growing and filling it did, so the gain may be half of it.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.8, 1}},
	Rewrite: "The slice is a local variable, declared empty, filled by one append in one loop, and gone over by one later loop in the same statements, without index; nothing else names it, so that its length, its capacity and whether it is nil are unobservable. " +
		"Or functions or loops of the package, each of which copies the elements that a condition holds of to a new slice, have it as their only input and output. " +
		"Between the loops only variables are declared, with values that do not depend on when. The loops set nothing but local variables that no pointer or function literal leads to, and maps and slices of their own; neither reads or sets what the other sets. " +
		"What they call changes no memory: of function values, all that get there are known, through variables, arrays, slices, parameters of unexported functions and constructors. At most one of the loops and conditions may panic, return early or not end, and its effects are then lost in both orders. " +
		"A break or continue of the second loop means the same in the first, a return in it leaves nothing of the first undone. All names mean the same there, and the elements have the same type.",
	find: findLazy,
}

func findLazy(p *Line) (f Finding) {
	v, share := p.sliceHere(), p.direct()
	if v == nil {
		return p.filteredHere()
	}
	if v == nil || share == 0 || isSlice(v.Type()) && hasStructField(v.Type().Underlying().(*types.Slice).Elem()) {
		return f // what is found out about a type is kept for the next value
	}
	r := reader{p: p.Program, seen: map[*types.Var]bool{}}
	most := 1
	if !r.variable(p.unit, v) || r.filled == nil || len(r.loops) == 0 {
		return f
	}
	if r.moved { // the loop that fills it the next time, and the last one
		most = 2
	}
	edits := p.fusedAnyhow(v)
	if len(r.loops) > most || edits == nil && (p.happens(v, r.loops) || p.givesUp(v)) {
		return f
	}
	return Finding{Evidence: append([]Evidence{*r.filled}, r.loops...), Share: share, Edits: edits}
}

// happens reports whether something is done between the loop that fills a slice and those in
// the same function that go over it, such as giving back a lock: it may have to come in
// between.
func (p *Line) happens(v *types.Var, loops []Evidence) bool {
	fn := p.top(p.unit, v.Pos())
	var filled token.Pos
	for _, m := range p.mentions(p.unit, v) {
		if call := p.builtin(m.parent(), "append"); call != nil {
			if around := loopsSince(m.stack, call, v.Pos()); len(around) > 0 {
				filled = max(filled, around[0].End())
			}
		}
	}
	last := 0
	for _, e := range loops {
		if e.File == p.site.File {
			last = max(last, e.Line)
		}
	}
	found := false
	ast.Inspect(fn.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt, *ast.GoStmt, *ast.SendStmt:
			if filled < n.Pos() && p.line(n.Pos()) < last && last <= p.line(fn.body.End()) {
				found = true
			}
		}
		return !found
	})
	return found
}

// givesUp reports whether a loop that fills a slice may end its function with something else than the slice, such as an error:
// what goes over the slice has done nothing by then, and would have begun if the values came one by one.
func (p *Line) givesUp(v *types.Var) bool {
	found := false
	for _, m := range p.mentions(p.unit, v) {
		call := p.builtin(m.parent(), "append")
		if call == nil {
			continue
		}
		for _, loop := range loopsSince(m.stack, call, v.Pos()) {
			ast.Inspect(loop, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					return false
				case *ast.ReturnStmt:
					found = found || len(n.Results) != 1 || p.object(n.Results[0]) != types.Object(v)
				}
				return !found
			})
		}
	}
	return found
}
