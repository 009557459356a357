package arenaappend

import (
	_ "embed"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

//go:embed doc.go
var doc string

// Analyzer finds append to slices of arenas that have no room left.
var Analyzer = rule.New("arenaappend", doc, false, run, wrappers)

func run(pass *rule.Pass) error {
	lib := pass.ResultOf[wrappers].(*library)
	if lib == nil {
		return nil
	}
	var assigned map[*types.Var]bool
	reported := map[*ssa.Call]bool{} // makers
	fields := map[*ssa.Call]bool{}   // appends to fields
	for _, fn := range lib.funcs {
		done := lib.checkReversed(pass, fn)
		lib.checkFields(pass, fn, fields)
		if !lib.makes(fn) {
			continue
		}
		if assigned == nil {
			assigned = assignments(lib.funcs)
		}
		for _, sure := range []bool{true, false} {
			check(pass, &function{library: lib, fn: fn, shapes: map[ssa.Value]shape{}, assigned: assigned, done: done}, sure, reported)
		}
	}
	return nil
}

// assignments are the fields that functions assign to, or take the address of, other than
// to those of a struct that they make.
func assignments(funcs []*ssa.Function) map[*types.Var]bool {
	all := map[*types.Var]bool{}
	for _, fn := range funcs {
		for a := range ssautil.InstructionsOf[*ssa.FieldAddr](fn) {
			if _, own := a.X.(*ssa.Alloc); !own && !onlyRead(a) {
				all[ssautil.Field(a)] = true
			}
		}
	}
	return all
}

// onlyRead reports whether nothing is done with an address but reading.
func onlyRead(a *ssa.FieldAddr) bool {
	for r := range ssautil.Uses[ssa.Instruction](a) {
		switch r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// makes reports whether fn, or a function around it, makes a slice in an arena.
func (lib *library) makes(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		for call := range ssautil.InstructionsOf[*ssa.Call](fn) {
			if _, _, ok := lib.made(call); ok {
				return true
			}
		}
	}
	return false
}

// check looks at every append of a function: first for those that surely move a slice.
func check(pass *rule.Pass, f *function, sure bool, reported map[*ssa.Call]bool) {
	f.findLoops()
	for _, b := range f.fn.DomPreorder() {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || !isAppend(call) || f.done[call] {
				continue
			}
			v, s := f.classify(call)
			if v == stays || reported[s.made] || (v != may) != sure {
				continue
			}
			reported[s.made] = true
			report(pass, f, call, s, v)
		}
	}
}

// classify returns whether an append leaves the arena, and the shape of the slice.
func (f *function) classify(call *ssa.Call) (verdict, shape) {
	base := call.Call.Args[0]
	if phi, l := f.variable(base); phi != nil && l.blocks[call.Block()] {
		return f.inLoop(call, phi, l)
	}
	s := f.shape(base)
	if s.made == nil {
		return f.inCell(call)
	}
	_, v := s.add(f.count(call.Call.Args[1]))
	if v == may {
		v = f.guarded(call, s)
	}
	return v, s
}

// inLoop classifies an append to the slice that a loop began with as phi.
func (f *function) inLoop(call *ssa.Call, phi *ssa.Phi, l *loop) (verdict, shape) {
	base, n := call.Call.Args[0], f.count(call.Call.Args[1])
	s := f.entering(phi, l)
	if !s.lo.known {
		s = f.outermost(phi, l)
	}
	if s.made == nil {
		return stays, s
	}
	if s.full() && base == phi {
		return moves, s
	}
	g := f.grows(phi, l)
	if each := f.shape(base); !g.known && each.lo.known {
		_, v := each.add(n)
		if v == may {
			v = f.guarded(call, s)
		}
		return v, s
	}
	if g.known {
		lo, hi := f.after(s, g, l)
		switch {
		case alike(hi, s.cap) && hi.add <= s.cap.add:
			return stays, s
		case alike(lo, s.cap) && lo.add > s.cap.add, twice(s, g, l):
			return moves, s
		}
	}
	return f.guarded(call, s), s
}

// twice reports whether each turn appends several elements to a slice that has room for one
// for each turn.
func twice(s shape, g growth, l *loop) bool {
	return l.exact && g.lo > 1 && s.lo == number(0) && l.iterations.known && l.iterations.sym != "" && l.iterations == s.cap
}

// maxSteps bounds how far a slice is followed back.
const maxSteps = 100

// variable is the variable of a loop that base is, or was before this turn appended to it.
func (f *function) variable(base ssa.Value) (*ssa.Phi, *loop) {
	for range maxSteps {
		switch v := base.(type) {
		case *ssa.Phi:
			if l := f.loops[v.Block()]; l != nil {
				return v, l
			}
			base = v.Edges[0]
		case *ssa.Call:
			if !isAppend(v) {
				return nil, nil
			}
			base = v.Call.Args[0]
		case *ssa.ChangeType:
			base = v.X
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// outermost is the shape that a variable of nested loops has before all of them.
func (f *function) outermost(phi *ssa.Phi, l *loop) shape {
	for range maxSteps {
		var before *ssa.Phi
		for i, e := range phi.Edges {
			if p, ok := e.(*ssa.Phi); ok && !l.blocks[phi.Block().Preds[i]] {
				before = p
			}
		}
		if before == nil || f.loops[before.Block()] == nil {
			return shape{}
		}
		phi, l = before, f.loops[before.Block()]
		if s := f.entering(phi, l); s.made != nil {
			return s
		}
	}
	return shape{}
}

func report(pass *rule.Pass, f *function, call *ssa.Call, s shape, v verdict) {
	finding := rule.Finding{
		Pos:      call.Pos(),
		Category: rule.Leak,
		Message:  "append moves the slice from its arena to the heap, because it has no room left: what the arena holds of it is wasted, and the heap gets the work that the arena was to save",
		Related:  []analysis.RelatedInformation{rule.Related(s.made.Pos(), "the slice is made here")},
		Fixes:    fix(pass, call, s.made),
	}
	switch v {
	case overruns:
		finding.Message = "append moves the slice from its arena to the heap when it has no room left: it is compared with more than its capacity, " + s.room()
	case letsMore:
		finding.Message = "append moves the slice from its arena to the heap when it has no room left: the test before it lets more elements through than its capacity" + s.limit()
	case may:
		finding.Category = rule.Remark
		finding.Message = "append moves the slice from its arena to the heap when it has no room left: nothing here keeps it within its capacity"
	}
	pass.Report(finding)
}
