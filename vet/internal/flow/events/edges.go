package events

import (
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/ssautil"
)

// A variable may be given the memory of the origin in one branch, and other memory in another. What is done
// with it behind both is a mistake whenever the first branch is taken, if all paths from there lead to it.
// That something is wrong with the origin by then, whatever the branch, is the business of the states.

// sureOnEdge reports whether an effect, which needs a value that derives, surely has one whenever some branch
// is taken.
func (fd *finder) sureOnEdge(i ssa.Instruction, a flow.Effect) bool {
	if a.Sure && !fd.states.Aliases.Optional(a.Value) || a.Mark&flow.MarkMemory == 0 || flow.IsCopy(a.Value) {
		return false
	}
	switch a.Kind {
	case flow.EffectUse, flow.EffectKeep, flow.EffectRelease:
		return fd.derivesOnEdge(i, a.Value)
	}
	return false
}

// derivesOnEdge reports whether a branch gives v memory of the origin, and leads to i on all paths.
//
// An example, where buf is memory of q.buf in one branch and new in the other. The edge of the
// first is always taken to the store, so whenever it is taken the store keeps memory that was put
// back:
//
//	if fits {
//		buf = q.buf[off:]
//	} else {
//		buf = get(n)
//	}
//	put(q.buf)
//	q.buf = buf
//
// With the put in a branch of its own the states do not say released at the store, and nothing is
// reported.
func (fd *finder) derivesOnEdge(i ssa.Instruction, v ssa.Value) bool {
	phi, ok := ssautil.Root(fd.fn.Resolve(v)).(*ssa.Phi)
	if _, deferred := i.(*ssa.Defer); !ok || deferred || fd.origin.Borrowed || fd.origin.Received {
		return false
	}
	again := func(x ssa.Instruction) bool { return x == i }
	if flow.PathWithout(phi, phi, again) {
		return false // a loop may give it another value first
	}
	d := fd.states.Aliases
	for n, e := range phi.Edges {
		last := lastOf(phi.Block().Preds[n])
		if _, jump := last.(*ssa.Jump); !jump || d.Sure(e)&(flow.MarkSame|flow.MarkAlias|flow.MarkContent) == 0 || d.Optional(e) {
			continue // it kept what it had: there was a reason to make it another one
		}
		if fd.allPathsMeet(last, map[ssa.Instruction]bool{i: true}) {
			return true
		}
	}
	return false
}

func lastOf(b *ssa.BasicBlock) ssa.Instruction { return b.Instrs[len(b.Instrs)-1] }
