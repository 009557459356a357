package arenashared

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
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

// typeName is the full name of the type that t is, or points to; empty if it has none.
func typeName(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// isArena says whether a value of type t is an arena, and whether it depends on how it was
// made.
func isArena(t types.Type) (is, depends bool) {
	depends, is = kinds[typeName(t)]
	return is, depends
}

// callee is the called function, nil if it is not known.
func callee(c *ssa.CallCommon) *types.Func {
	if c.IsInvoke() {
		return c.Method
	}
	if f := c.StaticCallee(); f != nil {
		if object, ok := f.Object().(*types.Func); ok {
			return object.Origin()
		}
	}
	return nil
}

// fullName is the name of the called function with its package and receiver; empty if it
// is not known.
func fullName(c *ssa.CallCommon) string {
	f := callee(c)
	if f == nil {
		return ""
	}
	full := f.FullName()
	if i := strings.IndexByte(full, '['); i >= 0 { // a receiver with type parameters
		if j := strings.LastIndexByte(full, ']'); j > i {
			full = full[:i] + full[j+1:]
		}
	}
	return full
}

// library says whether the called function is of a package of arenas, and uses one.
func library(c *ssa.CallCommon) bool {
	f := callee(c)
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

// operands are the receiver and the arguments of a call.
func operands(c *ssa.CallCommon) []ssa.Value {
	if c.IsInvoke() {
		return append([]ssa.Value{c.Value}, c.Args...)
	}
	return c.Args
}
