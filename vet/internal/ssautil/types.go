package ssautil

import "go/types"

// Deref returns the type that t points to, or t if it is not a pointer.
func Deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// Named returns the named type that t is or points to, or nil.
func Named(t types.Type) *types.Named {
	n, _ := types.Unalias(Deref(t)).(*types.Named)
	return n
}

// TypeName returns the full name of the type that t is or points to, such as sync.Pool, without
// type arguments. It is empty for types without a name, and for those of the universe.
func TypeName(t types.Type) string {
	n := Named(t)
	if n == nil || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// Elem returns the element type of a pointer or slice, or nil.
func Elem(t types.Type) types.Type {
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return t.Elem()
	case *types.Slice:
		return t.Elem()
	}
	return nil
}

// IsPointer reports whether t is a pointer, or has one as its underlying type.
func IsPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// IsSlice reports whether t is a slice.
func IsSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// IsString reports whether t is a string.
func IsString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// IsTypeParam reports whether t is a type parameter.
func IsTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// IsNamed reports whether t is the type of this name in the package with this path. A pointer to it is not.
func IsNamed(t types.Type, path, name string) bool {
	return t != nil && !IsPointer(t) && TypeName(t) == path+"."+name
}
