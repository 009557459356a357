package flow

import (
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does a pool end with the function? What an exit loses of it is nothing then; what an iteration
// loses still makes the next one take another.
//
//	pool := &sync.Pool{New: newBlock} // ends here
//	r.pool = pool                     // with this store it does not

// ownPool reports whether a pool is a variable of the function that goes nowhere else but to its closures:
// what it has lost when the function returns does not matter any more.
func (f *Function) ownPool(pool ssa.Value) bool {
	a, ok := ssautil.Root(f.Resolve(pool)).(*ssa.Alloc)
	return ok && staysLocal(a, 0)
}

// staysLocal reports whether the address of a variable is used for nothing but its methods, also in
// closures and by variables that hold it.
//
// Any use but calls of its methods, also by closures and by local variables that hold the address,
// lets it live on. The depth bounds variables that hold each other; beyond it the pool may live on,
// so that its losses are reported.
func staysLocal(v ssa.Value, depth int) bool {
	if depth > 3 {
		return false
	}
	for use := range ssautil.Uses[ssa.Instruction](v) {
		switch use := use.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr, *ssa.MakeClosure:
		case ssa.CallInstruction:
			if f := ssautil.Callee(use.Common()); f == nil || f.Signature().Recv() == nil || ssautil.Arguments(use.Common())[0] != v {
				return false
			}
		case *ssa.UnOp: // of a variable that holds the address
			if !staysLocal(use, depth+1) {
				return false
			}
		case *ssa.Store:
			if cell, ok := use.Addr.(*ssa.Alloc); use.Val == v && (!ok || !staysLocal(cell, depth+1)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
