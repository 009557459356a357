package flow

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// kept adds what it means to callers that f keeps the parameter, or memory of it. Only what is surely
// kept, in a place that the caller can name, is worth a report there; all else makes it unknown.
func (f *Function) kept(p *Param, x Effect) {
	if !x.Sure || x.To == nil && !x.ByCall || f.takenBack(x) {
		p.Unknown = true
		return
	}
	if x.To == nil {
		p.Keep, p.keptAt = true, cmp.Or(x.At, x.Pos)
		return
	}
	if inCaptured(x.To) {
		p.Unknown, p.KeepOut, p.keptAt = true, true, cmp.Or(x.At, x.Pos)
		return
	}
	base := ssautil.Root(x.To)
	if l, ok := base.(*ssa.UnOp); ok { // something that a parameter leads to
		base = ssautil.Root(l.X)
	}
	if j := slices.Index(f.Params, param(base)); j >= 0 {
		p.KeptIn |= 1 << j
		if fa := ssautil.LoadedFrom(x.To); fa != nil && isMap(x.To.Type()) {
			p.keptMap = FieldName(fa)
		}
		return
	}
	switch base.(type) {
	case *ssa.Global:
		p.Keep, p.keptAt = true, cmp.Or(x.At, x.Pos)
	default:
		p.Unknown = true
	}
}

// inCaptured reports whether an address is of a captured variable, or of what such a variable leads to.
func inCaptured(to ssa.Value) bool {
	for range 4 {
		to = ssautil.Root(to)
		if _, ok := to.(*ssa.FreeVar); ok {
			return true
		}
		load, ok := to.(*ssa.UnOp)
		if !ok {
			return false
		}
		to = load.X
	}
	return false
}

// takenBack reports whether what is kept is taken out again by a deferred call: of delete or clear, or of
// one that gets both what is kept and what it is kept in. A channel that is closed still has what was sent.
func (f *Function) takenBack(x Effect) bool {
	if x.To == nil {
		return false
	}
	in := LoadedFrom(x.To)
	for _, c := range f.Calls {
		if _, ok := c.(*ssa.Defer); !ok {
			continue
		}
		empties := ssautil.IsBuiltin(c, "delete", "clear")
		has := func(v ssa.Value) bool {
			return slices.ContainsFunc(f.Callee(c.Common()).Args, func(arg ssa.Value) bool { return LoadedFrom(arg) == v })
		}
		if has(in) && (empties || has(LoadedFrom(x.Value))) {
			return true
		}
	}
	return false
}
