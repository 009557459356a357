package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

const (
	leastMade  = 20 // times, of which something is said
	seldomUsed = 4  // times less often than it is made
)

// A making is an expression that allocates.
type making struct {
	in    ssa.Instruction
	expr  ast.Expr
	share float64
	calls []string
	made  int64 // times in the benchmarks
	up    bool  // it is a call that gets to the line
}

// makings are the expressions of a line whose bytes can be distinguished from others'.
func (p *Line) makings() (all []making) {
	if p.Executed == nil {
		return nil
	}
	add := func(m making) {
		n, ok := p.executed(m.expr.Pos())
		if m.made = n; ok && n >= leastMade && m.share > 0 {
			all = append(all, m)
		}
	}
	direct := p.allocators()
	for _, in := range direct {
		whole, expr := p.wholeOf(in)
		if expr != nil && !slices.ContainsFunc(direct, func(other ssa.Instruction) bool { return other != in && !p.isOperand(other, expr) }) {
			add(making{in: whole, expr: expr, share: p.direct()})
			break
		}
	}
	for _, c := range p.called() {
		call := p.instruction(c.call.Lparen)
		if call == nil {
			continue
		}
		m := making{in: call, expr: c.call, share: p.below(c.fn), calls: []string{profiled(c.fn)}}
		if m.share > 0 && !slices.ContainsFunc(direct, func(in ssa.Instruction) bool { return !p.isOperand(in, c.call) }) {
			m.share += p.direct() // of what it is given
		}
		add(m)
	}
	for _, m := range p.callsUp() {
		add(m)
	}
	return all
}

// highest bounds the calls above a line that are looked at.
const highest = 2

// callsUp are the calls that get to the line: what it makes may be part of what these are for.
func (p *Line) callsUp() (all []making) {
	for i, l := range p.site.Leaves {
		callee, literals := p.declaredAround(l)
		for depth := literals; depth < min(literals+highest, len(l.Callers)); depth++ {
			call, expr := p.callAt(l.Callers[depth], callee)
			if expr == nil {
				break
			}
			same := func(o site.Leaf) bool {
				return len(o.Callers) > depth && slices.Equal(o.Callers[:depth+1], l.Callers[:depth+1])
			}
			if slices.IndexFunc(p.site.Leaves, same) == i { // the first of them
				all = append(all, making{in: call, expr: expr, share: p.leaves(same), up: true})
			}
			callee = call.Parent()
		}
	}
	return all
}

// declaredAround is the declared function that the line is in, and how many callers in a stack are below it: it may
// have given a function literal to another that calls it.
func (p *Line) declaredAround(l site.Leaf) (fn *ssa.Function, below int) {
	fn = p.body()
	if fn == nil || fn.Parent() == nil {
		return fn, 0
	}
	fn = outermost(fn)
	below = slices.IndexFunc(l.Callers, func(f prof.Frame) bool {
		at := p.function(f)
		return at != nil && p.fns[at.node] != nil && outermost(p.fns[at.node]) == fn && !nested.MatchString(f.Func)
	})
	if below < 0 {
		return nil, 0
	}
	return fn, below + 1
}

// callAt is the call of a function at a line, with its expression, if it is the only one there.
func (p *Line) callAt(f prof.Frame, callee *ssa.Function) (*ssa.Call, *ast.CallExpr) {
	u := p.units[f.File]
	if callee == nil || callee.Parent() != nil || callee.Signature.Results().Len() != 1 || u == nil || strings.HasSuffix(f.File, "_test.go") {
		return nil, nil
	}
	var found *ssa.Call
	for _, c := range p.callsOf(callee) {
		call, ok := c.(*ssa.Call)
		if !ok || p.unitOf(call.Pos()) != u || p.line(call.Pos()) != f.Line || !p.first(outermost(call.Parent())) {
			continue
		}
		if found != nil {
			return nil, nil
		}
		found = call
	}
	if found == nil {
		return nil, nil
	}
	path, _ := astutil.PathEnclosingInterval(u.file, found.Pos(), found.Pos())
	for _, n := range path {
		if e, ok := n.(*ast.CallExpr); ok && e.Lparen == found.Pos() {
			return found, e
		}
	}
	return nil, nil
}

// isOperand reports whether an instruction is part of an expression: one without a position is
// an interface that a call is given.
func (p *Line) isOperand(in ssa.Instruction, e ast.Expr) bool {
	if pos := in.Pos(); pos.IsValid() {
		return e.Pos() <= pos && pos < e.End()
	}
	made, ok := in.(*ssa.MakeInterface)
	return ok && !slices.ContainsFunc(*made.Referrers(), func(user ssa.Instruction) bool {
		store, ok := user.(*ssa.Store)
		return !ok || store.Addr.Pos() < e.Pos() || e.End() <= store.Addr.Pos()
	})
}

// instruction is the call at a position in the site's function, or nil.
func (p *Line) instruction(pos token.Pos) ssa.Instruction {
	fn := p.body()
	if fn == nil {
		return nil
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok && in.Pos() == pos {
				if _, many := call.Type().(*types.Tuple); !many {
					return call
				}
			}
		}
	}
	return nil
}

// wholeOf is the value that an allocation is for, and the expression that makes it: nil for what is no
// expression's.
func (p *Line) wholeOf(in ssa.Instruction) (ssa.Instruction, ast.Expr) {
	pos := in.Pos()
	switch x := in.(type) {
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.Convert, *ssa.BinOp:
	case *ssa.MakeClosure:
		pos = x.Fn.Pos()
	case *ssa.Alloc:
		for _, user := range *x.Referrers() {
			if s, ok := user.(*ssa.Slice); ok && (x.Comment == "makeslice" || x.Comment == "slicelit") {
				in = s
			}
		}
		if x.Comment != "complit" && x.Comment != "new" && in == ssa.Instruction(x) {
			return nil, nil // a variable
		}
	default:
		return nil, nil
	}
	for _, s := range p.spots() {
		if e, ok := s.node.(ast.Expr); ok && begins(e, pos) {
			return in, e
		}
	}
	return nil, nil
}

// begins reports whether an expression is what the compiler gives a position.
func begins(e ast.Expr, pos token.Pos) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return e.Lparen == pos
	case *ast.CompositeLit:
		return e.Lbrace == pos
	case *ast.BinaryExpr:
		return e.OpPos == pos
	case *ast.FuncLit:
		return e.Pos() == pos
	}
	return false
}

// seldom is the evidence that a making is needed seldom, and the share of its bytes that
// is never used; nil if it is not so.
func (p *Line) seldom(m making, d *demands) ([]Evidence, float64) {
	n := d.sum()
	if d.unknown || len(d.needs) == 0 || n > m.made/seldomUsed {
		return nil, 0
	}
	evidence := []Evidence{p.at(m.expr.Pos(), fmt.Sprintf("the benchmarks make the value %d times", m.made))}
	for _, x := range d.needs {
		pos := p.posOf(x.in)
		if len(evidence) < 4 && pos.IsValid() {
			evidence = append(evidence, p.at(pos, needed(x.n)))
		}
	}
	if len(evidence) == 1 {
		return nil, 0
	}
	return evidence, m.share * (1 - float64(n)/float64(m.made))
}

func needed(n int64) string {
	switch n {
	case 0:
		return "the value is needed here, which the benchmarks never get to"
	case 1:
		return "the value is needed here, once"
	}
	return fmt.Sprintf("the value is needed here, %d times", n)
}

// posOf is the position of an instruction, or of one next to it.
func (p *Line) posOf(in ssa.Instruction) token.Pos {
	if in.Pos().IsValid() {
		return in.Pos()
	}
	for _, other := range in.Block().Instrs {
		if _, phi := other.(*ssa.Phi); !phi && other.Pos().IsValid() {
			return other.Pos()
		}
	}
	return token.NoPos
}
