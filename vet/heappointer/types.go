package heappointer

import (
	"go/token"
	"go/types"
)

// pointers reports whether a value of type t holds pointers that the collector would follow,
// and whether that depends on type parameters.
func pointers(t types.Type) (yes, depends bool) {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return false, true
	case *types.Named:
		return pointers(t.Underlying())
	case *types.Basic:
		return t.Kind() == types.String || t.Kind() == types.UnsafePointer || t.Kind() == types.UntypedString || t.Kind() == types.UntypedNil, false
	case *types.Array:
		if t.Len() == 0 {
			return false, false
		}
		return pointers(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			y, d := pointers(f.Type())
			if y {
				return true, false
			}
			depends = depends || d
		}
		return false, depends
	case *types.Tuple:
		return false, false
	}
	return true, false
}

// hasPointers reports whether a value of type t surely holds pointers.
func hasPointers(t types.Type) bool {
	yes, _ := pointers(t)
	return yes
}

// noPointers reports whether a value of type t surely holds none.
func noPointers(t types.Type) bool {
	yes, depends := pointers(t)
	return !yes && !depends
}

// word is a word for a type, for messages.
func word(t types.Type, from *types.Package) string {
	switch t.Underlying().(type) {
	case *types.Basic:
		if !address(t) {
			return "a string"
		}
	case *types.Slice:
		return "a slice"
	case *types.Map:
		return "a map"
	case *types.Chan:
		return "a channel"
	case *types.Interface:
		return "an interface value"
	case *types.Signature:
		return "a function"
	case *types.Struct, *types.Array:
		return "a value of type " + types.TypeString(t, types.RelativeTo(from)) + ", which has pointers,"
	}
	return "a pointer"
}

// writable reports whether code of other packages can assign pointers to fields of t.
func writable(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for f := range s.Fields() {
		if token.IsExported(f.Name()) && hasPointers(f.Type()) {
			return true
		}
	}
	return false
}
