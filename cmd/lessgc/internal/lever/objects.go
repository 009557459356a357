package lever

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A structMade is a struct that a line makes as an object of its own.
type structMade struct {
	made  *ssa.Alloc
	of    types.Type
	named *types.Named // nil for a struct without a name
	size  int64
	share float64
}

// structMade is the struct that the line makes by itself, if it makes nothing else; ok is false if it does not.
func (p *Line) structMade(most int64) (o structMade, ok bool) {
	in, share := p.only()
	made, isAlloc := in.(*ssa.Alloc)
	if !isAlloc || share < 0.5 || !p.ownObject(made) || p.pkg.TypesSizes == nil || hasTypeParameter(elemOf(made)) {
		return o, false
	}
	if _, ok := elemOf(made).Underlying().(*types.Struct); !ok || isErrorType(made.Type()) {
		return o, false
	}
	o = structMade{made: made, of: elemOf(made), named: namedOf(made.Type()), size: p.pkg.TypesSizes.Sizeof(elemOf(made)), share: share}
	return o, o.size > 0 && o.size <= most
}

// isErrorType reports whether values of a type are errors.
func isErrorType(t types.Type) bool {
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// often reports whether operations make the object again and again, as far as their number is known.
func (p *Line) often() bool {
	n := p.each()
	return n == 0 || n >= leastEach
}

// storesOf are the stores of the object itself into fields, in the order of the source.
func (c *course) storesOf() (all []*ssa.Store) {
	for v, how := range c.seen {
		if how&refers == 0 {
			continue
		}
		for _, in := range *v.Referrers() {
			if store, ok := in.(*ssa.Store); ok && store.Val == v {
				if _, ok := store.Addr.(*ssa.FieldAddr); ok {
					all = append(all, store)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b *ssa.Store) int { return cmp.Compare(a.Addr.Pos(), b.Addr.Pos()) })
	return slices.CompactFunc(all, func(a, b *ssa.Store) bool { return a == b })
}

// retained reports whether a function that is not known is given the object, and keeps it by its name.
func (c *course) retained() bool {
	return slices.ContainsFunc(c.unknown, func(in ssa.CallInstruction) bool {
		ofItself := in.Common().IsInvoke() && c.direct(in.Common().Value) && !slices.ContainsFunc(in.Common().Args, c.direct)
		return !ofItself && calledName(in) != "SetReleaser" && beginsWith(calledName(in), retaining)
	})
}

// droppedIn is the function of the stack with the most bytes that has the object and does not return it; nil if there is none.
func (c *course) droppedIn() *ssa.Function {
	p := c.place
	stack := p.ownStack()
	for _, f := range stack[min(1, len(stack)):] {
		at := p.function(f)
		if at == nil || p.fns[at.node] == nil {
			return nil
		}
		fn := p.fns[at.node]
		has, returns := false, false
		for v := range c.seen {
			if v.Parent() != fn {
				continue
			}
			has = true
			returns = returns || slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
				_, ok := in.(*ssa.Return)
				return ok
			})
		}
		if !has {
			return nil
		}
		if !returns {
			return fn
		}
	}
	return nil
}

// makersCount returns the number of objects of a type that the benchmarks made; ok is false if that is not known.
func (p *Line) makersCount(t *types.Named) (sum int64, ok bool) {
	for _, made := range p.makersOf(t) {
		if n, known := p.executed(made.Pos()); known {
			sum, ok = sum+n, true
		}
	}
	return sum, ok
}

// endMethod is a method that ends the use of objects of a type, by its name, or begins another.
func (p *Program) endMethod(t *types.Named) *types.Func {
	for _, names := range []map[string]bool{ending, {"abort": true, "discard": true, "end": true, "put": true, "unref": true}} {
		for m := range t.Methods() {
			if names[strings.ToLower(m.Name())] && endsQuietly(m.Signature()) && p.decls[m] != nil {
				return m
			}
		}
	}
	return nil
}

// sameField reports whether a field is that of an ownership: in the variant of its package with tests it is another object.
func (k *ownership) sameField(field *types.Var) bool {
	return k.field.Name() == field.Name() && k.by != nil && k.field.Pkg() != nil && field.Pkg() != nil && k.field.Pkg().Path() == field.Pkg().Path()
}
