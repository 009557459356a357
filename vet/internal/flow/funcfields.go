package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// What does a call of a function in a field do?
//
//	t.back = func() { tickets.Put(t) }
//	t.back() // may release t, which the closure has captured
//
//	t.probe = func() bool { return len(t.buf) > 0 }
//	t.probe() // does not
//
// It takes all stores to unexported fields that hold functions. One of anything else than a
// function opens the field. What a closure does with its parameters is known; what it does with
// captured variables only perhaps, as the struct may be another one by then.

// setsReleaser reports whether a store puts a closure that may release the origin, v, where others find
// it, such as a field: they may call it.
func (d *Aliases) setsReleaser(s *ssa.Store, v ssa.Value) bool {
	c, ok := v.(*ssa.MakeClosure)
	if _, variable := s.Addr.(*ssa.Alloc); !ok || variable {
		return false
	}
	return d.releasedBy(c)
}

// fieldCallEffects adds what calls of a function do that was loaded from a field of the origin: it may be
// one that puts the origin back.
func (d *Aliases) fieldCallEffects(all Effects, load *ssa.UnOp, v ssa.Value, m Mark) {
	if _, ok := load.X.(*ssa.FieldAddr); !ok || !d.Func.Package.mayPutBack(load) {
		return
	}
	for c := range ssautil.Uses[ssa.CallInstruction](load) {
		if c.Common().Value != ssa.Value(load) {
			continue
		}
		x := Effect{Kind: EffectMayRelease, Value: v, Mark: m}
		switch c.(type) {
		case *ssa.Defer:
			x.Kind = EffectMayDefer
		case *ssa.Go:
			x.Kind = EffectHandOver
		}
		all.add(c, x)
	}
}

// fieldFuncs holds what the package stores in a field for functions.
type fieldFuncs struct {
	values []ssa.Value // functions and closures
	open   bool        // others may be there too
}

// findFieldFuncs finds what is stored in the unexported fields that hold functions.
func (a *Package) findFieldFuncs(functions []*ssa.Function) {
	a.inFields = map[*types.Var]*fieldFuncs{}
	for _, f := range functions {
		for fa := range ssautil.InstructionsOf[*ssa.FieldAddr](f) {
			x := ssautil.Field(fa)
			if x == nil || !isFunc(x.Type()) || x.Exported() || x.Pkg() != a.Pass.Pkg {
				continue
			}
			if a.inFields[x] == nil {
				a.inFields[x] = new(fieldFuncs)
			}
			a.inFields[x].add(fa)
		}
	}
}

// add notes what is done at one address of the field.
func (all *fieldFuncs) add(fa *ssa.FieldAddr) {
	for use := range ssautil.Uses[ssa.Instruction](fa) {
		switch use := use.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			continue
		case *ssa.Store:
			stored := use.Val
			if named, ok := stored.(*ssa.ChangeType); ok { // to a type of functions
				stored = named.X
			}
			switch v := stored.(type) {
			case *ssa.Function, *ssa.MakeClosure:
				all.values = append(all.values, v)
				continue
			case *ssa.Const:
				continue
			case *ssa.UnOp: // a copy of the same field
				if from := ssautil.LoadedFrom(v); from != nil && ssautil.Field(from) == ssautil.Field(fa) {
					continue
				}
			}
		}
		all.open = true
	}
}

// functions returns those that may be called.
func (all *fieldFuncs) functions() (list []*ssa.Function) {
	if all == nil {
		return nil
	}
	for _, v := range all.values {
		if c, ok := v.(*ssa.MakeClosure); ok {
			v = c.Fn
		}
		if fn, ok := v.(*ssa.Function); ok {
			list = append(list, fn)
		}
	}
	return list
}

// inField returns what is known of the field that a function value is loaded from; nil for others.
func (a *Package) inField(v ssa.Value) *fieldFuncs {
	if fa := ssautil.LoadedFrom(v); fa != nil {
		if x := ssautil.Field(fa); x != nil {
			return a.inFields[x]
		}
	}
	return nil
}

// fieldSummary returns what a call of a function does that is loaded from a field; nil unless all that
// can be there is known. Args is the number of arguments.
func (a *Package) fieldSummary(v ssa.Value, args int) *Summary {
	all := a.inField(v)
	if all == nil || all.open {
		return nil
	}
	sum := joinAll(all.values, func(v ssa.Value) *Summary { return a.uncaptured(v, args) })
	if sum == nil || len(all.values) == 1 {
		return sum
	}
	for _, v := range all.values {
		sum.keepAs(a.uncaptured(v, args), args)
	}
	return sum
}

// keepAs adds which arguments a function keeps that is one of several: whoever calls the field has to expect it.
func (s *Summary) keepAs(one *Summary, args int) {
	for i := range args {
		if p := one.Param(i); p.Keep {
			q := s.grow(i)
			q.Keep, q.keptAt = true, p.keptAt
		}
	}
}

// uncaptured returns what a function value does with its arguments. What it stores in a captured variable
// may be anywhere.
//
// A bit of KeptIn that is no argument of the call stands for a captured variable: the caller cannot
// name that.
func (a *Package) uncaptured(v ssa.Value, args int) *Summary {
	c, closure := v.(*ssa.MakeClosure)
	if closure {
		v = c.Fn
	}
	fn, ok := v.(*ssa.Function)
	if !ok {
		return nil
	}
	obj, _ := ssautil.Generic(fn).Object().(*types.Func)
	s := a.summary(ssautil.Generic(fn), obj)
	if s == nil || !closure {
		return s
	}
	first := 0
	if isMethodValue(fn) {
		first = 1 // the receiver is captured
	}
	out := &Summary{Acquires: s.Acquires}
	for i := range args {
		p := *s.Param(first + i)
		if kept := p.KeptIn; kept != 0 {
			p.KeptIn = kept >> first & (1<<args - 1)
			p.Unknown = p.Unknown || p.KeptIn<<first != kept
		}
		p.Keep = p.Keep || p.KeepOut // its variables live as long as the function does
		p.Told = toldOutside(p.Told, first)
		*out.grow(i) = p
	}
	return out
}

// toldOutside returns what tells of a release if that is a result: arguments may be captured ones.
func toldOutside(t *Told, first int) *Told {
	if t == nil || t.Result >= 0 || first == 0 {
		return t
	}
	return nil
}

// mayPutBack reports whether one of the functions in a field may release the struct that has it, as one
// does that has captured it. A function with parameters of its own is a callback, which works on those.
//
// Where others may set the field, a function without parameters is taken for one that puts back:
// that is what such fields are for, and a wrong yes costs a finding.
func (a *Package) mayPutBack(load *ssa.UnOp) bool {
	sig, ok := load.Type().Underlying().(*types.Signature)
	if !ok {
		return false
	}
	all := a.inField(load)
	if (all == nil || all.open) && sig.Params().Len() == 0 {
		return true
	}
	return all != nil && slices.ContainsFunc(all.values, a.releasesCaptured)
}

// releasesCaptured reports whether a function value may release what it has captured.
func (a *Package) releasesCaptured(v ssa.Value) bool {
	c, ok := v.(*ssa.MakeClosure)
	if !ok {
		return false
	}
	fn := c.Fn.(*ssa.Function)
	first := len(fn.Params)
	if isMethodValue(fn) { // the receiver is captured
		first = 0
	}
	obj, _ := fn.Object().(*types.Func)
	s := a.summary(fn, obj)
	for i := range c.Bindings {
		if s == nil || s.Param(first+i).Release != ReleaseNever || s.Param(first+i).Unknown {
			return true
		}
	}
	return false
}
