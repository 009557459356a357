package pooluse

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A View holds what can be seen of the values in a pool: their type, and the functions that may
// handle one.
type View struct {
	Item types.Type // the type that is put: *T, T, or an interface
	Elem types.Type // T

	Funcs   map[*ssa.Function]bool // functions that may handle a value
	Putting map[*ssa.Function]bool // functions on the way to a Put

	uses  *Uses
	pool  *Pool
	parts map[ssa.Value]bool // parameters that are parts of a value, as far as a rule has looked
}

// AddPart notes that a parameter is part of a value of the pool, and reports whether that is new.
func (v *View) AddPart(p *ssa.Parameter) bool {
	if v.parts[p] {
		return false
	}
	if v.parts == nil {
		v.parts = map[ssa.Value]bool{}
	}
	v.parts[p] = true
	return true
}

// Views returns the views of all pools that can be seen whole, each under one key. They need a Get
// and a Put, and values of one type.
func (u *Uses) Views() map[*Pool]*View {
	views := map[*Pool]*View{}
	for _, p := range u.order {
		if p.Open || p.Foreign() || p.Key.Exported() || p.Location.Field != nil && p.Key.Field == nil {
			continue
		}
		switch p.Key.Root.(type) {
		case nil, *ssa.Global, *ssa.Alloc:
		default:
			continue
		}
		if v := u.view(p); v != nil {
			views[p] = v
		}
	}
	return views
}

func (u *Uses) view(p *Pool) *View {
	v := &View{Funcs: map[*ssa.Function]bool{}, Putting: map[*ssa.Function]bool{}, uses: u, pool: p}
	verbs := map[Verb]bool{}
	for _, op := range p.Ops {
		verbs[op.Verb] = true
		if !v.item(u.typesOf(op)...) {
			return nil
		}
	}
	for _, m := range p.News {
		if m.Type != nil && m.Type != types.Typ[types.UntypedNil] && !v.item(m.Type) {
			return nil
		}
	}
	if v.Item == nil || !verbs[With] && !(verbs[Get] && verbs[Put]) || parameterized(v.Item) {
		return nil
	}
	v.Elem = v.Item
	if ptr, ok := v.Item.Underlying().(*types.Pointer); ok {
		v.Elem = ptr.Elem()
	}
	for _, op := range p.Ops {
		v.handles(op.Fn)
		if op.Verb == Put || op.Verb == With {
			v.puts(op.Fn)
		}
	}
	for _, fn := range p.Reset {
		v.handles(fn)
		v.puts(fn)
	}
	if v.returned() {
		for _, fn := range u.Funcs {
			if v.exported(fn) {
				v.handles(fn)
			}
		}
	}
	if v.stored() {
		for _, fn := range u.Funcs {
			v.Funcs[fn] = true
		}
	}
	return v
}

// item notes that the pool holds ts, and reports whether that is the only type so far.
func (v *View) item(ts ...types.Type) bool {
	for _, t := range ts {
		if v.Item != nil && !types.Identical(v.Item, t) {
			return false
		}
		v.Item = t
	}
	return true
}

// typesOf are the types of values in a pool that op shows.
func (u *Uses) typesOf(op *Op) (all []types.Type) {
	switch {
	case op.Kind.Holds == catalog.TypedPool && op.Verb == With:
		_, args := u.Callee(op.Call.Common())
		if n := ssautil.Named(args[0].Type()); n != nil && n.TypeArgs().Len() == 1 {
			all = append(all, types.NewPointer(n.TypeArgs().At(0)))
		}
	case op.Kind.Holds == catalog.TypedPool && op.Verb == Put:
		all = append(all, op.Arg.Type())
	case op.Verb == Put:
		if t := op.Boxed(); t != nil && t != types.Typ[types.UntypedNil] {
			all = append(all, t)
		}
	case op.Verb == Get && op.Item != nil && !types.IsInterface(op.Item.Type()):
		all = append(all, op.Item.Type())
	case op.Verb == Get && op.Item != nil:
		for _, r := range u.Referrers(op.Item) {
			if t, ok := r.(*ssa.TypeAssert); ok {
				all = append(all, t.AssertedType)
			}
		}
	}
	return all
}

// handles notes that fn may handle a value, and with it the closures in and around it and
// what it calls with a value.
func (v *View) handles(fn *ssa.Function) {
	if fn == nil || fn.Blocks == nil || v.Funcs[fn] {
		return
	}
	v.Funcs[fn] = true
	v.handles(fn.Parent())
	for _, a := range fn.AnonFuncs {
		v.handles(a)
	}
	v.uses.callees(fn, func(callee *ssa.Function, args []ssa.Value) {
		for _, a := range args {
			if v.Is(a.Type()) {
				v.handles(callee)
			}
		}
	})
}

// puts notes that fn is on the way to a Put, with all that it calls.
func (v *View) puts(fn *ssa.Function) {
	if fn == nil || fn.Blocks == nil || v.Putting[fn] {
		return
	}
	v.Putting[fn] = true
	v.puts(fn.Parent())
	for _, a := range fn.AnonFuncs {
		v.puts(a)
	}
	v.uses.callees(fn, func(callee *ssa.Function, _ []ssa.Value) { v.puts(callee) })
}

// Around returns fn with the functions around it and in it, and all functions of the package that
// these call: those that can decide about what fn puts, but for its callers.
func (v *View) Around(fn *ssa.Function) map[*ssa.Function]bool {
	w := &View{Putting: map[*ssa.Function]bool{}, uses: v.uses}
	w.puts(fn)
	return w.Putting
}

// Handling returns fn with the functions that it passes a value of the pool to, those that they pass it
// to, and the functions around and in these.
func (v *View) Handling(fn *ssa.Function) map[*ssa.Function]bool {
	w := &View{Item: v.Item, Elem: v.Elem, Funcs: map[*ssa.Function]bool{}, uses: v.uses}
	w.handles(fn)
	return w.Funcs
}

// callees calls f for each function of the package that fn calls.
func (u *Uses) callees(fn *ssa.Function, f func(*ssa.Function, []ssa.Value)) {
	for call := range ssautil.InstructionsOf[ssa.CallInstruction](fn) {
		if callee, args := u.Callee(call.Common()); callee != nil && callee.Pkg == u.SSA.Pkg {
			f(callee, args)
		}
	}
}

// Is reports whether t is the type of a value in the pool, or of what that points to.
func (v *View) Is(t types.Type) bool {
	return types.Identical(t, v.Item) || types.Identical(t, v.Elem)
}

// returned reports whether a function that gets a value returns it, so that others may call its methods.
func (v *View) returned() bool {
	for _, op := range v.pool.Ops {
		if op.Verb != Get {
			continue
		}
		for r := range ssautil.Returns(op.Fn) {
			for _, result := range r.Results {
				if v.Is(v.uses.unbox(result).Type()) {
					return true
				}
			}
		}
	}
	return false
}

// exported reports whether fn is a method of the values that other packages can call.
func (v *View) exported(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	return recv != nil && fn.Parent() == nil && v.named() && v.Is(recv.Type()) && ast.IsExported(fn.Name())
}

// stored reports whether a value is kept somewhere else than in local variables, for others
// to find.
func (v *View) stored() bool {
	for fn := range v.Funcs {
		for i := range ssautil.Instructions(fn) {
			if kept := keeps(i); kept != nil && types.Identical(kept.Type(), v.Item) {
				return true
			}
		}
	}
	return false
}

// keeps returns what i stores in memory that is not a local variable, or nil.
func keeps(i ssa.Instruction) ssa.Value {
	switch i := i.(type) {
	case *ssa.Store:
		switch i.Addr.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			return nil
		}
		return i.Val
	case *ssa.Send:
		return i.X
	case *ssa.MapUpdate:
		return i.Value
	}
	return nil
}

// Instructions calls f for each instruction of the functions that may handle a value.
func (v *View) Instructions(f func(*ssa.Function, ssa.Instruction)) {
	for _, fn := range v.uses.Funcs {
		if !v.Funcs[fn] {
			continue
		}
		for i := range ssautil.Instructions(fn) {
			f(fn, i)
		}
	}
}

// Outer returns what a is a part of: the struct, list or pointer that a field, an element, a slice or a load
// leads from, by its value or its address; nil if a is none of these.
func Outer(a ssa.Value) ssa.Value {
	switch x := a.(type) {
	case *ssa.FieldAddr:
		return x.X
	case *ssa.Field:
		return x.X
	case *ssa.IndexAddr:
		return x.X
	case *ssa.Slice:
		return x.X
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return x.X
		}
	}
	return nil
}

// Part reports whether a is a value of the pool or part of one, or its address: it follows
// fields, pointers and slices back to something of the type of the values that is not new
// here. Slices have too common a type: they must come from a Get in sight.
func (v *View) Part(a ssa.Value) bool {
	for range 50 {
		a = v.uses.Source(a)
		if v.parts[a] {
			return true
		}
		if types.Identical(a.Type(), v.Item) && (v.named() || !inside(a)) {
			_, slice := a.Type().(*types.Slice)
			return !v.New(a) && (!slice || v.uses.Origin(a) != nil)
		}
		switch x := a.(type) {
		case *ssa.Alloc:
			return v.local(x)
		case *ssa.FreeVar:
			l, ok := v.uses.Variable(x).(*ssa.Alloc)
			return ok && v.local(l)
		}
		if a = Outer(a); a == nil {
			return false
		}
	}
	return false
}

// named reports whether the values have a type of their own, so that what has this type is
// one of them.
func (v *View) named() bool {
	_, ok := types.Unalias(v.Elem).(*types.Named)
	return ok
}

// inside reports whether a is the address of part of something else.
func inside(a ssa.Value) bool {
	switch a.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	}
	return false
}

// New reports whether a is a value that was made here and not got.
func (v *View) New(a ssa.Value) bool {
	switch a := a.(type) {
	case *ssa.Alloc:
		return !v.local(a)
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.Const:
		return true
	}
	return false
}

// local reports whether a is a local variable whose address is put.
func (v *View) local(a *ssa.Alloc) bool {
	for _, op := range v.pool.Ops {
		if op.Verb == Put && op.Item != nil && v.uses.Variable(op.Item) == ssa.Value(a) {
			return true
		}
	}
	return false
}

// parameterized reports whether t has a type parameter at its surface.
func parameterized(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return parameterized(t.Elem())
	case *types.Slice:
		return parameterized(t.Elem())
	case *types.Map:
		return parameterized(t.Key()) || parameterized(t.Elem())
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if parameterized(a) {
				return true
			}
		}
	}
	return false
}
