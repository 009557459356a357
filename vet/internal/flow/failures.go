package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Does a branch ask whether the value has failed? What may be broken is not put back, on purpose.
//
//	if err := c.read(); err != nil {
//		return err // c is dropped
//	}
//
// It takes the error that a condition looks at, and follows it to the call that has returned it. A
// wrong yes makes the value dropped on that edge, which is silence.

// onFailure reports whether a condition looks at the error of a method of the value, which may
// have broken it.
//
// A connection that has failed to read is not put back, on purpose. A buffer cannot break, so an
// error return past it is a leak:
//
//	if err := c.read(); err != nil {
//		return err // c is dropped
//	}
//	if _, err := b.ReadFrom(r); err != nil {
//		return err // b is lost
//	}
func (r *States) onFailure(cond ssa.Value, yes bool) bool {
	if r.memory || isBuffer(r.Aliases.Root.Type()) || r.buffer() {
		return false
	}
	if v, zero := r.Aliases.Func.test(cond, yes); zero && types.Identical(v.Type(), ErrorType) {
		return false // it has not failed
	}
	switch c := cond.(type) {
	case *ssa.BinOp:
		if IsNil(c.Y) && yes == (c.Op == token.EQL) {
			return false // it has not failed
		}
		return r.ownError(r.Aliases.Func.Resolve(c.X), 0) || r.ownError(r.Aliases.Func.Resolve(c.Y), 0)
	case *ssa.Call:
		if c.Call.Signature().Recv() != nil && len(c.Call.Args) > 0 && r.Aliases.Mark(c.Call.Args[0])&MarkSame != 0 {
			k := r.Aliases.Func.Callee(&c.Call)
			return k.Summary == nil || !marks(k) // it says itself that it is of no use
		}
		for _, a := range c.Call.Args {
			if r.ownError(r.Aliases.Func.Resolve(a), 0) {
				return true
			}
		}
	}
	return false
}

// buffer reports whether the value is used as a buffer, which nothing can break.
func (r *States) buffer() bool {
	for _, n := range r.Aliases.Nodes.List {
		if n.Mark&MarkSame != 0 && isBuffer(n.Value.Type()) {
			return true
		}
	}
	return false
}

// isBuffer reports whether t is a slice or a buffer, or points to one.
func isBuffer(t types.Type) bool {
	return ssautil.IsSlice(ssautil.Deref(t)) || catalog.TypeOf(t).Buffer
}

// ownError reports whether v is the error of a method of the value or of one of its fields, or that it
// has kept, or of a call on a stream that it uses.
func (r *States) ownError(v ssa.Value, depth int) bool {
	if depth > 4 || !types.Identical(v.Type(), ErrorType) {
		return false
	}
	var call *ssa.Call
	switch x := v.(type) {
	case *ssa.Extract:
		call, _ = x.Tuple.(*ssa.Call)
	case *ssa.Call:
		call = x
	case *ssa.UnOp: // an error that it has kept
		fa, ok := x.X.(*ssa.FieldAddr)
		return ok && r.Aliases.Mark(fa)&(MarkSame|MarkAlias) != 0
	case *ssa.Phi:
		for _, e := range x.Edges {
			if r.ownError(r.Aliases.Func.Resolve(e), depth+1) {
				return true
			}
		}
	}
	if call == nil {
		return false
	}
	k := r.Aliases.Func.Callee(&call.Call)
	if call.Call.Signature().Recv() == nil && !call.Call.IsInvoke() {
		return slices.ContainsFunc(k.Args, r.isStream) || r.handsOnError(k)
	}
	if len(k.Args) == 0 {
		return false
	}
	if r.Aliases.Mark(k.Args[0]) != 0 || ownerOf(k.Args[0]) == r.Aliases.Root {
		return true
	}
	u, ok := k.Args[0].(*ssa.UnOp) // a method of one of its fields
	return ok && r.Aliases.Mark(u.X)&(MarkSame|MarkAlias) != 0
}

// handsOnError reports whether a function of the package that gets the value returns the error of one
// of its methods.
func (r *States) handsOnError(k Callee) bool {
	f := r.Aliases.Func.Package.Funcs[k.Source]
	if f == nil {
		return false
	}
	for i, arg := range k.Args[:k.Captured] {
		if r.Aliases.Mark(arg)&MarkSame == 0 || i >= len(f.Params) {
			continue
		}
		for _, ret := range f.Returns() {
			for _, v := range ret.Results {
				c, ok := f.Resolve(v).(*ssa.Call)
				if !ok || !types.Identical(c.Type(), ErrorType) {
					continue
				}
				if args := ssautil.Arguments(&c.Call); len(args) > 0 && asserted(args[0]) == ssa.Value(f.Params[i]) && (c.Call.IsInvoke() || c.Call.Signature().Recv() != nil) {
					return true
				}
			}
		}
	}
	return false
}

// isStream reports whether v is what a field of the value reads from, or writes to: a connection
// that others were given.
func (r *States) isStream(v ssa.Value) bool {
	u, ok := ssautil.Root(v).(*ssa.UnOp)
	if !ok || r.Aliases.Mark(u.X)&(MarkSame|MarkAlias) == 0 {
		return false
	}
	set := types.NewMethodSet(u.Type())
	return set.Lookup(nil, "Read") != nil || set.Lookup(nil, "Write") != nil
}

// Failure returns the call whose error a condition compares with nil, and whether the condition is met
// if there is one.
func (f *Function) Failure(cond ssa.Value) (call *ssa.Call, failed bool) {
	c, ok := cond.(*ssa.BinOp)
	if !ok || !IsNil(c.Y) || c.Op != token.EQL && c.Op != token.NEQ || !types.Identical(c.X.Type(), ErrorType) {
		return nil, false
	}
	switch x := f.Resolve(c.X).(type) {
	case *ssa.Extract:
		call, _ = x.Tuple.(*ssa.Call)
	case *ssa.Call:
		call = x
	}
	return call, c.Op == token.NEQ
}
