package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Questions about a single value or type that several analyses ask. They look at how a value is
// made, and not at paths. Where that is a call, isLocal and isNew guess.

// isLocal reports whether what v points to was made in this function, so that it is known who
// gets it: allocated, or returned by a call.
func isLocal(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
		return true
	case *ssa.Call:
		// That a callee keeps what it returns is not considered, which errs towards silence: what
		// is stored in something local is not kept.
		return !x.Call.IsInvoke() // an interface hands out what others have
	case *ssa.UnOp:
		return emptied(x)
	case *ssa.Extract:
		c, ok := x.Tuple.(*ssa.Call)
		return ok && !c.Call.IsInvoke()
	case *ssa.Phi:
		// Phis of phis are not followed: they may go in circles.
		for _, e := range x.Edges {
			if _, again := e.(*ssa.Phi); again || !isLocal(ssautil.Root(e)) {
				return false
			}
		}
		return true
	}
	return false
}

// emptied reports whether a load is from a field that is set to nil afterwards: no one else has
// what was in it.
//
// The load has to dominate the store; whether the store is executed on all paths is not asked:
//
//	q := u.next
//	u.next = nil // q is the function's alone
func emptied(load *ssa.UnOp) bool {
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	for s := range ssautil.InstructionsOf[*ssa.Store](load.Parent()) {
		to, ok := s.Addr.(*ssa.FieldAddr)
		if ok && IsNil(s.Val) && to.Field == fa.Field && sameVariable(to.X, fa.X) && ssautil.Before(load, s) {
			return true
		}
	}
	return false
}

// sameVariable reports whether two values are one, or are loaded from a variable that is set only once.
func sameVariable(v, w ssa.Value) bool {
	if v == w {
		return true
	}
	x, ok := v.(*ssa.UnOp)
	if !ok || !sameLoad(v, w) {
		return false
	}
	cell, ok := x.X.(*ssa.Alloc)
	return ok && onlyStore(cell) != nil
}

func isConst(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok && v != unknown
}

// IsNil reports whether v is the constant nil or the zero value of a type that has no constants.
func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil && v != unknown
}

func isFlag(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool
}

// isZero reports whether v is the constant 0.
func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) == 0
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

func isArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// isEmpty reports whether v is a constant, such as nil, or a slice without elements: nothing that
// could be in it.
func isEmpty(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.MakeSlice:
		return isZero(x.Len)
	case *ssa.Slice: // make with a constant capacity, or a literal
		// The array behind it has no other use, so nothing is stored in it.
		a, ok := x.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		array, ok := ssautil.Deref(a.Type()).Underlying().(*types.Array)
		return ok && (array.Len() == 0 || x.High != nil && isZero(x.High)) && len(*a.Referrers()) == 1
	}
	return isConst(v)
}

func isVarargs(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	_, ok = s.X.(*ssa.Alloc)
	return ok
}

func isPointer(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	}
	return false
}

func textIf(t types.Type, m Mark) Mark {
	if ssautil.IsString(t) {
		return MarkText
	}
	return m & MarkDeep
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// elem is the type of the elements of a slice.
func elem(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return t
}

// pointers reports whether a value of type t can share memory with another.
func pointers(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer || t.Kind() == types.String
	case *types.Array:
		return pointers(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if pointers(f.Type()) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for v := range t.Variables() {
			if pointers(v.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// IsCopy reports whether v is a value that shares no memory, perhaps in an interface: who has it has a copy
// of the number that is pooled.
//
// An example: ids.Get().(int). After ids.Put(id) the number that was returned is still the same.
func IsCopy(v ssa.Value) bool {
	if i, ok := v.(*ssa.MakeInterface); ok {
		v = i.X
	}
	return !pointers(v.Type())
}

// Bytes reports whether t is []byte.
func Bytes(t types.Type) bool {
	s, ok := t.(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// ErrorType is the type error.
var ErrorType = types.Universe.Lookup("error").Type()

// LoadedFrom returns the value that v begins with, loads included.
//
// Of s.conn.buf[1:] it is s, whatever has been stored in the fields on the way.
func LoadedFrom(v ssa.Value) ssa.Value {
	for {
		v = ssautil.Root(v)
		u, ok := v.(*ssa.UnOp)
		if !ok || u.Op != token.MUL {
			return v
		}
		v = u.X
	}
}

// PosOf returns where an instruction is in the source, or what it works on.
func PosOf(i ssa.Instruction) token.Pos {
	if p := i.Pos(); p.IsValid() {
		return p
	}
	var operands [8]*ssa.Value
	for _, o := range i.Operands(operands[:0]) {
		if *o != nil && (*o).Pos().IsValid() {
			if _, ok := (*o).(*ssa.Alloc); !ok {
				return (*o).Pos()
			}
		}
	}
	return i.Pos()
}

// FieldName returns the name of the field whose address fa is, for messages and comparisons within a
// function. It is the same for all fields of type parameters.
func FieldName(fa *ssa.FieldAddr) string {
	if f := ssautil.Field(fa); f != nil {
		return f.Name()
	}
	return "a field"
}

// isNested reports whether v is the address of a struct that is a field.
func isNested(v ssa.Value) bool {
	fa, ok := v.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	_, ok = fa.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	return ok
}

// unsliced returns the slice that v is a part of.
func unsliced(v ssa.Value) ssa.Value {
	for {
		s, ok := v.(*ssa.Slice)
		if !ok {
			return v
		}
		v = s.X
	}
}

// isNew reports whether v is new memory: what is returned when the pool is empty.
func isNew(v ssa.Value) bool {
	switch x := ssautil.Root(v).(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.Const:
		return true
	case *ssa.Call:
		// A guess by the name, for functions of others as well.
		f := x.Call.StaticCallee()
		return f != nil && (len(f.Name()) > 2 && (f.Name()[:3] == "New" || f.Name()[:3] == "new"))
	}
	return false
}

// isMethodValue reports whether the function of a closure is a method whose receiver it has captured.
func isMethodValue(fn *ssa.Function) bool { return fn.Synthetic != "" && fn.Object() != nil }

func param(v ssa.Value) *ssa.Parameter {
	p, _ := v.(*ssa.Parameter)
	return p
}

// Receives reports whether an instruction receives from a channel.
func Receives(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.UnOp:
		return i.Op == token.ARROW
	case *ssa.Select:
		return slices.ContainsFunc(i.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly })
	}
	return false
}

// ReturnPos returns the position of a return; that at the end of a function with named results may
// have none of its own.
func (f *Function) ReturnPos(ret *ssa.Return) token.Pos {
	if p := ret.Pos(); p.IsValid() {
		return p
	}
	if s := f.Syntax(); s != nil {
		return s.End() - 1
	}
	return f.Pos()
}

// asserted returns the value that v is as another type.
func asserted(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.Extract:
			t, ok := x.Tuple.(*ssa.TypeAssert)
			if !ok {
				return v
			}
			v = t.X
		case *ssa.TypeAssert:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return v
		}
	}
}
