package events

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// Does a release that a loop comes to again release the same value again?
//
//	for i := range tiers {
//		if cap(b) == tiers[i].size {
//			tiers[i].pool.Put(b) // once: the sizes of a table differ
//		}
//	}
//
//	for i := range tiers {
//		if cap(b) >= tiers[i].size {
//			tiers[i].pool.Put(b) // put back twice
//		}
//	}
//
// It takes the conditions that the release depends on. That the sizes of a table differ is assumed,
// and so is that a list has no element twice: both err towards silence.

// onceForEach reports whether i, a release that another iteration of its loop comes to again, does not
// release the same again there: it is one of the next element of a list, or happens in the only
// iteration whose pool, by its size or class, is that of the origin.
func (fd *finder) onceForEach(i ssa.Instruction) bool {
	for _, a := range fd.states.Effects[i] {
		if a.Kind == flow.EffectRelease && a.Sure && fd.isNextElement(a.Value, i.Block()) {
			return true
		}
	}
	return fd.fitsOnce(i.Block())
}

// isNextElement reports whether v is loaded from a list, at an index that each iteration around b computes.
func (fd *finder) isNextElement(v ssa.Value, b *ssa.BasicBlock) bool {
	load, ok := ssautil.Root(v).(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	element, ok := load.X.(*ssa.IndexAddr)
	return ok && varies(element.Index, b)
}

// fitsOnce reports whether b is executed only if something of the origin, such as its capacity, is equal to
// what each iteration around b computes: a table of pools has one of each size.
//
// A block with one predecessor is entered only by the edge of its dominator's branch. The condition
// has to be met with equality there, between something of the origin, which stays, and something
// that varies. If both stay, as in cap(b) == size, each iteration releases.
func (fd *finder) fitsOnce(b *ssa.BasicBlock) bool {
	for ; b.Idom() != nil && ssautil.Reachable(b, b.Idom()); b = b.Idom() {
		branch, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		cond, ok := fd.fn.Resolve(branch.Cond).(*ssa.BinOp)
		if !ok || cond.Op != token.EQL && cond.Op != token.NEQ || (b == b.Idom().Succs[0]) != (cond.Op == token.EQL) {
			continue
		}
		x, y := fd.fn.Resolve(cond.X), fd.fn.Resolve(cond.Y)
		if fd.isOfOrigin(x) && varies(y, b) || fd.isOfOrigin(y) && varies(x, b) {
			return true
		}
	}
	return false
}

// isOfOrigin reports whether v is the length or capacity of the origin, or one of its fields.
func (fd *finder) isOfOrigin(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Convert:
		return fd.isOfOrigin(x.X)
	case *ssa.Call:
		args := ssautil.Arguments(&x.Call)
		return flow.IsMeasure(x) && len(args) > 0 && fd.states.Aliases.Mark(args[0]) != 0
	case *ssa.UnOp:
		fa, ok := x.X.(*ssa.FieldAddr)
		return ok && fd.states.Aliases.Mark(fa)&(flow.MarkSame|flow.MarkAlias) != 0
	}
	return false
}

// varies reports whether v is computed anew, from what a loop counts, in each iteration around b.
//
// A phi varies if it is in the loop around b. What is computed from such a phi varies with it.
func varies(v ssa.Value, b *ssa.BasicBlock) bool {
	switch x := v.(type) {
	case *ssa.Phi:
		return ssautil.Reachable(b, x.Block()) && ssautil.Reachable(x.Block(), b)
	case *ssa.Extract:
		next, ok := x.Tuple.(*ssa.Next)
		return ok && ssautil.Reachable(b, next.Block())
	case *ssa.BinOp:
		return varies(x.X, b) || varies(x.Y, b)
	case *ssa.Convert:
		return varies(x.X, b)
	case *ssa.UnOp:
		return varies(x.X, b)
	case *ssa.FieldAddr:
		return varies(x.X, b)
	case *ssa.Field:
		return varies(x.X, b)
	case *ssa.IndexAddr:
		return varies(x.X, b) || varies(x.Index, b)
	case *ssa.Index:
		return varies(x.Index, b)
	}
	return false
}

// joins reports whether ways through a loop meet at b on which the origin was acquired at home and on which
// it was not, and it is not looked at from there on before the loop acquires another.
func (fd *finder) joins(b, home *ssa.BasicBlock) bool {
	if home.Dominates(b) || !ssautil.SameLoop(b, home) {
		return false
	}
	for x := range blocksFrom(b, home) {
		if fd.touches(x) {
			return false
		}
	}
	return true
}

// closes reports whether b, where ways through an iteration meet on which the origin was released and on
// which it was not, does nothing but to lead to the next iteration. What is live on the way to b is lost
// there, as it is at a continue that leads to the next iteration at once.
//
// An example. The block of i++ is b, and what is live at its end is live or released:
//
//	for i := 0; i < n; i++ {
//		buf := get()
//		if fill(buf) == 0 {
//			continue // lost
//		}
//		put(buf)
//	}
func (fd *finder) closes(b, home *ssa.BasicBlock) bool {
	if len(b.Preds) < 2 || fd.states.Before[b.Instrs[0]]&satisfied == 0 {
		return false
	}
	for range fd.fn.Blocks {
		if b.Dominates(home) {
			return true
		}
		if len(b.Succs) != 1 || fd.touches(b) {
			return false
		}
		b = b.Succs[0]
	}
	return false
}

// touches reports whether something in b has to do with the origin.
func (fd *finder) touches(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
		phi, ok := i.(*ssa.Phi)
		return ok && fd.states.Aliases.Mark(phi) != 0 || len(fd.states.Effects[i]) > 0
	})
}
