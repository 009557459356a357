package events

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Does a loop empty a pool on purpose? What it takes out is not lost by mistake then.
//
//	for {
//		c, ok := conns.Get().(*conn)
//		if !ok {
//			break // ends when there is none left
//		}
//		c.Close()
//	}
//
//	for _, name := range names {
//		c := conns.Get().(*conn) // never put back: names end the loop, not the pool
//		io.WriteString(c, name)
//	}
//
// It takes the only condition that ends the loop. With a second one, the loop may stop while there
// are more. It errs towards silence: a loop that ends by any comparison of the value counts as one
// that drains.

// drains reports whether a loop takes values out of the pool to have none left there: until there is
// none, or without more than a look at their size.
func (fd *finder) drains() bool {
	start := fd.states.Start
	if start == nil {
		return false
	}
	repeated := false
	for loop := range ssautil.Loops(start.Block()) {
		repeated = true
		if cond := onlyCondition(loop); cond != nil && (fd.tells(cond) || fd.asksAgain(cond)) {
			return true
		}
	}
	return repeated && fd.onlyMeasured() || fd.beginsDrain()
}

// beginsDrain reports whether the origin is what a loop begins with that asks for another one in each
// iteration, until there is none.
//
// An example, where the first call stands before the loop, and is another origin than that of its
// iterations:
//
//	for b, ok := pool.Get().(*[]byte); ok; b, ok = pool.Get().(*[]byte) {
//		size += cap(*b)
//	}
func (fd *finder) beginsDrain() bool {
	for phi := range ssautil.InstructionsOf[*ssa.Phi](fd.fn.Function) {
		if ssautil.Before(phi, fd.states.Start) || !ssautil.Follows(fd.states.Start, phi) {
			continue
		}
		for loop := range ssautil.Loops(phi.Block()) {
			if cond := onlyCondition(loop); cond != nil && fd.asksAgain(cond) {
				return true
			}
		}
	}
	return false
}

// tells reports whether a condition is about what derives from the origin, or about whether there is one.
func (fd *finder) tells(cond ssa.Value) bool {
	switch cond := cond.(type) {
	case *ssa.BinOp:
		return fd.states.Aliases.Mark(cond.X)|fd.states.Aliases.Mark(cond.Y) != 0
	case *ssa.Extract:
		return fd.states.Aliases.Mark(cond.Tuple) != 0
	case *ssa.TypeAssert:
		return fd.states.Aliases.Mark(cond.X) != 0
	}
	return false
}

// asksAgain reports whether a condition is about the origin or, in other iterations, about what other
// calls of the same function return, and about nothing else.
//
// Each value is looked at once, so it ends. Any operand that is neither a call of the same
// function, nor leads to one by a phi, a comparison with nil or an assertion, makes the answer no.
func (fd *finder) asksAgain(cond ssa.Value) bool {
	start, ok := fd.states.Start.(*ssa.Call)
	if !ok {
		return false
	}
	found := false
	seen := map[ssa.Value]bool{}
	work := []ssa.Value{cond}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if call, ok := v.(*ssa.Call); ok {
			f := ssautil.Callee(&call.Call)
			if f == nil || f != ssautil.Callee(&start.Call) {
				return false
			}
			found = found || call == start
			continue
		}
		from := askedOf(v)
		if len(from) == 0 {
			return false
		}
		work = append(work, from...)
	}
	return found
}

// askedOf returns the operands that v tests for nil, asserts, or may be.
func askedOf(v ssa.Value) []ssa.Value {
	switch v := v.(type) {
	case *ssa.Phi:
		return v.Edges
	case *ssa.BinOp:
		if ssautil.IsNil(v.Y) {
			return []ssa.Value{v.X}
		}
	case *ssa.Extract:
		return []ssa.Value{v.Tuple}
	case *ssa.TypeAssert:
		return []ssa.Value{v.X}
	}
	return nil
}

// onlyCondition returns the condition that ends a loop, if it is the only one.
func onlyCondition(loop map[*ssa.BasicBlock]bool) (only ssa.Value) {
	for b := range loop {
		if !slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !loop[s] }) {
			continue
		}
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || only != nil && branch.Cond != only {
			return nil
		}
		only = branch.Cond
	}
	return only
}

// onlyMeasured reports whether nothing is done with the origin but to compare its length or capacity.
func (fd *finder) onlyMeasured() bool {
	for _, n := range fd.states.Aliases.Nodes.List {
		for use := range ssautil.Uses[ssa.Instruction](n.Value) {
			switch use.(type) {
			case *ssa.DebugRef, *ssa.BinOp, *ssa.Extract, *ssa.TypeAssert:
			default:
				if !isMeasured(use) {
					return false
				}
			}
		}
	}
	return true
}

// isMeasured reports whether an instruction asks a value for its length or capacity, only to compare it.
func isMeasured(i ssa.Instruction) bool {
	call, ok := i.(*ssa.Call)
	if !ok || !flow.IsMeasure(call) {
		return false
	}
	for use := range ssautil.Uses[ssa.Instruction](call) {
		if cmp, ok := use.(*ssa.BinOp); !ok || !ssautil.IsComparison(cmp.Op) {
			return false
		}
	}
	return true
}
