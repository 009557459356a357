package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

var preallocate = &Lever{
	Name:    "preallocate",
	Title:   "make the slice with the capacity that it will need",
	Subject: "presize the slice",
	Looks:   "append in a loop whose number of iterations is known before it runs, one element in each iteration, to a local slice that starts without capacity. A loop that stops when it has enough is left out.",
	Wrong:   "when most calls leave the loop early, or when the slice mostly stays empty: then the memory is made for nothing.",
	Before: `var names []string
for _, u := range users {
	names = append(names, u.Name)
}`,
	After: `names := make([]string, 0, len(users))
for _, u := range users {
	names = append(names, u.Name)
}`,
	Model: "A slice that doubles allocates about twice what it holds in the end, and up to three times with growth by a quarter above 256 elements; one of exact size allocates that once. Half to two thirds of the bytes go, and the copying with them.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.4, 0.8}, Collect: Range{0.4, 0.8}},
	Rewrite: "The loop appends the same number of elements in each iteration, and what it counts to is not changed on the way. Until it ends only the slice refers to its memory, its capacity is never asked for, and it does not grow once something else refers to it; a slice that leaves the function is full then, so that callers' appends copy as before. " +
		"A nil slice that somebody may see stays nil without iterations: it is grown right before the loop instead, or made there if there are iterations, before Go 1.21. The room is bounded by the memory that the loop goes over, or the loop cannot end early. " +
		"Slices that are declared by the same statement in other cases of the switch, or in the other branch of the if, are made with room, too, if all of this holds there, and so are those of the function, and of other functions of the package whose names share a word, that a loop fills which is the same but for the names of variables: up to three, or up to eleven where no line is added.",
	find: findPreallocate,
}

func findPreallocate(p *Line) Finding {
	f, decl := p.preallocated()
	return p.alike(f, decl, false, func(other ast.Stmt) []Edit {
		appends := p.firstAppend(other)
		if appends == nil || !p.inOtherBranch(decl, other) && !p.growsAlike(p.firstAppend(decl), appends) {
			return nil
		}
		f, found := p.lineAt(appends.Pos()).preallocated()
		if found != other || p.profiled(appends) {
			return nil
		}
		return f.Edits
	})
}

// growsAlike reports whether two statements, which append, and the loops around them are the same but for the names of variables.
func (p *Line) growsAlike(a, b *ast.AssignStmt) bool {
	loop := func(s *ast.AssignStmt) string {
		for _, n := range slices.Backward(stackOf(p.unitOf(s.Pos()).file, s)) {
			if each, ok := n.(*ast.RangeStmt); ok {
				return p.form(each)
			}
		}
		return ""
	}
	return a != nil && p.form(a) == p.form(b) && loop(a) != "" && loop(a) == loop(b)
}

// firstAppend is the first statement that appends to a variable that another declares; nil if there is none.
func (p *Line) firstAppend(decl ast.Stmt) (first *ast.AssignStmt) {
	ast.Inspect(p.top(p.unitOf(decl.Pos()), decl.Pos()).body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || first != nil || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || p.builtin(ast.Unparen(assign.Rhs[0]), "append") == nil {
			return first == nil
		}
		if v := p.local(assign.Lhs[0]); v != nil && decl.Pos() <= v.Pos() && v.Pos() < decl.End() {
			first = assign
		}
		return first == nil
	})
	return first
}

// preallocated is about an append on the line, with the statement that declares the slice.
func (p *Line) preallocated() (f Finding, decl ast.Stmt) {
	for _, s := range p.spots() {
		call := p.builtin(s.node, "append")
		if call == nil || call.Ellipsis.IsValid() || p.direct() == 0 {
			continue
		}
		v, assign := p.appendsTo(s, call)
		if v == nil {
			continue
		}
		start, ok := p.startsEmpty(v)
		if !ok {
			continue
		}
		loops := loopsSince(s.stack, call, start)
		if len(loops) != 1 || within(s.stack, start) != nil {
			continue
		}
		count := p.count(loops[0])
		if _, _, ok := p.iterations(loops[0]); !ok {
			continue // a number may be of a header that lies
		}
		if count == "" || !always(loops[0], assign) || p.bounds(loops[0], v) || p.stopsEarly(loops[0], v) {
			continue
		}
		if b, ok := p.statement(start); ok {
			decl = b.list[b.at]
		}
		f = Finding{Share: p.direct() * p.growth(v), Edits: p.sizedFor(v, start, loops[0], call), What: "presize " + withKind(v), Evidence: []Evidence{
			p.at(start, v.Name()+" starts without capacity"),
			p.at(loops[0].Pos(), fmt.Sprintf("the loop runs %s times and appends to %s in each iteration, so the final length of %[2]s is known in advance", count, v.Name())),
		}}
		if d, ok := p.define(p.unit, v); ok && f.Edits != nil && (d.value == nil || p.isNil(d.value)) && p.nilSeen(v) {
			f.Evidence = append(f.Evidence, p.at(loops[0].Pos(), "without iterations "+v.Name()+" stays nil, which others may see"))
		}
		return f, decl
	}
	return f, nil
}

// sizedFor are the edits that make a slice with room for what a loop appends by a call.
func (p *Line) sizedFor(v *types.Var, start token.Pos, loop ast.Node, call *ast.CallExpr) []Edit {
	size, of, ok := p.iterations(loop)
	if !ok {
		return nil
	}
	if n := len(call.Args) - 1; n > 1 {
		size = fmt.Sprintf("%d*%s", n, size)
	}
	slice, ok := v.Type().Underlying().(*types.Slice)
	if !ok || !p.affordable(loop, slice.Elem()) {
		return nil
	}
	return p.presized(v, start, loop, loop.End(), p.exactly(loop), size, of)
}

// perElement is the number of bytes allocated for each byte that a slice holds in the end, if it
// grows from nothing: between 2 and 3.
const perElement = 2.5

// growth is about the share of what the line allocates by itself that a slice grows by. If there is
// something else in each iteration, an object more or less, the mean size of the objects tells.
func (p *Line) growth(v *types.Var) float64 {
	slice, ok := v.Type().Underlying().(*types.Slice)
	if !ok || !p.others() || p.pkg.TypesSizes == nil || hasTypeParameter(slice.Elem()) {
		return 1
	}
	return min(1, perElement*float64(p.pkg.TypesSizes.Sizeof(slice.Elem()))/p.objectSize())
}

// appendsTo is the local variable that an append is assigned to and is about.
func (p *Line) appendsTo(s spot, call *ast.CallExpr) (*types.Var, *ast.AssignStmt) {
	assign, ok := s.parent().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(call.Args) < 2 {
		return nil, nil
	}
	v := p.local(assign.Lhs[0])
	if v == nil || v != p.local(call.Args[0]) {
		return nil, nil
	}
	return v, assign
}

// startsEmpty reports whether a slice has no capacity before it is appended to, and where it
// is declared: nothing else may be assigned to it.
func (p *Line) startsEmpty(v *types.Var) (token.Pos, bool) {
	d, ok := p.define(p.unit, v)
	if !ok || d.param || d.value != nil && !p.empty(d.value) {
		return d.pos, false
	}
	for _, m := range p.mentions(p.unit, v) {
		value, assigned := m.assigned()
		if !assigned {
			continue
		}
		if value == nil {
			return d.pos, false
		}
		if call := p.builtin(ast.Unparen(value), "append"); call == nil || p.local(call.Args[0]) != v {
			return d.pos, false
		}
	}
	return d.pos, true
}

// empty reports whether an expression is a slice or map without room: nil, an empty literal, or
// made with size 0.
func (u *unit) empty(e ast.Expr) bool {
	e = ast.Unparen(e)
	if u.isNil(e) {
		return true
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		if u.builtin(e, "make") == nil {
			return false
		}
		switch len(e.Args) {
		case 1:
			return true
		case 2:
			return u.isZero(e.Args[1])
		}
	}
	return false
}

// bounds reports whether what a loop counts to is the slice itself.
func (p *Line) bounds(loop ast.Node, v *types.Var) bool {
	var bound ast.Expr
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		bound = loop.X
	case *ast.ForStmt:
		bound = loop.Cond
	}
	found := false
	ast.Inspect(bound, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.pkg.TypesInfo.Uses[id] == v {
			found = true
		}
		return true
	})
	return found
}
