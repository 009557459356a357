package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Can copy have copied too little? A branch for that is not taken if the destination is as long as
// the source: copy returns the smaller length.
//
//	n := len(p)
//	dst := (*b)[:n]
//	if copy(dst, p) != n { // never
//		return errShort
//	}
//
//	dst := (*b)[:cap(*b)]
//	if copy(dst, p) != len(p) { // perhaps: nothing says that there is room
//		return errShort
//	}
//
// Lengths are compared as SSA values, by len of one and the same slice. Anything else is taken for
// possible, which leaves the branch to the states.

// copiesLess reports whether a condition, being yes, says that copy has copied less than there was, although
// what it was copied to is as long.
func (f *Function) copiesLess(cond ssa.Value, yes bool) bool {
	c, ok := f.Resolve(cond).(*ssa.BinOp)
	if !ok {
		return false
	}
	switch c.Op {
	case token.NEQ, token.LSS:
	case token.EQL, token.GEQ:
		yes = !yes
	default:
		return false
	}
	call, ok := f.Resolve(c.X).(*ssa.Call)
	if !ok || !yes || !ssautil.IsBuiltin(call, "copy") {
		return false
	}
	src := f.Resolve(call.Call.Args[1])
	if !f.isLength(c.Y, src) {
		return false
	}
	switch dst := f.Resolve(call.Call.Args[0]).(type) {
	case *ssa.MakeSlice:
		return f.isLength(dst.Len, src)
	case *ssa.Slice:
		return dst.Low == nil && dst.High != nil && f.isLength(dst.High, src)
	}
	return false
}

// isLength reports whether n is the length of a list.
func (f *Function) isLength(n, list ssa.Value) bool {
	call, ok := f.Resolve(n).(*ssa.Call)
	return ok && ssautil.IsBuiltin(call, "len") && f.Resolve(call.Call.Args[0]) == list
}
