package flow

import (
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Which branches look for a pool that takes a value of its size? What no pool takes is dropped on purpose.
//
//	for i, n := range sizes {
//		if cap(b) == n {
//			pools[i].Put(b)
//			return
//		}
//	}
//	return // dropped: none fits
//
// A loop that fills the value, and puts it back when it is full, looks alike and is none.

// noneFits reports whether edge n of b ends a loop that looks for the pool of the right size:
// there was none.
//
// An example. The first value of sizes that fits ends the loop with a release, so its other end is
// reached by what no pool takes:
//
//	for i, n := range sizes {
//		if cap(b) == n {
//			pools[i].Put(b)
//			return
//		}
//	}
//
// The branch inside has to look at the size, or a loop that searches for a mark in the value would
// drop it too. A loop that does anything else with the value is no search:
//
//	for _, r := range records {
//		b.WriteString(r)
//		if b.Len() > max {
//			pool.Put(b)
//			return errTooLong
//		}
//	}
//	return nil // lost
func (r *States) noneFits(b *ssa.BasicBlock, n int) bool {
	body := b.Succs[1-n]
	if !r.Reaches[body.Index] || !ssautil.Reachable(body, b) || ssautil.Reachable(b.Succs[n], b) {
		return false
	}
	for _, x := range r.Aliases.Func.Blocks {
		branch, ok := x.Instrs[len(x.Instrs)-1].(*ssa.If)
		if !ok || x == b || !body.Dominates(x) || !ssautil.Reachable(x, b) || !r.onSize(r.Aliases.Func.Resolve(branch.Cond), 0) {
			continue
		}
		for _, s := range x.Succs {
			if !ssautil.Reachable(s, b) && r.releasesSoon(s, 0) {
				return !r.worksIn(body, b)
			}
		}
	}
	return false
}

// worksIn reports whether the loop from head to body and back does anything with the origin but ask for
// its size, or cut it to one: a call gets it, or something is stored in its memory.
func (r *States) worksIn(body, head *ssa.BasicBlock) bool {
	for _, x := range r.Aliases.Func.Blocks {
		if !body.Dominates(x) || !ssautil.Reachable(x, head) {
			continue
		}
		for _, i := range x.Instrs {
			if len(r.Effects[i]) == 0 {
				continue
			}
			switch i := i.(type) {
			case *ssa.Call:
				if !r.onSize(i, 0) {
					return true
				}
			case *ssa.Store:
				if r.Aliases.Mark(i.Val) == 0 {
					return true
				}
			}
		}
	}
	return false
}
