package arenashared

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// harmless are functions of arenas that do not change them.
var harmless = map[string]bool{"Stats": true, "NewContext": true, "InjectContextArena": true, "Adopt": true, "Share": true, "Len": true, "Cap": true, "Peak": true, "NewConcurrentArena": true}

// isArena reports whether a value of type t is an arena, and whether it depends on how it was
// made.
func isArena(t types.Type) (is, depends bool) {
	known := catalog.TypeOf(t)
	return known.Confined, known.Depends
}

// library reports whether the called function is of a package of arenas, and uses one.
func library(c *ssa.CallCommon) bool {
	f := ssautil.Callee(c)
	if f == nil || f.Pkg() == nil || harmless[f.Name()] {
		return false
	}
	switch f.Pkg().Path() {
	case "lessgc/arena/abytes", "lessgc/arena/amap", "lessgc/rpc/arenapb":
		return true
	}
	return catalog.Declares(f.Pkg(), nil, func(t *catalog.Type) bool { return t.Confined })
}
