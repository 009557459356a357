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
	return !w.harmless(name, c) && !adds(name, c, fn)
}

// adds reports whether a call only writes to a builder or buffer that the function itself makes, and formats nothing that may have methods
// for it.
func adds(name string, c *ssa.CallCommon, fn *ssa.Function) bool {
	method, own := strings.CutPrefix(name, "(*bytes.Buffer).")
	form, prints := strings.CutPrefix(name, "fmt.Fprint")
	switch {
	case own && method == "String" || method == "Len":
		return true
	case own && strings.HasPrefix(method, "Write") && method != "WriteTo":
		return ownMemory(c.Args[0], fn, map[ssa.Value]bool{})
	case !prints || form != "" && form != "f" && form != "ln":
		return false
	}
	to := carried(c.Args[0])
	return bufferKind(to.Type()) != "" && ownMemory(to, fn, map[ssa.Value]bool{}) && formatsPlain(c.Args[len(c.Args)-1])
}

// formatsPlain reports whether all that fmt is given for its last parameter are numbers, strings and the like, without methods that it calls.
func formatsPlain(given ssa.Value) bool {
	if c, ok := given.(*ssa.Const); ok {
		return c.IsNil()
	}
	s, ok := given.(*ssa.Slice)
	if !ok {
		return false
	}
	array, ok := s.X.(*ssa.Alloc)
	if !ok || array.Comment != "varargs" {
		return false
	}
	for _, user := range *array.Referrers() {
		element, ok := user.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, in := range *element.Referrers() {
			store, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			v := carried(store.Val)
			if !immutable(v.Type()) || slices.ContainsFunc(formatting, func(name string) bool { return hasMethod(v.Type(), name) }) {
				return false
			}
		}
	}
	return true
}

// formatting are the methods that fmt calls.
var formatting = []string{"Format", "GoString", "Error", "String"}

// function reports whether a function may change what was read.
func (w *rewrites) function(fn *ssa.Function) bool {
	if w.seen[fn] {
		return false
	}
	w.seen[fn] = true
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		_, panics := b.Instrs[len(b.Instrs)-1].(*ssa.Panic) // and nothing that was read is needed then
		return !(panics && fn.Recover == nil) && slices.ContainsFunc(b.Instrs, w.changes)
	})
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
