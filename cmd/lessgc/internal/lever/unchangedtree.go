package lever

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var unchangedTree = &Lever{
	Name:  "unchanged-tree",
	Title: "return what is there where nothing in it changes",
	Looks: "a function that goes over a slice or a map, calls itself for the elements, and returns a new slice or map of the same type with the results: a tree is built anew, also the parts of it in which nothing changes.",
	Wrong: "when most of the parts change, or callers write to the result, and rely on it being theirs.",
	Before: `func resolve(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, 0, len(v))
		for _, e := range v {
			out = append(out, resolve(e))
		}
		return out
	…`,
	After: `	case []any:
		out := v
		for i, e := range v {
			r, changed := resolve(e)
			if changed && &out[0] == &v[0] {
				out = slices.Clone(v) // when the first changes
			}
			if changed {
				out[i] = r
			}
		}
		return out, …`,
	Model: "Parts of the tree without changes are not copied, nor made into interfaces again.",
	Risk:  Aliasing,
	Asks:  "Does nothing change in many of the parts, and is the result never written to? Or can the function be called once for what is the same each time?",
	Saves: Saves{Alloc: Range{0.3, 1}, Collect: Range{0.3, 1}, Work: Range{0, 0.3}},
	find:  findUnchangedTree,
}

func findUnchangedTree(p *Line) (f Finding) {
	fn := p.body()
	if fn == nil || !p.madeAgain() {
		return f
	}
	found, others := 0, 0
	for _, in := range p.allocators() {
		made := builtBy(in)
		if made == nil || !isReturnedAs(made) {
			others++
			continue
		}
		call := p.fromItself(fn, made)
		if call == nil {
			others++
			continue
		}
		found++
		f.Evidence = []Evidence{
			{fmt.Sprintf("a %s is built anew%s", short(made.Type()), p.perOperation()), p.site.File, p.site.Line},
			p.at(call.Pos(), "its elements are what "+nameOf(fn)+" makes of those of one that is there"),
		}
	}
	if found == 0 {
		return Finding{}
	}
	f.Share = p.direct() * float64(found) / float64(found+others)
	return f
}

// builtBy is the map or slice that an instruction makes, makes larger, or makes an interface of; nil if it does not.
func builtBy(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.MakeMap:
		return in
	case *ssa.MakeSlice:
		return in
	case *ssa.MapUpdate:
		if made, ok := in.Map.(*ssa.MakeMap); ok {
			return made
		}
	case *ssa.Call:
		if callsBuiltin(in, "append") {
			return in
		}
	case *ssa.MakeInterface:
		if _, ok := in.X.Type().Underlying().(*types.Slice); ok && isReturned(in) {
			return in.X
		}
	}
	return nil
}

// isReturnedAs reports whether a value, or what append makes of it, is returned, itself or as an interface.
func isReturnedAs(v ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	work := []ssa.Value{v}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] || v.Referrers() == nil {
			continue
		}
		seen[v] = true
		for _, in := range *v.Referrers() {
			switch in := in.(type) {
			case *ssa.Return:
				return true
			case *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Phi:
				work = append(work, in.(ssa.Value))
			case *ssa.Call:
				if callsBuiltin(in, "append") && in.Call.Args[0] == v {
					work = append(work, in)
				}
			}
		}
	}
	return false
}

// fromItself is the call by which a function gets an element of what it builds, by calling itself with an element of
// something of the same type; nil if there is none.
func (p *Line) fromItself(fn *ssa.Function, made ssa.Value) *ssa.Call {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok || !repeats(b) || !mayCall(c, fn) {
				continue
			}
			if slices.ContainsFunc(c.Call.Args, func(v ssa.Value) bool { return elementOf(v, made.Type()) }) && becomesElement(c, made) {
				return c
			}
		}
	}
	return nil
}

// elementOf reports whether a value is read from a map or slice of a type, in a range over it or by an index.
func elementOf(v ssa.Value, container types.Type) bool {
	switch v := v.(type) {
	case *ssa.Extract:
		if next, ok := v.Tuple.(*ssa.Next); ok {
			if over, ok := next.Iter.(*ssa.Range); ok {
				return types.Identical(over.X.Type().Underlying(), container.Underlying())
			}
		}
		if look, ok := v.Tuple.(*ssa.Lookup); ok {
			return types.Identical(look.X.Type().Underlying(), container.Underlying())
		}
	case *ssa.Lookup:
		return types.Identical(v.X.Type().Underlying(), container.Underlying())
	case *ssa.UnOp:
		if at, ok := v.X.(*ssa.IndexAddr); ok {
			return types.Identical(at.X.Type().Underlying(), container.Underlying())
		}
	case *ssa.MakeInterface:
		return elementOf(v.X, container)
	case *ssa.TypeAssert:
		return elementOf(v.X, container)
	}
	return false
}

// becomesElement reports whether a result of a call is stored in a map or slice of the type that is made.
func becomesElement(c *ssa.Call, made ssa.Value) bool {
	for _, part := range parts(c) {
		for _, in := range *part.Referrers() {
			switch in := in.(type) {
			case *ssa.MapUpdate:
				if in.Value == part && types.Identical(in.Map.Type(), made.Type()) {
					return true
				}
			case *ssa.Store:
				at, ok := in.Addr.(*ssa.IndexAddr)
				if !ok || in.Val != part {
					continue
				}
				if types.Identical(at.X.Type(), made.Type()) {
					return true
				}
				if call := appendOf(at.X); call != nil && types.Identical(call.Type(), made.Type()) {
					return true
				}
			}
		}
	}
	return false
}
