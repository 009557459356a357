package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

var inPlace = &Rule{
	Name:  "reuse-in-place",
	Title: "keep what stays in the slice's own memory",
	Looks: "a loop that appends some elements of a slice, as they are, to a new one, when the old one was made in the same function and is not used afterwards.",
	Wrong: "when somebody else still sees the old slice: its elements are overwritten. If it holds pointers, clear the rest (slices.DeleteFunc does).",
	Before: `var kept []User
for _, u := range users {
	if u.Active {
		kept = append(kept, u)
	}
}`,
	After: `kept := users[:0]
for _, u := range users {
	if u.Active {
		kept = append(kept, u)
	}
}`,
	Model: "The new slice goes whole.",
	Risk:  Aliasing,
	Saves: Saves{Alloc: Range{0.8, 1}, Collect: Range{0.8, 1}},
	find:  findInPlace,
}

func findInPlace(p *Place) (f Finding) {
	share := p.direct()
	v := p.sliceHere()
	if v == nil || share == 0 {
		return f
	}
	for _, m := range p.mentions(p.unit, v) {
		loop, from := p.filters(m, v)
		if from == nil || from == v {
			continue
		}
		made, ok := p.fresh(from)
		if !ok || p.leavesBy(from.Pos(), true) || !p.unusedAfter(from, loop, v) {
			continue
		}
		return Finding{Share: share, Evidence: []Evidence{
			made,
			p.at(loop.Pos(), fmt.Sprintf("%s takes some of its elements as they are, and it is not used after that", v.Name())),
		}}
	}
	return f
}

// sliceHere is the local slice that the line makes, or makes longer.
func (p *Place) sliceHere() *types.Var {
	for _, s := range p.spots() {
		var v *types.Var
		switch n := s.node.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) {
				continue
			}
			for i, right := range n.Rhs {
				if p.builtin(ast.Unparen(right), "append") != nil || p.builtin(ast.Unparen(right), "make") != nil {
					v = p.local(n.Lhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == 1 && len(n.Values) == 1 && p.builtin(n.Values[0], "make") != nil {
				v = p.local(n.Names[0])
			}
		}
		if v != nil {
			if _, ok := v.Type().Underlying().(*types.Slice); ok {
				return v
			}
		}
	}
	return nil
}

// filters is about a mention in append(v, x) where x is the element of a loop over a local
// slice of the same type: it returns the loop and the slice.
func (p *Place) filters(m mention, v *types.Var) (*ast.RangeStmt, *types.Var) {
	call := p.builtin(m.parent(), "append")
	if call == nil || p.local(call.Args[0]) != v || len(call.Args) != 2 || call.Ellipsis.IsValid() {
		return nil, nil
	}
	for i := len(m.stack) - 1; i >= 0; i-- {
		loop, ok := m.stack[i].(*ast.RangeStmt)
		if !ok || loop.Value == nil || p.object(loop.Value) == nil || p.object(loop.Value) != p.object(call.Args[1]) {
			continue
		}
		from := p.local(loop.X)
		if from != nil && types.Identical(from.Type(), v.Type()) {
			return loop, from
		}
	}
	return nil, nil
}

// copies are functions of the standard library whose result nobody else has.
var copies = map[string]bool{
	"strings.Split": true, "strings.SplitN": true, "strings.Fields": true, "strings.FieldsFunc": true, "bytes.Split": true, "bytes.Fields": true,
	"os.ReadDir": true, "os.Environ": true, "slices.Clone": true, "slices.Collect": true, "slices.Sorted": true, "slices.Concat": true, "slices.Repeat": true,
	"maps.Clone": true, "path/filepath.Glob": true, "path/filepath.SplitList": true,
}

// fresh says whether nobody but the function sees a slice: it makes it itself.
func (p *Place) fresh(v *types.Var) (Evidence, bool) {
	d, ok := p.define(p.unit, v)
	if !ok || d.param || d.value == nil {
		return Evidence{}, false
	}
	made := false
	switch x := ast.Unparen(d.value).(type) {
	case *ast.CompositeLit:
		made = true
	case *ast.CallExpr:
		callee := p.callee(x)
		made = p.builtin(x, "make") != nil || callee != nil && copies[callee.FullName()]
	}
	return p.at(d.pos, v.Name()+" is made here, and nobody else has it"), made && p.privately(v)
}

// privately says whether a slice is only gone over, made longer, and passed to nobody.
func (p *Place) privately(v *types.Var) bool {
	for _, m := range p.mentions(p.unit, v) {
		switch parent := m.parent().(type) {
		case *ast.RangeStmt:
		case *ast.IndexExpr:
			if u, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(parent))]).(*ast.UnaryExpr); ok && u.Op == token.AND {
				return false
			}
		case *ast.AssignStmt:
			if _, ok := m.assigned(); !ok { // it becomes another's, too
				return false
			}
		case *ast.CallExpr:
			if p.builtin(parent, "append") == nil && p.builtin(parent, "len") == nil && p.builtin(parent, "cap") == nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// unusedAfter says whether a slice is not used behind a loop over it, unless it is set to
// the new one.
func (p *Place) unusedAfter(v *types.Var, loop *ast.RangeStmt, kept *types.Var) bool {
	for _, m := range p.mentions(p.unit, v) {
		if value, ok := m.assigned(); ok && value != nil && p.local(value) == kept {
			continue
		}
		if m.id.Pos() > loop.X.End() { // behind, or in the loop itself
			return false
		}
		if len(loopsSince(m.stack, m.id, v.Pos())) > 0 && m.id.Pos() < loop.Pos() {
			return false // comes again
		}
	}
	return len(loopsSince(stackOf(p.file, loop), loop, v.Pos())) == 0
}

// stackOf returns the nodes around one.
func stackOf(file *ast.File, node ast.Node) (found []ast.Node) {
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		if n == node {
			found = append(found, stack...)
		}
		return found == nil && n.Pos() <= node.Pos() && node.End() <= n.End()
	})
	return found
}

var lazyPipeline = &Rule{
	Name:  "lazy-pipeline",
	Title: "pass values on one by one, without the slice (lessgc/seq)",
	Looks: "a slice that a loop fills, and that is only gone over after that, once, by a loop, in this function, in one that it is passed to, or in all that call this one.",
	Wrong: "when what the loops do may not be interleaved; when the stages are function values that the compiler cannot inline, each value costs a call per stage; values of more than four words go through as pointers (seq.Pointers).",
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
	find:  findLazy,
}

func findLazy(p *Place) (f Finding) {
	share := p.direct()
	v := p.sliceHere()
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
	if len(r.loops) > most || p.happens(v, r.loops) || p.givesUp(v) {
		return f
	}
	return Finding{Evidence: append([]Evidence{*r.filled}, r.loops...), Share: share}
}

// happens says whether something is done between the loop that fills a slice and those in
// the same function that go over it, such as giving back a lock: it may have to come in
// between.
func (p *Place) happens(v *types.Var, loops []Evidence) bool {
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
func (p *Place) givesUp(v *types.Var) bool {
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

// A reader finds out whether a slice is only filled by a loop and gone over by others. It
// follows the slice through variables, own functions and results.
type reader struct {
	p      *Program
	seen   map[*types.Var]bool
	filled *Evidence  // the loop that fills it
	loops  []Evidence // those that go over it
	moved  bool       // it takes the place of what it was filled from
}

// variable looks at all uses of a variable; false if one is of another kind.
func (r *reader) variable(u *unit, v *types.Var) bool {
	if r.seen[v] {
		return true
	}
	r.seen[v] = true
	for _, m := range r.p.mentions(u, v) {
		if !r.mention(u, v, m) {
			return false
		}
	}
	return true
}

func (r *reader) mention(u *unit, v *types.Var, m mention) bool {
	if within(m.stack, v.Pos()) != nil { // who knows when that runs
		return false
	}
	switch parent := m.parent().(type) {
	case *ast.RangeStmt:
		if ast.Unparen(parent.X) != m.id || r.again(u, v, m, parent) {
			return false
		}
		r.loops = append(r.loops, r.p.at(parent.Pos(), "a loop goes over "+v.Name()))
		return true
	case *ast.AssignStmt:
		return r.assign(u, v, m, parent)
	case *ast.CallExpr:
		return r.argument(u, v, m, parent)
	case *ast.ReturnStmt:
		return r.result(u, parent, m)
	}
	return false
}

// again says whether a loop around one over the slice goes over the same slice each time:
// nothing else is assigned to it there.
func (r *reader) again(u *unit, v *types.Var, m mention, loop *ast.RangeStmt) bool {
	around := loopsSince(m.stack, loop, v.Pos())
	if len(around) == 0 {
		return false
	}
	return !slices.ContainsFunc(r.p.mentions(u, v), func(x mention) bool {
		_, ok := x.assigned()
		return ok && around[0].Pos() <= x.id.Pos() && x.id.End() <= around[0].End()
	})
}

// assign is about v = …, and about w = v, which makes w the same slice.
func (r *reader) assign(u *unit, v *types.Var, m mention, a *ast.AssignStmt) bool {
	for _, left := range a.Lhs {
		if ast.Unparen(left) == m.id {
			return len(a.Lhs) == len(a.Rhs)
		}
	}
	for i, right := range a.Rhs {
		if ast.Unparen(right) == m.id && len(a.Lhs) == len(a.Rhs) {
			w := u.local(a.Lhs[i])
			if w == nil {
				return false
			}
			r.moved = true
			return r.variable(u, w)
		}
	}
	return false
}

func (r *reader) argument(u *unit, v *types.Var, m mention, call *ast.CallExpr) bool {
	switch {
	case u.builtin(call, "append") != nil:
		if ast.Unparen(call.Args[0]) != m.id {
			return false
		}
		if loops := loopsSince(m.stack, call, v.Pos()); len(loops) > 0 {
			e := r.p.at(loops[len(loops)-1].Pos(), "a loop fills "+v.Name())
			r.filled = &e
		}
		return true
	case u.builtin(call, "len") != nil, u.builtin(call, "cap") != nil:
		return inMake(u, m.stack)
	}
	callee := u.callee(call)
	if callee == nil {
		return false
	}
	if name := callee.Origin().FullName(); name == "slices.Values" || name == "slices.All" {
		r.loops = append(r.loops, r.p.at(call.Pos(), name+" goes over "+v.Name()))
		return true
	}
	fn := r.p.declared(callee)
	if fn == nil {
		return false
	}
	for i, arg := range call.Args {
		if ast.Unparen(arg) == m.id {
			if to := parameterVar(callee, i); to == nil || !r.variable(fn.unit, to) {
				return false
			}
		}
	}
	return true
}

// parameterVar is the variable of a parameter, unless it is one of a rest.
func parameterVar(f *types.Func, i int) *types.Var {
	sig := f.Origin().Type().(*types.Signature)
	if i >= sig.Params().Len() || sig.Variadic() && i == sig.Params().Len()-1 {
		return nil
	}
	return sig.Params().At(i)
}

// inMake says whether a length is only the size of another slice.
func inMake(u *unit, stack []ast.Node) bool {
	for _, n := range stack {
		if call, ok := n.(*ast.CallExpr); ok && u.builtin(call, "make") != nil {
			return true
		}
	}
	return false
}

// result follows a returned slice to all that call the function, if they are known: those of
// a function that others may call are not.
func (r *reader) result(u *unit, ret *ast.ReturnStmt, m mention) bool {
	fn := r.p.top(u, ret.Pos())
	decl, ok := fn.node.(*ast.FuncDecl)
	if !ok || len(ret.Results) != 1 || within(m.stack, decl.Pos()) != nil {
		return false
	}
	object, ok := u.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || len(r.p.uses[object]) == 0 {
		return false
	}
	for _, id := range r.p.uses[object] {
		if !r.caller(id) {
			return false
		}
	}
	return true
}

// caller is about one use of a function that returns the slice.
func (r *reader) caller(id *ast.Ident) bool {
	u := r.p.unitOf(id.Pos())
	if u == nil {
		return false
	}
	if strings.HasSuffix(r.p.fset.Position(id.Pos()).Filename, "_test.go") {
		return true // what tests do with it is no reason to keep the slice
	}
	stack := stackOf(u.file, id)
	i := len(stack) - 1
	for ; i >= 0; i-- {
		if call, ok := stack[i].(*ast.CallExpr); ok {
			if call.Fun.Pos() <= id.Pos() && id.End() <= call.Fun.End() {
				break
			}
			return false
		}
	}
	if i < 1 {
		return false
	}
	call := stack[i].(*ast.CallExpr)
	switch parent := innermost(stack[:i]).(type) {
	case *ast.RangeStmt:
		r.loops = append(r.loops, r.p.at(parent.Pos(), "a loop goes over what "+id.Name+" returns"))
		return true
	case *ast.AssignStmt:
		if len(parent.Lhs) == 1 && parent.Tok != token.ADD_ASSIGN {
			if v := u.local(parent.Lhs[0]); v != nil {
				return r.variable(u, v)
			}
		}
	case *ast.CallExpr:
		callee := u.callee(parent)
		if callee == nil {
			return false
		}
		if fn := r.p.declared(callee); fn != nil {
			for k, arg := range parent.Args {
				if ast.Unparen(arg) == call {
					to := parameterVar(callee, k)
					return to != nil && r.variable(fn.unit, to)
				}
			}
		}
	}
	return false
}
