package arenashared

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// isArena reports whether a value of type t is an arena, and whether it depends on how it was
// made.
func isArena(t types.Type) (is, depends bool) {
	known := catalog.TypeOf(t)
	return known.Confined, known.Depends
}

// library reports whether the called function is of a package of arenas, and uses one: the package has
// a type of arenas, or functions that allocate from one.
func library(c *ssa.CallCommon) bool {
	f := ssautil.Callee(c)
	if f == nil || f.Pkg() == nil || catalog.Func(f).Concurrent {
		return false
	}
	return catalog.Declares(f.Pkg(), allocates, func(t *catalog.Type) bool { return t.Confined })
}

// allocates reports whether a function allocates from an arena that it gets.
func allocates(f *catalog.Function) bool {
	return slices.ContainsFunc(f.Params, func(p catalog.Param) bool { return p.Alloc || p.Text })
}
