package arenaappend

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A fieldAppend is an append to a slice field of a struct that an arena makes.
type fieldAppend struct {
	slot
	at *ssa.Call
}

// appendsTo returns the appends to fields that a call is, or that the function of the package does that it
// calls with the struct.
func (lib *library) appendsTo(call *ssa.Call) []fieldAppend {
	if isAppend(call) {
		if fa := appendedField(call); fa != nil {
			return []fieldAppend{{slot{lib.object(fa), ssautil.Field(fa)}, call}}
		}
		return nil
	}
	var all []fieldAppend
	for i, a := range call.Call.Args {
		if ssautil.Root(a) != a {
			continue
		}
		made := lib.object(a)
		if made == nil {
			continue
		}
		for _, at := range lib.paramAppends(call, i, maxDepth) {
			all = append(all, fieldAppend{slot{made, ssautil.Field(appendedField(at))}, at})
		}
	}
	return all
}

// appendedField returns the address of the field whose slice, or part of it, is appended to, or nil.
func appendedField(call *ssa.Call) *ssa.FieldAddr {
	if isNil(call.Call.Args[1]) {
		return nil
	}
	base := call.Call.Args[0]
	if cut, ok := base.(*ssa.Slice); ok && cut.Max == nil {
		base = cut.X
	}
	return ssautil.LoadedFrom(base)
}

// paramAppends returns the appends to fields of argument i that the called function does without asking
// what the fields have.
func (lib *library) paramAppends(call *ssa.Call, i, depth int) []*ssa.Call {
	fn := call.Call.StaticCallee()
	if fn == nil || depth == 0 {
		return nil
	}
	if fn = ssautil.Generic(fn); fn.Blocks == nil || len(fn.Params) != len(call.Call.Args) {
		return nil
	}
	var all []*ssa.Call
	for inner := range ssautil.InstructionsOf[*ssa.Call](fn) {
		if isAppend(inner) {
			if fa := appendedField(inner); fa != nil && ssautil.Root(fa) == fn.Params[i] && !asks(fn, ssautil.Field(fa)) {
				all = append(all, inner)
			}
			continue
		}
		for j, a := range inner.Call.Args {
			if a == fn.Params[i] {
				all = append(all, lib.paramAppends(inner, j, depth-1)...)
			}
		}
	}
	return all
}

// asks reports whether a function compares a field, or its length or capacity.
func asks(fn *ssa.Function, field *types.Var) bool {
	for cond := range ssautil.InstructionsOf[*ssa.BinOp](fn) {
		if ssautil.IsComparison(cond.Op) && (isAbout(cond.X, field) || isAbout(cond.Y, field)) {
			return true
		}
	}
	return false
}

// isAbout reports whether v is a field, or computed from its length or capacity.
func isAbout(v ssa.Value, field *types.Var) bool {
	switch v := v.(type) {
	case *ssa.BinOp:
		return isAbout(v.X, field) || isAbout(v.Y, field)
	case *ssa.Convert:
		return isAbout(v.X, field)
	case *ssa.Call:
		return ssautil.Builtin(&v.Call) != "" && len(v.Call.Args) > 0 && isAbout(v.Call.Args[0], field)
	}
	return ssautil.LoadedField(v) == field
}
