package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does a field hold slices of others, which stay what they are when the struct goes back to its
// pool?
//
//	r := pool.Get().(*record)
//	r.key, r.value = key, value           // replaced: slices of the caller
//	r.line = append(r.line[:0], key...)   // not: the record's own memory
//
// A field is one if something stores a parameter there, and nothing writes into it or keeps a part
// of it. A wrong no reports slices that stay valid; a wrong yes costs a finding.

// onlyReplaced reports whether a field of the package holds slices of others: what is stored there is
// a parameter, by one function at least, never part of what the field had, and nothing in the package writes
// into it. A struct that comes out of the pool gets another slice, and the old one stays what it is.
func (a *Package) onlyReplaced(f *types.Var) bool {
	if f == nil || f.Pkg() != a.Pass.Pkg {
		return false
	}
	if a.replaced == nil {
		a.replaced = map[*types.Var]bool{}
		kept := map[*types.Var]bool{}
		for _, fn := range a.Order {
			for fa := range ssautil.InstructionsOf[*ssa.FieldAddr](fn.Function) {
				if x := ssautil.Field(fa); x != nil && ssautil.IsSlice(ssautil.Deref(fa.Type())) {
					given, ok := replacement(fa, x)
					a.replaced[x] = a.replaced[x] || given
					kept[x] = kept[x] || !ok
				}
			}
		}
		for x := range kept {
			a.replaced[x] = a.replaced[x] && !kept[x]
		}
	}
	return a.replaced[f.Origin()]
}

// replacement reports whether one use of a field stores a parameter there, and whether it neither writes into
// what is there nor keeps a part of it there.
func replacement(fa *ssa.FieldAddr, f *types.Var) (given, ok bool) {
	for r := range ssautil.Uses[ssa.Instruction](fa) {
		switch i := r.(type) {
		case *ssa.Store:
			if i.Addr != ssa.Value(fa) || reuses(i.Val, f, ssautil.Root(fa.X), 0) {
				return false, false
			}
			_, made := ssautil.Root(fa.X).(*ssa.Alloc) // by a constructor: the slice may be its own from then on
			given = given || param(i.Val) != nil && !made
		case *ssa.UnOp:
			if overwrites(i, 0) {
				return false, false
			}
		case *ssa.DebugRef:
		default:
			return false, false
		}
	}
	return given, true
}

// overwrites reports whether what a slice holds may be overwritten by a use of it: a part of it from the
// beginning, an element, or the destination of copy, of append or of a function that reads.
func overwrites(v ssa.Value, depth int) bool {
	for r := range ssautil.Uses[ssa.Instruction](v) {
		switch i := r.(type) {
		case *ssa.Slice:
			if i.High != nil || depth > 4 || overwrites(i, depth+1) {
				return true
			}
		case *ssa.IndexAddr:
			for range ssautil.StoresTo(i) {
				return true
			}
		case *ssa.Call:
			if fn := ssautil.Callee(&i.Call); fn != nil && strings.HasPrefix(fn.Name(), "Read") {
				return true
			}
			if ssautil.IsBuiltin(i, "copy", "append", "clear") && i.Call.Args[0] == v {
				return true
			}
		}
	}
	return false
}
