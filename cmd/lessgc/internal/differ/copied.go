package differ

import (
	"go/types"
	"slices"
)

// copied returns the declarations of the old package that the check holds under other names: the function, and of
// what it leads to all that the change altered or removed, and all that leads there.
func copied(was, is *program, fn *decl) map[*decl]bool {
	pinned := pinnedTypes(fn)
	dirty := map[*decl]bool{}
	for _, d := range was.of {
		if d.typeName() != nil && pinned[d.keys[0]] {
			continue
		}
		for _, key := range d.keys {
			if now := is.decls[key]; now == nil || now.text != d.text {
				dirty[d] = true
			}
		}
	}
	reached := map[*decl]bool{}
	var reach func(*decl)
	reach = func(d *decl) {
		if reached[d] {
			return
		}
		reached[d] = true
		for _, used := range d.uses {
			reach(used)
		}
	}
	reach(fn)
	copies := map[*decl]bool{fn: true}
	for again := true; again; {
		again = false
		for d := range reached {
			altered := dirty[d] || slices.ContainsFunc(d.uses, func(u *decl) bool { return copies[u] })
			if altered && !copies[d] && !(d.typeName() != nil && pinned[d.keys[0]]) {
				copies[d] = true
				again = true
			}
		}
		for _, m := range was.methodsOf(copies) {
			if !copies[m] {
				copies[m] = true
				again = true
				reach(m)
			}
		}
	}
	return copies
}

// changesLayout reports whether the change altered the declaration of a type that the check holds a copy of: a pointer in it may
// have become what it points to.
func changesLayout(is *program, copies map[*decl]bool) bool {
	for d := range copies {
		if d.typeName() == nil {
			continue
		}
		for _, key := range d.keys {
			if now := is.decls[key]; now != nil && now.text != d.text {
				return true
			}
		}
	}
	return false
}

// methodsOf returns the methods of the types that are copied, in no order.
func (p *program) methodsOf(copies map[*decl]bool) (all []*decl) {
	for _, d := range p.of {
		if d.method() && copies[p.receiver(d)] {
			all = append(all, d)
		}
	}
	return all
}

// receiver returns the declaration of a method's type.
func (p *program) receiver(d *decl) *decl {
	named := namedOf(d.objects[0].(*types.Func).Signature().Recv().Type())
	if named == nil {
		return nil
	}
	return p.of[named.Obj()]
}

// pinnedTypes returns the names of the package's types that the type of a function leads to. Old and new function
// are called with the same values, so these are not copied.
func pinnedTypes(fn *decl) map[string]bool {
	f := fn.objects[0].(*types.Func)
	pinned := map[string]bool{}
	seen := map[types.Type]bool{}
	var visit func(types.Type)
	tuple := func(t *types.Tuple) {
		for v := range t.Variables() {
			visit(v.Type())
		}
	}
	visit = func(t types.Type) {
		t = types.Unalias(t)
		if seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			if t.Obj().Pkg() != f.Pkg() {
				return
			}
			pinned[t.Obj().Name()] = true
			visit(t.Origin().Underlying())
			for arg := range t.TypeArgs().Types() {
				visit(arg)
			}
		case *types.Struct:
			for v := range t.Fields() {
				visit(v.Type())
			}
		case *types.Signature:
			tuple(t.Params())
			tuple(t.Results())
		case *types.Map:
			visit(t.Key())
			visit(t.Elem())
		case *types.TypeParam:
			visit(t.Constraint())
		case *types.Interface:
			for m := range t.Methods() {
				visit(m.Type())
			}
		case interface{ Elem() types.Type }:
			visit(t.Elem())
		}
	}
	if recv := f.Signature().Recv(); recv != nil {
		visit(recv.Type())
	}
	visit(f.Signature())
	return pinned
}
