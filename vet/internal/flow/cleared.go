package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Which fields get other memory where all of a struct is written?
//
//	*r = response{}                    // all: what r.body was stays what it is
//	*r = response{body: r.body[:0]}    // all but body, which the next owner writes into
//
//	body := r.body[:0]
//	*r = response{}
//	r.body = body                      // the same
//
//	*r = response{}
//	r.body = append(r.body, 'x')       // all: r.body was nil before
//
// SSA has the second with a local variable for the literal, whose fields are stored before it is copied. It
// takes the store to the struct, and stores in its block: before it those to fields of the literal, behind it
// those to fields of the struct. A field that is kept in another way counts as one with other memory, which
// is silence.

// clearedBy returns the names of the fields that get other memory by the store s to all of a struct, or "*"
// for all of them.
func (f *Function) clearedBy(s *ssa.Store) []string {
	t, ok := ssautil.Deref(s.Addr.Type()).Underlying().(*types.Struct)
	if !ok {
		return []string{"*"}
	}
	kept := map[*types.Var]bool{}
	if cell := literalOf(s.Val); cell != nil {
		for fa := range ssautil.Uses[*ssa.FieldAddr](cell) {
			if x := ssautil.Field(fa); x != nil && keptIn(s, fa, x) {
				kept[x] = true
			}
		}
	}
	for fa := range ssautil.Uses[*ssa.FieldAddr](s.Addr) {
		if x := ssautil.Field(fa); x != nil && keptBehind(s, fa, x) {
			kept[x] = true
		}
	}
	if len(kept) == 0 {
		return []string{"*"}
	}
	return fieldsBut(t, kept, 0)
}

// literalOf returns the variable that v, a struct, is loaded from; nil if it is not a local one.
func literalOf(v ssa.Value) *ssa.Alloc {
	u, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	cell, _ := u.X.(*ssa.Alloc)
	return cell
}

// keptIn reports whether the field x of a literal, at fa, has what that of the struct which s writes held
// before.
func keptIn(s *ssa.Store, fa *ssa.FieldAddr, x *types.Var) bool {
	for t := range ssautil.StoresTo(fa) {
		if t.Block() == s.Block() && ssautil.Before(t, s) && reuses(t.Val, x, ssautil.Root(s.Addr), 0) {
			return true
		}
	}
	return false
}

// keptBehind reports whether the field x, at fa, gets back behind s what it held before.
func keptBehind(s *ssa.Store, fa *ssa.FieldAddr, x *types.Var) bool {
	for t := range ssautil.StoresTo(fa) {
		if t.Block() == s.Block() && ssautil.Before(s, t) && reuses(t.Val, x, ssautil.Root(fa.X), 0) && !loadedBetween(s, t, x) {
			return true
		}
	}
	return false
}

// loadedBetween reports whether the field x of the struct that s writes is loaded between s and t.
func loadedBetween(s, t *ssa.Store, x *types.Var) bool {
	for fa := range ssautil.Uses[*ssa.FieldAddr](s.Addr) {
		if ssautil.Field(fa) != x {
			continue
		}
		for load := range ssautil.Uses[*ssa.UnOp](fa) {
			if ssautil.Before(s, load) && ssautil.Before(load, t) {
				return true
			}
		}
	}
	return false
}

// fieldsBut returns the names of all fields of a struct, and of structs in it, but for some. The depth bounds
// structs that lie in each other.
func fieldsBut(t *types.Struct, but map[*types.Var]bool, depth int) (all []string) {
	for x := range t.Fields() {
		if but[x.Origin()] || but[x] {
			continue
		}
		all = append(all, x.Name())
		if in, ok := x.Type().Underlying().(*types.Struct); ok && depth < 3 {
			all = append(all, fieldsBut(in, but, depth+1)...)
		}
	}
	return all
}
