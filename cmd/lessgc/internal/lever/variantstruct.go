package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var variantStruct = &Lever{
	Name:  "variant-struct",
	Title: "return a struct with a kind instead of an interface of small structs",
	Looks: "an interface that no other package can have, with a few small structs in it, which the package only takes out again by type switches and methods.",
	Wrong: "when the values are kept in large slices: the struct may be larger than the interface.",
	Before: `type op interface{ Len() int } // a literal or a match

func (d *decoder) next() op { return match{distance, n} }

switch x := d.next().(type) {
case literal:
case match:
}`,
	After: `type op struct {
	kind     kind // literal or match
	b        byte
	distance int64
	n        int
}

func (d *decoder) next() op { return op{kind: isMatch, distance: distance, n: n} }

switch x := d.next(); x.kind {
case isLiteral:
case isMatch:
}`,
	Model: "The objects go whole: the struct is returned in registers or on the stack.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}, Work: Range{0.3, 1}},
	find:  findVariantStruct,
}

func findVariantStruct(p *Line) (f Finding) {
	f.Calls = conversions
	f.Share = p.boxedShare(func(made *ssa.MakeInterface) bool {
		v := p.variantsOf(made.Type())
		if v == nil || !slices.Contains(v.names, types.TypeString(made.X.Type(), nil)) {
			return false
		}
		f.Evidence = []Evidence{
			p.at(v.declared, fmt.Sprintf("%s has values of %s only, %d bytes together", short(made.Type()), list(v.short), v.size)),
			p.at(v.taken, "here it is taken apart again, and nothing keeps it as another interface"),
		}
		return true
	})
	return f
}

// list joins names.
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// variants describes the types whose values an interface holds.
type variants struct {
	declared token.Pos
	taken    token.Pos // by a type switch or a method
	names    []string  // of types, with their packages
	short    []string
	size     int64 // of all together
}

const (
	mostVariants    = 6
	largestVariants = 48 // bytes
)

// variantsOf returns the variants of an interface, if a struct can replace it; or nil.
func (p *Line) variantsOf(t types.Type) *variants {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.TypeArgs().Len() > 0 || named.Obj().Pkg() == nil || !hidden(named.Obj()) {
		return nil
	}
	v := &variants{declared: named.Obj().Pos()}
	if u := p.unitOf(v.declared); u == nil {
		return nil
	}
	name := types.TypeString(named, nil)
	for _, fn := range p.fns {
		if p.inTest(fn.Pos()) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if !p.variant(v, name, in) {
					return nil
				}
			}
		}
	}
	if !v.taken.IsValid() || v.size > largestVariants || len(v.names) > mostVariants {
		return nil
	}
	slices.Sort(v.short)
	return v
}

// hidden reports whether nothing but its package and those beside it can name a type.
func hidden(object *types.TypeName) bool {
	path := "/" + object.Pkg().Path() + "/"
	return !object.Exported() || object.Pkg().Name() == "main" || strings.Contains(path, "/internal/")
}

// variant notes what an instruction does with an interface, and reports whether a struct could replace it.
func (p *Line) variant(v *variants, name string, in ssa.Instruction) bool {
	is := func(t types.Type) bool { return types.TypeString(t, nil) == name }
	switch in := in.(type) {
	case *ssa.MakeInterface:
		if is(in.Type()) {
			return p.addVariant(v, name, in.X.Type())
		}
		return !holdsType(in.X.Type(), name, 0)
	case *ssa.ChangeInterface:
		return !is(in.Type()) && !is(in.X.Type())
	case *ssa.TypeAssert:
		if is(in.AssertedType) {
			return false
		}
		if is(in.X.Type()) {
			if types.IsInterface(in.AssertedType) {
				return false
			}
			p.take(v, in.Pos())
		}
	case *ssa.Call:
		if in.Call.IsInvoke() && is(in.Call.Value.Type()) {
			p.take(v, in.Pos())
		}
	case *ssa.MakeMap:
		m := in.Type().Underlying().(*types.Map)
		return !is(m.Key())
	}
	return true
}

// take notes the first line where an interface is taken apart.
func (p *Line) take(v *variants, pos token.Pos) {
	if pos.IsValid() && (!v.taken.IsValid() || pos < v.taken) {
		v.taken = pos
	}
}

// addVariant adds a type that an interface is made of: a small one that does not have the interface in it.
func (p *Line) addVariant(v *variants, name string, t types.Type) bool {
	text := types.TypeString(t, nil)
	if slices.Contains(v.names, text) {
		return true
	}
	if pointerShaped(t) || hasTypeParameter(t) || holdsType(t, name, 0) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Basic:
	default:
		return false
	}
	v.names = append(v.names, text)
	v.short = append(v.short, short(t))
	v.size += p.pkg.TypesSizes.Sizeof(t)
	return true
}

// holdsType reports whether a value of a type has one of another in it, or elements of it.
func holdsType(t types.Type, name string, depth int) bool {
	if types.TypeString(t, nil) == name || depth > 5 {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			if holdsType(field.Type(), name, depth+1) {
				return true
			}
		}
	case *types.Array:
		return holdsType(u.Elem(), name, depth+1)
	case *types.Slice:
		return holdsType(u.Elem(), name, depth+1)
	case *types.Map:
		return holdsType(u.Key(), name, depth+1) || holdsType(u.Elem(), name, depth+1)
	}
	return false
}
