package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var repeatedCall = &Lever{
	Name:  "repeated-call",
	Title: "do it once: hand the result down, or keep it",
	Looks: "functions of your own that are called again in one operation of a benchmark with the same arguments, in the same memory, and have the same result, which is never changed: from another place, in a loop that changes none of the arguments, or as a method without arguments. Only with -bench, which runs a few operations with these functions watched. They may read files, and not write, lock, send, log or set variables of packages.",
	Wrong: "when what the function reads besides its arguments changes between two calls in ways that no benchmark shows, or its result is changed by a caller that did not run.",
	Before: `func (r *Repo) status() (Status, error) {
	left, err := r.diffHead() // reads the index
	...
	right, err := r.diffFiles() // reads the index`,
	After: `func (r *Repo) status() (Status, error) {
	index, err := r.index()
	...
	left, err := r.diffHead(index)
	...
	right, err := r.diffFiles(index)`,
	Model: "The repeats go, and all that they allocate; what is left is to hand the result from one call to the other.",
	Risk:  Aliasing,
	Saves: Saves{Alloc: Range{0.8, 1}, Collect: Range{0.8, 1}, Work: Range{0.4, 0.8}},
	find:  findRepeated,
}

// A Repeat is a function that an operation of a benchmark calls again with the same input. Numbers are
// means per operation.
type Repeat struct {
	Func   string // as in profiles
	Calls  float64
	Inputs float64      // distinct ones
	Across float64      // calls with an input that another call site has used
	Places []RepeatLine // where the ways of those calls part
	Lines  []RepeatLine // the lines that call it
}

// A RepeatLine is a line on the way to a function.
type RepeatLine struct {
	prof.Frame
	Calls   float64
	Again   float64 // with an input that has come from here before
	Entered float64 // calls of the line's own function; 0 if not known
}

// A repetition describes a function that repeats work: nil evidence for none.
type repetition struct {
	part     float64 // of its calls that are repeats, and need not be
	evidence []Evidence
}

// leastRepeated is the share of a function's calls that have to be repeats, and leastSaved of those that
// need not be, as the source shows.
const (
	leastRepeated = 0.5
	leastSaved    = 1.0 / 3
)

func findRepeated(p *Line) (f Finding) {
	if len(p.Repeats) == 0 {
		return f
	}
	best, share := p.mostBelow(func(f prof.Frame) bool { return p.repetition(f) != nil })
	if best == "" || share < 0.05 {
		return f
	}
	r := p.repetitions[best]
	f = Finding{Share: share * r.part, Evidence: r.evidence}
	if share >= mostOfBytes {
		f.Calls = p.calledHere()
	}
	return f
}

// calledHere are the functions that the line calls, as its stacks have them.
func (p *Line) calledHere() (all []string) {
	for _, l := range p.site.Leaves {
		if len(l.Path) > 0 && !slices.Contains(all, l.Path[0].Func) && l.Path[0].Package() != "runtime" {
			all = append(all, l.Path[0].Func)
		}
	}
	return all
}

// repetition judges the function of a frame; nil if it repeats nothing, or has to.
func (p *Program) repetition(frame prof.Frame) *repetition {
	if r, ok := p.repetitions[frame.Func]; ok {
		return r
	}
	if p.repetitions == nil {
		p.repetitions = map[string]*repetition{}
	}
	p.repetitions[frame.Func] = nil
	i := slices.IndexFunc(p.Repeats, func(r Repeat) bool { return r.Func == frame.Func })
	if i < 0 || p.Stale(frame) {
		return nil
	}
	at := p.function(frame)
	if at == nil {
		return nil
	}
	if top := p.top(at.unit, at.node.Pos()); top != nil {
		at = top
	}
	fn := p.fns[at.node]
	if fn == nil || makesOnly(fn) || p.hasEffects(fn) {
		return nil
	}
	p.repetitions[frame.Func] = p.judge(&p.Repeats[i], at, fn)
	return p.repetitions[frame.Func]
}

// makesOnly reports whether a function does nothing but make an object: each caller may want one of his own.
func makesOnly(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok {
				if _, builtin := call.Common().Value.(*ssa.Builtin); !builtin {
					return false
				}
			}
			if jump, ok := in.(*ssa.Jump); ok && jump.Block().Succs[0].Dominates(jump.Block()) {
				return false // a loop
			}
		}
	}
	return true
}

// judge sums up the repeats that need not be.
func (p *Program) judge(r *Repeat, at *function, fn *ssa.Function) *repetition {
	if r.Calls <= 0 || r.Calls-r.Inputs < leastRepeated*r.Calls {
		return nil
	}
	name := at.node.(*ast.FuncDecl).Name.Name
	var across, lines []Evidence
	saved := 0.0
	for _, l := range r.Places {
		if p.known(l.Frame) && len(across) < 6 {
			across = append(across, Evidence{timesOf(l.Calls) + " by way of this line", l.File, l.Line})
		}
	}
	if len(across) > 1 && !onlyNumbers(fn) {
		saved = r.Across
	}
	for _, l := range r.Lines {
		if text, again := p.again(&l, at); again > 0 && p.known(l.Frame) && (len(across) < 2 || r.Across < again) {
			saved += again
			lines = append(lines, Evidence{text, l.File, l.Line})
		}
	}
	if saved < leastSaved*r.Calls {
		return nil
	}
	if len(lines) == 0 {
		lines = across
	}
	with := "the same arguments, and has the same result"
	if r.Inputs > 1.05 {
		with = fmt.Sprintf("new arguments %s; else it has the same result again", timesOf(r.Inputs))
	}
	head := p.at(at.node.Pos(), fmt.Sprintf("%s is called %s in an operation, with %s; nothing changes that", name, timesOf(r.Calls), with))
	return &repetition{min(saved/r.Calls, 1), append([]Evidence{head}, lines...)}
}

// onlyNumbers reports whether a function is given numbers and nothing else: that two calls have the same
// ones may be chance.
func onlyNumbers(fn *ssa.Function) bool {
	return len(fn.Params) > 0 && !slices.ContainsFunc(fn.Params, func(v *ssa.Parameter) bool {
		b, ok := v.Type().Underlying().(*types.Basic)
		return !ok || b.Info()&(types.IsNumeric|types.IsBoolean) == 0
	})
}

// timesOf is a mean number of calls in words.
func timesOf(x float64) string {
	switch {
	case x < 1.05 && x > 0.95:
		return "once"
	case math.Abs(x-math.Round(x)) < 0.05 || x >= 100:
		return fmt.Sprintf("%.0f times", x)
	}
	return fmt.Sprintf("%.1f times", x)
}

// known reports whether a frame is in the source that is here.
func (p *Program) known(f prof.Frame) bool {
	return p.function(f) != nil && !p.Stale(f) && !strings.HasSuffix(f.File, "_test.go")
}

// again returns how many calls of a line need not be, in an operation, and why.
func (p *Program) again(l *RepeatLine, callee *function) (why string, calls float64) {
	at := p.function(l.Frame)
	if at == nil || l.Again < leastRepeated*l.Calls {
		return "", 0
	}
	object := at.pkg.TypesInfo.Defs[callee.node.(*ast.FuncDecl).Name]
	if object == nil {
		object = callee.pkg.TypesInfo.Defs[callee.node.(*ast.FuncDecl).Name]
	}
	call, stack := p.callAt(at, l.Line, object)
	if call == nil {
		return "", 0
	}
	if loop := p.unchanged(at.unit, call, stack); loop != nil && l.Entered > 0 && l.Calls >= 2*l.Entered {
		return "called here in a loop that changes none of its arguments", min(l.Again, l.Calls-l.Entered)
	}
	if callee.node.(*ast.FuncDecl).Recv != nil && p.ofReceiver(at, call) {
		return "called here for the same object each time: keep the result in it", l.Again
	}
	return "", 0
}

// callAt is the only call of a function on a line, and the nodes around it.
func (p *Program) callAt(at *function, line int, callee types.Object) (found *ast.CallExpr, around []ast.Node) {
	n := 0
	ast.PreorderStack(at.file, nil, func(node ast.Node, stack []ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || p.line(call.Lparen) != line && p.line(call.Pos()) != line {
			return true
		}
		if fn := at.callee(call); fn != nil && callee != nil && fn.Name() == callee.Name() {
			n++
			found, around = call, slices.Clone(stack)
		}
		return true
	})
	if n != 1 {
		return nil, nil
	}
	return found, around
}

// unchanged is the innermost loop around a call if nothing in it changes what the call is given; nil if
// something may.
func (p *Program) unchanged(u *unit, call *ast.CallExpr, stack []ast.Node) ast.Node {
	var loop ast.Node
	for _, n := range stack {
		if _, ok := n.(*ast.FuncLit); ok {
			loop = nil
		}
		if body := loopBody(n); body != nil && body.Pos() <= call.Pos() {
			loop = n
		}
	}
	if loop == nil {
		return nil
	}
	for _, e := range inputs(call) {
		if !p.steady(u, e, loop) {
			return nil
		}
	}
	return loop
}

// inputs are the expressions that a call is given, its receiver too.
func inputs(call *ast.CallExpr) []ast.Expr {
	all := slices.Clone(call.Args)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		all = append(all, sel.X)
	}
	return all
}

// steady reports whether an expression is made of constants and of variables that a loop neither
// declares nor assigns, without calls.
func (p *Program) steady(u *unit, e ast.Expr, loop ast.Node) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.IndexExpr, *ast.SliceExpr:
			ok = false
		case *ast.CallExpr:
			ok = ok && u.pkg.TypesInfo.Types[n.Fun].IsType()
		case *ast.Ident:
			v, is := u.object(n).(*types.Var)
			if !is || v.IsField() || v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
				return true
			}
			ok = ok && !(loop.Pos() <= v.Pos() && v.Pos() < loop.End()) && !p.assignedIn(u, v, loop)
		}
		return ok
	})
	return ok
}

// assignedIn reports whether a variable is assigned in a node, or its address taken.
func (p *Program) assignedIn(u *unit, v *types.Var, node ast.Node) bool {
	return slices.ContainsFunc(p.mentions(u, v), func(m mention) bool {
		if m.id.Pos() < node.Pos() || m.id.Pos() >= node.End() {
			return false
		}
		if _, ok := m.assigned(); ok {
			return true
		}
		switch parent := m.parent().(type) {
		case *ast.IncDecStmt:
			return true
		case *ast.UnaryExpr:
			return parent.Op == token.AND
		case *ast.RangeStmt:
			return parent.X != m.id
		}
		return false
	})
}

// ofReceiver reports whether a call is given constants only, and is one of a method of what the caller's receiver
// leads to.
func (p *Program) ofReceiver(at *function, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	decl, is := at.node.(*ast.FuncDecl)
	if !ok || !is || decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 ||
		slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !at.constant(e) }) {
		return false
	}
	x := ast.Unparen(sel.X)
	for {
		inner, ok := x.(*ast.SelectorExpr)
		if !ok {
			break
		}
		x = ast.Unparen(inner.X)
	}
	return at.object(x) != nil && at.object(x) == at.pkg.TypesInfo.Defs[decl.Recv.List[0].Names[0]]
}
