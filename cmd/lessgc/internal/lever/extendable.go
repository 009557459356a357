package lever

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// extendable reports whether a struct type may have one more field, a slice, without anybody noticing: the type is
// known in its package only, all its values stay where they are made and are used by one goroutine, none is an
// interface, and no literal names its fields by their order.
func (p *Line) extendable(named *types.Named, field string) bool {
	obj := named.Obj()
	if obj.Exported() || obj.Pkg() != p.pkg.Types || obj.Parent() != obj.Pkg().Scope() || named.TypeParams().Len() > 0 {
		return false
	}
	if p.builtElsewhere(obj) || p.seenOutside(named) || p.sharesFields(named) || p.comparesDeeply() {
		return false
	}
	for _, u := range p.units {
		if u.pkg.Types.Path() == obj.Pkg().Path() && !u.leavesFields(named, field) { // of a variant with tests, too
			return false
		}
	}
	for _, m := range p.ssa.Package(obj.Pkg()).Members {
		global, ok := m.(*ssa.Global)
		if ok && (holdsValue(elemType(global.Type()), named) || isPointerTo(elemType(global.Type()), named)) {
			return false
		}
	}
	for _, fn := range p.fns {
		if !staysWhole(fn, named) {
			return false
		}
	}
	return true
}

func elemType(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }

// importsUnsafe reports whether an import is one by which code goes around types.
func importsUnsafe(spec *ast.ImportSpec) bool {
	return spec.Path.Value == `"unsafe"` || spec.Path.Value == `"C"`
}

// leavesFields reports whether a file has no literal of a type without the names of fields, no type that is defined as it,
// no use of unsafe or C, and does not have a name.
func (u *unit) leavesFields(named *types.Named, name string) bool {
	ok := !slices.ContainsFunc(u.file.Imports, importsUnsafe) && !u.instantiates(named)
	ast.Inspect(u.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			ok = ok && n.Name != name
		case *ast.TypeSpec: // of a type with the same fields
			ok = ok && !isAt(u.typeOf(n.Type), named.Obj().Pos())
		case *ast.CompositeLit:
			if t := u.typeOf(n); len(n.Elts) > 0 && (isAt(t, named.Obj().Pos()) || n.Type == nil && isPointerAt(t, named.Obj().Pos())) {
				_, keyed := n.Elts[0].(*ast.KeyValueExpr)
				ok = ok && keyed
			}
		}
		return ok
	})
	return ok
}

// instantiates reports whether a file gives a type, or one that leads to it, to what has type parameters: there its values have
// another type. Packages slices and maps only hand them on.
func (u *unit) instantiates(named *types.Named) bool {
	for id, instance := range u.pkg.TypesInfo.Instances {
		pkg := u.pkg.TypesInfo.ObjectOf(id).Pkg()
		if id.Pos() < u.file.FileStart || u.file.FileEnd <= id.Pos() || pkg != nil && (pkg.Path() == "slices" || pkg.Path() == "maps") {
			continue
		}
		if slices.ContainsFunc(slices.Collect(instance.TypeArgs.Types()), func(t types.Type) bool { return leadsAt(t, named.Obj().Pos()) }) {
			return true
		}
	}
	return false
}

// sharesFields reports whether another type of the package has a type inside, or is another name of it.
func (p *Line) sharesFields(named *types.Named) bool {
	scope := p.pkg.Types.Scope()
	for _, name := range scope.Names() {
		other, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || other == named.Obj() {
			continue
		}
		if types.Identical(other.Type(), named) || hasInside(other.Type(), named) {
			return true
		}
	}
	return false
}

// comparesDeeply reports whether the program calls reflect.DeepEqual, tests left out: it looks into all fields.
func (p *Program) comparesDeeply() bool {
	for callee, calls := range p.calls {
		if callee.String() == "reflect.DeepEqual" && slices.ContainsFunc(calls, func(c ssa.CallInstruction) bool { return !p.inTest(c.Pos()) }) {
			return true
		}
	}
	return false
}

// seenOutside reports whether what the package exports leads to a type.
func (p *Line) seenOutside(named *types.Named) bool {
	scope := p.pkg.Types.Scope()
	seen := map[types.Type]bool{}
	for _, name := range scope.Names() {
		if object := scope.Lookup(name); object.Exported() && exposes(object.Type(), named, seen) {
			return true
		}
	}
	return false
}

// exposes reports whether code of another package gets from a type to another one, by exported fields and methods.
func exposes(t types.Type, named *types.Named, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if t == named {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	if n, ok := t.(*types.Named); ok {
		if n.Obj().Pkg() != named.Obj().Pkg() {
			args := n.TypeArgs()
			for i := range args.Len() {
				if exposes(args.At(i), named, seen) {
					return true
				}
			}
			return false
		}
		for m := range n.Methods() {
			if m.Exported() && exposes(m.Signature(), named, seen) {
				return true
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if (f.Exported() || f.Embedded()) && exposes(f.Type(), named, seen) {
				return true
			}
		}
	case *types.Signature:
		return exposes(u.Params(), named, seen) || exposes(u.Results(), named, seen)
	case *types.Tuple:
		for v := range u.Variables() {
			if exposes(v.Type(), named, seen) {
				return true
			}
		}
	case *types.Interface:
		for m := range u.Methods() {
			if exposes(m.Signature(), named, seen) {
				return true
			}
		}
	case *types.Map:
		return exposes(u.Key(), named, seen) || exposes(u.Elem(), named, seen)
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		return exposes(u.Elem(), named, seen)
	}
	return false
}

// holdsValue reports whether a type has values of another one in it, or channels that hand on pointers to them.
func holdsValue(t types.Type, named *types.Named) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return hasInside(u.Elem(), named)
	case *types.Map:
		return hasInside(u.Key(), named) || hasInside(u.Elem(), named)
	case *types.Chan:
		return hasInside(u.Elem(), named) || isPointerTo(u.Elem(), named)
	case *types.Pointer:
		return !types.Identical(u.Elem(), named) && hasInside(u.Elem(), named)
	}
	return hasInside(t, named)
}

// staysWhole reports whether a function handles values of a type by pointers only, gives none to another goroutine, and
// makes no pointer an interface or one of another type.
func staysWhole(fn *ssa.Function, named *types.Named) bool {
	sig := fn.Signature
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			if holdsValue(v.Type(), named) {
				return false
			}
		}
	}
	if sig.Recv() != nil && holdsValue(sig.Recv().Type(), named) {
		return false
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if !keepsWhole(in, named) {
				return false
			}
		}
	}
	return true
}

// keepsWhole is staysWhole of an instruction.
func keepsWhole(in ssa.Instruction, named *types.Named) bool {
	switch in := in.(type) {
	case *ssa.Go:
		for _, operand := range in.Operands(nil) {
			if *operand == nil {
				continue
			}
			if isPointerTo((*operand).Type(), named) || bindsPointer(*operand, named) {
				return false
			}
		}
	case *ssa.MakeInterface:
		return !isPointerTo(in.X.Type(), named) && !hasInside(in.X.Type(), named)
	case *ssa.ChangeType:
		return !isPointerTo(in.X.Type(), named) && !isPointerTo(in.Type(), named)
	case *ssa.Convert:
		return !isPointerTo(in.X.Type(), named) && !isPointerTo(in.Type(), named)
	case *ssa.UnOp:
		if isNew(in.X) {
			return true
		}
	}
	v, ok := in.(ssa.Value)
	if !ok {
		return true
	}
	if _, many := v.Type().(*types.Tuple); many {
		return true
	}
	return v.Type() == nil || !holdsValue(v.Type(), named)
}

// bindsPointer reports whether a value is a function literal or method value that has a pointer to a type.
func bindsPointer(v ssa.Value, named *types.Named) bool {
	closure, ok := v.(*ssa.MakeClosure)
	return ok && slices.ContainsFunc(closure.Bindings, func(b ssa.Value) bool {
		t := b.Type()
		if pointer, ok := t.Underlying().(*types.Pointer); ok && isPointerTo(pointer.Elem(), named) {
			return true
		}
		return isPointerTo(t, named)
	})
}
