package arenashared

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/code"
	"lessgc/vet/internal/ssautil"
)

// kinds are the arenas that one goroutine at a time may use. The value says whether it
// depends on how they were made.
var kinds = map[string]bool{
	"arena.Arena":                           false,
	"lessgc/arena.Arena":                    false,
	"lessgc/arena.Slab":                     false,
	"github.com/scttfrdmn/safearena.Arena":  false,
	"github.com/VoolFI71/go-arena.Arena":    false,
	"github.com/limpo1989/arena.Arena":      true,
	"github.com/ortuman/nuke.Arena":         true,
	"github.com/wundergraph/go-arena.Arena": true,
}

// single are the functions that make such an arena of a kind that depends on that. With
// options they may make another one.
var single = map[string]bool{
	"github.com/limpo1989/arena.NewArena":               true,
	"github.com/ortuman/nuke.NewMonotonicArena":         true,
	"github.com/wundergraph/go-arena.NewMonotonicArena": true,
}

// harmless are functions of arenas that do not change them.
var harmless = map[string]bool{"Stats": true, "NewContext": true, "InjectContextArena": true, "Adopt": true, "Share": true, "Len": true, "Cap": true, "Peak": true, "NewConcurrentArena": true}

// isArena says whether a value of type t is an arena, and whether it depends on how it was
// made.
func isArena(t types.Type) (is, depends bool) {
	depends, is = kinds[ssautil.TypeName(t)]
	return is, depends
}

// fullName is the name of the called function with its package and receiver, without type
// parameters; empty if it is not known.
func fullName(c *ssa.CallCommon) string {
	if f := ssautil.Callee(c); f != nil {
		return code.Plain(f.FullName())
	}
	return ""
}

// library says whether the called function is of a package of arenas, and uses one.
func library(c *ssa.CallCommon) bool {
	f := ssautil.Callee(c)
	if f == nil || f.Pkg() == nil || harmless[f.Name()] {
		return false
	}
	switch path := f.Pkg().Path(); path {
	case "arena", "lessgc/arena", "lessgc/arena/abytes", "lessgc/arena/amap", "lessgc/rpc/arenapb":
		return true
	default:
		for name := range kinds {
			if strings.HasPrefix(name, path+".") {
				return true
			}
		}
	}
	return false
}
