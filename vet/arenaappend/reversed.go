package arenaappend

import (
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// A test may be the wrong way round: it lets a slice move to a larger one of the arena while there is room,
// and leaves it alone when there is none. The append after it then goes to the heap, wherever the slice
// comes from.

// checkReversed reports appends after such tests, and returns them.
func (lib *library) checkReversed(pass *rule.Pass, fn *ssa.Function) map[*ssa.Call]bool {
	reported := map[*ssa.Call]bool{}
	var tests []*roomTest
	for branch := range ssautil.InstructionsOf[*ssa.If](fn) {
		if t := roomOf(branch); t != nil {
			tests = append(tests, t)
		}
	}
	if len(tests) == 0 {
		return reported
	}
	for call := range ssautil.InstructionsOf[*ssa.Call](fn) {
		if !isAppend(call) {
			continue
		}
		for _, t := range tests {
			made := lib.enlarged(t, call)
			if made == nil || reported[call] || !t.leads(call) {
				continue
			}
			reported[call] = true
			pass.Report(rule.Finding{
				Pos:      call.Pos(),
				Category: rule.Leak,
				Message:  "append moves the slice to the heap when it has no room left: the test before it gives it more room only while there is some",
				Related:  []analysis.RelatedInformation{rule.Related(made.Pos(), "this is executed while there is room")},
			})
		}
	}
	return reported
}

// A roomTest is a branch on whether a slice has room for more elements.
type roomTest struct {
	branch     *ssa.BasicBlock
	slice      ssa.Value
	room, none *ssa.BasicBlock // where there is room, and where there is none
	exact      bool            // there is none at all
}

// roomOf returns what a branch tests, or nil: it compares the length of a slice, perhaps with something added,
// with its capacity.
func roomOf(branch *ssa.If) *roomTest {
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || !ssautil.IsComparison(cond.Op) {
		return nil
	}
	var d difference
	d.add(cond.X, 1)
	d.add(cond.Y, -1)
	sign := d.ofLen()
	op := cond.Op
	switch sign {
	case 0:
		return nil
	case -1:
		op = flip(op)
	}
	succs := branch.Block().Succs
	t := &roomTest{branch.Block(), d.cap, succs[0], succs[1], len(d.lens) == 1 && d.rest == [2]bool{}}
	if op == token.GTR || op == token.GEQ || op == token.EQL {
		t.room, t.none = t.none, t.room
	}
	return t
}

// A difference is a sum of lengths and other numbers, and of the capacity of one slice.
type difference struct {
	cap  ssa.Value
	sign int // of the capacity
	bad  bool
	lens map[ssa.Value]int // slices whose lengths are added or subtracted
	rest [2]bool           // something is subtracted, added
}

func (d *difference) add(v ssa.Value, sign int) {
	switch x := v.(type) {
	case *ssa.Convert:
		d.add(x.X, sign)
		return
	case *ssa.BinOp:
		if x.Op == token.ADD || x.Op == token.SUB {
			d.add(x.X, sign)
			if x.Op == token.SUB {
				sign = -sign
			}
			d.add(x.Y, sign)
			return
		}
	case *ssa.Call:
		if ssautil.IsBuiltin(x, "cap") {
			d.bad = d.bad || d.cap != nil
			d.cap, d.sign = x.Call.Args[0], sign
			return
		}
		if ssautil.IsBuiltin(x, "len") {
			if d.lens == nil {
				d.lens = map[ssa.Value]int{}
			}
			d.lens[x.Call.Args[0]] = sign
			return
		}
	}
	d.rest[(1+sign)/2] = true
}

// ofLen returns the sign of the length of the slice whose capacity it has, 0 if it does not have it, or something
// else of the capacity's sign.
func (d *difference) ofLen() int {
	if d.bad || d.cap == nil || d.rest[(1+d.sign)/2] {
		return 0
	}
	found := 0
	for v, sign := range d.lens {
		if sign == d.sign {
			return 0
		}
		if sameSlice(v, d.cap) {
			found = sign
		}
	}
	return found
}

// sameSlice reports whether two values are one slice, or loaded from one variable.
func sameSlice(v, w ssa.Value) bool {
	if v == w {
		return true
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		w, ok := w.(*ssa.UnOp)
		return ok && v.Op == token.MUL && w.Op == token.MUL && sameSlice(v.X, w.X)
	case *ssa.FieldAddr:
		w, ok := w.(*ssa.FieldAddr)
		return ok && v.Field == w.Field && sameSlice(v.X, w.X)
	}
	return false
}

// enlarged returns the call that gives the slice of an append more room in the arena where a test found room,
// or nil.
func (lib *library) enlarged(t *roomTest, call *ssa.Call) *ssa.Call {
	switch base := call.Call.Args[0].(type) {
	case *ssa.Phi:
		for i, e := range base.Edges {
			if made := lib.newSlice(e, maxDepth); made != nil && t.room.Dominates(base.Block().Preds[i]) {
				return made
			}
		}
	case *ssa.UnOp:
		for s := range ssautil.InstructionsOf[*ssa.Store](call.Parent()) {
			if t.room.Dominates(s.Block()) && sameSlice(s.Addr, base.X) && ssautil.Reachable(s.Block(), call.Block()) {
				if made := lib.newSlice(s.Val, maxDepth); made != nil {
					return made
				}
			}
		}
	}
	return nil
}

// newSlice returns the call that makes a slice in an arena, perhaps in a function of the package.
func (lib *library) newSlice(v ssa.Value, depth int) *ssa.Call {
	if depth == 0 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.ChangeType:
		return lib.newSlice(v.X, depth)
	case *ssa.Slice:
		return lib.newSlice(v.X, depth)
	case *ssa.Call:
		if _, _, ok := lib.made(v); ok {
			return v
		}
		if isAppend(v) {
			return lib.newSlice(v.Call.Args[0], depth)
		}
		fn := v.Call.StaticCallee()
		if fn == nil || ssautil.Generic(fn).Blocks == nil || fn.Signature.Results().Len() != 1 {
			return nil
		}
		for r := range ssautil.Returns(ssautil.Generic(fn)) {
			if lib.newSlice(r.Results[0], depth-1) == nil {
				return nil
			}
		}
		return v
	}
	return nil
}

// leads reports whether the path without room leads straight to an append to the slice as it was tested.
func (t *roomTest) leads(call *ssa.Call) bool {
	from, at := t.branch, t.none
	base := call.Call.Args[0]
	for range maxSteps {
		if at == t.room {
			return false
		}
		if phi, ok := base.(*ssa.Phi); ok && phi.Block() == at {
			for i, p := range at.Preds {
				if p == from {
					base = phi.Edges[i]
				}
			}
		}
		for _, i := range at.Instrs {
			if i == call {
				return sameSlice(base, t.slice)
			}
			if t.changes(i) {
				return false
			}
		}
		if len(at.Succs) != 1 {
			return false
		}
		from, at = at, at.Succs[0]
	}
	return false
}

// changes reports whether an instruction may give the variable that the tested slice is in another slice.
func (t *roomTest) changes(i ssa.Instruction) bool {
	load, ok := t.slice.(*ssa.UnOp)
	if !ok {
		return false
	}
	switch i := i.(type) {
	case *ssa.Store:
		return sameSlice(i.Addr, load.X)
	case *ssa.Call:
		if ssautil.Builtin(&i.Call) != "" {
			return false
		}
		if i.Call.StaticCallee() == nil || i.Call.StaticCallee().Parent() != nil {
			return true
		}
		for _, a := range i.Call.Args {
			if ssautil.Root(a) == ssautil.Root(load.X) {
				return true
			}
		}
	}
	return false
}

// fullThere reports whether a test lets an append be executed only where the slice has no room left.
func (f *function) fullThere(cond *ssa.BinOp, call *ssa.Call, s shape) bool {
	to := f.passes(cond, call.Block())
	if to == nil {
		return false
	}
	branch := cond.Block().Instrs[len(cond.Block().Instrs)-1].(*ssa.If)
	t := roomOf(branch)
	return t != nil && t.exact && to == t.none && comesFrom(t.slice, s.made, map[ssa.Value]bool{}) && t.leads(call)
}
