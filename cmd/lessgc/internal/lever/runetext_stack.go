package lever

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// runesOf is the function that converts a text to runes. It is inlined, and its memory is on the stack of a caller that keeps the runes. A
// text of 32 bytes or less costs what it did: the compiler has room for its runes, and sets no more than that to zero. So does a text of more
// bytes than there is room for runes, of which nothing is counted.
const runesOf = `
// %[1]s returns []rune(s). It is small enough to be inlined, so that the runes
// of up to 128 bytes stay on the stack of a caller from which they do not
// escape; a plain conversion has room for 32 runes there.
func %[1]s(s string) []rune {
	if len(s) <= 32 || len(s) > 128 {
		return []rune(s)
	}
	runes := make([]rune, 0, 128)
	for _, r := range s {
		runes = append(runes, r)
	}
	return runes
}
`

// mostRunes is the number of runes that have room there. They take 512 bytes.
const mostRunes = mostOnStack / 4

// mostInlinedInto is the number of instructions of a function up to which the compiler surely inlines runesOf: into one of more than 5,000 nodes of
// its own it inlines next to nothing, and the runes would be on the heap.
const mostInlinedInto = 1500

func instructions(fn *ssa.Function) (n int) {
	for _, b := range fn.Blocks {
		n += len(b.Instrs)
	}
	return n
}

// stackedRunes has conversions to runes that stay in the function begin with memory on the stack, those of the line and of other
// lines of the function: nil if one on the line does not, or if most texts are longer. saved is the share of the line's bytes
// that are of texts which fit.
func (p *Line) stackedRunes() (edits []Edit, also []Also, saved float64) {
	top := p.top(p.unit, p.fn.body.Pos())
	if top == nil {
		return nil, nil, 0
	}
	decl, ok := top.node.(*ast.FuncDecl)
	if !ok {
		return nil, nil, 0
	}
	name := p.knownHelper(runesOf, "", func(name string) bool {
		object := p.objectAt(name, p.fn.body.Pos())
		return object == nil || object.Parent() != p.pkg.Types.Scope() || p.definesName(decl, name, nil)
	})
	known := name != ""
	if !known {
		name = (&pooling{p: p, decl: decl}).newName("runesOf")
	}
	if edits, saved = p.runesOnStack(name); edits == nil {
		return nil, nil, 0
	}
	for _, s := range p.Sites {
		if s.File != p.site.File || s.Line == p.site.Line {
			continue
		}
		if other := p.lineOf(s); other != nil && other.fn.node == p.fn.node {
			if more, share := other.runesOnStack(name); more != nil {
				edits = append(edits, more...)
				also = append(also, Also{prof.Frame{File: s.File, Line: s.Line}, func(*site.Site) Range { return Range{share, share} }})
			}
		}
	}
	slices.SortFunc(edits, byPlace)
	if !known {
		edits = append(edits, p.addHelper(runesOf, name, ""))
	}
	return edits, also, saved
}

// runesOnStack are the edits of the line.
func (p *Line) runesOnStack(name string) (edits []Edit, saved float64) {
	made := map[token.Pos]*ssa.Convert{}
	for _, in := range p.allocators() {
		conversion, ok := in.(*ssa.Convert)
		if !ok {
			return nil, 0
		}
		made[conversion.Pos()] = conversion
	}
	o, ok := p.observe(map[prof.Frame]bool{{File: p.site.File, Line: p.site.Line}: true}, false, directly)
	saved, fit := o.shortTexts()
	if !ok || !fit || len(made) == 0 || p.leadsBack(p.body()) || p.jumps(p.fn.body.Pos()) || instructions(p.body()) > mostInlinedInto {
		return nil, 0
	}
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || made[call.Lparen] == nil {
			continue
		}
		e, ok := p.runesFrom(call, made[call.Lparen], name)
		if !ok {
			return nil, 0
		}
		edits = append(edits, e)
	}
	if len(edits) != len(made) {
		return nil, 0
	}
	slices.SortFunc(edits, byPlace)
	return edits, saved
}

// runesFrom has a conversion, which declares a variable, be a call of the function with a name instead: ok is false if that could be told, or if the runes leave the
// function.
func (p *Line) runesFrom(call *ast.CallExpr, made *ssa.Convert, name string) (e Edit, ok bool) {
	assign, ok := innermost(stackOf(p.file, call)).(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != len(assign.Rhs) || !p.makesRunes(call) || p.hasComment(call) {
		return e, false
	}
	for _, value := range assign.Rhs {
		if len(assign.Rhs) > 1 && below(value, p.isCall) {
			return e, false // it may change the text, before or after
		}
	}
	for _, builtin := range []string{"make", "len", "cap", "append", "rune", "string"} {
		if !ofLanguage(p.objectAt(builtin, call.Pos())) || p.declaredElsewhere(builtin) {
			return e, false
		}
	}
	if !p.runesStay(made, assign) {
		return e, false
	}
	text := p.text(call.Args[0])
	if p.countOf(runeCopy{call: call}) == "" {
		text = "string(" + text + ")"
	}
	e = p.edit(call.Pos(), call.End(), name+"("+text+")")
	e.Stack = e.Text
	return e, true
}

// runesStay reports whether runes stay in the function that makes them, and in what it calls, in each iteration of the loops around; and
// nothing tells how much room they have.
func (p *Line) runesStay(made *ssa.Convert, assign *ast.AssignStmt) bool {
	u := &unasked{p: p, cuts: true, seen: map[ssa.Value]bool{}}
	u.push(made)
	u.run()
	if u.asked || p.leavesBy(made.Pos(), true) {
		return false
	}
	for v := range u.seen {
		if slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool { return outlives(in, made.Parent()) }) {
			return false
		}
	}
	return !slices.ContainsFunc(stackOf(p.file, assign), func(loop ast.Node) bool {
		return loopBody(loop) != nil && below(loop, func(n ast.Node) bool { return p.setsRunes(n, loop) })
	})
}

// outlives reports whether a use of a slice returns it from the function that makes it, or takes the address of an element for more
// than to read or set it.
func outlives(in ssa.Instruction, home *ssa.Function) bool {
	switch in := in.(type) {
	case *ssa.Return:
		return in.Parent() == home
	case *ssa.IndexAddr:
		return slices.ContainsFunc(*in.Referrers(), func(use ssa.Instruction) bool {
			switch use := use.(type) {
			case *ssa.DebugRef:
				return false
			case *ssa.UnOp:
				return use.Op != token.MUL
			case *ssa.Store:
				return use.Addr != ssa.Value(in)
			}
			return true
		})
	}
	return false
}

// setsRunes reports whether a node sets a variable that has runes and is declared before a loop: it has them in the next iteration.
func (p *Line) setsRunes(n ast.Node, loop ast.Node) bool {
	set, ok := n.(*ast.AssignStmt)
	return ok && slices.ContainsFunc(set.Lhs, func(e ast.Expr) bool {
		v := p.local(e)
		return v != nil && isRunes(v.Type()) && !(loop.Pos() <= v.Pos() && v.Pos() < loop.End())
	})
}

// shortTexts reports whether nine tenths of some texts have room on the stack, and the share of the bytes that these have.
func (o observed) shortTexts() (saved float64, fit bool) {
	return shareUpTo(o.steps, mostRunes*4), objectsUpTo(o.steps, mostRunes*4) >= mostEnds
}
