package poollocal

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// A pool that is copied with the struct around it, as by a method with a value receiver, is one that is local
// to the call, too: what is put into the copy is gone when the function returns. Pools that must not be copied
// by their own rules are left to poolmismatch.

// copies reports the functions that get from, or put into, a copy of a pool that they have made.
func copies(pass *rule.Pass, uses *pooluse.Uses) {
	reported := map[ssa.Value]bool{}
	for _, op := range uses.Ops {
		if !op.Kind.IsSync() || op.Verb != pooluse.Get && op.Verb != pooluse.Put {
			continue
		}
		root := op.Pool.Root
		if root == nil || reported[root] || strings.Contains(op.Pool.Path, "*") || !isCopy(root) {
			continue
		}
		reported[root] = true
		pass.Report(rule.Finding{Pos: root.Pos(), Category: rule.Leak,
			Message: op.Pool.String() + " is a copy that this call has made: what others put is not in it, and what is put here is lost when the call returns; use a pointer to the struct that has the pool",
			Related: []analysis.RelatedInformation{rule.Related(op.Pos(), "the copy is used here")}})
	}
}

// isCopy reports whether v is a struct that was passed by value, or a variable that is a copy of another.
func isCopy(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		switch v.Type().Underlying().(type) {
		case *types.Struct, *types.Array:
			return true
		}
	case *ssa.Alloc:
		copied := false
		for s := range ssautil.StoresTo(v) {
			if copied || !isOther(s.Val) {
				return false
			}
			copied = true
		}
		return copied
	}
	return false
}

// isOther reports whether v is the value of another variable, or a part of it, that lives on.
func isOther(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.Field:
		return isOther(v.X)
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return false
		}
		a, local := ssautil.Root(v.X).(*ssa.Alloc)
		return !local || isCopy(a) // a literal is a variable, too
	}
	return false
}
