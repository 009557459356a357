package lever

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var keepBox = &Lever{
	Name:  "keep-box",
	Title: "keep the interface, instead of making it again",
	Looks: "a string, number, slice or struct that becomes an interface to be returned, twice or more in each operation, and that was there before: an element or field of what the function is given, its receiver, or a parameter.",
	Wrong: "when most values are new, or wanted once: then the interface is made once in any case.",
	Before: `func (p params) Get(name string) (any, error) {
	return p.values[p.index[name]], nil // values is a []string
}`,
	After: `func (p params) Get(name string) (any, error) {
	return p.values[p.index[name]], nil // values is a []any, made once
}`,
	Model: "A value that is not a pointer takes an object of its own each time it becomes an interface.",
	Risk:  NoRisk,
	Asks:  "Is the same value asked for again and again, so that the interface can be kept where the value is, or can the callers take the value with its own type?",
	Saves: Saves{Alloc: Range{0.3, 1}, Collect: Range{0.3, 1}},
	find:  findKeepBox,
}

func findKeepBox(p *Line) (f Finding) {
	if each := p.each(); each > 0 && each < 2 {
		return f
	}
	var found *ssa.MakeInterface
	var why Evidence
	f.Share = p.boxedShare(func(made *ssa.MakeInterface) bool {
		ret := returnOf(made, 0)
		if ret == nil || isError(made.Type()) || !takesMemory(made.X.Type()) {
			return false
		}
		e, ok := p.thereBefore(made, ret)
		if !ok {
			return false
		}
		found, why = made, e
		return true
	})
	if found == nil || f.Share == 0 {
		return Finding{}
	}
	pos := returnOf(found, 0).Pos()
	f.Calls = conversions
	f.Evidence = []Evidence{p.at(pos, fmt.Sprintf("a %s becomes a %s to be returned%s", short(found.X.Type()), short(found.Type()), p.perOperation())), why}
	return f
}

// returnOf returns the instruction that returns a value, or nil if the value is not returned or has other uses.
func returnOf(v ssa.Value, depth int) (found *ssa.Return) {
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Return:
			found = in
		case *ssa.Phi, *ssa.ChangeInterface:
			if depth > 3 || returnOf(in.(ssa.Value), depth+1) == nil {
				return nil
			}
			found = returnOf(in.(ssa.Value), depth+1)
		default:
			return nil
		}
	}
	return found
}

// thereBefore is the evidence that a value which becomes an interface was there before the function was called.
func (p *Line) thereBefore(made *ssa.MakeInterface, ret *ssa.Return) (e Evidence, ok bool) {
	fn := ret.Parent()
	v, as := made.X, ""
	if convert, is := v.(*ssa.Convert); is && types.Identical(convert.Type().Underlying(), convert.X.Type().Underlying()) {
		v, as = convert.X, short(convert.Type())
	}
	if change, is := v.(*ssa.ChangeType); is {
		v, as = change.X, short(change.Type())
	}
	if param, is := v.(*ssa.Parameter); is {
		if fn.Signature.Recv() != nil && len(fn.Params) > 0 && param == fn.Params[0] {
			if as != "" {
				return p.at(param.Pos(), "it is the receiver as a "+as+": where callers only compare it, or look it up, the interface by which they call the method serves as well"), true
			}
			return p.at(param.Pos(), "it is the receiver: callers that have it as an interface already can assert that to the interface they want (x, ok := v.(I)), which allocates nothing"), true
		}
		return p.at(param.Pos(), fmt.Sprintf("it is parameter %s: callers can keep the last few values with the interfaces made of them, or take the value as it is", param.Name())), true
	}
	if field, name := loadedFrom(v, 0); field.IsValid() {
		return p.at(field, fmt.Sprintf("it is kept in %s: there, the interface can be made once, as a field or slice of type any; or callers take the value with its own type", name)), true
	}
	return e, false
}

// loadedFrom is the field that a value was loaded from, or from an element of which, if what has it was given.
func loadedFrom(v ssa.Value, depth int) (at token.Pos, name string) {
	if depth > 4 {
		return 0, ""
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return 0, ""
		}
		switch address := v.X.(type) {
		case *ssa.FieldAddr:
			if field := fieldOf(address); field != nil && given(address.X, 0) {
				return field.Pos(), "field " + field.Name()
			}
		case *ssa.IndexAddr:
			if at, name := loadedFrom(address.X, depth+1); at.IsValid() {
				return at, "the elements of " + name
			}
			if param, ok := address.X.(*ssa.Parameter); ok {
				return param.Pos(), "the elements of " + param.Name()
			}
		}
	case *ssa.Field:
		if t, ok := v.X.Type().Underlying().(*types.Struct); ok && given(v.X, 0) {
			return t.Field(v.Field).Pos(), "field " + t.Field(v.Field).Name()
		}
	case *ssa.Lookup:
		return loadedFrom(v.X, depth+1)
	}
	return 0, ""
}

// given reports whether a value is a parameter, a variable outside, or was loaded from one.
func given(v ssa.Value, depth int) bool {
	if depth > 5 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return true
	case *ssa.UnOp:
		return v.Op == token.MUL && given(v.X, depth+1)
	case *ssa.FieldAddr:
		return given(v.X, depth+1)
	case *ssa.Field:
		return given(v.X, depth+1)
	case *ssa.IndexAddr:
		return given(v.X, depth+1)
	case *ssa.TypeAssert:
		return given(v.X, depth+1)
	case *ssa.Extract:
		return given(v.Tuple, depth+1)
	case *ssa.Lookup:
		return given(v.X, depth+1)
	case *ssa.Alloc: // a parameter that has a variable of its own
		for _, in := range *v.Referrers() {
			if store, ok := in.(*ssa.Store); ok && store.Addr == v {
				if _, param := store.Val.(*ssa.Parameter); param {
					return true
				}
			}
		}
	}
	return false
}
