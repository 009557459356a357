package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// What is a value computed from? Two values without a common source say nothing of each other, as
// far as the function shows.
//
//	full := len(list) > max // sources: list, max
//	err := w.Flush()        // sources: w, the call, and Flush
//	if full { ... }         // has no source in common with err
//
// It takes a value and gives a set, or says that it does not know: of a variable with several
// values (a captured one counts if it is only set where it is declared), of a phi that does not count, of a call without arguments that may ask anything. Not
// knowing makes callers silent.

// Sources are what values are computed from: parameters, variables, fields, calls, and the functions that
// are called.
type Sources map[any]bool

// Share reports whether the two have a source in common: what one value is may say what the other is.
func (s Sources) Share(other Sources) bool {
	for x := range s {
		if other[x] {
			return true
		}
	}
	return false
}

// Named reports whether one of the variables, fields or functions has one of some names.
func (s Sources) Named(names []string) bool {
	for x := range s {
		switch x := x.(type) {
		case *ssa.Global:
			if slices.Contains(names, x.Name()) {
				return true
			}
		case types.Object:
			if slices.Contains(names, x.Name()) {
				return true
			}
		}
	}
	return false
}

// deepestSource bounds how far the sources of a value are looked for.
const deepestSource = 12

// SourcesOf adds what v is computed from to s. It reports false if that is not known: of a variable that
// branches set, and of calls that take what they tell from elsewhere.
func (f *Function) SourcesOf(v ssa.Value, s Sources) bool { return f.sourcesOf(v, s, 0) }

func (f *Function) sourcesOf(v ssa.Value, s Sources, depth int) bool {
	v = f.Resolve(v)
	if s[v] {
		return true
	}
	if depth > deepestSource {
		return false
	}
	switch x := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin:
		return true
	case *ssa.Parameter, *ssa.Global, *ssa.Alloc, *ssa.FreeVar, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		s[v] = true
		return true
	case *ssa.UnOp:
		switch cell := x.X.(type) {
		case *ssa.Alloc:
			if x.Op == token.MUL {
				return false // a variable with more than one value
			}
		case *ssa.FreeVar:
			if x.Op == token.MUL {
				return capturedSource(cell, s)
			}
		}
	case *ssa.Phi:
		s[v] = true
		return f.counterSources(x, s, depth)
	case *ssa.Call:
		s[v] = true
		if !f.callee(x, s) {
			return false
		}
	case *ssa.FieldAddr:
		if field := ssautil.Field(x); field != nil {
			s[field] = true
		}
	case *ssa.Field:
		if field := ssautil.FieldOf(x.X.Type(), x.Field); field != nil {
			s[field] = true
		}
	case *ssa.Select, *ssa.Next:
		s[v] = true
	}
	i, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	var operands [8]*ssa.Value
	for _, o := range i.Operands(operands[:0]) {
		if *o != nil && !f.sourcesOf(*o, s, depth+1) {
			return false
		}
	}
	return true
}

// capturedSource adds the variable that a closure has captured as v, if it has one value: where the closure
// is made, the function around it can set it no more.
func capturedSource(v *ssa.FreeVar, s Sources) bool {
	cell := capturedVariable(v, 0)
	if cell == nil || !setOnce(cell) {
		return false
	}
	s[cell] = true
	return true
}

// setOnce reports whether one store, where it is declared, is all that writes to a variable.
func setOnce(cell *ssa.Alloc) bool {
	stores := 0
	for i := range ssautil.Uses[ssa.Instruction](cell) {
		switch i := i.(type) {
		case *ssa.Store:
			if i.Addr != ssa.Value(cell) {
				return false
			}
			stores++
		case *ssa.MakeClosure:
			if writesTo(i, cell) {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return stores == 1
}

// counterSources adds the sources of a variable that a loop counts with. All others depend on which way
// control has come.
func (f *Function) counterSources(phi *ssa.Phi, s Sources, depth int) bool {
	counts := false
	for _, e := range phi.Edges {
		if sum, ok := e.(*ssa.BinOp); ok && sum.X == ssa.Value(phi) && isConst(sum.Y) {
			counts = true
		} else if !f.sourcesOf(e, s, depth+1) {
			return false
		}
	}
	return counts
}

// callee adds the function that is called, as two calls of one may tell the same. It reports false if the
// call has no arguments and can tell all that the program knows; whether it failed is its own.
func (f *Function) callee(c *ssa.Call, s Sources) bool {
	if ssautil.Builtin(&c.Call) != "" {
		return true
	}
	k := f.Callee(&c.Call)
	if k.Func != nil {
		s[k.Func] = true
	}
	res := c.Call.Signature().Results()
	return len(k.Args) > 0 || res.Len() > 0 && types.Identical(res.At(res.Len()-1).Type(), ErrorType)
}
