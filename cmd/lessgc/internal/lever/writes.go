package lever

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// where names the memory at an address by its field or type: two addresses with other names are not the
// same, as long as nobody uses package unsafe.
func where(address ssa.Value) []string {
	if field, ok := address.(*ssa.FieldAddr); ok && fieldOf(field) != nil {
		return append(fieldKeys(fieldOf(field).Type()), fieldKey(fieldOf(field)))
	}
	pointer, ok := address.Type().Underlying().(*types.Pointer)
	if !ok {
		return []string{"?"}
	}
	return append(fieldKeys(pointer.Elem()), typeKey(pointer.Elem()))
}

// fieldKeys are the names of the fields of a struct, and of structs in it.
func fieldKeys(t types.Type) (all []string) {
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for field := range t.Fields() {
			all = append(append(all, fieldKey(field)), fieldKeys(field.Type())...)
		}
	case *types.Array:
		all = append(append(all, typeKey(t.Elem())), fieldKeys(t.Elem())...)
	}
	return all
}

func fieldKey(field *types.Var) string {
	return "field " + field.Name() + " " + types.TypeString(field.Type(), nil)
}

func typeKey(t types.Type) string { return types.TypeString(t.Underlying(), nil) }

// rewrites finds out what instructions change.
type rewrites struct {
	program *Program
	read    map[string]bool // where the question is about
	seen    map[*ssa.Function]bool
}

// changes reports whether an instruction may change what was read. What is not understood does.
func (w *rewrites) changes(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		if a, ok := base(in.Addr).(*ssa.Alloc); ok && !a.Heap {
			return false
		}
		return w.any(where(in.Addr))
	case *ssa.MapUpdate:
		return w.any([]string{typeKey(in.Map.Type())}) && !ownMemory(in.Map, in.Parent(), map[ssa.Value]bool{})
	case *ssa.Call:
		return w.call(in.Common(), in.Parent())
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case *ssa.Go, *ssa.Send, *ssa.Select, *ssa.RunDefers:
		return true
	}
	return false // a deferred call is executed later
}

func (w *rewrites) any(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return w.read[key] || key == "?" })
}

func (w *rewrites) call(c *ssa.CallCommon, fn *ssa.Function) bool {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy", "clear", "delete":
			t := c.Args[0].Type()
			if s, ok := t.Underlying().(*types.Slice); ok {
				return w.any(append(fieldKeys(s.Elem()), typeKey(s.Elem()))) && !ownMemory(c.Args[0], fn, map[ssa.Value]bool{})
			}
			return w.any([]string{typeKey(t)})
		}
		return false
	}
	callee := c.StaticCallee()
	if callee == nil {
		return true
	}
	if len(callee.Blocks) > 0 {
		return w.function(callee)
	}
	name := fullName(callee)
	return !w.harmless(name, c)
}

// function reports whether a function may change what was read.
func (w *rewrites) function(fn *ssa.Function) bool {
	if w.seen[fn] {
		return false
	}
	w.seen[fn] = true
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, w.changes) })
}

// harmless reports whether a function of the standard library changes nothing that was read.
func (w *rewrites) harmless(name string, c *ssa.CallCommon) bool {
	for _, arg := range c.Args {
		switch fn := arg.(type) {
		case *ssa.MakeClosure:
			if w.function(fn.Fn.(*ssa.Function)) {
				return false
			}
		case *ssa.Function:
			if w.function(fn) {
				return false
			}
		default:
			if _, function := arg.Type().Underlying().(*types.Signature); function {
				return false
			}
		}
	}
	if name == "encoding/json.Unmarshal" {
		made, ok := c.Args[1].(*ssa.MakeInterface)
		return ok && !w.any(where(made.X))
	}
	for _, prefix := range []string{"strings.", "(*strings.Builder).", "strconv.", "regexp.", "(*regexp.Regexp).", "(*sync.Map).Load",
		"errors.New", "unicode", "math.", "time.Now", "time.Since", "(time.Time).", "sync/atomic.Load"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
