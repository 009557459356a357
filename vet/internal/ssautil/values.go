package ssautil

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// IsNil reports whether v is the constant nil.
func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// Root returns the value that an address, slice, conversion or type assertion begins with. It does
// not follow loads.
func Root(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.Extract:
			t, ok := x.Tuple.(*ssa.TypeAssert)
			if !ok {
				return v
			}
			v = t.X
		default:
			return v
		}
	}
}

// Field returns the field whose address fa is, as its generic type declares it. It is nil where
// the struct is a type parameter.
func Field(fa *ssa.FieldAddr) *types.Var { return FieldOf(fa.X.Type(), fa.Field) }

// FieldOf returns field i of a struct, or of the struct that t points to, as its generic type
// declares it. It is nil for other types.
func FieldOf(t types.Type, i int) *types.Var {
	if s, ok := Deref(t).Underlying().(*types.Struct); ok {
		return s.Field(i).Origin()
	}
	return nil
}

// LoadedFrom returns the address of the field that v is loaded from, or nil.
func LoadedFrom(v ssa.Value) *ssa.FieldAddr {
	u, ok := v.(*ssa.UnOp)
	if !ok || u.Op != token.MUL {
		return nil
	}
	fa, _ := u.X.(*ssa.FieldAddr)
	return fa
}

// LoadedField returns the field that v is loaded from, or nil.
func LoadedField(v ssa.Value) *types.Var {
	if fa := LoadedFrom(v); fa != nil {
		return Field(fa)
	}
	return nil
}

// IsComparison reports whether an operator compares two values: ==, !=, <, <=, > or >=.
func IsComparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}
