package lever

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var largeObject = &Lever{
	Name:  "large-object",
	Title: "make the large object no larger than the input needs, or keep it for the next operation",
	way:   size,
	Looks: "a slice or array of a constant size of 1 KiB or more, or a struct with such an array inside, that each operation makes anew: its size has nothing to do with the input. Not what users of the package are given.",
	Wrong: "when nearly all of it is used as a rule, and parts of it are kept after the operation. When very large ones are kept in a pool because of one large input: put back those up to a bound.",
	Before: `func (p *parser) init() {
	p.tokens = make([]token, 32767)
	...`,
	After: `var tokens = sync.Pool{New: func() any { return new([]token) }}

func (p *parser) parse(text string) {
	all := tokens.Get().(*[]token)
	p.tokens = slices.Grow((*all)[:0], len(text)/4)
	...
	*all, p.tokens = p.tokens[:0], nil // where the parser is dropped
	tokens.Put(all)`,
	Model: "What is not needed is neither zeroed nor allocated; what a pool has is allocated only for the first time and after collections.",
	Risk:  Lifetime,
	Asks:  "How much of it does an operation use? If little, begin with a size that follows from the input, and let it grow. If nothing refers to it when the operation ends, put it into a sync.Pool there (a struct: Reset all but the array), or keep it in an object that is used again.",
	Saves: Saves{Alloc: Range{0.3, 0.95}, Collect: Range{0.4, 0.95}},
	find:  findLargeObject,
}

const leastLargeObject = 1024 // bytes

func findLargeObject(p *Line) (f Finding) {
	if p.objectSize() < leastLargeObject || !p.madeAgain() || p.inPool() || p.pkg.TypesSizes == nil {
		return f
	}
	for _, o := range p.owned() {
		if o.value == nil || o.isMap {
			continue
		}
		text := p.sizeOfLarge(o)
		if text == "" {
			continue
		}
		where, ok := p.largeStays(o)
		if !ok {
			continue
		}
		return Finding{Share: o.share, Evidence: append([]Evidence{p.at(o.pos, text+p.inEach())}, where...)}
	}
	return f
}

// sizeOfLarge describes the size of an object, if that is a constant: "" for a struct without a large array.
func (p *Line) sizeOfLarge(o owned) string {
	made, ok := o.value.(*ssa.Alloc)
	if !ok || hasTypeParameter(elemOf(made)) {
		return ""
	}
	size := p.pkg.TypesSizes.Sizeof(elemOf(made))
	if size < leastLargeObject {
		return ""
	}
	if array, ok := elemOf(made).Underlying().(*types.Array); ok {
		return fmt.Sprintf("a []%s of %d elements, %s, whatever the input", short(array.Elem()), array.Len(), bytesOf(float64(size)))
	}
	path, inner := p.largestArray(elemOf(made), 0)
	if inner == nil || 2*p.pkg.TypesSizes.Sizeof(inner) < size {
		return ""
	}
	return fmt.Sprintf("%s has %s, of which %s are the array in field %s", o.text, bytesOf(float64(size)), bytesOf(float64(p.pkg.TypesSizes.Sizeof(inner))), path)
}

// largestArray is the largest array inside a struct, with the names of the fields that lead to it; nil if there is none.
func (p *Line) largestArray(t types.Type, depth int) (path string, largest *types.Array) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > deepest {
		return "", nil
	}
	for field := range s.Fields() {
		name, array := field.Name(), (*types.Array)(nil)
		switch u := field.Type().Underlying().(type) {
		case *types.Array:
			array = u
		case *types.Struct:
			var rest string
			if rest, array = p.largestArray(u, depth+1); array != nil {
				name += "." + rest
			}
		}
		if array != nil && (largest == nil || p.pkg.TypesSizes.Sizeof(array) > p.pkg.TypesSizes.Sizeof(largest)) {
			path, largest = name, array
		}
	}
	return path, largest
}

// largeStays returns where an object is stored. ok is false for what users of the package are given, and for what leaves the
// objects that are known.
func (p *Line) largeStays(o owned) (where []Evidence, ok bool) {
	c := p.courseBy(o.value, true)
	if len(c.away) > 0 || c.retained() {
		return nil, false
	}
	keeps := slices.DeleteFunc(slices.Clone(c.keeps), func(k ownership) bool { return k.fresh || k.owner == nil || o.named != nil && k.owner == o.named })
	inSlice := func(k ownership) bool { return k.whole && k.owner != nil && isSlice(k.field.Type()) }
	if i := slices.IndexFunc(c.keeps, func(k ownership) bool { return k.fresh && inSlice(k) && p.partsLeave(k.field) }); i >= 0 && len(keeps) == 0 {
		keeps = c.keeps[i : i+1] // the object that has it may be dropped, and what it had is not
	}
	own := slices.IndexFunc(keeps, inSlice)
	given := len(c.users) > 0 || c.public
	switch {
	case own < 0 && given:
		return nil, false
	case own >= 0 && (given || p.partsLeave(keeps[own].field)):
		k := keeps[own]
		return []Evidence{p.at(k.pos, fmt.Sprintf("it is stored in field %s of %s, and parts of it leave there: no pool, but a size that follows from the input, or a small one that grows by doubling", k.field.Name(), k.owner.Obj().Name()))}, true
	case len(keeps) == 0 && !slices.ContainsFunc(c.owners, isPublic):
		return []Evidence{p.at(o.pos, "nothing keeps it when the operation ends, as far as the source shows")}, true
	case len(keeps) == 0:
		return nil, false
	}
	k := keeps[max(own, 0)]
	text := fmt.Sprintf("it is reached from field %s of %s", k.field.Name(), k.owner.Obj().Name())
	if !slices.ContainsFunc(keeps, func(k ownership) bool { return !p.ownerDropped(k.owner, 0) }) {
		text += ", which is dropped when the operation ends, as far as the source shows"
	}
	return []Evidence{p.at(k.pos, text)}, true
}

// partsLeave reports whether part of the slice in a field is returned, or stored elsewhere.
func (p *Line) partsLeave(field *types.Var) bool {
	seen := map[ssa.Value]bool{}
	var leaves func(v ssa.Value) bool
	leaves = func(v ssa.Value) bool {
		if seen[v] || v.Referrers() == nil {
			return false
		}
		seen[v] = true
		return slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
			switch in := in.(type) {
			case *ssa.Return, *ssa.MapUpdate, *ssa.Send, *ssa.MakeClosure, *ssa.MakeInterface:
				return true
			case *ssa.Slice:
				return leaves(in)
			case *ssa.IndexAddr:
				return leaves(in)
			case *ssa.FieldAddr:
				return leaves(in)
			case *ssa.Phi:
				return leaves(in)
			case *ssa.Store:
				to, isField := in.Addr.(*ssa.FieldAddr)
				return in.Val == v && !(isField && fieldOf(to) == field)
			case *ssa.Call:
				return callsBuiltin(in, "append") && in.Call.Args[0] == v && leaves(in)
			}
			return false
		})
	}
	return slices.ContainsFunc(p.loads[field], func(v ssa.Value) bool { return !p.inTest(v.Pos()) && leaves(v) })
}

// ownerDropped reports whether the objects of a type are dropped when the functions end that the profile has above the line,
// with what holds them, as far as the source shows.
func (p *Line) ownerDropped(owner *types.Named, depth int) bool {
	made := slices.DeleteFunc(slices.Clone(p.makersOf(owner)), func(made *ssa.Alloc) bool {
		n, known := p.executed(made.Pos())
		return known && n == 0
	})
	if len(made) == 0 || depth > 2 {
		return false
	}
	return !slices.ContainsFunc(made, func(made *ssa.Alloc) bool {
		c := p.courseBy(made, true)
		return len(c.away) > 0 || len(c.users) > 0 || c.public || len(c.seen) >= widest || c.retained() ||
			slices.ContainsFunc(c.keeps, func(k ownership) bool {
				return !k.fresh && (k.owner == nil || k.owner != owner && !p.ownerDropped(k.owner, depth+1))
			})
	})
}
