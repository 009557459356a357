package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Which methods can a call through an interface reach?
//
//	rc, err := open(b) // returns *decoder, or nil, on all paths
//	rc.Close()         // (*decoder).Close
//
//	func accept(to sink, b *block) error {
//		return to.accept(b) // what all types do that implement sink, if only this package has such
//	}
//
//	func drain(to Drain, b *block) error {
//		return to.Take(b) // not known: others may implement an exported interface
//	}
//
// It takes the value in the interface, if all that it can be has one type, or else the types of the
// package. If one method has no body here, or the interface is open to others, the call hands its
// arguments over: silence.

// invoked returns what a call through an interface does, if it is known which types can be in there: that
// of the value, or all that implement an interface of which other packages make no values. It is what the
// methods of all of them do, and nil if one is not known.
func (f *Function) invoked(c *ssa.CallCommon) *Summary { return f.Package.joined(f.targets(c)) }

// targets returns the methods that a call through an interface can reach, all of them; none if others are
// possible too.
func (f *Function) targets(c *ssa.CallCommon) []*ssa.Function {
	all, ok := f.invokes[c]
	if ok {
		return all
	}
	if t := f.dynamicType(c.Value, 0); t != nil {
		all = f.Package.method(t, c.Method)
	} else {
		all = f.Package.implementations(c)
	}
	if f.invokes == nil {
		f.invokes = map[*ssa.CallCommon][]*ssa.Function{}
	}
	f.invokes[c] = all
	return all
}

// dynamicType returns the only type that the value in an interface can have; nil if it is not known.
//
// The depth bounds phis and functions that return what each other return. At the bound the type is
// not known.
func (f *Function) dynamicType(v ssa.Value, depth int) types.Type {
	if f == nil || depth > 4 {
		return nil
	}
	v = f.Resolve(v)
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return x.X.Type()
	case *ssa.ChangeInterface:
		return f.dynamicType(x.X, depth+1)
	case *ssa.Call:
		return f.resultType(x, 0, depth)
	case *ssa.Extract:
		if c, ok := x.Tuple.(*ssa.Call); ok {
			return f.resultType(c, x.Index, depth)
		}
	case *ssa.Phi:
		return f.commonType(x.Edges, depth)
	}
	return nil
}

// resultType returns the only type that result r of a function of the package can have.
func (f *Function) resultType(c *ssa.Call, r, depth int) types.Type {
	callee := f.Package.Funcs[f.Package.Source(c.Call.StaticCallee())]
	if callee == nil {
		return nil
	}
	var all []ssa.Value
	for _, ret := range callee.Returns() {
		all = append(all, ret.Results[r])
	}
	return callee.commonType(all, depth)
}

// commonType returns the type that all of some values have but for those that are nil.
func (f *Function) commonType(all []ssa.Value, depth int) (t types.Type) {
	for _, v := range all {
		if IsNil(v) {
			continue
		}
		one := f.dynamicType(v, depth+1)
		if one == nil || t != nil && !types.Identical(t, one) {
			return nil
		}
		t = one
	}
	return t
}

// method returns the method of a type by which a call of an interface's method is answered; none if it
// is promoted from a field, which is another receiver, or has no body here.
//
// A wrapper that the compiler makes for a promoted method, or a method of the value behind a
// pointer, has another receiver than the value in the interface, and a summary of its own that is
// not asked for.
func (a *Package) method(t types.Type, m *types.Func) []*ssa.Function {
	s := a.ssaPkg.Prog.MethodSets.MethodSet(t).Lookup(m.Pkg(), m.Name())
	if s == nil || len(s.Index()) != 1 {
		return nil
	}
	obj, ok := s.Obj().(*types.Func)
	if !ok || obj.Pkg() != a.Pass.Pkg {
		return nil
	}
	fn := a.ssaPkg.Prog.FuncValue(obj.Origin())
	if fn == nil || fn.Signature.Recv() == nil || !types.Identical(fn.Signature.Recv().Type(), t) {
		return nil // a wrapper around a method of the value
	}
	return []*ssa.Function{fn}
}

// implementations returns the methods that a call through an interface can reach; none if the interface is
// open to types of other packages.
func (a *Package) implementations(c *ssa.CallCommon) []*ssa.Function {
	named, ok := types.Unalias(c.Value.Type()).(*types.Named)
	if !ok || named.Obj().Pkg() != a.Pass.Pkg || named.TypeArgs().Len() > 0 || !a.isClosed(named) {
		return nil
	}
	var all []*ssa.Function
	for _, t := range a.implementers(named) {
		m := a.method(t, c.Method)
		if m == nil {
			return nil
		}
		all = append(all, m...)
	}
	return all
}

// implementers returns the types of the package that implement an interface.
func (a *Package) implementers(named *types.Named) []types.Type {
	if all, ok := a.implementing[named]; ok {
		return all
	}
	i := named.Underlying().(*types.Interface)
	var all []types.Type
	scope := a.Pass.Pkg.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() || types.IsInterface(t.Type()) {
			continue
		}
		if n, ok := t.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
			continue
		}
		if types.Implements(t.Type(), i) {
			all = append(all, t.Type())
		} else if p := types.NewPointer(t.Type()); types.Implements(p, i) {
			all = append(all, p)
		}
	}
	if a.implementing == nil {
		a.implementing = map[*types.Named][]types.Type{}
	}
	a.implementing[named] = all
	return all
}

// isClosed reports whether only types of the package can be in an interface: it has a method that others
// cannot have; or they cannot name it, no exported function takes one, and the package itself converts
// nothing of theirs to it.
//
// An unexported method cannot be implemented elsewhere. Without one, others have to get a value of
// theirs into the interface: by an exported name, a parameter of an exported function, an exported
// variable or field, or by a conversion or assertion in this package. findOpened looks for these, and
// for types made of the interface, as that of a variadic parameter.
func (a *Package) isClosed(named *types.Named) bool {
	i := named.Underlying().(*types.Interface)
	for m := range i.Methods() {
		if !m.Exported() {
			return true
		}
	}
	if named.Obj().Exported() || i.NumMethods() == 0 {
		return false
	}
	return !a.opened[named]
}

// findOpened finds the interfaces into which types of other packages may come.
func (a *Package) findOpened(functions []*ssa.Function) {
	a.opened = map[types.Type]bool{}
	some := false
	scope := a.Pass.Pkg.Scope()
	for _, name := range scope.Names() {
		switch x := scope.Lookup(name).(type) {
		case *types.TypeName:
			some = some || !x.Exported() && types.IsInterface(x.Type())
			if x.Exported() {
				a.open(x.Type())
			} else if s, ok := x.Type().Underlying().(*types.Struct); ok {
				a.openFields(s)
			}
		case *types.Var:
			if x.Exported() {
				a.open(x.Type())
			}
		}
	}
	if !some {
		return
	}
	pools := a.globalPools(functions)
	for _, f := range functions {
		a.openedBy(f, pools)
	}
}

// open notes the interfaces that a type mentions, at which others can get.
//
// Others may append to a list, send to a channel, or return from a function that they set. A type that
// was noted is not looked into again, so recursive types end.
func (a *Package) open(t types.Type) {
	t = types.Unalias(t)
	if a.opened[t] {
		return
	}
	a.opened[t] = true
	switch t := t.(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			a.open(arg)
		}
		for p := range t.TypeParams().TypeParams() {
			a.open(p)
		}
		if t.Obj().Pkg() == a.Pass.Pkg {
			a.open(t.Underlying())
		}
	case *types.TypeParam:
		a.open(t.Constraint())
	case *types.Struct:
		a.openFields(t)
	case *types.Map:
		a.open(t.Key())
		a.open(t.Elem())
	case interface{ Elem() types.Type }: // a pointer, list, array or channel
		a.open(t.Elem())
	case *types.Signature:
		a.openAll(t.Params())
		a.openAll(t.Results())
	case *types.Interface:
		for m := range t.Methods() {
			a.open(m.Type())
		}
	}
}

func (a *Package) openAll(vars *types.Tuple) {
	for v := range vars.Variables() {
		a.open(v.Type())
	}
}

// openFields notes interfaces in exported fields, which others may set.
func (a *Package) openFields(s *types.Struct) {
	for f := range s.Fields() {
		if f.Exported() {
			a.open(f.Type())
		}
	}
}

// openDeclared notes the interfaces that an exported function opens. A result that is an interface itself
// does not: others get what this package has put into it.
func (a *Package) openDeclared(s *types.Signature) {
	a.openAll(s.Params())
	for p := range s.TypeParams().TypeParams() {
		a.open(p)
	}
	for r := range s.Results().Variables() {
		if !types.IsInterface(r.Type()) {
			a.open(r.Type())
		}
	}
}

// openedBy notes the interfaces into which a function lets types of other packages.
func (a *Package) openedBy(f *ssa.Function, pools map[*ssa.Global]*poolContents) {
	if obj, ok := f.Object().(*types.Func); ok && obj.Exported() {
		a.openDeclared(obj.Signature())
	}
	for i := range ssautil.Instructions(f) {
		switch i := i.(type) {
		case *ssa.MakeInterface:
			if n := ssautil.Named(i.X.Type()); n == nil || n.Obj().Pkg() != a.Pass.Pkg {
				a.open(i.Type())
			}
		case *ssa.ChangeInterface:
			a.open(i.Type())
		case *ssa.TypeAssert:
			if types.IsInterface(i.AssertedType) && !fromOwnPool(i, pools) {
				a.open(i.AssertedType)
			}
		}
	}
}
