package arenaappend

import (
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// executed returns the instruction of fn that executes call: call itself, or, if that is in a function literal
// of fn, the one call that gets the literal. It is nil if there is none, or there are others.
func executed(call *ssa.Call, fn *ssa.Function) ssa.Instruction {
	literal := call.Parent()
	if literal == fn {
		return call
	}
	for literal != nil && literal.Parent() != fn {
		literal = literal.Parent()
	}
	var at ssa.Instruction
	for c := range ssautil.InstructionsOf[*ssa.MakeClosure](fn) {
		if c.Fn != literal {
			continue
		}
		for _, r := range *c.Referrers() {
			if _, debug := r.(*ssa.DebugRef); debug {
				continue
			}
			if _, ok := r.(*ssa.Call); !ok || at != nil {
				return nil
			}
			at = r
		}
	}
	return at
}

// givenIn reports whether what has the struct from a variable may give the field a slice with capacity
// before at. Function literals that share the variable can be called at any time.
func (lib *library) givenIn(cell ssa.Value, s slot, at ssa.Instruction) bool {
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if r.Parent() == s.made.Parent() && lib.givenAs(r, s, at) || r.Parent() != s.made.Parent() && lib.usesAssign(r, s.field, maxDepth) {
				return true
			}
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == cell && lib.givenIn(r.Fn.(*ssa.Function).FreeVars[i], s, at) {
					return true
				}
			}
		}
	}
	return false
}
